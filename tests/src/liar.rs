// SPDX-License-Identifier: Apache-2.0
//! A node that lies: a proxy in front of an honest one, which changes the answers to some questions.

use std::{
	collections::HashMap,
	sync::{Arc, Mutex},
};

use futures::{SinkExt, StreamExt};
use serde_json::Value;
use tokio::net::{TcpListener, TcpStream};
use tokio_tungstenite::{
	accept_async_with_config, connect_async_with_config,
	tungstenite::{protocol::WebSocketConfig, Message},
};

/// Changes the result of a question. Gets the name of its method, its parameters, and the result.
pub type Lie = Arc<dyn Fn(&str, &Value, &mut Value) + Send + Sync>;

/// Starts a lying node in front of the node at `url`. Returns the URL that it serves.
pub async fn start(url: &str, lie: Lie) -> String {
	let url = url.to_owned();
	let listener = TcpListener::bind("127.0.0.1:0").await.expect("there is a free port");
	let address = listener.local_addr().expect("it is bound");
	tokio::spawn(async move {
		while let Ok((client, _)) = listener.accept().await {
			tokio::spawn(pass_on(client, url.clone(), lie.clone()));
		}
	});
	format!("ws://{address}")
}

/// Passes messages on until one side closes the connection.
async fn pass_on(client: TcpStream, url: String, lie: Lie) {
	let limits = WebSocketConfig::default().max_message_size(None).max_frame_size(None);
	let client = accept_async_with_config(client, Some(limits)).await;
	let node = connect_async_with_config(url, Some(limits), true).await;
	let (Ok(client), Ok((node, _))) = (client, node) else { return };
	let (mut to_client, mut from_client) = client.split();
	let (mut to_node, mut from_node) = node.split();
	let questions = Mutex::new(HashMap::new());
	loop {
		tokio::select! {
			question = from_client.next() => {
				let Some(Ok(message)) = question else { return };
				remember(&message, &questions);
				if to_node.send(message).await.is_err() {
					return;
				}
			},
			answer = from_node.next() => {
				let Some(Ok(message)) = answer else { return };
				if to_client.send(changed(message, &questions, &lie)).await.is_err() {
					return;
				}
			},
		}
	}
}

type Questions = Mutex<HashMap<String, (String, Value)>>;

fn remember(message: &Message, questions: &Questions) {
	let Some(question) = json(message) else { return };
	let Some(method) = question["method"].as_str() else { return };
	let mut questions = questions.lock().expect("nothing panics while it is locked");
	questions.insert(question["id"].to_string(), (method.into(), question["params"].clone()));
}

fn changed(message: Message, questions: &Questions, lie: &Lie) -> Message {
	let Some(mut answer) = json(&message) else { return message };
	let question = {
		let mut questions = questions.lock().expect("nothing panics while it is locked");
		questions.remove(&answer["id"].to_string())
	};
	match question {
		Some((method, params)) if answer.get("result").is_some() => {
			lie(&method, &params, &mut answer["result"]);
			Message::text(answer.to_string())
		},
		_ => message,
	}
}

fn json(message: &Message) -> Option<Value> {
	serde_json::from_str(message.to_text().ok()?).ok()
}
