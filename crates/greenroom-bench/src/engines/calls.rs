//! How long one call takes: all peers in turns, so that all meet the same machine.

use std::io;
use std::time::Duration;

use super::pages::{Pages, Target};
use super::peer::{Caller, Peer};
use super::{Figure, PEERS, Peers};
use crate::measure::{clock, median};

/// Turns at most, and at least, however slow the machine is.
const ROUNDS: usize = 12;
const FEWEST_ROUNDS: usize = 3;
/// Turns that begin after this are left out.
const BOX: Duration = Duration::from_secs(15);
/// Calls of each turn: the quick ones more often, for a short time is measured less well.
const CALLS: [usize; PEERS] = [5, 5, 1];

/// Between the end of one session and the beginning of the next, so that nobody pays for what
/// another leaves to be cleared away.
const BREATH: Duration = Duration::from_millis(300);

/// What is measured on a session that has a page.
type Step = fn(&mut dyn Caller, &Target) -> io::Result<()>;

/// Evaluate, navigate, and the snapshots of both pages, in this order.
pub(super) fn measure(peers: &Peers, pages: &Pages) -> io::Result<[Figure; 4]> {
    let (items, controls) = (pages.items(), pages.controls());
    let mut callers = Vec::new();
    for peer in peers.all() {
        let mut caller = peer.connect()?;
        caller.arrive(&items)?;
        callers.push(caller);
    }
    let evaluate = in_turns(&mut callers, &items, |caller, _| caller.evaluate())?;
    let navigate = in_turns(&mut callers, &items, |caller, at| caller.navigate(at))?;
    let look: Step = |caller, at| caller.snapshot(at);
    let of_items = in_turns(&mut callers, &items, look)?;
    for caller in &mut callers {
        caller.navigate(&controls)?;
    }
    let of_controls = in_turns(&mut callers, &controls, look)?;
    for caller in callers {
        caller.leave()?;
    }
    Ok([evaluate, navigate, of_items, of_controls])
}

/// From the first call of a caller to the answer that shows the page.
pub(super) fn new_session(peers: &Peers, pages: &Pages) -> io::Result<Figure> {
    let items = pages.items();
    turns(|times| {
        for (peer, times) in peers.all().into_iter().zip(times) {
            times.push(first_call(peer, &items)?);
            std::thread::park_timeout(BREATH);
        }
        Ok(())
    })
}

fn first_call(peer: &dyn Peer, target: &Target) -> io::Result<f64> {
    let mut caller = peer.connect()?;
    let time = timed(|| caller.arrive(target))?;
    caller.leave()?;
    Ok(time)
}

fn in_turns(callers: &mut [Box<dyn Caller>], target: &Target, step: Step) -> io::Result<Figure> {
    for caller in callers.iter_mut() {
        step(caller.as_mut(), target)?;
    }
    turns(|times| {
        for ((caller, times), calls) in callers.iter_mut().zip(times).zip(CALLS) {
            for _ in 0..calls {
                times.push(timed(|| step(caller.as_mut(), target))?);
            }
        }
        Ok(())
    })
}

/// The medians of what each turn adds.
fn turns(mut turn: impl FnMut(&mut [Vec<f64>; PEERS]) -> io::Result<()>) -> io::Result<Figure> {
    let mut times = <[Vec<f64>; PEERS]>::default();
    let began = clock();
    for round in 0..ROUNDS {
        if round >= FEWEST_ROUNDS && began.elapsed() > BOX {
            break;
        }
        turn(&mut times)?;
    }
    Ok(Figure(times.map(median)))
}

/// Milliseconds.
fn timed(step: impl FnOnce() -> io::Result<()>) -> io::Result<f64> {
    let began = clock();
    step()?;
    Ok(began.elapsed().as_secs_f64() * 1e3)
}
