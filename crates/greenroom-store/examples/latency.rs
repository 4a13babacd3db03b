//! Prints what storing adds to a call: callers in parallel, each storing answers as fast as it
//! can, with the same calls without storing beside it in the same run.
//!
//! An answer is a page, with a short result that names it: that is how upstreams answer with pages.
//! A text that is its own result is stored as both; `twice` as the last argument measures that.
//!
//! `cargo run --release --example latency [callers] [answers per caller] [bytes] [twice]`

use std::error::Error;
use std::io::Write;
use std::time::Duration;

use greenroom_store::{
    Call, Content, Durability, Finish, Options, Outcome, Principal, RefId, Response, SessionId,
    Store, Timestamp,
};
use tokio::time::Instant;

#[derive(Clone, Copy)]
struct Load {
    callers: usize,
    answers: usize,
    bytes: usize,
    /// Whether the result is as long as the text.
    twice: bool,
    /// What a call takes without us. Zero: callers do nothing but store.
    work: Duration,
}

struct Measured {
    /// How long each call took, sorted.
    times: Vec<Duration>,
    /// What the writer spent on each.
    writer: Duration,
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let twice = std::env::args().any(|arg| arg == "twice");
    let numbers = std::env::args().skip(1).filter(|arg| arg != "twice");
    let mut args = numbers.map(|arg| arg.parse::<usize>());
    let mut next = |default| args.next().unwrap_or(Ok(default));
    let (callers, answers, bytes) = (next(8)?, next(500)?, next(100_000)?);
    let mut out = std::io::stdout();
    let each = if twice {
        "bytes of text and as many of result"
    } else {
        "bytes of page"
    };
    writeln!(
        out,
        "{callers} callers, {answers} answers each, {bytes} {each}"
    )?;
    for durability in [Durability::Normal, Durability::Full] {
        for work in [0, 2, 10, 50].map(Duration::from_millis) {
            let load = Load {
                callers,
                answers,
                bytes,
                twice,
                work,
            };
            let without = run(load, None).await?;
            let with = run(load, Some(durability)).await?;
            report(&mut out, durability, work, &without, &with)?;
        }
    }
    Ok(())
}

fn report(
    out: &mut impl Write,
    durability: Durability,
    work: Duration,
    without: &Measured,
    with: &Measured,
) -> std::io::Result<()> {
    let added = |percent| with.at(percent).saturating_sub(without.at(percent));
    writeln!(
        out,
        "{durability:?}, calls of {work:>4.0?}: added p50 {:>8.1?}, p99 {:>8.1?} (to {:>8.1?}); \
         writer {:>7.1?} of processor per call; peak memory {} MB",
        added(50),
        added(99),
        without.at(50),
        with.writer,
        peak_memory_mb(),
    )
}

async fn run(load: Load, durability: Option<Durability>) -> Result<Measured, Box<dyn Error>> {
    let dir = tempfile::tempdir()?;
    let mut store = None;
    if let Some(durability) = durability {
        let options = Options {
            durability,
            ..Options::default()
        };
        store = Some(Store::open(dir.path().join("latency.db"), options).await?);
    }
    let callers: Vec<_> = (0..load.callers)
        .map(|n| tokio::spawn(caller(store.clone(), load, n)))
        .collect();
    let mut times = Vec::new();
    for caller in callers {
        times.extend(caller.await?);
    }
    let writer = writer_time() / u32::try_from(times.len())?;
    if let Some(store) = store {
        store.close().await;
    }
    times.sort();
    Ok(Measured { times, writer })
}

async fn caller(store: Option<Store>, load: Load, number: usize) -> Vec<Duration> {
    let pages: Vec<String> = (0..4).map(|seen| page(number, seen, load.bytes)).collect();
    let mut times = Vec::with_capacity(load.answers);
    for page in pages.iter().cycle().take(load.answers) {
        let result = if load.twice {
            page.clone().into_bytes()
        } else {
            br#"{"content":[{"type":"text","text":"[Snapshot](page.yml)"}]}"#.to_vec()
        };
        let response = Response::new(result).content(Content::snapshot(page));
        let begun = Instant::now();
        one_call(store.as_ref(), number, response, load.work).await;
        times.push(begun.elapsed());
    }
    times
}

async fn one_call(store: Option<&Store>, caller: usize, response: Response, work: Duration) {
    let bench = Principal::new("bench");
    let call = Call::new(RefId::new(), bench, "browser_snapshot", Timestamp::now())
        .session(SessionId::new(format!("s{caller}")));
    if let Some(store) = store {
        store.call_started(&call);
    }
    if !work.is_zero() {
        tokio::time::sleep(work).await;
    }
    if let Some(store) = store {
        let finish = Finish::new(Outcome::Success, work).response(response);
        store
            .call_finished(call, finish)
            .await
            .expect("the answer is stored");
    }
}

/// A page like those of browsers: similar lines, each with a reference.
fn page(caller: usize, seen: usize, bytes: usize) -> String {
    let line = |n| format!("  - listitem [ref=e{n}]: item {n} of {caller}, seen {seen}\n");
    let mut text = String::with_capacity(bytes + 80);
    for n in 0.. {
        if text.len() >= bytes {
            break;
        }
        text.push_str(&line(n));
    }
    text
}

impl Measured {
    fn at(&self, percent: usize) -> Duration {
        self.times
            .get(self.times.len() * percent / 100)
            .copied()
            .unwrap_or_default()
    }
}

/// What the thread that callers wait for has spent of the processor.
fn writer_time() -> Duration {
    let tasks = std::fs::read_dir("/proc/self/task")
        .into_iter()
        .flatten()
        .flatten();
    let stats = tasks.filter_map(|task| std::fs::read_to_string(task.path().join("stat")).ok());
    let writers = stats.filter(|stat| stat.contains("(store-writer)"));
    let ticks = |stat: String| -> u64 {
        let after_name = stat.rsplit(')').next().unwrap_or_default();
        let fields = after_name.split_whitespace().skip(11).take(2);
        fields.filter_map(|field| field.parse::<u64>().ok()).sum()
    };
    Duration::from_millis(writers.map(ticks).sum::<u64>() * 10)
}

fn peak_memory_mb() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = peak.and_then(|peak| peak.split_whitespace().next()?.parse::<u64>().ok());
    kib.unwrap_or_default() / 1024
}
