//! Checks that the commands of governance have in common.

use crate::{chain::Snapshot, Error};

/// Checks that a reason is not longer than the chain accepts.
pub fn ensure_reason(at: &Snapshot, reason: &str) -> Result<(), Error> {
	let most: u32 = at.constant("ContentFabric", "MaxReasonLen")?;
	if u32::try_from(reason.len()).is_ok_and(|length| length <= most) {
		return Ok(());
	}
	let found = reason.len();
	Err(Error::Text {
		text: reason.into(),
		what: "a reason that the chain accepts",
		reason: format!("it has {found} bytes, and at most {most} fit"),
	})
}
