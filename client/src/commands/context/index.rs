// SPDX-License-Identifier: Apache-2.0
//! The index that a command reads.

use super::Context;
use crate::{
	index::{Index, IndexError},
	output::warn,
	profile::IndexUrl,
	text::count,
	Error,
};

/// Number of blocks that an index may be behind without a warning.
const FAR_BEHIND: u64 = 10;

impl Context {
	/// Returns whether an index is named, on the command line or by the profile.
	pub fn names_index(&self) -> bool {
		self.index_text().is_some()
	}

	pub fn is_light(&self) -> bool {
		self.global.light.is_some()
	}

	/// Asks the index for its status, and checks that it follows the chain of the profile, where the
	/// genesis hash is known. Does not connect to a node. `what` is the command.
	pub async fn index(&self, what: &'static str) -> Result<Index, Error> {
		let url = self.index_url(what)?;
		let genesis = self.known_genesis_hash()?;
		let index = Index::connect(url, self.timeout(), genesis).await?;
		let behind = index.status().behind;
		if behind > FAR_BEHIND {
			let blocks = count(behind, "block", "blocks");
			warn(&format!("warning: the index is {blocks} behind the chain"));
		}
		Ok(index)
	}

	fn index_text(&self) -> Option<&str> {
		self.global.index.as_deref().or(self.profile.index.as_deref())
	}

	/// Returns the URL of the index, to which the connection must be safe.
	fn index_url(&self, what: &'static str) -> Result<IndexUrl, Error> {
		let text = self.index_text().ok_or(IndexError::NotNamed(what))?;
		let url: IndexUrl = text.parse()?;
		self.ensure_secure(&url)?;
		Ok(url)
	}

	/// Checks that the connection to a server is encrypted, or local, or allowed to be neither.
	pub fn ensure_secure(&self, url: &IndexUrl) -> Result<(), Error> {
		Ok(url.ensure_secure(self.global.insecure || self.profile.insecure)?)
	}
}

#[cfg(test)]
mod tests {
	use super::*;
	use crate::{class::Class, profile::Profile};

	fn url(arguments: &[&str], profile: Profile) -> Result<IndexUrl, Error> {
		Context::of(arguments, profile).index_url("fabric find")
	}

	#[test]
	fn the_index_is_that_of_the_command_line_or_of_the_profile() {
		let profile =
			|| Profile { index: Some("https://index.example.com".into()), ..Profile::default() };
		let shown =
			|arguments: &[&str], profile| url(arguments, profile).map(|url| url.to_string());
		assert_eq!(shown(&[], profile()).ok().as_deref(), Some("https://index.example.com"));
		let given = ["--index", "http://127.0.0.1:8080"];
		assert_eq!(shown(&given, profile()).ok().as_deref(), Some("http://127.0.0.1:8080"));
		let error = url(&[], Profile::default()).expect_err("none is named; qed");
		assert_eq!(
			error.to_string(),
			"fabric find reads the index, and none is named: pass --index URL, set FABRIC_INDEX or a \
			 profile's `index`"
		);
		assert_eq!(error.class(), Class::Usage);
	}

	#[test]
	fn an_index_on_another_machine_must_be_encrypted() {
		let plain = ["--index", "http://index.example.com/sesame"];
		let error = url(&plain, Profile::default()).expect_err("it is refused; qed");
		assert_eq!(error.class(), Class::Usage);
		assert!(error.to_string().contains("use https://, or pass --insecure"), "{error}");
		let consent = [&plain[..], &["--insecure"]].concat();
		assert!(url(&consent, Profile::default()).is_ok());
		let insecure = Profile { insecure: true, ..Profile::default() };
		assert!(url(&plain, insecure).is_ok());
	}
}
