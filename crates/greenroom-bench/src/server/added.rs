use std::io;
use std::process::Command;

use super::{Pair, Programs};
use crate::measure::{clock, median};
use crate::stdio::Client;

const CALLS: usize = 300;

/// The time of one `browser_evaluate`, through Greenroom and straight to the same upstream with the
/// same options. Calls alternate, so that both meet the same machine.
pub(super) fn measure(programs: &Programs) -> io::Result<Pair> {
    let data = tempfile::tempdir()?;
    let output = tempfile::tempdir()?;
    let mut greenroom = Command::new(&programs.greenroom);
    greenroom
        .args(["stdio", "--set", "ENGINE=playwright", "--data-dir"])
        .arg(data.path());
    let mut greenroom = ready(&mut greenroom)?;
    let mut upstream = Command::new("node");
    upstream
        .arg(&programs.upstream)
        .args([
            "--headless",
            "--isolated",
            "--no-sandbox",
            "--timeout-settle",
            "0",
        ])
        .args([
            "--executable-path",
            "/usr/bin/chromium-headless-shell",
            "--output-dir",
        ])
        .arg(output.path());
    let mut upstream = ready(&mut upstream)?;

    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..CALLS {
        ours.push(evaluate(&mut greenroom)?);
        theirs.push(evaluate(&mut upstream)?);
    }
    Ok(Pair {
        greenroom: median(ours),
        upstream: median(theirs),
    })
}

fn ready(command: &mut Command) -> io::Result<Client> {
    let mut client = Client::start(command)?;
    client.initialize()?;
    client.call("browser_navigate", r#"{"url":"about:blank"}"#)?;
    evaluate(&mut client)?;
    Ok(client)
}

fn evaluate(client: &mut Client) -> io::Result<f64> {
    let began = clock();
    let answer = client.call("browser_evaluate", r#"{"function":"() => 6 * 7"}"#)?;
    let elapsed = began.elapsed();
    if !answer.contains("42") {
        return Err(io::Error::other(format!("a wrong answer: {answer}")));
    }
    Ok(elapsed.as_secs_f64() * 1e3)
}
