// SPDX-License-Identifier: Apache-2.0
//! The files of drafts: reading them, and printing them.

use std::io::{self, Read, Write};

use content_fabric_client::{
	drafts::{Draft, SignedDraft},
	text::json_fault,
};
use serde::{de::DeserializeOwned, Serialize};

use crate::{input::Input, output::Report, Error};

/// Reads a document in JSON from a file or from standard input.
pub fn read<Document: DeserializeOwned>(input: &Input, what: &str) -> Result<Document, Error> {
	let mut bytes = Vec::new();
	let read = input.open().and_then(|reader| reader.take(MAX_LEN + 1).read_to_end(&mut bytes));
	read.map_err(|error| Error::Usage(format!("cannot read {what} from {input}: {error}")))?;
	if bytes.len() as u64 > MAX_LEN {
		return Err(Error::Usage(format!(
			"{input} is not {what}: it has more than {MAX_LEN} bytes"
		)));
	}
	serde_json::from_slice(&bytes)
		.map_err(|error| Error::Usage(format!("{input} is not {what}: {}", json_fault(&error))))
}

/// Number of bytes of the largest document that is read.
const MAX_LEN: u64 = 64 << 20;

fn write_json(out: &mut dyn Write, document: &impl Serialize) -> io::Result<()> {
	serde_json::to_writer_pretty(&mut *out, document)?;
	writeln!(out)
}

impl Report for Draft {
	/// Writes JSON, as the document is for a file.
	fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
		write_json(out, self)
	}
}

impl Report for SignedDraft {
	/// Writes JSON, as the document is for a file.
	fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
		write_json(out, self)
	}
}

#[cfg(test)]
mod tests {
	use std::path::PathBuf;

	use content_fabric_client::samples::draft;

	use super::*;

	#[test]
	fn files_that_are_no_documents_are_refused_in_one_line() {
		let dir = tempfile::tempdir().expect("there is room for a directory");
		let path = dir.path().join("draft.json");
		let json = serde_json::to_string(&draft()).expect("drafts have a JSON form");
		for text in
			["", "{}", "[]", &json.replace("\"muid\"", "\"other\""), &json.replace("0x", "")]
		{
			std::fs::write(&path, text).expect("there is room for a file");
			let error = read::<Draft>(&Input::Path(path.clone()), "a draft");
			let error = error.expect_err("it is not a draft").to_string();
			assert!(error.contains("draft.json is not a draft: "), "{error}");
			assert_eq!(error.lines().count(), 1, "{error}");
		}
		for (text, reason) in [("", "it is empty"), ("{\n", "it ends too early, in line 2")] {
			std::fs::write(&path, text).expect("there is room for a file");
			let error = read::<Draft>(&Input::Path(path.clone()), "a draft");
			let error = error.expect_err("it is not a draft").to_string();
			assert!(error.ends_with(reason), "{error}");
		}
		let missing = read::<Draft>(&Input::Path(PathBuf::from("/no/such/draft")), "a draft");
		assert!(missing.is_err_and(|error| error.to_string().starts_with("cannot read a draft")));
	}
}
