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
			may be started again at any time. After five failures, systemd no longer starts it: \
			run `systemctl reset-failed NAME`, then `systemctl start NAME`. See [When a service \
			does not start](install.md#when-a-service-does-not-start). One of several validators \
			may be down for a while, see [The machines](#the-machines). It is over when `up` of \
			the target is 1.",
		broken: &[("up", 0.0, 0.0)],
	},
	Alert {
		name: "FabricUnreachable",
		condition: r#"probe_success{job="fabric-probe"} == 0"#,
		minutes: 5,
		severity: Page,
		summary: "{{ $labels.instance }} cannot be reached from outside",
		action: "Users see this: the reverse proxy is down, its certificate has expired, or the name \
			points elsewhere. `curl -v` with the URL prints which. Then look at the program behind \
			the [proxy](#the-machines). It is over when the same command prints status 200.",
		broken: &[(r#"probe_success{job="fabric-probe"}"#, 0.0, 0.0)],
	},
	Alert {
		name: "FabricCertificateEnds",
		condition: r#"probe_ssl_earliest_cert_expiry{job="fabric-probe"} - time() < 14 * 86400"#,
		minutes: 60,
		severity: Ticket,
		summary: "The certificate of {{ $labels.instance }} ends in {{ $value | humanizeDuration }}",
		action: "Renew the certificate of the [reverse proxy](#the-machines), and find out why that \
			did not happen by itself. It is over when `curl -sv` with the URL prints a later `expire \
			date`.",
		broken: &[(r#"probe_ssl_earliest_cert_expiry{job="fabric-probe"}"#, 1e6, 0.0)],
	},
	Alert {
		name: "FabricDiskFills",
		condition: r#"node_filesystem_avail_bytes{job="fabric-machine",mountpoint=~"/|/(srv|var).*"} < 0.2 * node_filesystem_size_bytes{job="fabric-machine"} and predict_linear(node_filesystem_avail_bytes{job="fabric-machine"}[1d], 4 * 86400) < 0"#,
		minutes: 60,
		severity: Ticket,
		summary: "{{ $labels.mountpoint }} of {{ $labels.instance }} has {{ $value | humanize1024 }}B left, and less than four days until it is full",
		action: "Add disk space, or find what takes it, as in [FabricDiskFull](#fabricdiskfull). A \
			content node without `--capacity` in `/etc/default/fabric-store` fills its disk: give it \
			one that leaves a tenth of the disk free. See [Memory](#memory) for the growth of a \
			database. It is over when `df -h` shows a fifth of the disk free.",
		broken: &[(r#"node_filesystem_avail_bytes{mountpoint="/var/lib/fabric"}"#, 3e10, -1e7)],
	},
	Alert {
		name: "FabricDiskFull",
		condition: r#"node_filesystem_avail_bytes{job="fabric-machine",mountpoint=~"/|/(srv|var).*"} < 0.1 * node_filesystem_size_bytes{job="fabric-machine"} and (node_filesystem_avail_bytes{job="fabric-machine"} / node_filesystem_size_bytes{job="fabric-machine"} < 0.01 or predict_linear(node_filesystem_avail_bytes{job="fabric-machine"}[1h], 4 * 3600) < 0)"#,
		minutes: 10,
		severity: Page,
		summary: "{{ $labels.mountpoint }} of {{ $labels.instance }} has {{ $value | humanize1024 }}B left, and is nearly full",
		action: "On a full disk, a node exits, a content node takes nothing in, and a KMS gives no keys. \
			`df -h` names the disk, and `du -xh --max-depth=3 MOUNTPOINT | sort -h | tail -n 20` the \
			largest folders. Add disk space, or remove files of other programs; `journalctl \
			--vacuum-size=500M` shortens the logs. Then start what has stopped: `systemctl \
			reset-failed NAME` and `systemctl start NAME`, for a content node `systemctl restart \
			fabric-store`. It is over when `df -h` shows a tenth of the disk free. If \
			your data are below another mount point, change the alert.",
		broken: &[(r#"node_filesystem_avail_bytes{mountpoint="/var/lib/fabric"}"#, 1e9, 0.0)],
	},
	Alert {
		name: "FabricDiskReadOnly",
		condition: r#"node_filesystem_readonly{job="fabric-machine",mountpoint=~"/|/(srv|var).*"} == 1"#,
		minutes: 1,
		severity: Page,
		summary: "{{ $labels.mountpoint }} of {{ $labels.instance }} cannot be written",
		action: "The kernel mounts a disk that fails read-only: `dmesg` has the reason. Replace it. \
			Then see [Backup](#backup), [Restore a content node](#restore-a-content-node) and \
			[Restore a node and an index](#restore-a-node-and-an-index). It is over when `findmnt \
			MOUNTPOINT` prints `rw`.",
		broken: &[(r#"node_filesystem_readonly{mountpoint="/var/lib/fabric"}"#, 1.0, 0.0)],
	},
	Alert {
		name: "FabricClockDrifts",
		condition: r#"abs(node_timex_offset_seconds{job="fabric-machine"}) > 1 or node_timex_sync_status{job="fabric-machine"} == 0"#,
		minutes: 10,
		severity: Ticket,
		summary: "The clock of {{ $labels.instance }} is not synchronized",
		action: "Start NTP: `timedatectl set-ntp true`. A validator whose clock is off by six seconds \
			makes blocks that others reject, see [The machines](#the-machines). It is over when \
			`timedatectl` prints `System clock synchronized: yes`. In a container, the clock is the \
			host's: silence the alert there.",
		broken: &[("node_timex_offset_seconds", 3.0, 0.0)],
	},
	Alert {
		name: "FabricDatabaseOutgrowsMemory",
		condition: r#"fabric_database_bytes > 0.6 * node_memory_MemTotal_bytes{job="fabric-machine"}"#,
		minutes: 60,
		severity: Ticket,
		summary: "The database of {{ $labels.instance }} has {{ $value | humanize1024 }}B, over 60% of its memory",
		action: "Add memory before there is too little, see [Memory](#memory). `free -g` prints how much \
			the machine has. It is over when the database has less than 60% of that.",
		broken: &[("fabric_database_bytes", 6e9, 0.0)],
	},
	Alert {
		name: "FabricDatabaseNotMeasured",
		condition: r#"count(up{job="fabric-node"}) - (count(fabric_database_bytes > 0) or vector(0)) > 0"#,
		minutes: 60,
		severity: Ticket,
		summary: "The size of the database of {{ $value }} nodes is not known",
		action: "Without the size, [FabricDatabaseOutgrowsMemory](#fabricdatabaseoutgrowsmemory) never \
			fires. The machine of each node must run the node exporter, and the timer of \
			[Memory](#memory): `systemctl status prometheus-node-exporter fabric-node-size.timer`. It \
			is over when `curl -s http://127.0.0.1:9100/metrics | grep fabric_database_bytes` prints \
			the size on each of them. If you do not want that, silence the alert.",
		broken: &[("fabric_database_bytes", 0.0, 0.0)],
	},
	Alert {
		name: "FabricReadsFromDisk",
		condition: r#"sum by (job, instance) (rate(node_disk_read_bytes_total{job="fabric-machine"}[15m])) > 5e6"#,
		minutes: 60,
		severity: Ticket,
		summary: "{{ $labels.instance }} reads {{ $value | humanize1024 }}B a second from its disks",
		action: "Applies to the machine of a validator: its database has outgrown its memory, or \
			something else on the machine takes it: `ps -eo rss,comm --sort -rss | head`. See \
			[Memory](#memory). It is over when `bi` in `vmstat 5` stays below 5000. An index or a \
			content node reads from the disk as it serves: silence the alert for its machine.",
		broken: &[(r#"node_disk_read_bytes_total{device="vda"}"#, 0.0, 6e8)],
	},
];
