use std::io;
use std::process::Command;

use super::{Pair, Programs};
use crate::measure::{clock, median};
use crate::stdio::Client;

const ROUNDS: usize = 7;

/// From starting the program to the answer to `initialize`.
pub(super) fn measure(programs: &Programs) -> io::Result<Pair> {
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    let data = tempfile::tempdir()?;
    for _ in 0..ROUNDS {
        let mut greenroom = Command::new(&programs.greenroom);
        greenroom.arg("stdio").arg("--data-dir").arg(data.path());
        ours.push(one(&mut greenroom)?);
        let mut upstream = Command::new("node");
        upstream
            .arg(&programs.upstream)
            .args(["--headless", "--isolated"]);
        theirs.push(one(&mut upstream)?);
    }
    Ok(Pair {
        greenroom: median(ours),
        upstream: median(theirs),
    })
}

fn one(command: &mut Command) -> io::Result<f64> {
    let began = clock();
    let mut client = Client::start(command)?;
    client.initialize()?;
    Ok(began.elapsed().as_secs_f64() * 1e3)
}
