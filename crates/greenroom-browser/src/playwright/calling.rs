//! Calls of an instance, each ended by whatever comes first: its answer, its deadline, the end of
//! the upstream, or the end of the browser.
//!
//! A call that is given up runs on in the upstream, which cannot be told to stop (see `pending`).
//! So that it does nothing in the world of the next caller, a call is held back until those that
//! were given up before have ended. What ends a world does not wait for them: closing the browser
//! is what ends their work.

use std::future::Future;
use std::time::Duration;

use bytes::Bytes;
use serde_json::{Map, Value};
use tokio::time::{Instant, timeout};

use super::PlaywrightInstance;
use super::instance::left;
use crate::call::{Call, EngineError, PageInfo, Reply, Stage};

/// How long an error that smells of a dead browser waits for the proof.
const PROOF: Duration = Duration::from_millis(100);

/// The upstream's words for a page whose process has ended.
const PAGE_CRASHED: &str = "Target crashed";
/// What the upstream logs when it saw the crash before the call: it then works on a blank page.
const PAGE_REPLACED: &str = "Page crashed and was reset to about:blank.";

/// The tool that runs any code in the upstream itself, outside every sandbox.
const RUN_CODE: &str = "browser_run_code_unsafe";
/// The tool that wants another page anyway.
const NAVIGATE: &str = "browser_navigate";
/// The tool that ends the browser; the next call starts another one.
const CLOSE: &str = "browser_close";

impl PlaywrightInstance {
    /// Runs one tool, when those that were given up have ended. The deadline is for both; reading
    /// the upstream's files back adds little to it.
    pub async fn call(&self, call: &Call, deadline: Duration) -> Result<Reply, EngineError> {
        if call.tool == RUN_CODE && !self.allow_run_code {
            let tool = call.tool.clone();
            return Err(EngineError::Forbidden { tool });
        }
        let end = Instant::now() + deadline;
        self.hold_back(call, deadline).await?;
        let outcome = self.call_at_once(call, left(end)).await;
        outcome.map_err(|error| match error {
            EngineError::Timeout { what, stage, .. } => EngineError::Timeout {
                what,
                stage,
                after: deadline,
            },
            other => other,
        })
    }

    /// Proves that the browser answers, and not only its upstream. Goes past calls that are at
    /// work. Whatever comes back proves it, unless it is the upstream's word that it waited in
    /// vain.
    pub async fn page_answers(&self, deadline: Duration) -> Result<(), EngineError> {
        let call = list_tabs();
        match self.call_at_once(&call, deadline).await {
            Ok(reply) if reply.timed_out() => Err(EngineError::Timeout {
                what: call.tool,
                stage: Stage::Answering,
                after: deadline,
            }),
            Ok(_)
            | Err(
                EngineError::Upstream { .. }
                | EngineError::ResponseTooLarge { .. }
                | EngineError::PageCrashed,
            ) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Waits until no call is at work that was given up.
    async fn hold_back(&self, call: &Call, deadline: Duration) -> Result<(), EngineError> {
        let settled = async {
            tokio::select! {
                () = self.client.settled() => {}
                // The call itself brings the news, as one that was not sent.
                () = self.browser.lost() => {}
            }
        };
        timeout(deadline, settled)
            .await
            .map_err(|_| EngineError::Timeout {
                what: call.tool.clone(),
                stage: Stage::Waiting,
                after: deadline,
            })
    }

    async fn call_at_once(&self, call: &Call, deadline: Duration) -> Result<Reply, EngineError> {
        if may_end_browser(call) {
            self.browser.release();
        }
        let raw = self.ask(call, deadline).await?;
        let (reply, ()) = tokio::join!(self.read(&call.tool, raw), self.look_for_browser(call));
        self.believe(call, reply?).await
    }

    /// Ends the browser, and with it whatever is at work in it. The next call starts another one.
    pub(super) async fn close_browser(&self, deadline: Duration) -> Result<Reply, EngineError> {
        self.call_at_once(&Call::new(CLOSE), deadline).await
    }

    /// Starts the browser with a call that changes nothing.
    pub(super) async fn warm_up(&self, deadline: Duration) -> Result<(), EngineError> {
        let reply = self.call(&list_tabs(), deadline).await?;
        if reply.is_error {
            let reason = first_text(&reply).to_owned();
            return Err(EngineError::NoBrowser { reason });
        }
        Ok(())
    }

    /// Fills a fresh world with cookies and storage. Playwright's own code does it, which this
    /// engine may run in the upstream whether or not agents may.
    pub async fn restore(&self, state: &Value, deadline: Duration) -> Result<(), EngineError> {
        let code = format!("async (page) => {{ await page.context().setStorageState({state}); }}");
        let call = Call::new(RUN_CODE).with("code", code);
        let end = Instant::now() + deadline;
        self.hold_back(&call, deadline).await?;
        let raw = self.ask(&call, left(end)).await?;
        let reply = self.read(RUN_CODE, raw).await?;
        if !reply.is_error {
            return Ok(());
        }
        Err(EngineError::Upstream {
            code: 0,
            message: first_text(&reply).trim().to_owned(),
            data: None,
        })
    }

    /// Waits for an answer, but not beyond the life of the upstream and of its browser.
    pub(super) async fn while_it_lives<T>(
        &self,
        answer: impl Future<Output = Result<T, EngineError>>,
    ) -> Result<T, EngineError> {
        if self.browser.is_lost() {
            return Err(EngineError::BrowserLost { sent: false });
        }
        let outcome = tokio::select! {
            biased;
            outcome = answer => outcome,
            () = self.browser.lost() => Err(self.loss().await),
        };
        match outcome {
            Err(EngineError::Died { death, sent }) => {
                let death = self.death(Some(&death)).await.into();
                Err(EngineError::Died { death, sent })
            }
            other => other,
        }
    }

    /// Why the browser ended in mid-call: by itself, or because its upstream did.
    async fn loss(&self) -> EngineError {
        if !self.upstream_ends_too().await {
            return EngineError::BrowserLost { sent: true };
        }
        let death = self.death_of_upstream().await.into();
        EngineError::Died { death, sent: true }
    }

    async fn ask(&self, call: &Call, deadline: Duration) -> Result<Bytes, EngineError> {
        let mut params = Map::new();
        params.insert("name".to_owned(), call.tool.as_str().into());
        params.insert("arguments".to_owned(), arguments(call));
        let params = self.handshake.era.dress(Value::Object(params));
        let answer = self.client.call("tools/call", &params, deadline);
        self.while_it_lives(answer).await
    }

    /// Reads a result and the files that it links to, where blocking on files holds nobody up.
    async fn read(&self, tool: &str, raw: Bytes) -> Result<Reply, EngineError> {
        let (tool, replies) = (tool.to_owned(), self.replies.clone());
        let read = tokio::task::spawn_blocking(move || replies.read(&tool, raw)).await;
        read.map_err(|error| EngineError::Protocol {
            detail: format!("its result could not be read ({error})"),
        })?
    }

    async fn look_for_browser(&self, call: &Call) {
        // Right after a close, what can be seen may be a browser on its way out.
        if !may_end_browser(call) {
            self.browser.look(&self.child).await;
        }
    }

    /// The upstream may report a dead browser as a failure of the tool, a moment before its
    /// process has ended. It reports a dead page so as well, unless it saw it die before the call.
    async fn believe(&self, call: &Call, reply: Reply) -> Result<Reply, EngineError> {
        let text = first_text(&reply);
        if call.tool != NAVIGATE && worked_on_a_replacement(&reply, text) {
            return Err(EngineError::PageCrashed);
        }
        if !reply.is_error || !smells_of_death(text) {
            return Ok(reply);
        }
        if timeout(PROOF, self.browser.lost()).await.is_ok() {
            return Err(EngineError::BrowserLost { sent: true });
        }
        if text.contains(PAGE_CRASHED) {
            return Err(EngineError::PageCrashed);
        }
        Ok(reply)
    }
}

/// A call that changes nothing and that the upstream cannot answer without a browser.
fn list_tabs() -> Call {
    Call::new("browser_tabs").with("action", "list")
}

/// Whether the page that the caller meant was gone, and another one was shown or acted on.
fn worked_on_a_replacement(reply: &Reply, text: &str) -> bool {
    let blank = |page: &PageInfo| page.url == "about:blank";
    text.contains(PAGE_REPLACED) && reply.page.as_ref().is_none_or(blank)
}

/// Arguments as the upstream gets them. It takes hints in `_meta` that change the form of its
/// answers; they are none of a caller's business.
fn arguments(call: &Call) -> Value {
    let mut arguments = call.arguments.clone();
    arguments.shift_remove("_meta");
    Value::Object(arguments)
}

/// Whether the browser may end by this call: a headed one ends with its last window.
fn may_end_browser(call: &Call) -> bool {
    let action = call.arguments.get("action").and_then(Value::as_str);
    call.tool == CLOSE || (call.tool == "browser_tabs" && action == Some("close"))
}

fn smells_of_death(text: &str) -> bool {
    let signs = [
        "has been closed",
        "No open pages available",
        "Browser closed",
        "crashed",
    ];
    signs.iter().any(|sign| text.contains(sign))
}

pub(super) fn first_text(reply: &Reply) -> &str {
    let text = reply.content.first().and_then(|content| content.as_text());
    text.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn hints_for_the_upstream_are_not_passed_on() {
        let call = Call::new("t")
            .with("_meta", json!({"cwd": "/"}))
            .with("a", 1)
            .with("b", 2);
        assert_eq!(arguments(&call).to_string(), r#"{"a":1,"b":2}"#);
    }

    #[test]
    fn only_a_close_may_end_the_browser() {
        let tabs = |action: &str| Call::new("browser_tabs").with("action", action);
        for (call, expected) in [
            (Call::new("browser_close"), true),
            (tabs("close"), true),
            (tabs("list"), false),
            (Call::new("browser_click"), false),
        ] {
            assert_eq!(may_end_browser(&call), expected, "{call:?}");
        }
    }
}
