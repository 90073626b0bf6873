//! Errors of TOML files, in one line.

/// Returns the line of an error, counted from 1, and its reason. The error's own `Display` repeats
/// the line, which may hold a secret.
pub(super) fn place(error: &toml::de::Error, text: &str) -> (usize, String) {
	let start = error.span().map_or(0, |span| span.start);
	let before = text.as_bytes().iter().take(start);
	let line = before.filter(|byte| **byte == b'\n').count() + 1;
	(line, without_value(error.message()).replace('\n', ", "))
}

/// Returns a message without the text that has the wrong type.
fn without_value(message: &str) -> String {
	match (message.split_once(" string \""), message.rsplit_once("\", expected ")) {
		(Some((kind, _)), Some((_, expected))) => format!("{kind} string, expected {expected}"),
		_ => message.into(),
	}
}
