// SPDX-License-Identifier: Apache-2.0
//! The dashboards of Grafana.

use content_fabric_monitoring::{Panel, Program, PROGRAMS};
use serde_json::{json, Value};

use crate::selectors::selectors;

/// The version of the schema, of Grafana 12.
const SCHEMA: u32 = 41;
/// Width of the page.
const WIDTH: usize = 24;
/// Width and height of a panel.
const PANEL: (usize, usize) = (8, 7);
/// Units for which a panel shows the present value, and not its course.
const PRESENT: [&str; 2] = ["bool_yes_no", "dateTimeFromNow"];

/// Returns the paths and the texts of the dashboards.
pub fn files() -> Vec<(String, String)> {
	let programs = PROGRAMS.iter().filter(|program| !program.rows.is_empty());
	programs
		.map(|program| {
			let text = serde_json::to_string_pretty(&dashboard(program)).expect("it is JSON");
			(format!("contrib/monitoring/dashboards/{}.json", program.name), text + "\n")
		})
		.collect()
}

fn dashboard(program: &Program) -> Value {
	let (mut panels, mut top) = (Vec::new(), 0);
	for row in program.rows {
		panels.push(json!({
			"type": "row", "id": panels.len() + 1, "title": row.title, "collapsed": false,
			"gridPos": { "x": 0, "y": top, "w": WIDTH, "h": 1 }, "panels": [],
		}));
		top += 1;
		for (number, panel) in row.panels.iter().enumerate() {
			let left = number * PANEL.0 % WIDTH;
			let place = json!({ "x": left, "y": top, "w": PANEL.0, "h": PANEL.1 });
			panels.push(drawn(panel, panels.len() + 1, place));
			if left + PANEL.0 == WIDTH || number + 1 == row.panels.len() {
				top += PANEL.1;
			}
		}
	}
	let job = format!("label_values(up{{job=\"{}\"}}, instance)", program.job);
	let source = json!({ "type": "prometheus", "uid": "${datasource}" });
	json!({
		"uid": format!("content-fabric-{}", program.name),
		"title": format!("Content Fabric: {}", program.title),
		"tags": ["content-fabric"],
		"schemaVersion": SCHEMA,
		"editable": true,
		"graphTooltip": 1,
		"refresh": "30s",
		"time": { "from": "now-6h", "to": "now" },
		"timezone": "browser",
		"links": [{
			"type": "dashboards", "title": "Content Fabric", "tags": ["content-fabric"],
			"asDropdown": true, "includeVars": false, "keepTime": true,
		}],
		"templating": { "list": [
			{ "name": "datasource", "label": "Data source", "type": "datasource", "query": "prometheus" },
			{
				"name": "instance", "label": "Instance", "type": "query", "datasource": source,
				"definition": job, "query": { "query": job, "refId": "instance" },
				"refresh": 2, "sort": 1, "multi": true, "includeAll": true,
				"current": { "text": ["All"], "value": ["$__all"] },
			},
		] },
		"annotations": { "list": [{
			"name": "Alerts", "enable": true, "iconColor": "red", "datasource": source,
			"expr": "ALERTS{alertname=~\"Fabric.*\",alertstate=\"firing\",instance=~\"$instance\"}",
			"titleFormat": "{{alertname}}", "textFormat": "{{instance}}", "step": "60s",
		}] },
		"panels": panels,
	})
}

fn drawn(panel: &Panel, id: usize, place: Value) -> Value {
	let source = json!({ "type": "prometheus", "uid": "${datasource}" });
	let is_present = PRESENT.contains(&panel.unit);
	let letters = ["A", "B", "C"];
	let targets = panel.queries.iter().zip(letters).map(|((query, legend), letter)| {
		json!({
			"refId": letter, "datasource": source, "expr": of_instances(query),
			"legendFormat": legend, "instant": is_present, "range": !is_present,
		})
	});
	let targets: Vec<_> = targets.collect();
	let options = match is_present {
		true => json!({
			"colorMode": "none", "graphMode": "none", "textMode": "value_and_name",
			"reduceOptions": { "calcs": ["lastNotNull"], "fields": "", "values": false },
		}),
		false => json!({
			"legend": { "displayMode": "list", "placement": "bottom", "showLegend": true },
			"tooltip": { "mode": "multi", "sort": "desc" },
		}),
	};
	json!({
		"id": id, "type": if is_present { "stat" } else { "timeseries" }, "title": panel.title,
		"description": panel.help, "datasource": source, "gridPos": place,
		"fieldConfig": { "defaults": { "unit": panel.unit }, "overrides": [] },
		"options": options, "targets": targets,
	})
}

/// Restricts a query to the chosen instances.
fn of_instances(query: &str) -> String {
	let mut text = query.to_owned();
	for selector in selectors(query).iter().rev() {
		let matcher = "instance=~\"$instance\"";
		match selector.labels {
			"" => text.insert_str(selector.end, &format!("{{{matcher}}}")),
			_ => text.insert_str(selector.end + 1, &format!("{matcher},")),
		}
	}
	text
}

#[test]
fn a_query_is_restricted_to_the_chosen_instances() {
	let query = r#"sum by (of) (rate(a_total[5m])) - b{of="x"}"#;
	let expected = r#"sum by (of) (rate(a_total{instance=~"$instance"}[5m])) - b{instance=~"$instance",of="x"}"#;
	assert_eq!(of_instances(query), expected);
}

#[test]
fn panels_have_titles_units_and_descriptions() {
	for program in PROGRAMS.iter().filter(|program| !program.rows.is_empty()) {
		let titles: Vec<_> = program.rows.iter().map(|row| row.title).collect();
		assert_eq!(titles, ["Is it healthy?", "Load", "Errors", "Saturation"], "{}", program.title);
		for panel in program.rows.iter().flat_map(|row| row.panels) {
			assert!(!panel.title.is_empty() && !panel.unit.is_empty(), "{}", panel.title);
			assert!(panel.help.ends_with('.'), "{}: {}", panel.title, panel.help);
			assert!((1..=3).contains(&panel.queries.len()), "{}", panel.title);
		}
	}
}
