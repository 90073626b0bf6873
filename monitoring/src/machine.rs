// SPDX-License-Identifier: Apache-2.0
//! Metrics of Prometheus, and of its exporters for machines and for certificates.

mod alerts;

use crate::{metric::metrics, Metric, Program};

metrics! {
	/// 1 if the last scrape of a target has worked.
	UP = Metric::gauge("up");
	/// 1 if a URL could be reached from outside.
	PROBE_SUCCESS = Metric::gauge("probe_success");
	/// Time at which the certificate of a URL ends, in seconds since 1970.
	CERTIFICATE_END = Metric::gauge("probe_ssl_earliest_cert_expiry");
	/// Size of the database of a node, which a timer writes.
	DATABASE = Metric::gauge("fabric_database_bytes");
	/// Memory of the machine.
	MEMORY = Metric::gauge("node_memory_MemTotal_bytes");
	/// Bytes read from a disk.
	DISK_READ = Metric::counter("node_disk_read_bytes_total").by(&["device"]);
	/// Free bytes of a disk.
	DISK_FREE = Metric::gauge("node_filesystem_avail_bytes").by(&["device", "fstype", "mountpoint"]);
	/// Size of a disk, in bytes.
	DISK_SIZE = Metric::gauge("node_filesystem_size_bytes").by(&["device", "fstype", "mountpoint"]);
	/// 1 if a disk cannot be written.
	DISK_READ_ONLY = Metric::gauge("node_filesystem_readonly").by(&["device", "fstype", "mountpoint"]);
	/// Difference between the clocks of the machine and of NTP.
	CLOCK_OFFSET = Metric::gauge("node_timex_offset_seconds");
	/// 1 if NTP sets the clock.
	CLOCK_SYNCHRONIZED = Metric::gauge("node_timex_sync_status");
}

/// Alerts of targets and machines.
pub const PROGRAM: Program = Program {
	name: "machine",
	title: "Machines and targets",
	job: "fabric-machine",
	metrics: METRICS,
	alerts: alerts::ALERTS,
	rows: &[],
	healthy: &[
		("up", 1.0, 0.0),
		(r#"up{job="fabric-node"}"#, 1.0, 0.0),
		(r#"probe_success{job="fabric-probe"}"#, 1.0, 0.0),
		(r#"probe_ssl_earliest_cert_expiry{job="fabric-probe"}"#, 9e6, 0.0),
		("fabric_database_bytes", 2e9, 0.0),
		("node_memory_MemTotal_bytes", 8e9, 0.0),
		(r#"node_disk_read_bytes_total{device="vda"}"#, 0.0, 6e7),
		(r#"node_filesystem_avail_bytes{mountpoint="/var/lib/fabric"}"#, 1e11, 0.0),
		(r#"node_filesystem_size_bytes{mountpoint="/var/lib/fabric"}"#, 2e11, 0.0),
		(r#"node_filesystem_readonly{mountpoint="/var/lib/fabric"}"#, 0.0, 0.0),
		("node_timex_offset_seconds", 0.002, 0.0),
		("node_timex_sync_status", 1.0, 0.0),
	],
};
