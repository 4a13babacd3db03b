//! What one server lets its clients use.

use std::time::Duration;

/// Bounds that keep a slow, greedy or broken client from taking the server with it.
#[derive(Debug, Clone)]
pub struct Limits {
    /// Connections served at once. Further ones wait in the listener's queue, which leaves file
    /// descriptors for browsers.
    pub connections: usize,
    /// How long a connection may take to say what it wants, between requests too.
    pub header_time: Duration,
    /// The largest request head.
    pub header_bytes: usize,
    /// The most header fields in a request.
    pub header_count: usize,
    /// The largest request body.
    pub body_bytes: usize,
    /// How long a request body may take.
    pub body_time: Duration,
    /// How long a client may leave what we send unread before its connection is dropped.
    pub write_stall: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: 1024,
            header_time: Duration::from_secs(30),
            header_bytes: 32 * 1024,
            header_count: 100,
            body_bytes: 4 * 1024 * 1024,
            body_time: Duration::from_secs(30),
            write_stall: Duration::from_secs(60),
        }
    }
}
