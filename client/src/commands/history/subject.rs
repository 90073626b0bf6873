// SPDX-License-Identifier: Apache-2.0
//! The entity or the account whose events are asked for.

use std::{fmt, str::FromStr};

use subxt::utils::AccountId32;

use crate::ids::{parse_account, AnyId, IdError};

/// An entity or an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Subject {
	/// An entity, but not a content object without its tenant, nor a version.
	Entity(AnyId),
	/// An account.
	Account(AccountId32),
}

impl FromStr for Subject {
	type Err = IdError;

	fn from_str(text: &str) -> Result<Self, IdError> {
		let refused = |found| IdError::Kind {
			text: text.into(),
			found,
			needed:
				"a space, a provider, a node, a tenant, a KMS or a content object with its tenant"
					.into(),
			prefixes: "ispc…, iprv…, inod…, iten…, ikms…, itq_…".into(),
		};
		match text.parse() {
			Ok(AnyId::ContentObject(_)) => Err(refused("a content object")),
			Ok(AnyId::Version(_)) => Err(refused("a version")),
			Ok(id) => Ok(Self::Entity(id)),
			Err(IdError::Prefix { .. }) => parse_account(text).map(Self::Account),
			Err(error) => Err(error),
		}
	}
}

impl fmt::Display for Subject {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		match self {
			Self::Entity(id) => id.fmt(f),
			Self::Account(account) => account.fmt(f),
		}
	}
}

#[cfg(test)]
mod tests {
	use content_fabric_identifiers::{ContentObjectId, ContentObjectPath, TenantId, VersionId};

	use super::*;

	#[test]
	fn entities_and_accounts_have_a_history() {
		let (tenant, object) = (TenantId([1; 10]), ContentObjectId([2; 10]));
		let account = "5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY";
		for text in [
			tenant.to_string(),
			ContentObjectPath { tenant, object }.to_string(),
			account.to_owned(),
		] {
			assert_eq!(text.parse::<Subject>().expect("it has one").to_string(), text);
		}
		let refused = |text: &str| text.parse::<Subject>().expect_err("it has none").to_string();
		assert!(refused(&object.to_string()).contains("is the id of a content object, expected "));
		assert!(refused(&VersionId([3; 32]).to_string()).contains("is the id of a version, "));
		assert!(refused("iten0").starts_with("`iten0` is not an id: "));
		assert!(refused("5Grw").starts_with("`5Grw` is not the address of an account: "));
	}
}
