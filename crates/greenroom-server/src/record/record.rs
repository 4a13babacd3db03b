//! The record of one call.

use bytes::Bytes;
use greenroom_browser::call::{ConsoleEntry, ConsoleLevel as Level};
use greenroom_store as store;
use greenroom_store::{Call, ConsoleLevel, ConsoleMessage, Content, Finish, RefId, Response};
use serde_json::json;
use tokio::time::Instant;

use super::evidence::{Evidence, Ran};
use super::{Attachment, Journal, attachments, journal};
use crate::identity::Principal;
use crate::reply::{self, Mode, Shaping};
use crate::service::{Answer, Facts, Metadata, Outcome};
use crate::session::SessionId;

/// The most characters of an address and of a title among the facts; the record has all of them.
const LONGEST_URL: usize = 2000;
const LONGEST_TITLE: usize = 300;

/// A call that has a name and no end yet. One that is dropped has been given up: whether it took
/// effect, nobody can tell.
pub(crate) struct Record {
    journal: Journal,
    /// `None` once the end is written.
    call: Option<Call>,
    begun: Instant,
}

impl Record {
    pub(super) fn new(
        journal: Journal,
        principal: &Principal,
        tool: &str,
        arguments: String,
    ) -> Self {
        let now = store::Timestamp::now();
        let call = Call::new(RefId::new(), journal::owner(principal), tool, now);
        Self {
            journal,
            call: Some(call.arguments(arguments)),
            begun: Instant::now(),
        }
    }

    /// Notes that the call runs, and where. Never waits.
    pub(crate) fn started(&mut self, session: Option<&SessionId>, pool: &str) {
        if let Some(call) = &mut self.call {
            call.session = session.map(|id| store::SessionId::new(id.as_str()));
            call.pool = Some(pool.to_owned());
            self.journal.store().call_started(call);
        }
    }

    /// A call that leaves no trace.
    pub(crate) fn forget(&mut self) {
        self.call = None;
    }

    /// Commits what the call answered, then gives the answer the shape that was asked for. It is
    /// written to the end even if whoever waits for it leaves: what ran has an outcome.
    pub(crate) async fn finish(self, ran: Ran, mode: Mode) -> Answer {
        match tokio::spawn(self.write(ran, mode)).await {
            Ok(answer) => answer,
            Err(broken) => match broken.try_into_panic() {
                Ok(panic) => std::panic::resume_unwind(panic),
                // The runtime ends, and with it whoever waits here.
                Err(_) => std::future::pending().await,
            },
        }
    }

    async fn write(mut self, ran: Ran, mode: Mode) -> Answer {
        let Ran {
            mut answer,
            mut evidence,
        } = ran;
        let Some(mut call) = self.call.take() else {
            return answer;
        };
        let ref_id = call.ref_id;
        let place = evidence.place();
        let session = evidence.session.take();
        if let Some(session) = &session {
            call.session = Some(store::SessionId::new(session.as_str()));
        }
        call.pool = evidence.pool.take().or(call.pool);
        call.instance = evidence.instance.take();

        let files = std::mem::take(&mut evidence.files);
        let kept = attachments::store(self.journal.store(), &call, &answer, files).await;
        let rules = self.journal.rules();
        let snapshot = rules
            .shortens(mode, &answer)
            .then(|| evidence.snapshot.clone())
            .flatten();
        let (response, metadata) = respond(&call.tool, &answer, &mut evidence, place);
        let end = Finish::new(outcome(answer.outcome), self.begun.elapsed()).response(response);
        let stored = self.journal.store().call_finished(call, end).await.is_ok();

        let ref_id = ref_id.to_string();
        let shaping = Shaping {
            rules,
            // What cannot be read again has to be said now.
            mode: if stored { mode } else { Mode::Inline },
            ref_id: &ref_id,
            metadata: &metadata,
            snapshot: snapshot.as_deref(),
            attachments: &kept.attachments,
        };
        reply::shape(&mut answer, &shaping);
        answer.content.extend(kept.notes());
        answer.attachments = kept.attachments.iter().map(Attachment::link).collect();
        answer.metadata = Some(metadata);
        answer.sign(&Facts {
            ref_id: Some(&ref_id),
            session_id: session.as_ref().map(SessionId::as_str),
            persisted: stored && kept.lost.is_empty(),
            closing_line: answer.structured.is_none() || session.is_some(),
        });
        answer
    }
}

impl Drop for Record {
    fn drop(&mut self) {
        let Some(call) = self.call.take() else {
            return;
        };
        let Ok(runtime) = tokio::runtime::Handle::try_current() else {
            return;
        };
        let (store, took) = (self.journal.store().clone(), self.begun.elapsed());
        runtime.spawn(async move {
            // What cannot be noted now is noted by the next start, in the same words.
            let end = Finish::new(store::Outcome::Unknown, took);
            let _ = store.call_finished(call, end).await;
        });
    }
}

/// What is stored of an answer, and what is said about it.
fn respond(
    tool: &str,
    answer: &Answer,
    evidence: &mut Evidence,
    place: String,
) -> (Response, Metadata) {
    let result = evidence.raw.take().unwrap_or_else(|| exact(answer));
    let content = match evidence.snapshot.take() {
        Some(snapshot) => Some(Content::snapshot(snapshot)),
        None => Some(answer.text())
            .filter(|text| !text.is_empty())
            .map(Content::text),
    };
    let console: Vec<ConsoleMessage> = evidence.console.drain(..).map(message).collect();
    let errors = console
        .iter()
        .filter(|message| message.level == ConsoleLevel::Error);
    let page = evidence.page.take();
    let metadata = Metadata {
        tool: tool.to_owned(),
        status: if answer.is_error { "error" } else { "success" },
        has_snapshot: content
            .as_ref()
            .is_some_and(|content| content.kind == store::ContentKind::Snapshot),
        has_console_logs: !console.is_empty(),
        console_error_count: errors.count() as u64,
        bytes: content
            .as_ref()
            .map_or(result.len(), |content| content.text.len()) as u64,
        url: page.as_ref().map(|page| cut(&page.url, LONGEST_URL)),
        title: page.as_ref().map(|page| cut(&page.title, LONGEST_TITLE)),
    };
    let response = Response {
        result: Vec::from(result),
        content,
        console,
        url: page.as_ref().map(|page| page.url.clone()),
        title: page.map(|page| page.title),
        tab: Some(place),
    };
    (response, metadata)
}

/// A page chooses its title and much of its address; what is short stays short.
fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// The bytes of an answer that no engine gave.
fn exact(answer: &Answer) -> Bytes {
    let mut result = json!({"content": answer.content, "isError": answer.is_error});
    if let Some(structured) = &answer.structured {
        result["structuredContent"] = structured.clone();
    }
    result.to_string().into()
}

fn outcome(outcome: Outcome) -> store::Outcome {
    match outcome {
        Outcome::Success => store::Outcome::Success,
        Outcome::Error => store::Outcome::Error,
        Outcome::Unknown => store::Outcome::Unknown,
    }
}

fn message(entry: ConsoleEntry) -> ConsoleMessage {
    ConsoleMessage {
        level: match entry.level {
            Level::Error => ConsoleLevel::Error,
            Level::Warning => ConsoleLevel::Warning,
            Level::Info => ConsoleLevel::Info,
            Level::Debug => ConsoleLevel::Debug,
        },
        text: entry.text,
        location: entry.location,
    }
}
