//! A process that owns children, to be killed by tests or run as PID 1.
//!
//! `owner hold DATA_DIR COUNT PROGRAM [ARGS…]` opens a run, starts so many children that speak MCP,
//! reports once all of them answer, and closes in good order when its stdin ends.
//!
//! `owner launch DATA_DIR COUNT PROGRAM [ARGS…]` starts so many children that end by themselves,
//! one after the other, closes, and reports which processes are left in this pid namespace.

use std::error::Error;
use std::io::{Read as _, Write as _};
use std::time::Duration;

use greenroom_browser::process::{Child, Run, Spawn, Supervisor};
use procfs::process::all_processes;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::process::{ChildStdin, ChildStdout};
use tokio::time::Instant;

const GRACE: Duration = Duration::from_secs(2);
const SETTLE: Duration = Duration::from_secs(5);

type Outcome<T = ()> = Result<T, Box<dyn Error>>;

#[tokio::main]
async fn main() -> Outcome {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [mode, data_dir, count, program, args @ ..] = args.as_slice() else {
        return Err("usage: owner hold|launch DATA_DIR COUNT PROGRAM [ARGS…]".into());
    };
    let (run, _) = Run::open(data_dir).await?;
    let supervisor = Supervisor::new(run)?;
    let count = count.parse()?;
    let spawn = || Spawn::new(program).args(args);
    match mode.as_str() {
        "hold" => hold(&supervisor, count, spawn).await,
        "launch" => launch(&supervisor, count, spawn).await,
        other => Err(format!("{other} is neither hold nor launch").into()),
    }
}

async fn hold(supervisor: &Supervisor, count: usize, spawn: impl Fn() -> Spawn) -> Outcome {
    let mut children = Vec::new();
    for number in 0..count {
        let scratch = supervisor.scratch(&format!("CHILD-{number}"))?;
        let child = supervisor.spawn(spawn(), scratch)?;
        let pipes = ping(&child).await?;
        children.push((child, pipes));
    }
    let roots = children.iter().map(|(child, _)| child.root().pid);
    report(&json!({
        "pid": std::process::id(),
        "run": supervisor.run().id().as_str(),
        "roots": roots.collect::<Vec<i32>>(),
    }))?;
    let stdin_ends = || std::io::stdin().read_to_end(&mut Vec::new());
    tokio::task::spawn_blocking(stdin_ends).await??;
    supervisor.close(GRACE).await?;
    Ok(())
}

/// Returns when the child answers, with the pipes that must stay open for it to stay.
async fn ping(child: &Child) -> Outcome<(ChildStdin, BufReader<ChildStdout>)> {
    let mut stdin = child.take_stdin().ok_or("stdin is taken")?;
    let mut stdout = BufReader::new(child.take_stdout().ok_or("stdout is taken")?);
    let ping = b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n";
    stdin.write_all(ping).await?;
    stdout.read_line(&mut String::new()).await?;
    Ok((stdin, stdout))
}

async fn launch(supervisor: &Supervisor, count: usize, spawn: impl Fn() -> Spawn) -> Outcome {
    for number in 0..count {
        let scratch = supervisor.scratch(&format!("CHILD-{number}"))?;
        supervisor.spawn(spawn(), scratch)?.gone().await?;
    }
    supervisor.close(GRACE).await?;
    let end = Instant::now() + SETTLE;
    // Orphans are collected when their signal has been delivered, which takes a moment.
    while !others()?.is_empty() && Instant::now() < end {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    report(&json!({"pid": std::process::id(), "left": others()?}))
}

/// Every process but this one, with its state.
fn others() -> Outcome<Vec<String>> {
    let me = i32::try_from(std::process::id())?;
    let stats = all_processes()?.filter_map(|process| process.ok()?.stat().ok());
    let others = stats.filter(|stat| stat.pid != me);
    Ok(others
        .map(|stat| format!("{} {} {}", stat.pid, stat.comm, stat.state))
        .collect())
}

fn report(report: &Value) -> Outcome {
    let mut stdout = std::io::stdout();
    writeln!(stdout, "{report}")?;
    Ok(stdout.flush()?)
}
