//! Greenroom's benchmarks: side by side with peers, in one run, on the same machine.
//!
//! Figures of different machines and moments do not compare, ratios taken in one run do. So every
//! benchmark measures all peers in turns and judges by the ratio of medians.

mod engines;
mod measure;
mod pool;
mod server;
mod stdio;
mod store;
mod table;

use std::io::{self, Write as _};
use std::process::ExitCode;

/// A benchmark: its name, what it measures, and how it runs.
struct Benchmark {
    name: &'static str,
    about: &'static str,
    run: fn() -> io::Result<Verdict>,
}

/// Whether the figures are good enough.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Good,
    Bad,
}

const BENCHMARKS: &[Benchmark] = &[
    Benchmark {
        name: "pool",
        about: "lease and release: greenroom-pool, deadpool, bb8",
        run: pool::run,
    },
    Benchmark {
        name: "server",
        about: "start, memory and time added to a call: greenroom, the bare upstream",
        run: server::run,
    },
    Benchmark {
        name: "store",
        about: "recording long answers of many callers: time added, memory of the server",
        run: store::run,
    },
    Benchmark {
        name: "engines",
        about: "browsers for agents: the bare protocol, greenroom, the upstream over HTTP",
        run: engines::run,
    },
];

/// The exit code for a command line that names no benchmark.
const USAGE: u8 = 2;

fn main() -> io::Result<ExitCode> {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let chosen: Vec<&Benchmark> = BENCHMARKS
        .iter()
        .filter(|benchmark| wanted.iter().any(|name| name == benchmark.name))
        .collect();
    if chosen.len() != wanted.len() || chosen.is_empty() {
        usage()?;
        return Ok(ExitCode::from(USAGE));
    }
    let mut code = ExitCode::SUCCESS;
    for benchmark in chosen {
        if (benchmark.run)()? == Verdict::Bad {
            code = ExitCode::FAILURE;
        }
    }
    Ok(code)
}

fn usage() -> io::Result<()> {
    let mut err = io::stderr().lock();
    writeln!(err, "usage: greenroom-bench BENCHMARK...")?;
    for Benchmark { name, about, .. } in BENCHMARKS {
        writeln!(err, "  {name:<12} {about}")?;
    }
    Ok(())
}
