//! What a connection has seen that it should not have: counted, and judged.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use tokio::time::Instant;

/// Whether a connection can be relied on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Health {
    /// Nothing to complain of.
    Well,
    /// The peer floods its output with what is no message. It stays so: the peer is to be replaced.
    Noisy,
}

/// A point-in-time copy of a connection's counters.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ClientStats {
    /// Replies to calls that nobody waited for any more.
    pub late: u64,
    /// Replies whose id was never asked, or was answered before.
    pub stray: u64,
    /// Lines that are no message.
    pub noise_lines: u64,
    /// Their bytes.
    pub noise_bytes: u64,
    /// Lines beyond the limit.
    pub too_long: u64,
    /// Requests of the peer's.
    pub peer_requests: u64,
    /// Answers to them that were dropped because the peer does not read.
    pub answers_dropped: u64,
    /// How often the peer said that its tools changed.
    pub tool_changes: u64,
}

#[derive(Debug, Default)]
pub(super) struct Counters {
    pub(super) late: AtomicU64,
    pub(super) stray: AtomicU64,
    pub(super) noise_lines: AtomicU64,
    pub(super) noise_bytes: AtomicU64,
    pub(super) too_long: AtomicU64,
    pub(super) peer_requests: AtomicU64,
    pub(super) answers_dropped: AtomicU64,
    pub(super) tool_changes: AtomicU64,
    pub(super) noisy: AtomicBool,
}

impl Counters {
    pub(super) fn snapshot(&self) -> ClientStats {
        ClientStats {
            late: self.late.load(Relaxed),
            stray: self.stray.load(Relaxed),
            noise_lines: self.noise_lines.load(Relaxed),
            noise_bytes: self.noise_bytes.load(Relaxed),
            too_long: self.too_long.load(Relaxed),
            peer_requests: self.peer_requests.load(Relaxed),
            answers_dropped: self.answers_dropped.load(Relaxed),
            tool_changes: self.tool_changes.load(Relaxed),
        }
    }

    pub(super) fn health(&self) -> Health {
        if self.noisy.load(Relaxed) {
            Health::Noisy
        } else {
            Health::Well
        }
    }
}

pub(super) fn count(counter: &AtomicU64) {
    counter.fetch_add(1, Relaxed);
}

/// Noise beyond this within [`WINDOW`] is a flood.
const FLOOD: u64 = 1_000_000;
const WINDOW: Duration = Duration::from_secs(60);
/// The window slides in steps of this length, so that the meter stays small under any flood.
const STEP: Duration = Duration::from_secs(5);
/// Noisy lines that are logged per window; a chatty peer must not fill our log.
const LOGGED: u32 = 10;

/// Measures noise over a sliding minute.
#[derive(Debug)]
pub(super) struct NoiseMeter {
    steps: VecDeque<(Instant, u64)>,
    logged: u32,
    log_since: Instant,
}

/// What to do about a noisy line.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Verdict {
    pub(super) flood: bool,
    pub(super) log: bool,
}

impl NoiseMeter {
    pub(super) fn new(now: Instant) -> Self {
        Self {
            steps: VecDeque::new(),
            logged: 0,
            log_since: now,
        }
    }

    pub(super) fn heard(&mut self, bytes: u64, now: Instant) -> Verdict {
        match self.steps.back_mut() {
            Some((since, heard)) if now.duration_since(*since) < STEP => *heard += bytes,
            _ => self.steps.push_back((now, bytes)),
        }
        while self
            .steps
            .front()
            .is_some_and(|(since, _)| now.duration_since(*since) >= WINDOW)
        {
            self.steps.pop_front();
        }
        let total: u64 = self.steps.iter().map(|(_, heard)| heard).sum();
        Verdict {
            flood: total > FLOOD,
            log: self.may_log(now),
        }
    }

    fn may_log(&mut self, now: Instant) -> bool {
        if now.duration_since(self.log_since) >= WINDOW {
            self.log_since = now;
            self.logged = 0;
        }
        self.logged += 1;
        self.logged <= LOGGED
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(start: Instant, seconds: u64) -> Instant {
        start + Duration::from_secs(seconds)
    }

    #[test]
    fn more_than_a_megabyte_within_a_minute_is_a_flood() {
        let start = Instant::now();
        let mut meter = NoiseMeter::new(start);
        assert!(!meter.heard(FLOOD, at(start, 0)).flood);
        assert!(meter.heard(1, at(start, 59)).flood);
    }

    #[test]
    fn the_same_noise_spread_over_longer_is_none() {
        let start = Instant::now();
        let mut meter = NoiseMeter::new(start);
        for minute in 0..20 {
            assert!(!meter.heard(FLOOD, at(start, 60 * minute)).flood);
        }
        assert!(meter.steps.len() <= 13);
    }

    #[test]
    fn a_chatty_peer_is_logged_ten_times_a_minute() {
        let start = Instant::now();
        let mut meter = NoiseMeter::new(start);
        let logged = (0..1000)
            .filter(|_| meter.heard(1, at(start, 1)).log)
            .count();
        assert_eq!(logged, 10);
        assert!(meter.heard(1, at(start, 61)).log);
    }
}
