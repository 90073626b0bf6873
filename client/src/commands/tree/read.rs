// SPDX-License-Identifier: Apache-2.0
//! Reads the parts of a tree, no more of them than are listed.

use std::collections::BTreeMap;

use content_fabric_identifiers::{
	ContentObjectId, ContentObjectPath, ProviderId, SpaceId, TenantId, VersionId,
};
use content_fabric_primitives::MemberId;
use futures::{stream, StreamExt, TryStreamExt};

use super::{
	model::{count, Branch, Children, List, Totals},
	Bounds,
};
use crate::{
	chain::{provider_level_name, rows, tenant_level_name, Error},
	commands::entity::Entities,
};

/// Number of parents whose children are read at the same time.
const CONCURRENCY: usize = 16;
/// Number of rows that one request reads.
const ROWS_PER_REQUEST: usize = 1_000;

/// The members of spaces, by space.
type Members = BTreeMap<SpaceId, Vec<(MemberId, rows::Member)>>;

impl Entities<'_> {
	/// Reads all spaces.
	pub(super) async fn all(self, bounds: Bounds) -> Result<(Children, Totals), Error> {
		let spaces = self.at.rows(&rows::spaces(), ()).await?;
		let spaces = spaces.into_iter().map(|((id,), info)| (id, info)).collect();
		self.spaces(spaces, bounds).await
	}

	/// Reads one space.
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
		let mut totals = Totals::of_spaces(
			all as u64,
			spaces.iter().map(|(_, space)| u64::from(space.provider_count)).sum(),
			spaces.iter().map(|(_, space)| u64::from(space.tenant_count)).sum(),
		);
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
			let mut space = Branch::from(self.space(id, info));
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
		let (providers, tenants) = (rows::providers(), rows::tenants());
		let (providers, tenants) =
			futures::try_join!(self.at.rows(&providers, ()), self.at.rows(&tenants, ()))?;
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

	/// Reads one member.
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
		let (keys, nodes) = (count(info, "keys"), count(info, "nodes"));
		let limited = |rows: u32| bounds.limit.min(rows as usize);
		let (key_map, node_map) = (rows::provider_keys(), rows::nodes());
		let (key_rows, node_rows) = futures::try_join!(
			self.at.first_rows(&key_map, (id,), limited(keys)),
			self.at.first_rows(&node_map, (id,), limited(nodes)),
		)?;
		let key_rows = key_rows.into_iter();
		let key_rows = key_rows
			.map(|((_, account), key)| Self::key(account, provider_level_name(key.level)).into());
		let node_rows = node_rows.into_iter().map(|(key, info)| self.node(key, info).into());
		Ok(Children(vec![
			("keys", List::new(key_rows.collect(), keys)),
			("nodes", List::new(node_rows.collect(), nodes)),
		]))
	}

	async fn under_tenant(
		self,
		id: TenantId,
		info: &rows::Member,
		bounds: Bounds,
	) -> Result<Children, Error> {
		let (keys, kmses) = (count(info, "keys"), count(info, "kmses"));
		let (objects, collections) = (count(info, "content_objects"), count(info, "collections"));
		let limited = |rows: u32| bounds.limit.min(rows as usize);
		let (key_map, kms_map, collection_map) =
			(rows::tenant_keys(), rows::kmses(), rows::collections());
		let (key_rows, kms_rows, collection_rows, object_rows) = futures::try_join!(
			self.at.first_rows(&key_map, (id,), limited(keys)),
			self.at.first_rows(&kms_map, (id,), limited(kmses)),
			self.at.first_rows(&collection_map, (id,), limited(collections)),
			self.objects(id, limited(objects), count(info, "versions"), bounds.below()),
		)?;
		let key_rows = key_rows.into_iter();
		let key_rows = key_rows
			.map(|((_, account), key)| Self::key(account, tenant_level_name(key.level)).into());
		let kms_rows = kms_rows.into_iter().map(|(key, info)| self.kms(key, info).into());
		let collection_rows = collection_rows.into_iter();
		let collection_rows = collection_rows.map(|(key, info)| Self::collection(key, info).into());
		Ok(Children(vec![
			("keys", List::new(key_rows.collect(), keys)),
			("kmses", List::new(kms_rows.collect(), kmses)),
			("collections", List::new(collection_rows.collect(), collections)),
			("content_objects", List::new(object_rows, objects)),
		]))
	}

	/// Reads one content object.
	pub(super) async fn one_object(
		self,
		path: ContentObjectPath,
		bounds: Bounds,
	) -> Result<(Children, Totals), Error> {
		let unknown = || Error::Unknown { kind: "content object", id: path.to_string() };
		let key = (path.tenant, path.object);
		let info = self.at.get(&rows::content_objects(), key).await?.ok_or_else(unknown)?;
		let totals = Totals {
			content_objects: Some(1),
			heads: Some(info.head_version.is_some().into()),
			versions: Some(info.version_count.into()),
			..Totals::none()
		};
		let object = self.object_and_versions(key, info, bounds).await?;
		Ok((Children::one("content_objects", vec![object], 1u32), totals))
	}

	async fn objects(
		self,
		tenant: TenantId,
		limit: usize,
		versions: u32,
		bounds: Bounds,
	) -> Result<Vec<Branch>, Error> {
		let objects = self.at.first_rows(&rows::content_objects(), (tenant,), limit).await?;
		let pages = versions as usize / ROWS_PER_REQUEST;
		// One walk over all versions of the tenant takes fewer requests than one for each object.
		if bounds.versions && bounds.lists_children() && pages < objects.len() {
			return self.objects_with_all_versions(tenant, objects, bounds.limit).await;
		}
		stream::iter(objects)
			.map(|(key, info)| self.object_and_versions(key, info, bounds))
			.buffered(CONCURRENCY)
			.try_collect()
			.await
	}

	async fn objects_with_all_versions(
		self,
		tenant: TenantId,
		objects: Vec<((TenantId, ContentObjectId), rows::ContentObject)>,
		limit: usize,
	) -> Result<Vec<Branch>, Error> {
		let mut versions = BTreeMap::<_, Vec<_>>::new();
		for (key, info) in self.at.rows(&rows::versions(), (tenant,)).await? {
			versions.entry(key.1).or_default().push((key, info));
		}
		let objects = objects.into_iter().map(|(key, info)| {
			let mut versions = versions.remove(&key.1).unwrap_or_default();
			versions.truncate(limit);
			self.object_with(key, info, versions)
		});
		Ok(objects.collect())
	}

	async fn object_and_versions(
		self,
		key: (TenantId, ContentObjectId),
		info: rows::ContentObject,
		bounds: Bounds,
	) -> Result<Branch, Error> {
		if !bounds.versions || !bounds.lists_children() {
			return Ok(self.content_object(key, info).into());
		}
		let limit = bounds.limit.min(info.version_count as usize);
		let versions = self.at.first_rows(&rows::versions(), key, limit).await?;
		Ok(self.object_with(key, info, versions))
	}

	fn object_with(
		self,
		key: (TenantId, ContentObjectId),
		info: rows::ContentObject,
		versions: Vec<((TenantId, ContentObjectId, VersionId), rows::Version)>,
	) -> Branch {
		let all = info.version_count;
		let versions = versions.into_iter().map(|(key, info)| self.version(key, info).into());
		let children = Children::one("versions", versions.collect(), all);
		Branch { entity: self.content_object(key, info), children }
	}
}

/// Returns the members of spaces, by space.
fn by_space<Id: Into<MemberId>>(rows: Vec<((Id,), rows::Member)>, spaces: &[SpaceId]) -> Members {
	let mut members = Members::new();
	for ((id,), info) in rows.into_iter().filter(|(_, info)| spaces.contains(&info.space)) {
		members.entry(info.space).or_default().push((id.into(), info));
	}
	members
}
