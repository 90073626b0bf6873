// SPDX-License-Identifier: Apache-2.0
//! Reads the parts of a tree, no more of them than are listed.

use std::collections::BTreeMap;

use content_fabric_identifiers::{
	ContentObjectId, ContentObjectPath, ProviderId, SpaceId, TenantId, VersionId,
};
use futures::{stream, StreamExt, TryStreamExt};

use super::{
	model::{
		Collection, Key, Kms, List, Member, Node, Object, Provider, Roots, Rules, Space, Tenant,
		Totals, Version,
	},
	Bounds,
};
use crate::{
	amount::Units,
	chain::{provider_level_name, rows, tenant_level_name, Error, Snapshot},
};

/// Number of parents whose children are read at the same time.
const CONCURRENCY: usize = 16;
/// Number of rows that one request reads.
const ROWS_PER_REQUEST: usize = 1_000;

/// Reads at a block.
#[derive(Clone, Copy)]
pub struct Reader<'a> {
	/// The block.
	pub at: &'a Snapshot,
	/// The currency.
	pub units: &'a Units,
}

type Members<Id> = BTreeMap<SpaceId, Vec<(Id, rows::Member)>>;

impl Reader<'_> {
	/// Reads all spaces.
	pub async fn all(self, bounds: Bounds) -> Result<(Roots, Totals), Error> {
		let spaces = self.at.rows(&rows::spaces(), ()).await?;
		let spaces = spaces.into_iter().map(|((id,), info)| (id, info)).collect();
		self.spaces(spaces, bounds).await
	}

	/// Reads one space.
	pub async fn space(self, space: SpaceId, bounds: Bounds) -> Result<(Roots, Totals), Error> {
		let info = self.at.space(space).await?;
		self.spaces(vec![(space, info)], bounds).await
	}

	async fn spaces(
		self,
		spaces: Vec<(SpaceId, rows::Space)>,
		bounds: Bounds,
	) -> Result<(Roots, Totals), Error> {
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
			providers.values().flatten().for_each(|(_, info)| totals.add_provider(info));
			tenants.values().flatten().for_each(|(_, info)| totals.add_tenant(info));
		}
		let mut listed = Vec::new();
		for (id, info) in spaces.into_iter().take(bounds.limit) {
			let providers = providers.remove(&id).unwrap_or_default();
			let tenants = tenants.remove(&id).unwrap_or_default();
			listed.push(self.space_of(id, info, providers, tenants, bounds.below()).await?);
		}
		let tenants = listed.iter().flat_map(|space| &space.tenants.items);
		totals.count_heads(tenants.flat_map(|tenant| &tenant.content_objects.items));
		Ok((Roots::Spaces(List::new(listed, all)), totals))
	}

	/// Reads the providers and the tenants of spaces.
	async fn members(
		self,
		spaces: &[SpaceId],
	) -> Result<(Members<ProviderId>, Members<TenantId>), Error> {
		let (providers, tenants) = (rows::providers(), rows::tenants());
		let (providers, tenants) =
			futures::try_join!(self.at.rows(&providers, ()), self.at.rows(&tenants, ()))?;
		Ok((by_space(providers, spaces), by_space(tenants, spaces)))
	}

	async fn space_of(
		self,
		id: SpaceId,
		info: rows::Space,
		providers: Vec<(ProviderId, rows::Member)>,
		tenants: Vec<(TenantId, rows::Member)>,
		bounds: Bounds,
	) -> Result<Space, Error> {
		let (all_providers, all_tenants) = (providers.len(), tenants.len());
		let providers = stream::iter(providers.into_iter().take(bounds.limit))
			.map(|(id, info)| self.provider_of(id, info, bounds))
			.buffered(CONCURRENCY)
			.try_collect::<Vec<_>>()
			.await?;
		let tenants = stream::iter(tenants.into_iter().take(bounds.limit))
			.map(|(id, info)| self.tenant_of(id, info, bounds))
			.buffered(CONCURRENCY)
			.try_collect::<Vec<_>>()
			.await?;
		Ok(Space {
			id,
			governor: info.governor,
			rules: Rules::new(info.rules, self.units),
			provider_count: info.provider_count,
			tenant_count: info.tenant_count,
			providers: List::new(providers, all_providers),
			tenants: List::new(tenants, all_tenants),
		})
	}

	/// Reads one provider.
	pub async fn provider(self, id: ProviderId, bounds: Bounds) -> Result<(Roots, Totals), Error> {
		let info = self.at.member(id.into()).await?;
		let mut totals = Totals::none();
		totals.add_provider(&info);
		Ok((Roots::Providers([self.provider_of(id, info, bounds).await?]), totals))
	}

	async fn provider_of(
		self,
		id: ProviderId,
		info: rows::Member,
		bounds: Bounds,
	) -> Result<Provider, Error> {
		let member = Member::new(info, self.units);
		let mut provider = Provider { id, member, keys: List::default(), nodes: List::default() };
		if !bounds.lists_children() {
			return Ok(provider);
		}
		let (keys, nodes) = (provider.member.count("keys"), provider.member.count("nodes"));
		let limited = |rows: u32| bounds.limit.min(rows as usize);
		let (key_map, node_map) = (rows::provider_keys(), rows::nodes());
		let (key_rows, node_rows) = futures::try_join!(
			self.at.first_rows(&key_map, (id,), limited(keys)),
			self.at.first_rows(&node_map, (id,), limited(nodes)),
		)?;
		let key_rows = key_rows
			.into_iter()
			.map(|((_, account), key)| Key { account, level: provider_level_name(key.level) });
		let node_rows = node_rows.into_iter().map(|((_, id), info)| Node {
			id,
			operator: info.operator,
			locator: info.locator,
			pending: info.pending,
		});
		provider.keys = List::new(key_rows.collect(), keys);
		provider.nodes = List::new(node_rows.collect(), nodes);
		Ok(provider)
	}

	/// Reads one tenant.
	pub async fn tenant(self, id: TenantId, bounds: Bounds) -> Result<(Roots, Totals), Error> {
		let info = self.at.member(id.into()).await?;
		let mut totals = Totals::none();
		totals.add_tenant(&info);
		let tenant = self.tenant_of(id, info, bounds).await?;
		totals.count_heads(&tenant.content_objects.items);
		Ok((Roots::Tenants([tenant]), totals))
	}

	async fn tenant_of(
		self,
		id: TenantId,
		info: rows::Member,
		bounds: Bounds,
	) -> Result<Tenant, Error> {
		let member = Member::new(info, self.units);
		let mut tenant = Tenant {
			id,
			member,
			keys: List::default(),
			kmses: List::default(),
			content_objects: List::default(),
			collections: List::default(),
		};
		if !bounds.lists_children() {
			return Ok(tenant);
		}
		let count = |map| tenant.member.count(map);
		let (keys, kmses) = (count("keys"), count("kmses"));
		let (objects, collections) = (count("content_objects"), count("collections"));
		let limited = |rows: u32| bounds.limit.min(rows as usize);
		let (key_map, kms_map, collection_map) =
			(rows::tenant_keys(), rows::kmses(), rows::collections());
		let (key_rows, kms_rows, collection_rows, object_rows) = futures::try_join!(
			self.at.first_rows(&key_map, (id,), limited(keys)),
			self.at.first_rows(&kms_map, (id,), limited(kmses)),
			self.at.first_rows(&collection_map, (id,), limited(collections)),
			self.objects(id, limited(objects), count("versions"), bounds.below()),
		)?;
		let key_rows = key_rows
			.into_iter()
			.map(|((_, account), key)| Key { account, level: tenant_level_name(key.level) });
		let kms_rows =
			kms_rows.into_iter().map(|((_, id), info)| Kms { id, locator: info.locator });
		let collection_rows = collection_rows.into_iter().map(|((_, name), info)| Collection {
			name,
			key_type: info.key_type.map(|literal| literal.to_string()).to_string(),
			syntax: info.syntax.to_string(),
			record_count: info.record_count,
		});
		tenant.keys = List::new(key_rows.collect(), keys);
		tenant.kmses = List::new(kms_rows.collect(), kmses);
		tenant.collections = List::new(collection_rows.collect(), collections);
		tenant.content_objects = List::new(object_rows, objects);
		Ok(tenant)
	}

	/// Reads one content object.
	pub async fn object(
		self,
		path: ContentObjectPath,
		bounds: Bounds,
	) -> Result<(Roots, Totals), Error> {
		let unknown = || Error::Unknown { kind: "content object", id: path.to_string() };
		let key = (path.tenant, path.object);
		let info = self.at.get(&rows::content_objects(), key).await?.ok_or_else(unknown)?;
		let totals = Totals {
			content_objects: Some(1),
			heads: Some(info.head_version.is_some().into()),
			versions: Some(info.version_count.into()),
			..Totals::none()
		};
		let object = self.object_of(path.tenant, path.object, info, bounds).await?;
		Ok((Roots::ContentObjects([object]), totals))
	}

	async fn objects(
		self,
		tenant: TenantId,
		limit: usize,
		versions: u32,
		bounds: Bounds,
	) -> Result<Vec<Object>, Error> {
		let objects = self.at.first_rows(&rows::content_objects(), (tenant,), limit).await?;
		let pages = versions as usize / ROWS_PER_REQUEST;
		// One walk over all versions of the tenant takes fewer requests than one for each object.
		if bounds.versions && bounds.lists_children() && pages < objects.len() {
			return self.objects_with_all_versions(tenant, objects, bounds.limit).await;
		}
		stream::iter(objects)
			.map(|((tenant, id), info)| self.object_of(tenant, id, info, bounds))
			.buffered(CONCURRENCY)
			.try_collect()
			.await
	}

	async fn objects_with_all_versions(
		self,
		tenant: TenantId,
		objects: Vec<((TenantId, ContentObjectId), rows::ContentObject)>,
		limit: usize,
	) -> Result<Vec<Object>, Error> {
		let mut versions = BTreeMap::<_, Vec<_>>::new();
		for ((_, object, id), info) in self.at.rows(&rows::versions(), (tenant,)).await? {
			versions.entry(object).or_default().push(version(id, &info));
		}
		let objects = objects.into_iter().map(|((tenant, id), info)| {
			let mut versions = versions.remove(&id).unwrap_or_default();
			versions.truncate(limit);
			let versions = Some(List::new(versions, info.version_count));
			object(ContentObjectPath { tenant, object: id }, &info, versions)
		});
		Ok(objects.collect())
	}

	async fn object_of(
		self,
		tenant: TenantId,
		id: ContentObjectId,
		info: rows::ContentObject,
		bounds: Bounds,
	) -> Result<Object, Error> {
		let versions = match bounds.versions && bounds.lists_children() {
			true => {
				let limit = bounds.limit.min(info.version_count as usize);
				let versions = self.at.first_rows(&rows::versions(), (tenant, id), limit).await?;
				let versions = versions.into_iter().map(|((_, _, id), info)| version(id, &info));
				Some(List::new(versions.collect(), info.version_count))
			},
			false => None,
		};
		Ok(object(ContentObjectPath { tenant, object: id }, &info, versions))
	}
}

/// Returns the members of spaces, by space.
fn by_space<Id>(rows: Vec<((Id,), rows::Member)>, spaces: &[SpaceId]) -> Members<Id> {
	let mut members = Members::new();
	for ((id,), info) in rows.into_iter().filter(|(_, info)| spaces.contains(&info.space)) {
		members.entry(info.space).or_default().push((id, info));
	}
	members
}

fn object(
	id: ContentObjectPath,
	info: &rows::ContentObject,
	versions: Option<List<Version>>,
) -> Object {
	Object { id, head: info.head_version, version_count: info.version_count, versions }
}

fn version(id: VersionId, info: &rows::Version) -> Version {
	Version { id, finalized: info.finalized, size: info.size }
}
