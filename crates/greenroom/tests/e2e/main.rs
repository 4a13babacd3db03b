//! The whole product, from outside: the binary, real browsers and real clients.
//! One program for all of them, because linking it takes longer than running most.
#![allow(clippy::unwrap_used, missing_docs)]

mod both_engines;
mod broken_upstream;
mod clients;
mod content;
mod crashes;
mod doctor;
mod examples;
mod fifty_worlds;
mod firefox;
mod http_api;
mod leases;
mod native;
mod real_clients;
mod record_faults;
mod record_kills;
mod record_restarts;
mod safety;
mod sessions;
mod shutdown;
mod support;
mod wsl;
