//! What each further session with a page costs, in megabytes.
//!
//! Greenroom has its worlds before anybody asks, so what a session adds to a running server would
//! flatter it. So each peer is started twice, for one session and for more, and the difference of
//! the whole trees counts: what the server keeps for a session is in it.

use std::collections::HashMap;
use std::io;
use std::time::Duration;

use super::pages::Target;
use super::peer::Peer;
use crate::measure::pss;

/// How many sessions beyond the first.
const FURTHER: usize = 8;

/// What is allocated for the beginning of a page is given back a little later.
const SETTLE: Duration = Duration::from_secs(3);

/// What each session beyond the first costs a peer, which is started for a number of them.
pub(super) fn per_session(
    start: impl Fn(usize) -> io::Result<Box<dyn Peer>>,
    target: &Target,
) -> io::Result<f64> {
    let one = with_sessions(&*start(1)?, 1, target)?;
    let all = with_sessions(&*start(1 + FURTHER)?, 1 + FURTHER, target)?;
    let further = u32::try_from(FURTHER).unwrap_or(u32::MAX);
    Ok((all - one) / f64::from(further))
}

fn with_sessions(peer: &dyn Peer, count: usize, target: &Target) -> io::Result<f64> {
    let mut callers = Vec::new();
    for _ in 0..count {
        let mut caller = peer.connect()?;
        caller.arrive(target)?;
        callers.push(caller);
    }
    std::thread::park_timeout(SETTLE);
    let memory = tree(peer.root())?;
    callers.into_iter().try_for_each(|caller| caller.leave())?;
    Ok(memory)
}

/// The proportional memory of a process and all below it.
fn tree(root: u32) -> io::Result<f64> {
    let mut children: HashMap<u32, Vec<u32>> = HashMap::new();
    for entry in std::fs::read_dir("/proc")?.flatten() {
        let pid = entry.file_name().to_str().and_then(|pid| pid.parse().ok());
        let Some(pid) = pid else { continue };
        if let Some(parent) = parent_of(pid) {
            children.entry(parent).or_default().push(pid);
        }
    }
    let mut sum = 0.0;
    let mut left = vec![root];
    while let Some(pid) = left.pop() {
        // One that has ended meanwhile holds nothing.
        sum += pss(pid).unwrap_or_default();
        left.extend(children.remove(&pid).unwrap_or_default());
    }
    Ok(sum)
}

/// The name of a program, in brackets before it, may hold anything.
fn parent_of(pid: u32) -> Option<u32> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let (_, rest) = stat.rsplit_once(") ")?;
    rest.split(' ').nth(1)?.parse().ok()
}
