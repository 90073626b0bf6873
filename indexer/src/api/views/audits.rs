// SPDX-License-Identifier: Apache-2.0
//! Results of audits, and copies at risk, as readers see them.

use crate::{
	audit::{CopyEvidence, Counts, Evidence, Finding, Outcome},
	index::view::{CopyItem, CopyRefItem},
};

use super::{
	content::state,
	millis,
	words::{AuditResult, CopyState},
	RecordName,
};

answers! {
	/// Results of the audits of a node in the last 30 days, today included.
	Audit of Evidence = evidence => {
		/// The last audit.
		last: LastAudit = (evidence.last, evidence.at).into(),
		/// Number of audits in which it sent the bytes that it was asked for, or answered if it
		/// holds none that can be audited.
		right: u32 = evidence.total().of(Outcome::Right),
		/// Number of audits in which it sent other bytes, or another server answered.
		wrong: u32 = evidence.total().of(Outcome::Wrong),
		/// Number of audits without a whole answer in time.
		late: u32 = evidence.total().of(Outcome::Late),
		/// Number of audits that ended with an HTTP error, or without a connection.
		refused: u32 = evidence.total().of(Outcome::Refused),
		/// Share of right audits, from 0 to 1. `null` if there was none in these days.
		share: Option<f64> = share(&evidence.total()),
		/// True if the last three audits were wrong or refused before a copy was asked for, or the
		/// last ten were late.
		is_failing: bool = evidence.is_failing,
		/// Number of its copies whose last audit was wrong or refused, or whose last ten were late.
		/// At most 100 are kept.
		failing_copies: u64 = u64::try_from(evidence.failing_copies).unwrap_or(u64::MAX),
		/// The days that have audits, ascending.
		days: Vec<AuditDay> = evidence.days.into_iter().map(AuditDay::from).collect(),
	}

	/// The last audit of a node.
	LastAudit of (Finding, u64) = (Finding { outcome, status, version }, at) => {
		/// The result.
		#[schema(value_type = AuditResult)]
		result: &'static str = outcome.as_str(),
		/// The HTTP status, if the node refused with one.
		status: Option<u16> = status,
		/// The version of which it was asked for bytes. `null` if it was not asked for any.
		version: Option<String> = version.map(|version| version.to_string()),
		/// The time, in milliseconds since the Unix epoch.
		at: u64 = at,
	}

	/// Audits of a day.
	AuditDay of (u64, Counts) = (day, counts) => {
		/// The begin of the day, UTC, in milliseconds since the Unix epoch.
		day: u64 = day,
		/// Number of right audits.
		right: u32 = counts.of(Outcome::Right),
		/// Number of wrong audits.
		wrong: u32 = counts.of(Outcome::Wrong),
		/// Number of late audits.
		late: u32 = counts.of(Outcome::Late),
		/// Number of refused audits.
		refused: u32 = counts.of(Outcome::Refused),
	}

	/// A copy at risk.
	CopyAtRisk of (CopyRefItem, Option<CopyEvidence>) = (item, evidence) => {
		/// The tenant.
		tenant: String = item.tenant.to_string(),
		/// The content object.
		object: String = item.object.to_string(),
		/// The version.
		version: String = item.version.to_string(),
		/// The time of its commit, in milliseconds since the Unix epoch.
		committed_at: u64 = millis(item.committed),
		/// Records that lead to it, at most 10.
		names: Vec<RecordName> =
			item.names.into_iter().map(|name| (item.tenant, item.object, name).into()).collect(),
		/// The provider of the node.
		provider: String = item.copy.copy.provider.to_string(),
		/// The node.
		node: String = item.copy.copy.node.to_string(),
		/// The medallion of the node: the eleven hex digits that its muids have.
		medallion: String = item.copy.copy.medallion.to_string(),
		/// `held`, if the node holds the data by its row; `asked`, if it was asked to; `gone`, if
		/// the node was removed, or its provider is being purged.
		#[schema(value_type = CopyState)]
		state: &'static str = {
			let CopyItem { copy, is_present } = item.copy;
			state(copy, is_present)
		},
		/// The time from which the node holds the data, in milliseconds since the Unix epoch.
		held_at: Option<u64> = item.copy.copy.held,
		/// The time at which a node was last asked for a copy of the version, in milliseconds since
		/// the Unix epoch.
		asked_at: u64 = item.asked,
		/// The audit for which it counts as failing: its own, or the last one of its node.
		audit: Option<CopyAudit> = evidence.map(CopyAudit::from),
	}

	/// The last audit of a copy or of its node.
	CopyAudit of CopyEvidence = CopyEvidence { outcome, at } => {
		/// The result.
		#[schema(value_type = AuditResult)]
		result: &'static str = outcome.as_str(),
		/// The time, in milliseconds since the Unix epoch.
		at: u64 = at,
	}
}

/// Returns the share of right audits.
fn share(counts: &Counts) -> Option<f64> {
	let all: u32 =
		Outcome::ALL.into_iter().map(|outcome| counts.of(outcome)).fold(0, u32::saturating_add);
	(all > 0).then(|| f64::from(counts.of(Outcome::Right)) / f64::from(all))
}
