//! One request and what became of it.

use crate::native::conn::Session;
use crate::native::protocol::network::{Headers, RequestWillBeSent, Response};
use crate::native::protocol::{LoaderId, RequestId};

/// How much is kept of an address; longer bodies are asked for when somebody wants them. Many requests
/// are kept, and a page decides how long each is.
const LONGEST: usize = 8 << 10;

/// A request of a page.
#[derive(Debug, Clone)]
pub struct Exchange {
    /// The browser's name for it; those that follow on a redirect have the same.
    pub id: RequestId,
    /// Where its bodies can be had.
    pub session: Session,
    /// What was asked for.
    pub url: String,
    /// How.
    pub method: String,
    /// What it was for, in lower case: `document`, `script`, `xhr`, `fetch`…
    pub kind: String,
    /// The headers that went out, names in lower case.
    pub headers: Vec<(String, String)>,
    /// What was sent with it, where it is short.
    pub post_data: Option<String>,
    /// Whether there is more to be had of what was sent.
    pub has_post_data: bool,
    /// What came back.
    pub outcome: Outcome,
    /// The load of the document that asked for it.
    pub(super) loader: LoaderId,
    begun: f64,
    ended: Option<f64>,
    /// The document that asked for it is gone, and nobody tells of its end.
    is_abandoned: bool,
}

/// What became of a request.
#[derive(Debug, Clone)]
pub enum Outcome {
    /// Nothing yet.
    Pending,
    /// An answer has begun to arrive; when it has ended, all of it is here.
    Answered(Box<Response>),
    /// There is none, for this reason.
    Failed(String),
}

impl Exchange {
    pub(super) fn new(sent: RequestWillBeSent, session: Session) -> Self {
        let request = sent.request;
        let fragment = request.url_fragment.unwrap_or_default();
        Self {
            id: sent.request_id,
            session,
            url: shorten(request.url + &fragment),
            method: request.method,
            kind: sent
                .kind
                .unwrap_or_else(|| "other".to_owned())
                .to_lowercase(),
            headers: flatten(&request.headers),
            has_post_data: request.has_post_data.unwrap_or(request.post_data.is_some()),
            post_data: request.post_data.filter(|data| data.len() <= LONGEST),
            outcome: Outcome::Pending,
            loader: sent.loader_id,
            begun: sent.timestamp,
            ended: None,
            is_abandoned: false,
        }
    }

    pub(super) fn answered(&mut self, response: Response) {
        self.outcome = Outcome::Answered(Box::new(response));
    }

    pub(super) fn ended(&mut self, timestamp: f64) {
        self.ended = Some(timestamp);
    }

    pub(super) fn failed(&mut self, reason: String, timestamp: f64) {
        // An answer whose body broke off is still an answer with a status.
        if matches!(self.outcome, Outcome::Pending) {
            self.outcome = Outcome::Failed(reason);
        }
        self.ended = Some(timestamp);
    }

    /// The document that asked for it is gone.
    pub(super) fn abandon(&mut self) {
        if self.has_ended() {
            return;
        }
        self.is_abandoned = true;
        if matches!(self.outcome, Outcome::Pending) {
            self.outcome = Outcome::Failed("net::ERR_ABORTED".to_owned());
        }
    }

    /// Whether it is known what will come of it.
    pub fn has_begun(&self) -> bool {
        !matches!(self.outcome, Outcome::Pending)
    }

    /// Whether nothing more will come.
    pub fn has_ended(&self) -> bool {
        self.ended.is_some() || self.is_abandoned
    }

    /// The answer, if there is one.
    pub fn response(&self) -> Option<&Response> {
        match &self.outcome {
            Outcome::Answered(response) => Some(response),
            _ => None,
        }
    }

    /// The headers of the answer, names in lower case.
    pub fn response_headers(&self) -> Option<Vec<(String, String)>> {
        self.response().map(|response| flatten(&response.headers))
    }

    /// A header of the answer.
    pub fn response_header(&self, name: &str) -> Option<String> {
        let headers = self.response_headers()?;
        headers
            .into_iter()
            .find_map(|(known, value)| (known == name).then_some(value))
    }

    /// How long it took in all, in milliseconds.
    pub fn duration(&self) -> Option<u64> {
        let seconds = (self.ended? - self.begun).max(0.0);
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a duration"
        )]
        let milliseconds = (seconds * 1000.0).round() as u64;
        Some(milliseconds)
    }

    /// Whether an answer says that it went well.
    pub fn is_success(&self) -> bool {
        self.response()
            .is_some_and(|response| response.status < 400)
    }

    /// Whether a script asked for it.
    pub fn is_fetch(&self) -> bool {
        matches!(self.kind.as_str(), "fetch" | "xhr")
    }

    /// Whether the page is not done before all of it is here. Of pictures and the like the
    /// beginning is enough; streams never end.
    pub fn is_awaited_whole(&self) -> bool {
        let streams = self.response_header("content-type");
        let streams = streams.is_some_and(|kind| kind.starts_with("text/event-stream"));
        let counts = matches!(
            self.kind.as_str(),
            "document" | "stylesheet" | "script" | "xhr" | "fetch"
        );
        counts && !streams
    }

    /// Whether the page may still change for it.
    pub fn is_awaited(&self) -> bool {
        if self.has_ended() || matches!(self.kind.as_str(), "eventsource" | "websocket" | "ping") {
            return false;
        }
        self.is_awaited_whole() || matches!(self.outcome, Outcome::Pending)
    }
}

pub(super) fn flatten(headers: &Headers) -> Vec<(String, String)> {
    let text = |value: &serde_json::Value| match value.as_str() {
        Some(text) => text.to_owned(),
        None => value.to_string(),
    };
    headers
        .iter()
        .map(|(name, value)| (name.to_lowercase(), text(value)))
        .collect()
}

fn shorten(mut text: String) -> String {
    if text.len() > LONGEST {
        text.truncate(text.floor_char_boundary(LONGEST));
        text.push('…');
    }
    text
}
