//! Calls, and everything that can go wrong with them.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

use serde_json::{Value, json};

use super::catalogue::tool_names;
use super::journal::Entry;
use super::page::{failure, text};
use super::script::{CallRule, Reply};
use super::server::{Server, error, locked, reply};
use super::{flood_stderr, leave};

/// How long the client may take to answer a question.
const ANSWER_DEADLINE: Duration = Duration::from_secs(10);

/// What the real one says of a call whose browser was closed.
const CLOSED: &str = "Error: Target page, context or browser has been closed";

/// What ends a call before its time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Interruption {
    /// The client cancelled it, and gets no answer.
    Cancelled,
    /// Another call closed the browser.
    Closed,
}

/// One call in flight.
struct Call {
    id: Value,
    tool: String,
    arguments: Value,
    rule: CallRule,
    interrupted: Receiver<Interruption>,
}

impl Call {
    /// What interrupted the call before the time was up, if the rule cares.
    fn interrupted_within(&self, longest: Duration) -> Option<Interruption> {
        if self.rule.ignore_cancel {
            super::wait(longest);
            return None;
        }
        self.interrupted.recv_timeout(longest).ok()
    }

    /// Waits until something interrupts the call, and says what if the rule cares.
    fn wait_for_interruption(&self) -> Option<Interruption> {
        let interruption = self.interrupted.recv().ok();
        interruption.filter(|_| !self.rule.ignore_cancel)
    }
}

/// Many different lines, so that a part that is missing or out of its place can be told.
pub fn huge_text(megabytes: usize) -> String {
    const LINE: usize = 1024;
    let filling = "x".repeat(LINE - 17);
    let lines = (0..(megabytes << 20) / LINE).map(|n| format!("{n:0>15} {filling}\n"));
    lines.collect()
}

impl Server {
    /// Takes a call and answers it from a thread of its own.
    pub(super) fn take_call(self: &Arc<Self>, id: &Value, params: &Value) {
        let nth = self.calls.fetch_add(1, Ordering::Relaxed) + 1;
        let tool = params["name"].as_str().unwrap_or_default().to_owned();
        let (cancel, interrupted) = mpsc::channel();
        locked(&self.cancels).insert(id.to_string(), cancel);
        let call = Call {
            id: id.clone(),
            rule: self.rule_for(&tool, nth),
            tool,
            arguments: params["arguments"].clone(),
            interrupted,
        };
        let server = Arc::clone(self);
        std::thread::spawn(move || server.run_call(&call));
    }

    fn rule_for(&self, tool: &str, nth: u64) -> CallRule {
        let fits = |rule: &&CallRule| {
            rule.tool.as_ref().is_none_or(|name| name == tool) && rule.nth.is_none_or(|n| n == nth)
        };
        self.script
            .calls
            .iter()
            .find(fits)
            .cloned()
            .unwrap_or_default()
    }

    fn run_call(&self, call: &Call) {
        self.start_browser();
        flood_stderr(call.rule.stderr_flood_mb);
        let delay = Duration::from_millis(call.rule.delay_ms);
        let mut interruption = match delay.is_zero() {
            true => None,
            false => call.interrupted_within(delay),
        };
        if let Some(method) = call.rule.ask.as_ref().filter(|_| interruption.is_none()) {
            self.ask(method);
        }
        if interruption.is_none() && call.rule.reply == Reply::Never {
            interruption = call.wait_for_interruption();
        }
        match interruption {
            Some(Interruption::Cancelled) => self.journal.write(&Entry::Cancelled {
                id: call.id.clone(),
            }),
            Some(Interruption::Closed) => {
                let result = self.of_the_era(failure(CLOSED), false);
                self.output.send(&[&reply(&call.id, &result)]);
            }
            None => self.reply_to(call),
        }
        locked(&self.cancels).remove(&call.id.to_string());
    }

    fn reply_to(&self, call: &Call) {
        let send = |result: Value| {
            let result = self.of_the_era(result, false);
            self.output.send(&[&reply(&call.id, &result)]);
        };
        match &call.rule.reply {
            Reply::Normal => send(self.result_of(call)),
            Reply::Never => {}
            Reply::Exit(code) => leave(*code),
            Reply::HalfLineThenExit(code) => {
                self.output
                    .send_half(&reply(&call.id, &self.result_of(call)));
                leave(*code);
            }
            Reply::HalfLineThenSilence => {
                self.output
                    .send_half(&reply(&call.id, &self.result_of(call)));
            }
            Reply::HugeMb(megabytes) => send(text(&huge_text(*megabytes))),
            Reply::WrongId => {
                let wrong = json!(format!("not {}", call.id));
                self.output.send(&[&reply(&wrong, &self.result_of(call))]);
            }
            Reply::Twice => {
                let once = reply(&call.id, &self.result_of(call));
                self.output.send(&[&once]);
                self.output.send(&[&once]);
            }
            Reply::WithNotification => {
                let note = json!({"jsonrpc": "2.0", "method": "notifications/message",
                    "params": {"level": "info", "data": "together"}});
                self.output
                    .send(&[&note, &reply(&call.id, &self.result_of(call))]);
            }
            Reply::Text(said) => send(text(said)),
            Reply::Failure(reason) => send(failure(reason)),
            Reply::RpcError(code) => self.output.send(&[&error(&call.id, *code, "as told")]),
        }
    }

    fn result_of(&self, call: &Call) -> Value {
        let renamed = self
            .script
            .tools
            .rename
            .iter()
            .find(|(_, new)| **new == call.tool);
        let tool = renamed.map_or(&call.tool, |(old, _)| old);
        if !tool_names().contains(tool) {
            return failure(&format!("Tool \"{}\" not found", call.tool));
        }
        let result = locked(&self.page).call(tool, &call.arguments);
        if tool == "browser_close" {
            self.stop_browser();
            self.interrupt_all_but(&call.id);
        }
        result
    }

    /// A browser that closes takes along what is at work in it.
    fn interrupt_all_but(&self, id: &Value) {
        let id = id.to_string();
        for (_, call) in locked(&self.cancels)
            .iter()
            .filter(|(other, _)| **other != id)
        {
            // One that has its answer already needs no other.
            let _ = call.send(Interruption::Closed);
        }
    }

    /// Asks the client something, and writes down what it said.
    fn ask(&self, method: &str) {
        let id = json!(format!(
            "fake-{}",
            self.asked.fetch_add(1, Ordering::Relaxed)
        ));
        let (sender, answer) = mpsc::channel();
        locked(&self.questions).insert(id.to_string(), sender);
        let request = json!({"jsonrpc": "2.0", "id": id, "method": method});
        self.output.send(&[&request]);
        let answer = answer.recv_timeout(ANSWER_DEADLINE).ok();
        self.journal.write(&Entry::Asked {
            method: method.to_owned(),
            answer,
        });
    }
}
