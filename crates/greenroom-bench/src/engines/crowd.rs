//! Eight sessions at once, each of which navigates and looks as fast as it can.

use std::io;
use std::sync::Barrier;
use std::thread;

use super::pages::Target;
use super::peer::{Caller, Peer};
use super::{Figure, Peers};
use crate::measure::{clock, median};

pub(super) const SESSIONS: usize = 8;
/// Turns, and what each session does in each of them.
const ROUNDS: usize = 3;
const STEPS: usize = 3;

/// How many times all of them together navigated and looked, per second.
pub(super) fn measure(peers: &Peers, target: &Target) -> io::Result<Figure> {
    let mut crowds = Vec::new();
    for peer in peers.all() {
        crowds.push(crowd(peer, target)?);
    }
    let mut rates = <[Vec<f64>; super::PEERS]>::default();
    for _ in 0..ROUNDS {
        for (crowd, rates) in crowds.iter_mut().zip(&mut rates) {
            rates.push(rate(crowd, target)?);
        }
    }
    for caller in crowds.into_iter().flatten() {
        caller.leave()?;
    }
    Ok(Figure(rates.map(median)))
}

/// So many sessions with a page each.
pub(super) fn crowd(peer: &dyn Peer, target: &Target) -> io::Result<Vec<Box<dyn Caller>>> {
    let one = |_| {
        let mut caller = peer.connect()?;
        caller.arrive(target)?;
        Ok(caller)
    };
    (0..SESSIONS).map(one).collect()
}

fn rate(crowd: &mut [Box<dyn Caller>], target: &Target) -> io::Result<f64> {
    let start = Barrier::new(crowd.len() + 1);
    let began = thread::scope(|scope| {
        let working: Vec<_> = crowd
            .iter_mut()
            .map(|caller| {
                let start = &start;
                scope.spawn(move || {
                    start.wait();
                    (0..STEPS).try_for_each(|_| {
                        caller.navigate(target)?;
                        caller.snapshot(target)
                    })
                })
            })
            .collect();
        start.wait();
        let began = clock();
        for worked in working {
            worked.join().expect("BUG: a caller panicked")?;
        }
        io::Result::Ok(began)
    })?;
    let steps = u32::try_from(STEPS * SESSIONS).unwrap_or(u32::MAX);
    Ok(f64::from(steps) / began.elapsed().as_secs_f64())
}
