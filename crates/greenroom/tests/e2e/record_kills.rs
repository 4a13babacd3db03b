//! The server is killed at random moments under load. Every answer that a client has received is in
//! the record, byte for byte; what was under way is told as unknown; nothing else is left of the dead.
#![allow(clippy::unwrap_used, missing_docs)]

use std::collections::HashSet;
use std::hash::{BuildHasher as _, RandomState};
use std::time::Duration;

use crate::support::{
    Legacy, Proc, Setup, TestServer, all_gone, below, local, page_of, ref_of, said_by, text_of,
};
use greenroom_store::{CallFilter, CallInfo, Outcome, RefId, Store, Timestamp};
use greenroom_testkit::site::Site;
use greenroom_testkit::upstream::{CallRule, Entry, Reply, Script};
use serde_json::{Value, json};
use tokio::sync::mpsc;

/// A data directory sees this many kills: a larger record would only make each round slower.
const KILLS_PER_DIRECTORY: usize = 20;

/// How many kills in all, of which every fifth is one of a server with real browsers.
#[allow(
    clippy::disallowed_methods,
    reason = "how long a test takes is no configuration"
)]
fn kills() -> usize {
    let asked = std::env::var("GREENROOM_SOAK");
    asked.ok().map_or(10, |count| {
        count
            .parse()
            .expect("GREENROOM_SOAK must be a number of repetitions")
    })
}

/// A number that nobody can foresee.
fn chance(below: u64) -> u64 {
    RandomState::new().hash_one(below) % below
}

/// An answer that a client has received.
struct Received {
    tool: &'static str,
    arguments: Value,
    result: Value,
}

impl Received {
    fn ref_id(&self) -> RefId {
        ref_of(&self.result)
    }

    fn is_page(&self) -> bool {
        self.tool == "browser_navigate"
    }

    /// The first block, which holds all that the engine said.
    fn said(&self) -> &str {
        self.result["content"][0]["text"].as_str().unwrap()
    }

    /// What can be read again by its name: the page, or what was said.
    fn content(&self) -> &str {
        if !self.is_page() {
            return self.said();
        }
        let page = self.said().split_once("```yaml\n");
        let page = page.and_then(|(_, rest)| rest.rsplit_once("\n```"));
        page.unwrap_or_else(|| panic!("no page in:\n{}", self.said()))
            .0
    }
}

/// What the clients do.
#[derive(Clone)]
struct Load {
    clients: usize,
    /// The beginning of every address.
    pages: String,
    /// Addresses are made this much longer, in turn.
    padding: &'static [usize],
    /// After at most so many answers the server is killed.
    most_answers: u64,
    /// Whether the answers are those of the fake upstream, whose every byte is known.
    fake: bool,
}

impl Load {
    /// A call that no other is like.
    fn call(&self, client: usize, turn: usize) -> (&'static str, Value) {
        let name = format!("client-{client}-turn-{turn}-{}", chance(u64::MAX));
        if turn % 3 == 2 {
            let function = format!("() => '{name}'");
            let arguments = json!({"function": function, "response_mode": "inline"});
            return ("browser_evaluate", arguments);
        }
        let padding = "x".repeat(self.padding[turn % self.padding.len()]);
        let url = format!("{}{name}{padding}", self.pages);
        let arguments = json!({"url": url, "response_mode": "inline"});
        ("browser_navigate", arguments)
    }

    /// Calls until the server is gone.
    async fn keep_calling(
        self,
        url: String,
        client: usize,
        heard: mpsc::UnboundedSender<Received>,
    ) {
        let connection = Legacy::connect(&url).await;
        for turn in 0.. {
            let (tool, arguments) = self.call(client, turn);
            let answer = connection.call_if_alive(tool, arguments.clone());
            let Some(result) = answer.await else { return };
            assert_eq!(result["isError"], false, "{result:#}");
            let received = Received {
                tool,
                arguments,
                result,
            };
            let _ = heard.send(received);
        }
    }

    /// Kills the server in the middle of it all, and says what clients had received by then.
    async fn until_killed(&self, server: TestServer) -> (Setup, Vec<Received>) {
        let (heard, mut news) = mpsc::unbounded_channel();
        let clients: Vec<_> = (0..self.clients)
            .map(|client| {
                let load = self.clone();
                tokio::spawn(load.keep_calling(server.url.clone(), client, heard.clone()))
            })
            .collect();
        drop(heard);
        let mut received = Vec::new();
        for _ in 0..=chance(self.most_answers) {
            received.push(news.recv().await.expect("the clients go on"));
        }
        // The moment is to be anywhere between two answers.
        tokio::time::sleep(Duration::from_micros(chance(20_000))).await;
        let (setup, _) = server.kill().await;
        for client in clients {
            client.await.unwrap();
        }
        while let Some(late) = news.recv().await {
            received.push(late);
        }
        (setup, received)
    }

    /// What the record says about an answer is what its client was told.
    async fn assert_recorded(&self, store: &Store, received: &Received) {
        let ref_id = received.ref_id();
        let call = store.call(local(), ref_id).await.unwrap();
        assert_eq!(call.outcome, Outcome::Success);
        let arguments = store.arguments(local(), ref_id).await.unwrap();
        assert_eq!(arguments, received.arguments.to_string());
        let content = page_of(store, local(), ref_id).await;
        assert!(content == received.content(), "{ref_id} differs");
        let result = store.result(local(), ref_id).await.unwrap();
        let result = String::from_utf8(result).unwrap();
        if received.is_page() && self.fake {
            // It names the page by a file, in whose place the client got the page itself.
            assert!(result.contains("[Snapshot]("), "{result}");
        } else if self.fake {
            let block = json!({"type": "text", "text": received.said()});
            assert_eq!(result, json!({"content": [block]}).to_string());
        } else {
            let result: Value = serde_json::from_str(&result).unwrap();
            assert_eq!(result["content"][0]["text"], received.said());
        }
    }

    /// What was under way is told as unknown, unless it had ended and only its client did not hear.
    fn assert_told(&self, calls: &[CallInfo], received: &[Received]) {
        let known: HashSet<RefId> = received.iter().map(Received::ref_id).collect();
        let others = calls.iter().filter(|call| !known.contains(&call.ref_id));
        let mut under_way = 0;
        for call in others.filter(|call| call.tool != HANGS) {
            let ended = call.response.is_some();
            let told = match call.outcome {
                Outcome::Unknown => !ended,
                Outcome::Success | Outcome::Error => ended,
                Outcome::Running => false,
            };
            assert!(told, "{call:#?}");
            under_way += 1;
        }
        assert!(under_way <= self.clients, "{calls:#?}");
    }
}

/// What the restarted server gives for the names of earlier answers.
async fn assert_readable(server: &TestServer, received: &[Received]) {
    let client = Legacy::connect(&server.url).await;
    for earlier in received {
        let ask = json!({"ref_id": earlier.ref_id().to_string(), "mode": "full"});
        let read = text_of(&client.call("get_content", ask.clone()).await);
        assert!(said_by(&read) == earlier.content(), "{ask}");
    }
}

/// The calls that were made since, newest first.
async fn calls_since(store: &Store, begun: Timestamp) -> Vec<CallInfo> {
    let every = CallFilter {
        limit: usize::MAX,
        ..CallFilter::default()
    };
    let calls = store.calls(local(), every).await.unwrap();
    let recent = calls.into_iter();
    recent.filter(|call| call.started_at >= begun).collect()
}

/// The tool that is never answered, in a pool of its own.
const HANGS: &str = "browser_click";

/// Has one call under way that has certainly begun.
async fn hang(server: &TestServer, nth: usize) -> tokio::task::JoinHandle<Option<Value>> {
    let client = Legacy::connect(&server.url).await;
    let arguments = json!({"target": "e5", "browser_pool": "H"});
    let call = tokio::spawn(async move { client.call_if_alive(HANGS, arguments).await });
    let is_it = |entry: &&Entry| matches!(entry, Entry::Received { message } if message["params"]["name"] == HANGS);
    let begun = || server.setup.journal("_H").iter().filter(is_it).count();
    let waiting = async {
        while begun() < nth {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    let in_time = tokio::time::timeout(Duration::from_secs(30), waiting).await;
    in_time.expect("the call that hangs does not begin");
    call
}

/// The one call of this round that never ended.
fn assert_hung_is_unknown(calls: &[CallInfo]) {
    let hung: Vec<&CallInfo> = calls.iter().filter(|call| call.tool == HANGS).collect();
    let [hung] = hung[..] else {
        panic!("not one that hangs: {hung:#?}");
    };
    assert_eq!(hung.outcome, Outcome::Unknown);
    assert_eq!(hung.response, None);
    assert_eq!(hung.pool.as_deref(), Some("H"));
    assert!(hung.session.is_some(), "{hung:#?}");
}

fn tree_of(server: &TestServer) -> Vec<Proc> {
    below(server.pid().as_raw_nonzero().get())
}

/// Kills a server so many times in one data directory, and looks at the record after each.
async fn survive(setup: Setup, load: &Load, kills: usize) {
    let mut server = TestServer::start(setup).await;
    for round in 1..=kills {
        let begun = Timestamp::now();
        let hung = match load.fake {
            true => Some(hang(&server, round).await),
            false => None,
        };
        let tree = tree_of(&server);
        let (setup, received) = load.until_killed(server).await;
        assert!(!received.is_empty());

        let store = setup.record().await;
        for answer in &received {
            load.assert_recorded(&store, answer).await;
        }
        let calls = calls_since(&store, begun).await;
        load.assert_told(&calls, &received);
        if let Some(hung) = hung {
            assert_eq!(hung.await.unwrap(), None, "it was never answered");
            assert_hung_is_unknown(&calls);
        }
        store.close().await;

        server = TestServer::start(setup).await;
        all_gone(&tree, Duration::ZERO).await;
        assert_readable(&server, &received).await;
    }
    server.stop().await;
}

/// A fresh directory for each so many kills.
fn directories(kills: usize) -> impl Iterator<Item = usize> {
    let begins = (0..kills).step_by(KILLS_PER_DIRECTORY);
    begins.map(move |begin| KILLS_PER_DIRECTORY.min(kills - begin))
}

#[tokio::test(flavor = "multi_thread")]
async fn every_answer_that_was_received_survives_a_kill_of_the_server() {
    let load = Load {
        clients: 3,
        pages: "http://a.test/".to_owned(),
        // In the row, compressed, and in a file of its own at first.
        padding: &[0, 3_000, 30_000, 160_000],
        most_answers: 40,
        fake: true,
    };
    let never = Script::for_calls(CallRule {
        tool: Some(HANGS.to_owned()),
        reply: Reply::Never,
        ..CallRule::default()
    });
    let all = kills();
    for kills in directories(all - all / 5) {
        let setup = Setup::new()
            .set("_P_INSTANCES", "3")
            .set("_P_IS_DEFAULT", "true")
            .set("_P_ISOLATED", "true")
            .upstream("_P", Script::default())
            .set("_H_INSTANCES", "1")
            .set("_H_ISOLATED", "true")
            .upstream("_H", never.clone());
        survive(setup, &load, kills).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_answer_of_a_real_browser_survives_a_kill_of_the_server() {
    let site = Site::start().await;
    let load = Load {
        clients: 2,
        pages: site.url("/named?name="),
        padding: &[0],
        most_answers: 8,
        fake: false,
    };
    for kills in directories(kills() / 5) {
        let setup = Setup::new()
            .set("_P_INSTANCES", "2")
            .set("_P_IS_DEFAULT", "true")
            .set("_P_ISOLATED", "true");
        survive(setup, &load, kills).await;
    }
}
