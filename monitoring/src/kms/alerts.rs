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
		action: "`problem` in `GET /v1/status` has the reason: a lost chain, finality that stalls, \
			another key on the chain, or a disk that cannot be written. Readers cannot decrypt \
			files until it is solved. See [the paths of the KMS](kms.md#other-paths) and \
			[Connections to a node](#connections-to-a-node).",
		broken: &[(r#"fabric_kms_state{of="ready"}"#, 0.0, 0.0)],
	},
	Alert {
		name: "FabricKmsErrors",
		condition: r#"sum by (job, instance) (rate(fabric_kms_requests_total{status=~"5..",path!="/ready"}[10m])) / sum by (job, instance) (rate(fabric_kms_requests_total[10m])) > 0.05"#,
		minutes: 10,
		severity: Page,
		summary: "The KMS {{ $labels.instance }} fails {{ $value | humanizePercentage }} of its requests",
		action: "The log of the KMS has the reason. Status 503 means that too many requests are under \
			way, or that no receipt can be written: look at its disk.",
		broken: &[(r#"fabric_kms_requests_total{path="/v1/unwrap",status="503"}"#, 0.0, 30.0)],
	},
	Alert {
		name: "FabricKmsRefusesMany",
		condition: r#"sum by (job, instance) (rate(fabric_kms_requests_total{path="/v1/unwrap",status=~"4.."}[10m])) / sum by (job, instance) (rate(fabric_kms_requests_total{path="/v1/unwrap"}[10m])) > 0.5"#,
		minutes: 15,
		severity: Ticket,
		summary: "The KMS {{ $labels.instance }} refuses {{ $value | humanizePercentage }} of the requests for keys",
		action: "Somebody tries to read what is not theirs, a tenant has taken levels away, \
			governance has suspended the tenant, or readers have wrong clocks. `fabric show` with \
			the tenant prints a suspension. The [receipts](kms.md#receipts) name who got keys.",
		broken: &[(r#"fabric_kms_requests_total{path="/v1/unwrap",status="403"}"#, 0.0, 600.0)],
	},
	Alert {
		name: "FabricKmsSlow",
		condition: "histogram_quantile(0.99, sum by (job, instance, le) (rate(fabric_kms_latency_seconds_bucket[5m]))) > 1",
		minutes: 15,
		severity: Ticket,
		summary: "One in a hundred requests to the KMS {{ $labels.instance }} takes {{ $value | humanizeDuration }}",
		action: "Each key waits for its receipt to reach the disk: the disk is too slow, or there are \
			too many requests. Look at the load and the saturation on its dashboard.",
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
		action: "The KMS decides by the final state, and gives no keys once it is a minute old. See \
			[Finality is stalled](#finality-is-stalled).",
		broken: &[("fabric_kms_finalized_age", 50.0, 0.0)],
	},
];
