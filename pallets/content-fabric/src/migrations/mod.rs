//! Migrations
