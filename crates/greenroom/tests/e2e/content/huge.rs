//! An answer that is larger than any model reads, and what it costs to keep it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use greenroom_testkit::upstream::{CallRule, Reply, Script, huge_text};
use procfs::process::Process;
use rustix::process::Pid;
use serde_json::{Value, json};
use tokio::task::JoinHandle;

use super::{browsers, read, ref_of};
use crate::support::{TestServer, text_of};

const MEGABYTES: usize = 50;
/// What the server may take for it at its peak, in copies.
const COPIES: u64 = 5;

/// Watches the memory of a process until it is asked for the most that it saw.
struct Watch {
    done: Arc<AtomicBool>,
    peak: Arc<AtomicU64>,
    task: JoinHandle<()>,
}

impl Watch {
    fn start(pid: Pid) -> Self {
        let (done, peak) = (Arc::<AtomicBool>::default(), Arc::<AtomicU64>::default());
        let (ended, most) = (done.clone(), peak.clone());
        let task = tokio::task::spawn_blocking(move || {
            let process = Process::new(pid.as_raw_nonzero().get()).unwrap();
            let page = procfs::page_size();
            while !ended.load(Ordering::Relaxed) {
                most.fetch_max(process.statm().unwrap().resident * page, Ordering::Relaxed);
                std::thread::park_timeout(Duration::from_millis(5));
            }
        });
        Self { done, peak, task }
    }

    async fn peak(self) -> u64 {
        self.done.store(true, Ordering::Relaxed);
        self.task.await.unwrap();
        self.peak.load(Ordering::Relaxed)
    }
}

fn resident(pid: Pid) -> u64 {
    let process = Process::new(pid.as_raw_nonzero().get()).unwrap();
    process.statm().unwrap().resident * procfs::page_size()
}

/// The text of a part without its closing line, and where the next one begins.
fn part(result: &Value) -> (String, Option<u64>) {
    let text = text_of(result);
    let (content, line) = text.rsplit_once("\n[greenroom] ").unwrap();
    let next = line.split_once("go on with offset ");
    let next = next.map(|(_, rest)| {
        let digits = rest.split(|c: char| !c.is_ascii_digit()).next();
        digits.unwrap().parse().unwrap()
    });
    (content.to_owned(), next)
}

#[tokio::test(flavor = "multi_thread")]
async fn fifty_megabytes_are_kept_in_a_few_copies_and_read_back_in_parts() {
    let script = Script::for_calls(CallRule {
        tool: Some("browser_evaluate".to_owned()),
        reply: Reply::HugeMb(MEGABYTES),
        ..CallRule::default()
    });
    let server = TestServer::start(browsers(1).upstream("_P", script)).await;
    let client = crate::support::Legacy::connect(&server.url).await;
    let idle = resident(server.pid());
    let watch = Watch::start(server.pid());
    let evaluate = json!({"function": "() => document.body.innerText"});
    let huge = client.call("browser_evaluate", evaluate).await;
    assert_eq!(huge["isError"], false, "{}", text_of(&huge));
    let ref_id = ref_of(&huge);

    let wanted = huge_text(MEGABYTES);
    let lines: Vec<&str> = wanted.lines().collect();
    // The beginning, some of the middle and the end by lines, with what stands there.
    let last = lines.len() as u64 - 10;
    for (offset, limit) in [(0, 3), (25_000, 200), (last, 10)] {
        let ask = json!({"offset": offset, "limit": limit});
        let (text, next) = part(&read(&client, &ref_id, ask).await);
        let from = usize::try_from(offset).unwrap();
        assert_eq!(text, lines[from..from + limit].join("\n"));
        assert_eq!(next, (offset < last).then_some(offset + limit as u64));
    }
    // A plain read gives the beginning, for all of it would be too much.
    let (beginning, next) = part(&read(&client, &ref_id, json!({})).await);
    assert!(wanted.starts_with(&beginning) && next.is_some());
    // Bytes from a place in the middle of a line.
    let at = 20_000_017;
    let ask = json!({"offset": at, "limit": 200_000, "unit": "bytes"});
    let (text, _) = part(&read(&client, &ref_id, ask).await);
    assert!(
        wanted[at..].starts_with(&text) && text.len() > 199_000,
        "{}",
        text.len()
    );

    let over = watch.peak().await.saturating_sub(idle) >> 20;
    let most = COPIES * MEGABYTES as u64;
    assert!(
        over < most,
        "{over} MB more than when idle, and at most {most}"
    );
    server.stop().await;
}
