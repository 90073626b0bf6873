//! The server, asked over connections as clients ask it.

mod assets;
mod errors;
mod feed;
mod http;
mod limits;
mod lists;
mod queries;
mod server;
mod world;
