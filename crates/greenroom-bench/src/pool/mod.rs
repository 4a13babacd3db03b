//! Lease and release: greenroom-pool beside deadpool and bb8.
//!
//! Three situations: one task that never waits; many tasks on few instances; and a long queue,
//! built up before the first lease is returned. The peers do less (no keys, no worlds, no
//! supervision), so the question is what all that costs somebody who needs none of it.

mod contended;
mod fairness;
mod peers;
mod queued;
mod uncontended;

use std::io::{self, Write as _};

use tokio::runtime::{Builder, Runtime};

use crate::Verdict;
use crate::measure::median;
use crate::table::Table;
use fairness::Fairness;
use peers::{Bb8, Deadpool, Greenroom, Peer};

/// Measured in turns, so that whatever the machine does meanwhile meets everybody.
const ROUNDS: usize = 21;

/// How much slower than the faster peer an uncontended lease may be.
const LIMIT: f64 = 1.5;

#[derive(Default)]
struct Figures {
    uncontended: Vec<f64>,
    contended: Vec<f64>,
    queued: Vec<f64>,
    fairness: Fairness,
}

pub(crate) fn run() -> io::Result<Verdict> {
    let several = Builder::new_multi_thread()
        .worker_threads(2)
        .enable_time()
        .build()?;
    let single = Builder::new_current_thread().enable_time().build()?;
    let mut figures: [Figures; 3] = Default::default();
    for round in 0..ROUNDS {
        // Whoever comes first meets cold caches: that is somebody else every time.
        for turn in 0..figures.len() {
            let who = (round + turn) % figures.len();
            let figures = &mut figures[who];
            match who {
                0 => measure::<Greenroom>(&several, &single, figures),
                1 => measure::<Deadpool>(&several, &single, figures),
                _ => measure::<Bb8>(&several, &single, figures),
            }
        }
    }
    report(figures)
}

fn measure<P: Peer>(several: &Runtime, single: &Runtime, figures: &mut Figures) {
    let uncontended = several.block_on(uncontended::run::<P>());
    let (contended, shares) = several.block_on(contended::run::<P>());
    let (queued, order) = single.block_on(queued::run::<P>());
    figures.uncontended.push(uncontended);
    figures.contended.push(contended);
    figures.queued.push(queued);
    figures.fairness.add(&shares, &order);
}

fn report(figures: [Figures; 3]) -> io::Result<Verdict> {
    let mut table = Table::new([Greenroom::NAME, Deadpool::NAME, Bb8::NAME, "ours/fastest"]);
    let fairness: Vec<&Fairness> = figures.iter().map(|peer| &peer.fairness).collect();
    let unfair = fairness.iter().map(|peer| peer.ratio()).collect();
    let disorder = fairness.iter().map(|peer| peer.violations()).collect();
    let [ours, deadpool, bb8] = figures;
    let ratio = times(
        &mut table,
        "uncontended, ns",
        [ours.uncontended, deadpool.uncontended, bb8.uncontended],
    );
    times(
        &mut table,
        contended::NAME,
        [ours.contended, deadpool.contended, bb8.contended],
    );
    times(
        &mut table,
        queued::NAME,
        [ours.queued, deadpool.queued, bb8.queued],
    );
    table.row("leases per task, most/least", unfair);
    table.row("waiters served out of order", disorder);

    let mut out = io::stdout().lock();
    writeln!(
        out,
        "lease and release, medians of {ROUNDS} rounds in turns"
    )?;
    table.write(&mut out)?;
    let good = ratio <= LIMIT;
    let word = if good { "good" } else { "too slow" };
    writeln!(
        out,
        "{word}: uncontended is {ratio:.2} x the faster peer (limit {LIMIT})"
    )?;
    Ok(if good { Verdict::Good } else { Verdict::Bad })
}

/// Adds a row of times; returns ours as a multiple of the faster peer's.
fn times(table: &mut Table, name: &str, measured: [Vec<f64>; 3]) -> f64 {
    let [ours, deadpool, bb8] = measured.map(median);
    let ratio = ours / deadpool.min(bb8);
    let mut cells: Vec<String> = [ours, deadpool, bb8]
        .map(|time| format!("{time:.0}"))
        .into();
    cells.push(format!("{ratio:.2}"));
    table.row(name, cells);
    ratio
}
