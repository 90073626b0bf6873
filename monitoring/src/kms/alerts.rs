// SPDX-License-Identifier: Apache-2.0
//! Alerts of a KMS.

use crate::{
	Alert,
	Severity::{Page, Ticket},
};

pub(super) const ALERTS: &[Alert] = &[
	Alert {
		name: "FabricKmsNotReady",
		condition: r#"fabric_kms_state{of="ready"} == 0"#,
		minutes: 3,
		severity: Page,
		summary: "The KMS {{ $labels.instance }} gives no keys",
		action: "`problem` in `curl -s http://127.0.0.1:8091/v1/status` has the reason: a lost \
			chain, finality that stalls, another key on the chain, a tenant that governance has \
			closed, or a disk that cannot be written. Readers cannot decrypt files until it is \
			solved. See [the paths of the KMS](kms.md#other-paths) and [Connections to a \
			node](#connections-to-a-node). If the tenant is frozen, suspended or being purged, \
			nothing is wrong with the server: tell the tenant's root, and silence the alert. It is \
			over when `problem` is `null`.",
		broken: &[(r#"fabric_kms_state{of="ready"}"#, 0.0, 0.0)],
	},
	Alert {
		name: "FabricKmsErrors",
		condition: r#"sum by (job, instance) (rate(fabric_kms_requests_total{status=~"5..",path!~"/health|/metrics|/ready"}[30m])) / sum by (job, instance) (rate(fabric_kms_requests_total{path!~"/health|/metrics|/ready"}[30m])) > 0.05 and sum by (job, instance) (increase(fabric_kms_requests_total{status=~"5..",path!~"/health|/metrics|/ready"}[30m])) > 4"#,
		minutes: 10,
		severity: Page,
		summary: "The KMS {{ $labels.instance }} fails {{ $value | humanizePercentage }} of its requests",
		action: "`journalctl --unit fabric-kms --since -30min` has the reason. Status 503 means that too \
			many requests are under way, that finality stalls, or that no receipt can be written: `df \
			-h /var/lib/fabric-kms`. It is over when *Failed requests* on the dashboard has only the \
			path `/ready`, or nothing.",
		broken: &[(r#"fabric_kms_requests_total{path="/v1/unwrap",status="503"}"#, 0.0, 30.0)],
	},
	Alert {
		name: "FabricKmsRefusesMany",
		condition: r#"sum by (job, instance) (rate(fabric_kms_requests_total{path="/v1/unwrap",status=~"4.."}[10m])) / sum by (job, instance) (rate(fabric_kms_requests_total{path="/v1/unwrap"}[10m])) > 0.5"#,
		minutes: 15,
		severity: Ticket,
		summary: "The KMS {{ $labels.instance }} refuses {{ $value | humanizePercentage }} of the requests for keys",
		action: "Somebody tries to read what is not theirs, a tenant has taken levels away, \
			governance has suspended the tenant, or readers have wrong clocks. *Refused requests* \
			on the dashboard has the [statuses](kms.md#getting-a-key). `fabric show TENANT` prints a \
			suspension. The [receipts](kms.md#receipts) name who got keys. It is over when \
			*Refused requests* falls.",
		broken: &[(r#"fabric_kms_requests_total{path="/v1/unwrap",status="403"}"#, 0.0, 600.0)],
	},
	Alert {
		name: "FabricKmsSlow",
		condition: "histogram_quantile(0.99, sum by (job, instance, le) (rate(fabric_kms_latency_seconds_bucket[5m]))) > 1",
		minutes: 15,
		severity: Ticket,
		summary: "One in a hundred requests to the KMS {{ $labels.instance }} takes {{ $value | humanizeDuration }}",
		action: "Each key waits for its receipt to reach the disk: the disk is too slow, or there are \
			too many requests. In `vmstat 5`, a high `wa` means the disk. *Requests* on the dashboard shows \
			the load. It is over when *Latency* is less than a second.",
		broken: &[(
			r#"fabric_kms_latency_seconds_bucket{path="/v1/unwrap",le="0.1"}"#,
			0.0,
			50.0,
		)],
	},
	Alert {
		name: "FabricKmsFinalityLags",
		condition: "fabric_kms_finalized_age > 40",
		minutes: 5,
		severity: Ticket,
		summary: "The last final block of the KMS {{ $labels.instance }} is {{ $value | humanizeDuration }} old",
		action: "The KMS decides by the final state, and gives no keys once it is a minute old. Act as \
			in [FabricNodeFinalityLags](#fabricnodefinalitylags). It is over when `finalized_age` in \
			`curl -s http://127.0.0.1:8091/v1/status` stays below 40.",
		broken: &[("fabric_kms_finalized_age", 50.0, 0.0)],
	},
];
