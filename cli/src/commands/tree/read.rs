// SPDX-License-Identifier: Apache-2.0
//! Reads the parts of a tree, no more of them than are listed.

use std::collections::BTreeMap;

use content_fabric_client::chain::{provider_level_name, rows, tenant_level_name, Error};
use content_fabric_identifiers::{
	ContentObjectId, ContentObjectPath, ProviderId, SpaceId, TenantId,
};
use content_fabric_primitives::MemberId;
use futures::{stream, StreamExt, TryStreamExt};
use subxt::storage::{Address, PrefixOf};

use super::{
	model::{row_count, Branch, Children, List, Totals, Tree},
	Bounds,
};
use crate::commands::{entity::Row, View};

/// Number of parents whose children are read at the same time.
const CONCURRENCY: usize = 16;
/// Number of rows that one request reads.
const ROWS_PER_REQUEST: usize = 1_000;

/// A content object under its tenant.
type ObjectKey = (TenantId, ContentObjectId);
/// The members of spaces, by space.
type Members = BTreeMap<SpaceId, Vec<(MemberId, rows::Member)>>;

impl View {
	pub(super) async fn all(&self, bounds: Bounds) -> Result<Tree, Error> {
		let spaces = self.rows(rows::spaces(), ()).await?;
		let spaces = spaces.into_iter().map(|((id,), info)| (id, info)).collect();
		self.spaces(spaces, bounds).await
	}

	pub(super) async fn one_space(&self, space: SpaceId, bounds: Bounds) -> Result<Tree, Error> {
		let info = self.space(space).await?;
		self.spaces(vec![(space, info)], bounds).await
	}

	async fn spaces(
		&self,
		spaces: Vec<(SpaceId, rows::Space)>,
		bounds: Bounds,
	) -> Result<Tree, Error> {
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
			let members = self.members().await?;
			(providers, tenants) = (by_space(members.0, &ids), by_space(members.1, &ids));
			totals = Totals { spaces: all as u64, ..Totals::none() };
			let members = providers.values().chain(tenants.values());
			members.flatten().for_each(|(id, info)| totals.add_member(*id, info));
		}
		let mut items = Vec::new();
		for (id, info) in spaces.into_iter().take(bounds.limit) {
			let mut space = Branch::from(self.entity(Row::Space(id, info)));
			if bounds.lists_children() {
				for (name, members) in [("providers", &mut providers), ("tenants", &mut tenants)] {
					let members = members.remove(&id).unwrap_or_default();
					space.children.0.push(self.members_of(name, members, bounds.below()).await?);
				}
			}
			items.push(space);
		}
		Ok(self.tree(List { name: "spaces", items, all }, totals))
	}

	/// Returns a tree with these roots, and counts the heads in it.
	fn tree(&self, roots: List, mut totals: Totals) -> Tree {
		let roots = Children(vec![roots]);
		totals.count_heads(&roots);
		Tree { block: self.block_number(), roots, totals }
	}

	async fn members_of(
		&self,
		name: &'static str,
		members: Vec<(MemberId, rows::Member)>,
		bounds: Bounds,
	) -> Result<List, Error> {
		let all = members.len();
		let items = stream::iter(members.into_iter().take(bounds.limit))
			.map(|(id, info)| self.member_and_children(id, info, bounds))
			.buffered(CONCURRENCY)
			.try_collect()
			.await?;
		Ok(List { name, items, all })
	}

	pub(super) async fn one_member(&self, id: MemberId, bounds: Bounds) -> Result<Tree, Error> {
		let info = self.member(id).await?;
		let mut totals = Totals::none();
		totals.add_member(id, &info);
		let name = match id {
			MemberId::Provider(_) => "providers",
			MemberId::Tenant(_) => "tenants",
		};
		let items = vec![self.member_and_children(id, info, bounds).await?];
		Ok(self.tree(List { name, items, all: 1 }, totals))
	}

	async fn member_and_children(
		&self,
		id: MemberId,
		info: rows::Member,
		bounds: Bounds,
	) -> Result<Branch, Error> {
		let children = match id {
			_ if !bounds.lists_children() => Children::default(),
			MemberId::Provider(id) => self.under_provider(id, &info, bounds).await?,
			MemberId::Tenant(id) => self.under_tenant(id, &info, bounds).await?,
		};
		Ok(Branch { entity: self.member_entity(id, info).await?, children })
	}

	async fn under_provider(
		&self,
		id: ProviderId,
		info: &rows::Member,
		bounds: Bounds,
	) -> Result<Children, Error> {
		let rows = |map| row_count(info, map);
		let key =
			|(_, account), key: rows::Key<_>| Row::Key(account, provider_level_name(key.level));
		let (keys, nodes) = futures::try_join!(
			self.list("keys", rows::provider_keys(), (id,), rows("keys"), bounds, key),
			self.list("nodes", rows::nodes(), (id,), rows("nodes"), bounds, Row::Node),
		)?;
		Ok(Children(vec![keys, nodes]))
	}

	async fn under_tenant(
		&self,
		id: TenantId,
		info: &rows::Member,
		bounds: Bounds,
	) -> Result<Children, Error> {
		let rows = |map| row_count(info, map);
		let key = |(_, account), key: rows::Key<_>| Row::Key(account, tenant_level_name(key.level));
		let collection = Row::Collection;
		let (keys, kmses, collections, objects) = futures::try_join!(
			self.list("keys", rows::tenant_keys(), (id,), rows("keys"), bounds, key),
			self.list("kmses", rows::kmses(), (id,), rows("kmses"), bounds, Row::Kms),
			self.list(
				"collections",
				rows::collections(),
				(id,),
				rows("collections"),
				bounds,
				collection
			),
			self.objects(id, rows("content_objects"), rows("versions"), bounds),
		)?;
		Ok(Children(vec![keys, kmses, collections, objects]))
	}

	/// Reads the first of `all` children of one kind.
	async fn list<Map: Address<KeyParts: Ord>>(
		&self,
		name: &'static str,
		map: Map,
		parent: impl PrefixOf<Map::KeyParts>,
		all: u32,
		bounds: Bounds,
		row: impl Fn(Map::KeyParts, Map::Value) -> Row,
	) -> Result<List, Error> {
		let all = all as usize;
		let rows = self.first_rows(map, parent, bounds.limit.min(all)).await?;
		let rows = rows.into_iter().map(|(key, value)| self.entity(row(key, value)).into());
		Ok(List { name, items: rows.collect(), all })
	}

	pub(super) async fn one_object(
		&self,
		path: ContentObjectPath,
		bounds: Bounds,
	) -> Result<Tree, Error> {
		let key = (path.tenant, path.object);
		let info = self.get(rows::content_objects(), key).await?;
		let info = info.ok_or_else(|| Error::unknown("content object", path))?;
		let totals = Totals {
			content_objects: Some(1),
			versions: Some(info.version_count.into()),
			..Totals::none()
		};
		let items = vec![self.object_and_versions(key, info, bounds).await?];
		Ok(self.tree(List { name: "content_objects", items, all: 1 }, totals))
	}

	/// Reads the first of `all` content objects of a tenant, which has this many versions.
	async fn objects(
		&self,
		tenant: TenantId,
		all: u32,
		versions: u32,
		bounds: Bounds,
	) -> Result<List, Error> {
		let (all, below) = (all as usize, bounds.below());
		let limit = bounds.limit.min(all);
		let objects = self.first_rows(rows::content_objects(), (tenant,), limit).await?;
		let pages = versions as usize / ROWS_PER_REQUEST;
		// One walk over all versions of the tenant takes fewer requests than one for each object.
		let items = match below.versions && below.lists_children() && pages < objects.len() {
			true => self.objects_with_all_versions(tenant, objects, bounds.limit).await?,
			false => {
				stream::iter(objects)
					.map(|(key, info)| self.object_and_versions(key, info, below))
					.buffered(CONCURRENCY)
					.try_collect()
					.await?
			},
		};
		Ok(List { name: "content_objects", items, all })
	}

	async fn objects_with_all_versions(
		&self,
		tenant: TenantId,
		objects: Vec<(ObjectKey, rows::ContentObject)>,
		limit: usize,
	) -> Result<Vec<Branch>, Error> {
		let mut versions = BTreeMap::<_, Vec<_>>::new();
		for (key, info) in self.rows(rows::versions(), (tenant,)).await? {
			versions.entry(key.1).or_default().push((key, info));
		}
		let objects = objects.into_iter().map(|(key, info)| {
			let versions = versions.remove(&key.1).unwrap_or_default().into_iter().take(limit);
			let items = versions.map(|(key, row)| self.entity(Row::Version(key, row, None)).into());
			let (items, all) = (items.collect(), info.version_count as usize);
			let children = Children(vec![List { name: "versions", items, all }]);
			Branch { entity: self.entity(Row::ContentObject(key, info)), children }
		});
		Ok(objects.collect())
	}

	async fn object_and_versions(
		&self,
		key: ObjectKey,
		info: rows::ContentObject,
		bounds: Bounds,
	) -> Result<Branch, Error> {
		let all = info.version_count;
		let mut object = Branch::from(self.entity(Row::ContentObject(key, info)));
		if bounds.versions && bounds.lists_children() {
			let version = |key, row| Row::Version(key, row, None);
			let versions = self.list("versions", rows::versions(), key, all, bounds, version);
			object.children.0.push(versions.await?);
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
