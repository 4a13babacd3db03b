//! `get_content`.

use greenroom_store::{CallInfo, ContentKind, Mode, ReadRequest, Reading, RefId, WhyFull};
use serde_json::{Map, Value, json};

use super::{Arguments, error, find, history, part, query};
use crate::dispatch::CallError;
use crate::identity::Caller;
use crate::record::{Journal, owner};
use crate::service::Answer;

/// More is given in parts: no model reads more at once, and no client should have to.
const WHOLE: u64 = 1 << 20;

/// Reads an answer in the way that the arguments ask for.
pub(crate) async fn get_content(
    journal: &Journal,
    caller: &Caller,
    arguments: &Map<String, Value>,
) -> Result<Answer, CallError> {
    let arguments = Arguments(arguments);
    let ref_id = arguments.ref_id("ref_id")?;
    let principal = owner(&caller.principal);
    let info = journal.store().call(principal.clone(), ref_id).await;
    let info = info.map_err(|error| error::from_store(&error, ref_id))?;
    let target = Target {
        journal,
        principal,
        ref_id,
        info,
    };
    target.require_answer()?;
    if let Some(needle) = arguments.text("search_for") {
        return match arguments.is_true("history") {
            true => history::search(&target, needle, &arguments).await,
            false => find::search(&target, needle, &arguments).await,
        };
    }
    if let Some(expression) = arguments.text("query") {
        return query::run(&target, expression).await;
    }
    if arguments.text("since").is_some() {
        return between(&target, arguments.ref_id("since")?).await;
    }
    if ["offset", "limit"]
        .iter()
        .any(|name| arguments.number(name).is_some())
    {
        return part::read(&target, &arguments).await;
    }
    if target.is_long()
        && !target.is_page()
        && let Some(first) = part::beginning(&target, WHOLE).await?
    {
        return Ok(first);
    }
    whole(&target, caller, &arguments).await
}

/// The answer that is read.
pub(super) struct Target<'a> {
    pub(super) journal: &'a Journal,
    pub(super) principal: greenroom_store::Principal,
    pub(super) ref_id: RefId,
    pub(super) info: CallInfo,
}

impl Target<'_> {
    /// A call that never answered is known, but there is nothing to read.
    fn require_answer(&self) -> Result<(), CallError> {
        if self.info.response.is_some() {
            return Ok(());
        }
        Err(error::invalid(format!(
            "{} has no answer to read: the outcome of {} is {}. Take a new browser_snapshot of its session.",
            self.ref_id,
            self.info.tool,
            json!(self.info.outcome).as_str().unwrap_or("unknown")
        )))
    }

    fn is_long(&self) -> bool {
        let response = self.info.response.as_ref();
        response.is_some_and(|response| response.bytes > WHOLE)
    }

    pub(super) fn is_page(&self) -> bool {
        let response = self.info.response.as_ref();
        response.is_some_and(|response| response.content == Some(ContentKind::Snapshot))
    }

    pub(super) fn failed(&self, error: &greenroom_store::StoreError) -> CallError {
        error::from_store(error, self.ref_id)
    }

    /// The answer, with its name in the data and in a closing line.
    pub(super) fn answer(&self, kind: &str, text: &str, note: &str, mut data: Value) -> Answer {
        data["ref_id"] = self.ref_id.to_string().into();
        data["kind"] = kind.into();
        if data.get("content").is_none() {
            data["content"] = text.into();
        }
        let line = format!("[greenroom] ref_id: {}; {note}", self.ref_id);
        let text = if text.is_empty() {
            line
        } else {
            format!("{}\n{line}", text.trim_end_matches('\n'))
        };
        Answer::read(text, data)
    }
}

/// A read that moves the cursor.
async fn whole(
    target: &Target<'_>,
    caller: &Caller,
    arguments: &Arguments<'_>,
) -> Result<Answer, CallError> {
    let mode = match arguments.text("mode") {
        Some("diff") => Mode::Diff,
        Some("full") => Mode::Full,
        _ => Mode::Changed,
    };
    let reader = target.journal.reader(caller);
    let mut request = ReadRequest::new(target.principal.clone(), reader, target.ref_id).mode(mode);
    request.reset = arguments.is_true("reset_cursor");
    let reading = target.journal.store().read(request).await;
    Ok(match reading.map_err(|error| target.failed(&error))? {
        Reading::Full { text, .. } if text.len() as u64 > WHOLE => {
            part::of_long_page(target, &text)
        }
        Reading::Full { text, why } => {
            target.answer("full", &text, why_full(why), json!({"changed": true}))
        }
        Reading::Unchanged => target.answer(
            "unchanged",
            "",
            "unchanged since you last read this page (reset_cursor gives all of it again)",
            json!({"changed": false}),
        ),
        Reading::Diff { text, since } => target.answer(
            "diff",
            &text,
            &format!("what changed since {since}; refs in + lines work"),
            json!({"changed": true, "since": since.to_string()}),
        ),
        Reading::NoContent => target.answer(
            "none",
            "",
            "this answer has no text",
            json!({"changed": false}),
        ),
    })
}

fn why_full(why: WhyFull) -> &'static str {
    match why {
        WhyFull::First => "all of it",
        WhyFull::Asked => "all of it as it is now",
        WhyFull::NothingToCompare => {
            "all of it: what you read before is no longer there to compare"
        }
        WhyFull::Shorter => "all of it: the difference would be longer",
        WhyFull::NotAPage => "all of it; it is no page, so nothing is compared",
    }
}

/// The difference between two answers.
async fn between(target: &Target<'_>, since: RefId) -> Result<Answer, CallError> {
    let principal = target.principal.clone();
    let diff = target
        .journal
        .store()
        .diff(principal, since, target.ref_id)
        .await;
    let diff = diff.map_err(|error| error::from_store(&error, since))?;
    let changed = !diff.is_empty();
    let note = if changed {
        format!("what differs from {since}")
    } else {
        format!("no difference to {since}")
    };
    let data = json!({"changed": changed, "since": since.to_string()});
    Ok(target.answer("diff", &diff, &note, data))
}
