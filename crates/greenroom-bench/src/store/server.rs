use std::io::{self, BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use super::programs::Programs;
use super::{ANSWER_BYTES, CALLERS};
use crate::measure::{clock, median, pss};
use crate::stdio::Client;

/// Turns, and calls of each caller in each.
const ROUNDS: usize = 3;
const CALLS: usize = 60;

/// What the callers saw, in milliseconds, and the server's memory above idle, in megabytes.
pub(super) struct Load {
    pub(super) through: f64,
    pub(super) straight: f64,
    pub(super) memory: f64,
}

pub(super) fn measure(programs: &Programs) -> io::Result<Load> {
    let server = Server::start(&mut programs.server())?;
    let mut ours = clients(|_| Ok(programs.client()))?;
    let works: Vec<_> = (0..CALLERS)
        .map(|_| tempfile::tempdir())
        .collect::<Result<_, _>>()?;
    let mut theirs = clients(|n| Ok(programs.upstream(works[n].path())))?;
    let idle = pss(server.id())?;
    let (mut through, mut straight, mut most) = (Vec::new(), Vec::new(), idle);
    for _ in 0..ROUNDS {
        straight.extend(all_at_once(&mut theirs)?);
        let (times, peak) = watched(server.id(), || all_at_once(&mut ours))?;
        through.extend(times);
        most = most.max(peak);
    }
    Ok(Load {
        through: median(through),
        straight: median(straight),
        memory: most - idle,
    })
}

fn clients(command: impl Fn(usize) -> io::Result<Command>) -> io::Result<Vec<Client>> {
    let one = |n| {
        let mut client = Client::start(&mut command(n)?)?;
        client.initialize()?;
        client.call("browser_navigate", r#"{"url":"http://a.test/"}"#)?;
        evaluate(&mut client)?;
        Ok(client)
    };
    (0..CALLERS).map(one).collect()
}

/// Every caller asks as fast as it can; the time of each call.
fn all_at_once(clients: &mut [Client]) -> io::Result<Vec<f64>> {
    let start = Barrier::new(clients.len());
    thread::scope(|scope| {
        let callers: Vec<_> = clients
            .iter_mut()
            .map(|client| {
                let start = &start;
                scope.spawn(move || {
                    start.wait();
                    (0..CALLS).map(|_| evaluate(client)).collect()
                })
            })
            .collect();
        let mut all = Vec::new();
        for caller in callers {
            let times: io::Result<Vec<f64>> = caller.join().expect("BUG: a caller panicked");
            all.extend(times?);
        }
        Ok(all)
    })
}

/// As the engine says it: both sides are given the same bytes.
fn evaluate(client: &mut Client) -> io::Result<f64> {
    let began = clock();
    let answer = client.call(
        "browser_evaluate",
        r#"{"function":"() => 1","response_mode":"inline"}"#,
    )?;
    let elapsed = began.elapsed();
    if answer.len() < ANSWER_BYTES {
        return Err(io::Error::other(format!("a wrong answer: {answer}")));
    }
    Ok(elapsed.as_secs_f64() * 1e3)
}

/// Runs something and says the most memory that the process had meanwhile.
fn watched<T>(pid: u32, run: impl FnOnce() -> io::Result<T>) -> io::Result<(T, f64)> {
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        let watching = scope.spawn(|| {
            let mut most = 0.0_f64;
            while !done.load(Ordering::Relaxed) {
                most = most.max(pss(pid).unwrap_or_default());
                thread::park_timeout(Duration::from_millis(10));
            }
            most
        });
        let result = run();
        done.store(true, Ordering::Relaxed);
        let most = watching.join().expect("BUG: the watcher panicked");
        Ok((result?, most))
    })
}

/// A server that ends with this value.
struct Server(Child);

impl Server {
    #[allow(clippy::disallowed_methods, reason = "the child is ended below")]
    fn start(command: &mut Command) -> io::Result<Self> {
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()?;
        let stderr = child.stderr.take();
        let server = Self(child);
        let stderr = stderr.ok_or_else(|| io::Error::other("no stderr"))?;
        let mut lines = BufReader::new(stderr).lines();
        for line in lines.by_ref() {
            if line?.contains("serving MCP at ") {
                // Somebody must go on listening, or its next words have nowhere to go.
                thread::spawn(move || lines.for_each(drop));
                return Ok(server);
            }
        }
        Err(io::Error::other("the server did not become ready"))
    }

    fn id(&self) -> u32 {
        self.0.id()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // What it was lending ends with it: the fake upstreams see the end of their stdin.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
