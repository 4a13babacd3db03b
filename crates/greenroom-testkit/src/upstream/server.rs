//! Reading messages, and answering all but calls.

use std::collections::HashMap;
use std::io::{BufRead, Stdout};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::{Value, json};

use super::calls::Interruption;
use super::catalogue;
use super::journal::{Entry, Journal};
use super::page::Page;
use super::script::{Era, Script};
use super::wire::Output;

const METHOD_NOT_FOUND: i64 = -32601;

/// Everything that the threads share.
pub(super) struct Server {
    pub(super) script: Script,
    pub(super) journal: Journal,
    pub(super) output: Output<Stdout>,
    pub(super) page: Mutex<Page>,
    /// Calls in flight by id, and how to tell them that they are interrupted.
    pub(super) cancels: Mutex<HashMap<String, Sender<Interruption>>>,
    /// Questions to the client by id, and where the answer goes.
    pub(super) questions: Mutex<HashMap<String, Sender<Value>>>,
    pub(super) calls: AtomicU64,
    pub(super) asked: AtomicU64,
    browser_runs: AtomicBool,
}

impl Server {
    pub(super) fn new(script: Script, journal: Journal, page: Page) -> Self {
        let output = Output::new(script.wire.clone(), std::io::stdout());
        Self {
            script,
            journal,
            output,
            page: Mutex::new(page),
            cancels: Mutex::default(),
            questions: Mutex::default(),
            calls: AtomicU64::new(0),
            asked: AtomicU64::new(0),
            browser_runs: AtomicBool::new(false),
        }
    }

    /// Reads messages until stdin ends.
    pub(super) fn serve(self: &Arc<Self>, input: impl BufRead) {
        for line in input.split(b'\n').map_while(Result::ok) {
            if let Ok(message) = serde_json::from_slice::<Value>(&line) {
                let message: Value = message;
                self.journal.write(&Entry::Received {
                    message: message.clone(),
                });
                self.take(&message);
            }
        }
        self.journal.write(&Entry::Eof);
    }

    fn take(self: &Arc<Self>, message: &Value) {
        let id = message.get("id");
        match (message["method"].as_str(), id) {
            (Some("tools/call"), Some(id)) => self.take_call(id, &message["params"]),
            (Some(method), Some(id)) => self.answer(method, id, &message["params"]),
            (Some("notifications/cancelled"), None) => {
                self.cancel(&message["params"]["requestId"]);
            }
            (Some(_), None) => {}
            (None, Some(id)) => self.hand_over_answer(id, message),
            (None, None) => {}
        }
    }

    fn answer(&self, method: &str, id: &Value, params: &Value) {
        let asked_for = params["protocolVersion"].as_str().unwrap_or_default();
        let result = match (method, self.script.era) {
            ("initialize", Era::Old) | ("server/discover", Era::New)
                if self.script.never_initialize =>
            {
                return;
            }
            ("initialize", Era::Old) => catalogue::initialize(asked_for),
            ("server/discover", Era::New) => catalogue::discover(),
            ("tools/list", _) => self.of_the_era(catalogue::tools(&self.script.tools), true),
            ("ping", Era::Old) => json!({}),
            _ => {
                return self
                    .output
                    .send(&[&error(id, METHOD_NOT_FOUND, "Method not found")]);
            }
        };
        self.output.send(&[&reply(id, &result)]);
    }

    /// Adds what the new era requires of every result, and of lists in particular.
    pub(super) fn of_the_era(&self, mut result: Value, list: bool) -> Value {
        if self.script.era == Era::New {
            result["resultType"] = json!("complete");
        }
        if self.script.era == Era::New && list {
            result["ttlMs"] = json!(0);
            result["cacheScope"] = json!("private");
        }
        result
    }

    /// The real one starts its browser with the first call, and says that its tools may have
    /// changed (they have not).
    pub(super) fn start_browser(&self) {
        let first = !self.browser_runs.swap(true, Ordering::Relaxed);
        if first && self.script.era == Era::Old {
            let notification =
                json!({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"});
            self.output.send(&[&notification]);
        }
    }

    pub(super) fn stop_browser(&self) {
        self.browser_runs.store(false, Ordering::Relaxed);
    }

    fn hand_over_answer(&self, id: &Value, message: &Value) {
        if let Some(waiting) = locked(&self.questions).remove(&id.to_string()) {
            // Whoever asked may have given up.
            let _ = waiting.send(message.clone());
        }
    }

    fn cancel(&self, id: &Value) {
        if let Some(call) = locked(&self.cancels).get(&id.to_string()) {
            let _ = call.send(Interruption::Cancelled);
        }
    }
}

pub(super) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

pub(super) fn reply(id: &Value, result: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "result": result})
}

pub(super) fn error(id: &Value, code: i64, message: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}})
}
