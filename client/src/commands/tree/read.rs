// SPDX-License-Identifier: Apache-2.0
//! Reads the parts of a tree, no more of them than are listed.

use std::collections::BTreeMap;

use content_fabric_identifiers::{
	ContentObjectId, ContentObjectPath, ProviderId, SpaceId, TenantId,
};
use content_fabric_primitives::MemberId;
use futures::{stream, StreamExt, TryStreamExt};
use scale_decode::DecodeAsType;
use subxt::{
	ext::frame_decode::helpers::{IntoDecodableValues, IntoEncodableValues},
	storage::PrefixOf,
};

use super::{
	model::{row_count, Branch, Children, List, Totals},
	Bounds,
};
use crate::{
	amount::Units,
	chain::{
		provider_level_name,
		rows::{self, Map},
		tenant_level_name, Error,
	},
	commands::{
		entity::{Entities, Entity},
		lookup::unknown,
	},
};

/// Number of parents whose children are read at the same time.
const CONCURRENCY: usize = 16;
/// Number of rows that one request reads.
const ROWS_PER_REQUEST: usize = 1_000;

/// A content object under its tenant.
type ObjectKey = (TenantId, ContentObjectId);
/// The members of spaces, by space.
type Members = BTreeMap<SpaceId, Vec<(MemberId, rows::Member)>>;

impl Entities<'_> {
	pub(super) async fn all(self, bounds: Bounds) -> Result<(Children, Totals), Error> {
		let spaces = self.at.rows(&rows::spaces(), ()).await?;
		let spaces = spaces.into_iter().map(|((id,), info)| (id, info)).collect();
		self.spaces(spaces, bounds).await
	}

	pub(super) async fn one_space(
		self,
		space: SpaceId,
		bounds: Bounds,
	) -> Result<(Children, Totals), Error> {
		let info = self.at.space(space).await?;
		self.spaces(vec![(space, info)], bounds).await
	}

	async fn spaces(
		self,
		spaces: Vec<(SpaceId, rows::Space)>,
		bounds: Bounds,
	) -> Result<(Children, Totals), Error> {
		let all = spaces.len();
		let mut totals = Totals {
			spaces: all as u64,
			providers: spaces.iter().map(|(_, space)| u64::from(space.provider_count)).sum(),
			tenants: spaces.iter().map(|(_, space)| u64::from(space.tenant_count)).sum(),
			..Totals::default()
		};
		let (mut providers, mut tenants) = (Members::new(), Members::new());
		if bounds.lists_children() {
			let ids: Vec<_> = spaces.iter().map(|(id, _)| *id).collect();
			(providers, tenants) = self.members(&ids).await?;
			totals = Totals { spaces: all as u64, ..Totals::none() };
			let members = providers.values().chain(tenants.values());
			members.flatten().for_each(|(id, info)| totals.add_member(*id, info));
		}
		let mut listed = Vec::new();
		for (id, info) in spaces.into_iter().take(bounds.limit) {
			let mut space = Branch::from(Entity::space(self.units, id, info));
			if bounds.lists_children() {
				for (name, members) in [("providers", &mut providers), ("tenants", &mut tenants)] {
					let members = members.remove(&id).unwrap_or_default();
					let members = self.members_of(members, bounds.below()).await?;
					space.children.0.push((name, members));
				}
			}
			listed.push(space);
		}
		let spaces = Children::one("spaces", listed, all);
		totals.count_heads(&spaces);
		Ok((spaces, totals))
	}

	/// Reads the providers and the tenants of spaces.
	async fn members(self, spaces: &[SpaceId]) -> Result<(Members, Members), Error> {
		let (providers, tenants) = self.at.members().await?;
		Ok((by_space(providers, spaces), by_space(tenants, spaces)))
	}

	async fn members_of(
		self,
		members: Vec<(MemberId, rows::Member)>,
		bounds: Bounds,
	) -> Result<List, Error> {
		let all = members.len();
		let listed = stream::iter(members.into_iter().take(bounds.limit))
			.map(|(id, info)| self.member_and_children(id, info, bounds))
			.buffered(CONCURRENCY)
			.try_collect::<Vec<_>>()
			.await?;
		Ok(List::new(listed, all))
	}

	pub(super) async fn one_member(
		self,
		id: MemberId,
		bounds: Bounds,
	) -> Result<(Children, Totals), Error> {
		let info = self.at.member(id).await?;
		let mut totals = Totals::none();
		totals.add_member(id, &info);
		let kind = match id {
			MemberId::Provider(_) => "providers",
			MemberId::Tenant(_) => "tenants",
		};
		let member = self.member_and_children(id, info, bounds).await?;
		let members = Children::one(kind, vec![member], 1u32);
		totals.count_heads(&members);
		Ok((members, totals))
	}

	async fn member_and_children(
		self,
		id: MemberId,
		info: rows::Member,
		bounds: Bounds,
	) -> Result<Branch, Error> {
		let children = match id {
			_ if !bounds.lists_children() => Children::default(),
			MemberId::Provider(id) => self.under_provider(id, &info, bounds).await?,
			MemberId::Tenant(id) => self.under_tenant(id, &info, bounds).await?,
		};
		Ok(Branch { entity: self.member(id, info).await?, children })
	}

	async fn under_provider(
		self,
		id: ProviderId,
		info: &rows::Member,
		bounds: Bounds,
	) -> Result<Children, Error> {
		let rows = |map| row_count(info, map);
		let (keys, nodes) = futures::try_join!(
			self.list(
				rows::provider_keys(),
				(id,),
				rows("keys"),
				bounds,
				|_, (_, account), key| { Entity::key(account, provider_level_name(key.level)) }
			),
			self.list(rows::nodes(), (id,), rows("nodes"), bounds, Entity::node),
		)?;
		Ok(Children(vec![("keys", keys), ("nodes", nodes)]))
	}

	async fn under_tenant(
		self,
		id: TenantId,
		info: &rows::Member,
		bounds: Bounds,
	) -> Result<Children, Error> {
		let rows = |map| row_count(info, map);
		let collection = |_: &Units, key, info| Entity::collection(key, info);
		let (keys, kmses, collections, objects) = futures::try_join!(
			self.list(rows::tenant_keys(), (id,), rows("keys"), bounds, |_, (_, account), key| {
				Entity::key(account, tenant_level_name(key.level))
			}),
			self.list(rows::kmses(), (id,), rows("kmses"), bounds, Entity::kms),
			self.list(rows::collections(), (id,), rows("collections"), bounds, collection),
			self.objects(id, rows("content_objects"), rows("versions"), bounds),
		)?;
		Ok(Children(vec![
			("keys", keys),
			("kmses", kmses),
			("collections", collections),
			("content_objects", objects),
		]))
	}

	/// Reads the first of `all` children of one kind.
	async fn list<Key, Row>(
		self,
		map: Map<Key, Row>,
		parent: impl PrefixOf<Key>,
		all: u32,
		bounds: Bounds,
		entity: impl Fn(&Units, Key, Row) -> Entity,
	) -> Result<List, Error>
	where
		Key: IntoEncodableValues + IntoDecodableValues + Ord,
		Row: DecodeAsType,
	{
		let rows = self.at.first_rows(&map, parent, bounds.limit.min(all as usize)).await?;
		let rows = rows.into_iter().map(|(key, row)| entity(self.units, key, row).into());
		Ok(List::new(rows.collect(), all))
	}

	pub(super) async fn one_object(
		self,
		path: ContentObjectPath,
		bounds: Bounds,
	) -> Result<(Children, Totals), Error> {
		let key = (path.tenant, path.object);
		let info = self.at.get(&rows::content_objects(), key).await?;
		let info = info.ok_or_else(|| unknown("content object", path))?;
		let totals = Totals {
			content_objects: Some(1),
			heads: Some(info.head_version.is_some().into()),
			versions: Some(info.version_count.into()),
			..Totals::none()
		};
		let object = self.object_and_versions(key, info, bounds).await?;
		Ok((Children::one("content_objects", vec![object], 1u32), totals))
	}

	/// Reads the first of `all` content objects of a tenant, which has this many versions.
	async fn objects(
		self,
		tenant: TenantId,
		all: u32,
		versions: u32,
		bounds: Bounds,
	) -> Result<List, Error> {
		let (limit, below) = (bounds.limit.min(all as usize), bounds.below());
		let objects = self.at.first_rows(&rows::content_objects(), (tenant,), limit).await?;
		let pages = versions as usize / ROWS_PER_REQUEST;
		// One walk over all versions of the tenant takes fewer requests than one for each object.
		if below.versions && below.lists_children() && pages < objects.len() {
			let objects = self.objects_with_all_versions(tenant, objects, bounds.limit).await?;
			return Ok(List::new(objects, all));
		}
		let objects = stream::iter(objects)
			.map(|(key, info)| self.object_and_versions(key, info, below))
			.buffered(CONCURRENCY)
			.try_collect()
			.await?;
		Ok(List::new(objects, all))
	}

	async fn objects_with_all_versions(
		self,
		tenant: TenantId,
		objects: Vec<(ObjectKey, rows::ContentObject)>,
		limit: usize,
	) -> Result<Vec<Branch>, Error> {
		let mut versions = BTreeMap::<_, Vec<_>>::new();
		for (key, info) in self.at.rows(&rows::versions(), (tenant,)).await? {
			versions.entry(key.1).or_default().push((key, info));
		}
		let objects = objects.into_iter().map(|(key, info)| {
			let versions = versions.remove(&key.1).unwrap_or_default().into_iter().take(limit);
			let versions = versions.map(|(key, row)| Entity::version(self.units, key, row).into());
			let children = Children::one("versions", versions.collect(), info.version_count);
			Branch { entity: Entity::content_object(self.units, key, info), children }
		});
		Ok(objects.collect())
	}

	async fn object_and_versions(
		self,
		key: ObjectKey,
		info: rows::ContentObject,
		bounds: Bounds,
	) -> Result<Branch, Error> {
		let all = info.version_count;
		let mut object = Branch::from(Entity::content_object(self.units, key, info));
		if bounds.versions && bounds.lists_children() {
			let versions = self.list(rows::versions(), key, all, bounds, Entity::version).await?;
			object.children = Children(vec![("versions", versions)]);
		}
		Ok(object)
	}
}

/// Returns the members of spaces, by space.
fn by_space(all: Vec<(MemberId, rows::Member)>, spaces: &[SpaceId]) -> Members {
	let mut members = Members::new();
	for (id, info) in all.into_iter().filter(|(_, info)| spaces.contains(&info.space)) {
		members.entry(info.space).or_default().push((id, info));
	}
	members
}
