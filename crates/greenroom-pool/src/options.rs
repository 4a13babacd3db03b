//! What an owner may choose about a pool; every default says why it is what it is.

use std::time::Duration;

/// The rules of one pool.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Waiters beyond this are refused at once, so that a flood meets an error and not a wall.
    pub max_queue: usize,
    /// A start that takes longer is dropped and counts as failed. Generous: a cold disk is slow.
    pub start_timeout: Duration,
    /// A reset that takes longer cannot be trusted: the instance is replaced.
    pub reset_timeout: Duration,
    /// A close that takes longer is dropped, so that a hanging one never blocks its replacement.
    /// Longer than the manager's own way from asking politely to killing.
    pub close_timeout: Duration,
    /// How instances are probed, unless their spec says otherwise.
    pub health: Health,
    /// How instances are restarted, unless their spec says otherwise.
    pub restart: Restart,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            max_queue: 256,
            start_timeout: Duration::from_secs(60),
            reset_timeout: Duration::from_secs(10),
            close_timeout: Duration::from_secs(20),
            health: Health::default(),
            restart: Restart::default(),
        }
    }
}

/// How an instance is probed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Health {
    /// Time from one probe to the next.
    pub interval: Duration,
    /// A probe that takes longer is a miss.
    pub timeout: Duration,
    /// Misses in a row that make an instance failed. One is not enough: a busy page may be slow.
    pub strikes: u32,
}

impl Default for Health {
    fn default() -> Self {
        Self {
            interval: Duration::from_secs(20),
            timeout: Duration::from_secs(5),
            strikes: 3,
        }
    }
}

/// How an instance that failed is started again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Restart {
    /// Restarts within `window`; when they are used up the instance stays failed. A first start is
    /// none of them, even if it fails.
    pub attempts: u32,
    /// The span, ending now, in which attempts are counted.
    pub window: Duration,
    /// Delay before the first attempt; it doubles with each further one in the window.
    pub first_delay: Duration,
    /// Doubling stops here, so that a generous number of attempts does not mean waiting for days.
    pub longest_delay: Duration,
}

impl Default for Restart {
    fn default() -> Self {
        Self {
            attempts: 3,
            window: Duration::from_secs(300),
            first_delay: Duration::from_secs(1),
            longest_delay: Duration::from_secs(60),
        }
    }
}
