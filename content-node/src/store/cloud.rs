// SPDX-License-Identifier: Apache-2.0
//! Object stores of other machines, by URL.

use std::{sync::Arc, time::Duration};

use object_store::{
	aws::AmazonS3Builder, azure::MicrosoftAzureBuilder, gcp::GoogleCloudStorageBuilder,
	prefix::PrefixStore, ObjectStore, ObjectStoreScheme, RetryConfig,
};
use rustls::crypto::ring;
use url::Url;

use super::{Store, StoreError};

/// Longest time for which a request is tried again. Clients wait meanwhile.
const PATIENCE: Duration = Duration::from_secs(15);

/// Opens the store at a URL: `s3://`, `gs://` or `az://`, with a bucket and a prefix. Keys, region
/// and endpoint come from the environment variables of those services.
pub fn open(url: &str) -> Result<Store, StoreError> {
	let refused = |reason: String| StoreError::Url { url: url.to_owned(), reason };
	let parsed = Url::parse(url).map_err(|error| refused(error.to_string()))?;
	let (scheme, prefix) =
		ObjectStoreScheme::parse(&parsed).map_err(|error| refused(error.to_string()))?;
	// Fails if the process has a provider already, which is the same one.
	let _ = ring::default_provider().install_default();
	let retry = RetryConfig { retry_timeout: PATIENCE, ..Default::default() };
	let objects: Arc<dyn ObjectStore> = match scheme {
		ObjectStoreScheme::AmazonS3 => {
			Arc::new(AmazonS3Builder::from_env().with_url(url).with_retry(retry).build()?)
		},
		ObjectStoreScheme::GoogleCloudStorage => {
			Arc::new(GoogleCloudStorageBuilder::from_env().with_url(url).with_retry(retry).build()?)
		},
		ObjectStoreScheme::MicrosoftAzure => {
			Arc::new(MicrosoftAzureBuilder::from_env().with_url(url).with_retry(retry).build()?)
		},
		_ => return Err(refused("expected s3://, gs:// or az://".into())),
	};
	Ok(Store::of(Arc::new(PrefixStore::new(objects, prefix))))
}
