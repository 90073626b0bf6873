// SPDX-License-Identifier: Apache-2.0
//! Alerts of targets and machines.

use crate::{
	Alert,
	Severity::{Page, Ticket},
};

pub(super) const ALERTS: &[Alert] = &[
	Alert {
		name: "FabricTargetDown",
		condition: r#"up{job=~"fabric-.*"} == 0"#,
		minutes: 5,
		severity: Page,
		summary: "{{ $labels.job }} on {{ $labels.instance }} does not answer",
		action: "The program or its machine is down, or a firewall hides its metrics. Look at the \
			program: `systemctl status NAME`, and its log, `journalctl --unit NAME`. All programs \
			may be started again at any time. After five failures, systemd no longer does that: \
			see [When a service does not start](install.md#when-a-service-does-not-start). One of \
			several validators may be down for a while, see [The machines](#the-machines).",
		broken: &[("up", 0.0, 0.0)],
	},
	Alert {
		name: "FabricUnreachable",
		condition: "probe_success == 0",
		minutes: 5,
		severity: Page,
		summary: "{{ $labels.instance }} cannot be reached from outside",
		action: "Users see this: the reverse proxy is down, its certificate has expired, or the name \
			points elsewhere. `curl -v` with the URL prints which. Then look at the program behind \
			the [proxy](#the-machines).",
		broken: &[("probe_success", 0.0, 0.0)],
	},
	Alert {
		name: "FabricCertificateEnds",
		condition: "probe_ssl_earliest_cert_expiry - time() < 14 * 86400",
		minutes: 60,
		severity: Ticket,
		summary: "The certificate of {{ $labels.instance }} ends in {{ $value | humanizeDuration }}",
		action: "Renew the certificate of the [reverse proxy](#the-machines), and find out why that \
			did not happen by itself.",
		broken: &[("probe_ssl_earliest_cert_expiry", 1e6, 0.0)],
	},
	Alert {
		name: "FabricDiskFull",
		condition: r#"node_filesystem_avail_bytes{mountpoint=~"/|/(srv|var).*"} < 20e9"#,
		minutes: 10,
		severity: Page,
		summary: "{{ $labels.mountpoint }} of {{ $labels.instance }} has {{ $value | humanize1024 }}B left",
		action: "Add disk space: a node exits when its database cannot write, a content node takes \
			nothing in, and a KMS gives no keys. If your data are below another mount point, or the \
			disk is small, change the alert. See [Memory](#memory) for the growth of a database.",
		broken: &[(r#"node_filesystem_avail_bytes{mountpoint="/var/lib/fabric"}"#, 1e10, 0.0)],
	},
	Alert {
		name: "FabricDiskReadOnly",
		condition: r#"node_filesystem_readonly{mountpoint=~"/|/(srv|var).*"} == 1"#,
		minutes: 1,
		severity: Page,
		summary: "{{ $labels.mountpoint }} of {{ $labels.instance }} cannot be written",
		action: "The kernel mounts a disk that fails read-only: `dmesg` has the reason. Replace it. \
			Then see [Backup](#backup), [Restore a content node](#restore-a-content-node) and \
			[Restore a node and an index](#restore-a-node-and-an-index).",
		broken: &[(r#"node_filesystem_readonly{mountpoint="/var/lib/fabric"}"#, 1.0, 0.0)],
	},
	Alert {
		name: "FabricClockDrifts",
		condition: "abs(node_timex_offset_seconds) > 1 or node_timex_sync_status == 0",
		minutes: 10,
		severity: Ticket,
		summary: "The clock of {{ $labels.instance }} is not synchronized",
		action: "Start NTP: `timedatectl set-ntp true`. A validator whose clock is off by six seconds \
			makes blocks that others reject, see [The machines](#the-machines). In a container, the \
			clock is the host's: silence the alert there.",
		broken: &[("node_timex_offset_seconds", 3.0, 0.0)],
	},
	Alert {
		name: "FabricDatabaseOutgrowsMemory",
		condition: "fabric_database_bytes > 0.6 * node_memory_MemTotal_bytes",
		minutes: 60,
		severity: Ticket,
		summary: "The database of {{ $labels.instance }} has {{ $value | humanize1024 }}B, over 60% of its memory",
		action: "Add memory before there is too little, see [Memory](#memory).",
		broken: &[("fabric_database_bytes", 6e9, 0.0)],
	},
	Alert {
		name: "FabricReadsFromDisk",
		condition: "sum by (job, instance) (rate(node_disk_read_bytes_total[15m])) > 5e6",
		minutes: 60,
		severity: Ticket,
		summary: "{{ $labels.instance }} reads {{ $value | humanize1024 }}B a second from its disks",
		action: "Applies to the machine of a validator: its database has outgrown its memory, or \
			something else on the machine takes it. See [Memory](#memory). An index or a content \
			node reads from the disk as it serves: silence the alert for its machine.",
		broken: &[(r#"node_disk_read_bytes_total{device="vda"}"#, 0.0, 6e8)],
	},
];
