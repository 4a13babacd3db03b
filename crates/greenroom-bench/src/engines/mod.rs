//! Greenroom's own engine between its limit and its peer, in one run with the same pages.
//!
//! The limit is the same browser over the bare protocol, from this process. Greenroom is the whole
//! server, with its sessions and its record, asked by MCP clients over HTTP; so is the upstream,
//! with a context for each session. What no other figure of this program shows is the ratio to
//! both, which is what the targets are about.

mod calls;
mod crowd;
mod http;
mod mcp;
mod memory;
mod pages;
mod peer;
mod programs;
mod raw;
mod report;
mod served;

use std::io;

use self::pages::Pages;
use self::peer::Peer;
use self::programs::Programs;
use self::raw::Raw;
use self::report::{Bound, Report};
use self::served::Served;
use crate::Verdict;

/// The limit, Greenroom, the upstream: everything is in this order.
const PEERS: usize = 3;

/// One figure of each.
#[derive(Clone, Copy)]
struct Figure([f64; PEERS]);

struct Peers {
    raw: Raw,
    greenroom: Served,
    upstream: Served,
}

impl Peers {
    fn start(programs: &Programs) -> io::Result<Self> {
        Ok(Self {
            raw: Raw::start(&programs.browser)?,
            // One more than the crowd, for whoever comes meanwhile.
            greenroom: Served::greenroom(programs, crowd::SESSIONS + 1)?,
            upstream: Served::upstream(programs)?,
        })
    }

    fn all(&self) -> [&dyn Peer; PEERS] {
        [&self.raw, &self.greenroom, &self.upstream]
    }
}

pub(crate) fn run() -> io::Result<Verdict> {
    let programs = Programs::find()?;
    let pages = Pages::serve()?;
    let mut report = Report::new();
    let peers = Peers::start(&programs)?;
    let [evaluate, navigate, items, controls] = calls::measure(&peers, &pages)?;
    report.times("evaluate", evaluate, Bound::OfLimit(3.0));
    report.times("navigate, 50 items", navigate, Bound::OfLimit(1.2));
    report.times("snapshot, 50 items", items, Bound::OfUpstream(0.25));
    report.times("snapshot, 900 controls", controls, Bound::OfUpstream(0.25));
    let begun = calls::new_session(&peers, &pages)?;
    report.times("new session, page, snapshot", begun, Bound::OfLimit(1.0));
    let crowd = crowd::measure(&peers, &pages.items())?;
    drop(peers);
    let memory = memory(&programs, &pages)?;
    report.memory("memory of a further session", memory, Bound::OfLimit(1.2));
    report.rate(
        "8 sessions, navigate + snapshot",
        crowd,
        Bound::AtLeastOfLimit(0.8),
    );
    report.write(&mut io::stdout().lock())?;
    Ok(report.verdict())
}

/// One after the other: what a browser shares with another one is not counted in full.
fn memory(programs: &Programs, pages: &Pages) -> io::Result<Figure> {
    let items = pages.items();
    let raw = |_| Ok(Box::new(Raw::start(&programs.browser)?) as Box<dyn Peer>);
    let greenroom = |count| Ok(Box::new(Served::greenroom(programs, count)?) as Box<dyn Peer>);
    let upstream = |_| Ok(Box::new(Served::upstream(programs)?) as Box<dyn Peer>);
    Ok(Figure([
        memory::per_session(raw, &items)?,
        memory::per_session(greenroom, &items)?,
        memory::per_session(upstream, &items)?,
    ]))
}
