// SPDX-License-Identifier: Apache-2.0
//! Which events are printed.

use std::collections::HashMap;

use content_fabric_client::chain::{BlockEvent, Chain, ChainEvent, FabricEvent, Snapshot};
use content_fabric_identifiers::SpaceId;
use content_fabric_primitives::MemberId;

use super::Block;
use crate::{commands::entity::Parent, Error};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
	Pass,
	Drop,
	/// It passes if this member belongs to the space.
	IfIn(MemberId),
}

pub struct Filter {
	under: Option<Parent>,
	names: Vec<String>,
	/// The spaces of members, as far as they were needed.
	spaces: HashMap<MemberId, SpaceId>,
}

impl Filter {
	/// Lets events pass that are under something, or all, and that have one of these names, or any.
	pub fn new(under: Option<Parent>, names: Vec<String>) -> Self {
		Self { under, names, spaces: HashMap::new() }
	}

	pub async fn pass(&mut self, chain: &Chain, block: &Block) -> Result<Vec<BlockEvent>, Error> {
		let mut passed = Vec::new();
		for event in &block.events {
			self.learn(&event.event);
			let passes = match self.judge(&event.event) {
				Verdict::Pass => true,
				Verdict::Drop => false,
				Verdict::IfIn(member) => {
					let space = self.space(chain, block, member).await?;
					self.under == space.map(Parent::Space)
				},
			};
			if passes {
				passed.push(event.clone());
			}
		}
		Ok(passed)
	}

	/// Notes the space of a member that was created. Its id may have belonged to another space.
	fn learn(&mut self, event: &ChainEvent) {
		let (member, space) = match event.fabric() {
			Some(FabricEvent::ProviderCreated { provider, space, .. }) => {
				((*provider).into(), *space)
			},
			Some(FabricEvent::TenantCreated { tenant, space, .. }) => ((*tenant).into(), *space),
			_ => return,
		};
		self.spaces.insert(member, space);
	}

	fn judge(&self, event: &ChainEvent) -> Verdict {
		if !self.names.is_empty() && !self.names.contains(&event.name) {
			return Verdict::Drop;
		}
		let passes = match self.under {
			None => true,
			Some(Parent::Space(space)) => match (event.field("space"), member(event)) {
				(None, Some(member)) => return Verdict::IfIn(member),
				(found, _) => found.is_some_and(|found| *found == space.to_string()),
			},
			Some(Parent::Member(member)) => {
				let id = member.to_string();
				MEMBER_FIELDS.into_iter().any(|field| event.text(field) == id)
			},
			Some(Parent::Object(path)) => {
				event.text("tenant") == path.tenant.to_string()
					&& event.text("object") == path.object.to_string()
			},
		};
		if passes {
			Verdict::Pass
		} else {
			Verdict::Drop
		}
	}

	/// Returns the space of a member, which may have been deleted in the block.
	async fn space(
		&mut self,
		chain: &Chain,
		block: &Block,
		member: MemberId,
	) -> Result<Option<SpaceId>, Error> {
		if let Some(space) = self.spaces.get(&member) {
			return Ok(Some(*space));
		}
		let mut found = space_at(&block.at, member).await?;
		if let (None, Some(before)) = (found, block.number.checked_sub(1)) {
			if let Some(hash) = chain.block_hash(before).await? {
				found = space_at(&chain.at(hash).await?, member).await?;
			}
		}
		if let Some(space) = found {
			self.spaces.insert(member, space);
		}
		Ok(found)
	}
}

async fn space_at(at: &Snapshot, member: MemberId) -> Result<Option<SpaceId>, Error> {
	Ok(at.find_member(member).await?.map(|info| info.space))
}

/// The fields of events that name a provider or a tenant. The first one is whose row has changed.
/// Events of the chain that this program does not know have the same fields.
const MEMBER_FIELDS: [&str; 4] = ["member", "tenant", "provider", "originator"];

/// Returns the provider or the tenant whose rows have changed.
fn member(event: &ChainEvent) -> Option<MemberId> {
	MEMBER_FIELDS.into_iter().find_map(|field| event.text(field).parse().ok())
}

#[cfg(test)]
mod tests {
	use content_fabric_identifiers::{
		ContentObjectId, ContentObjectPath, Muid, ProviderId, TenantId,
	};
	use subxt::utils::AccountId32;

	use super::*;

	const TENANT: TenantId = TenantId([1; 10]);
	const PROVIDER: ProviderId = ProviderId([2; 10]);
	const OBJECT: ContentObjectId = ContentObjectId([3; 10]);
	const SPACE: SpaceId = SpaceId([4; 10]);

	fn event(name: &str, fields: &[(&str, String)]) -> ChainEvent {
		ChainEvent {
			pallet: "ContentFabric".into(),
			name: name.into(),
			fields: fields
				.iter()
				.map(|(name, value)| ((*name).into(), value.clone().into()))
				.collect(),
			fabric: Ok(None),
		}
	}

	fn committed() -> ChainEvent {
		event(
			"VersionCommitted",
			&[
				("tenant", TENANT.to_string()),
				("object", OBJECT.to_string()),
				("originator", PROVIDER.to_string()),
			],
		)
	}

	fn judge(under: Parent, event: &ChainEvent) -> Verdict {
		Filter::new(Some(under), Vec::new()).judge(event)
	}

	#[test]
	fn events_pass_under_each_id_that_they_name() {
		let other = ContentObjectPath { tenant: TENANT, object: ContentObjectId([9; 10]) };
		for (under, verdict) in [
			(Parent::Member(TENANT.into()), Verdict::Pass),
			(Parent::Member(PROVIDER.into()), Verdict::Pass),
			(Parent::Member(TenantId([9; 10]).into()), Verdict::Drop),
			(Parent::Object(ContentObjectPath { tenant: TENANT, object: OBJECT }), Verdict::Pass),
			(Parent::Object(other), Verdict::Drop),
			(Parent::Space(SPACE), Verdict::IfIn(TENANT.into())),
		] {
			assert_eq!(judge(under, &committed()), verdict, "{under:?}");
		}
	}

	#[test]
	fn events_that_name_their_space_need_no_look_at_the_chain() {
		let purged = |space: SpaceId| {
			event("Purged", &[("member", TENANT.to_string()), ("space", space.to_string())])
		};
		assert_eq!(judge(Parent::Space(SPACE), &purged(SPACE)), Verdict::Pass);
		assert_eq!(judge(Parent::Space(SPACE), &purged(SpaceId([9; 10]))), Verdict::Drop);
	}

	#[test]
	fn names_and_places_must_both_match() {
		let filter = |names: &[&str]| {
			let names = names.iter().map(|name| (*name).to_owned()).collect();
			Filter::new(Some(Parent::Member(TENANT.into())), names)
		};
		assert_eq!(filter(&["VersionCommitted", "RecordPut"]).judge(&committed()), Verdict::Pass);
		assert_eq!(filter(&["RecordPut"]).judge(&committed()), Verdict::Drop);
	}

	#[test]
	fn members_that_are_created_are_known_with_their_space() {
		let mut filter = Filter::new(Some(Parent::Space(SPACE)), Vec::new());
		let (member, created) = (PROVIDER.into(), Muid::from_u128(1));
		for known in [
			FabricEvent::TenantCreated { tenant: TENANT, space: SPACE, root: AccountId32([5; 32]) },
			FabricEvent::MemberDeleted { member, space: SPACE, created },
		] {
			filter.learn(&ChainEvent { fabric: Ok(Some(known)), ..event("", &[]) });
		}
		assert_eq!(filter.spaces, HashMap::from([(TENANT.into(), SPACE)]));
	}
}
