//! The fake upstream does what its script says, as seen from outside.
#![allow(clippy::unwrap_used, missing_docs)]

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::os::unix::process::ExitStatusExt as _;
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use greenroom_testkit::upstream::{
    CallRule, Entry, Era, ExitLater, Noise, Reply, Script, Start, ToolChanges, Wire, read_journal,
    tool_names,
};
use serde_json::{Value, json};
use tempfile::TempDir;

/// A fake upstream and a client of it.
struct Fake {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
    directory: TempDir,
}

impl Fake {
    fn start(mut script: Script) -> Self {
        let directory = tempfile::tempdir().unwrap();
        script.journal = Some(directory.path().join("journal"));
        let mut command = Command::new(env!("CARGO_BIN_EXE_fake-upstream"));
        command
            .args(["--headless", "--output-dir", "out", "--script"])
            .arg(script.to_json())
            .current_dir(directory.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        #[allow(clippy::disallowed_methods)]
        let mut child = command.spawn().unwrap();
        Self {
            stdin: child.stdin.take(),
            stdout: BufReader::new(child.stdout.take().unwrap()),
            child,
            directory,
        }
    }

    fn send(&mut self, message: &Value) {
        let stdin = self.stdin.as_mut().unwrap();
        stdin.write_all(format!("{message}\n").as_bytes()).unwrap();
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.stdout.read_line(&mut line).unwrap();
        line
    }

    fn receive(&mut self) -> Value {
        serde_json::from_str(&self.line()).unwrap()
    }

    fn request(&mut self, id: u64, method: &str, params: &Value) -> Value {
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        self.receive()
    }

    fn send_call(&mut self, id: u64, tool: &str, arguments: &Value) {
        let params = json!({"name": tool, "arguments": arguments});
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}));
    }

    /// The first call also announces that the tools may have changed.
    fn first_call(&mut self, tool: &str, arguments: &Value) -> Value {
        self.send_call(1, tool, arguments);
        assert_eq!(self.receive()["method"], "notifications/tools/list_changed");
        self.receive()
    }

    fn journal_path(&self) -> PathBuf {
        self.directory.path().join("journal")
    }

    /// Closes stdin and waits for the end.
    fn end(mut self) -> (Option<i32>, Vec<Entry>) {
        drop(self.stdin.take());
        let status = self.child.wait().unwrap();
        (status.code(), read_journal(&self.journal_path()))
    }
}

impl Drop for Fake {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn rule(reply: Reply) -> Script {
    Script::for_calls(CallRule {
        reply,
        ..CallRule::default()
    })
}

fn text(message: &Value) -> &str {
    message["result"]["content"][0]["text"].as_str().unwrap()
}

#[test]
fn without_a_script_it_is_a_well_behaved_upstream() {
    let mut fake = Fake::start(Script::default());
    let refused = fake.request(1, "server/discover", &json!({}));
    assert_eq!(refused["error"]["code"], -32601);
    let greeting = fake.request(2, "initialize", &json!({"protocolVersion": "2026-07-28"}));
    assert_eq!(greeting["result"]["protocolVersion"], "2025-11-25");
    let list = fake.request(3, "tools/list", &json!({}));
    assert_eq!(
        list["result"]["tools"].as_array().unwrap().len(),
        tool_names().len()
    );
    let page = fake.first_call("browser_navigate", &json!({"url": "http://a/"}));
    assert!(text(&page).contains("[Snapshot](out/page-"));
    let snapshot = fake.request(5, "tools/call", &json!({"name": "browser_snapshot"}));
    assert!(text(&snapshot).contains("paragraph [ref=e3]: http://a/"));
    let (code, journal) = fake.end();
    assert_eq!(code, Some(0));
    assert!(matches!(&journal[0], Entry::Started { argv, .. } if argv[1] == "--headless"));
    assert_eq!(journal.last(), Some(&Entry::Eof));
}

#[test]
fn the_new_era_discovers_and_does_not_initialize() {
    let mut fake = Fake::start(Script {
        era: Era::New,
        ..Script::default()
    });
    let refused = fake.request(1, "initialize", &json!({}));
    assert_eq!(refused["error"]["code"], -32601);
    let found = fake.request(2, "server/discover", &json!({}));
    assert_eq!(found["result"]["supportedVersions"], json!(["2026-07-28"]));
    let list = fake.request(3, "tools/list", &json!({}));
    assert_eq!(list["result"]["cacheScope"], "private");
}

#[test]
fn noise_comes_before_and_between_and_lines_may_end_in_crlf() {
    let mut fake = Fake::start(Script {
        start: Start {
            noise: vec![
                Noise::once("\u{feff}\n"),
                Noise {
                    text: "npm warn\n".into(),
                    times: 3,
                },
            ],
            ..Start::default()
        },
        wire: Wire {
            crlf: true,
            noise_between: Some(Noise::once("\n")),
            ..Wire::default()
        },
        ..Script::default()
    });
    fake.send(&json!({"jsonrpc": "2.0", "id": 1, "method": "ping"}));
    let lines: Vec<String> = (0..6).map(|_| fake.line()).collect();
    assert_eq!(
        lines[..5],
        ["\u{feff}\n", "npm warn\n", "npm warn\n", "npm warn\n", "\n"]
    );
    assert!(lines[5].ends_with("}\r\n"));
}

#[test]
fn replies_in_single_bytes_or_together_are_still_whole() {
    let mut script = rule(Reply::WithNotification);
    script.wire.one_byte_writes = true;
    let mut fake = Fake::start(script);
    let notification = fake.first_call("browser_snapshot", &json!({}));
    assert_eq!(notification["method"], "notifications/message");
    assert_eq!(fake.receive()["id"], 1);
}

#[test]
fn wrong_and_repeated_ids_come_as_told() {
    let mut fake = Fake::start(rule(Reply::WrongId));
    assert_eq!(
        fake.first_call("browser_snapshot", &json!({}))["id"],
        "not 1"
    );
    let mut fake = Fake::start(rule(Reply::Twice));
    assert_eq!(fake.first_call("browser_snapshot", &json!({}))["id"], 1);
    assert_eq!(fake.receive()["id"], 1);
}

#[test]
fn half_a_line_is_followed_by_the_end_or_by_silence() {
    let mut fake = Fake::start(rule(Reply::HalfLineThenExit(7)));
    fake.send_call(1, "browser_snapshot", &json!({}));
    let mut rest = String::new();
    fake.stdout.read_to_string(&mut rest).unwrap();
    assert!(rest.lines().last().unwrap().starts_with("{\"jsonrpc\""));
    assert!(!rest.ends_with('\n'));
    assert_eq!(fake.end().0, Some(7));

    let mut fake = Fake::start(rule(Reply::HalfLineThenSilence));
    fake.send_call(1, "browser_snapshot", &json!({}));
    assert!(fake.line().contains("list_changed"));
    let mut half = [0_u8; 9];
    fake.stdout.read_exact(&mut half).unwrap();
    assert_eq!(&half, b"{\"jsonrpc");
    // It still runs, and ends in good order.
    assert_eq!(fake.end().0, Some(0));
}

#[test]
fn a_huge_reply_is_one_line() {
    let mut fake = Fake::start(rule(Reply::HugeMb(3)));
    let reply = fake.first_call("browser_snapshot", &json!({}));
    assert_eq!(text(&reply).len(), 3 << 20);
}

#[test]
fn the_client_is_asked_in_the_middle_of_a_call_and_its_answer_is_kept() {
    let mut fake = Fake::start(Script::for_calls(CallRule {
        ask: Some("roots/list".into()),
        ..CallRule::default()
    }));
    let question = fake.first_call("browser_snapshot", &json!({}));
    assert_eq!(question["method"], "roots/list");
    fake.send(&json!({"jsonrpc": "2.0", "id": question["id"], "result": {"roots": []}}));
    assert_eq!(fake.receive()["id"], 1);
    let (_, journal) = fake.end();
    let answered = |entry: &Entry| {
        matches!(entry, Entry::Asked { method, answer: Some(answer) }
            if method == "roots/list" && answer["result"]["roots"] == json!([]))
    };
    assert!(journal.iter().any(answered), "{journal:?}");
}

#[test]
fn a_cancel_is_honoured_or_ignored() {
    let cancel = json!({"jsonrpc": "2.0", "method": "notifications/cancelled",
        "params": {"requestId": 1}});
    let hang = |ignore_cancel| {
        Script::for_calls(CallRule {
            nth: Some(1),
            delay_ms: if ignore_cancel { 50 } else { 60_000 },
            ignore_cancel,
            ..CallRule::default()
        })
    };
    let mut fake = Fake::start(hang(false));
    fake.send_call(1, "browser_snapshot", &json!({}));
    fake.send(&cancel);
    assert!(fake.line().contains("list_changed"));
    // The next line is the reply to the next call: the cancelled one has none.
    fake.send_call(2, "browser_snapshot", &json!({}));
    assert_eq!(fake.receive()["id"], 2);
    let mut fake = Fake::start(hang(true));
    fake.send_call(1, "browser_snapshot", &json!({}));
    fake.send(&cancel);
    assert!(fake.line().contains("list_changed"));
    assert_eq!(fake.receive()["id"], 1);
}

#[test]
fn rules_apply_to_their_tool_and_their_turn() {
    let mut fake = Fake::start(Script {
        calls: vec![
            CallRule {
                nth: Some(3),
                reply: Reply::Exit(9),
                ..CallRule::default()
            },
            CallRule {
                tool: Some("browser_click".into()),
                reply: Reply::Failure("no such button".into()),
                ..CallRule::default()
            },
        ],
        ..Script::default()
    });
    assert!(fake.first_call("browser_snapshot", &json!({}))["result"]["isError"].is_null());
    let click = fake.request(2, "tools/call", &json!({"name": "browser_click"}));
    assert_eq!(click["result"]["isError"], true);
    fake.send_call(3, "browser_snapshot", &json!({}));
    assert_eq!(fake.line(), "");
    assert_eq!(fake.end().0, Some(9));
}

#[test]
fn a_changed_tool_list_is_served_under_its_new_names() {
    let mut fake = Fake::start(Script {
        tools: ToolChanges {
            rename: [("browser_snapshot".into(), "browser_look".into())].into(),
            ..ToolChanges::default()
        },
        ..Script::default()
    });
    let look = fake.first_call("browser_look", &json!({}));
    assert!(text(&look).starts_with("### Page"));
    let gone = fake.request(2, "tools/call", &json!({"name": "browser_nothing"}));
    assert_eq!(text(&gone), "### Error\nTool \"browser_nothing\" not found");
}

#[test]
fn sigterm_ends_it_in_good_order_unless_told_otherwise() {
    for (ignore_sigterm, expected) in [(false, Some(0)), (true, None)] {
        let mut fake = Fake::start(Script {
            ignore_sigterm,
            ignore_eof: true,
            ..Script::default()
        });
        fake.request(1, "ping", &json!({}));
        let pid = rustix::process::Pid::from_child(&fake.child);
        rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
        if ignore_sigterm {
            // It still answers, also after its stdin was closed it would stay: only SIGKILL helps.
            fake.request(2, "ping", &json!({}));
            fake.child.kill().unwrap();
        }
        let status = fake.child.wait().unwrap();
        assert_eq!(status.code(), expected);
        assert_eq!(status.signal(), ignore_sigterm.then_some(9));
    }
}

#[test]
fn it_ends_at_the_start_or_a_while_later_with_its_code() {
    let at_once = Start {
        exit: Some(3),
        ..Start::default()
    };
    let later = Start {
        exit_later: Some(ExitLater {
            after_ms: 20,
            code: 4,
        }),
        ..Start::default()
    };
    for (start, expected) in [(at_once, 3), (later, 4)] {
        let mut fake = Fake::start(Script {
            start,
            ..Script::default()
        });
        assert_eq!(fake.line(), "");
        assert_eq!(fake.child.wait().unwrap().code(), Some(expected));
    }
}

#[test]
fn a_handshake_that_is_never_answered_leaves_other_requests_working() {
    let mut fake = Fake::start(Script {
        never_initialize: true,
        ..Script::default()
    });
    fake.send(&json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {}}));
    assert_eq!(fake.request(2, "ping", &json!({}))["id"], 2);
}

#[test]
fn a_script_that_makes_no_sense_is_refused() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fake-upstream"));
    let output = command
        .args(["--script", "{\"typo\": 1}"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(64));
    assert!(String::from_utf8(output.stderr).unwrap().contains("typo"));
}
