// SPDX-License-Identifier: Apache-2.0
//! The node and the client from end to end, by theme.
//!
//! They are one program, so that the node's chain specification is built once for all of them.

mod adopters;
mod audits;
mod client;
mod colleagues;
mod content;
mod content_cache;
mod content_chain;
mod content_cloud;
mod content_damage;
mod content_drafts;
mod content_faults;
mod content_lasting;
mod content_mirror;
mod content_operator;
mod content_signed;
mod copies;
mod debian;
mod doctor;
mod drafts;
mod encrypted;
mod faults;
mod get_folder;
mod get_range;
mod governance;
mod hashes;
mod ids;
mod index;
mod index_large;
mod index_upgrade;
mod interrupted;
mod keys;
mod kms_server;
mod kmses;
mod library;
mod liveness;
mod members;
mod monitoring;
mod node;
mod permissions;
mod publish;
mod publish_and_delete;
mod put_and_get;
mod put_faults;
mod records;
mod restore;
mod round_trips;
mod runbooks;
mod tour;
mod trust;
mod unpublish;
mod validators;
mod versions;
mod watch;
