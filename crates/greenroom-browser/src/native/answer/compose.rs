//! Makes a reply of an answer and of what the page has to say.

use crate::call::{Content, Reply, ReplyFile};
use bytes::Bytes;
use serde_json::{Map, Value};

use super::draft::{Answer, Shown};
use super::happened;
use super::standing::Standing;
use super::text::Text;
use crate::native::deadline::Deadline;
use crate::native::engine::Room;
use crate::native::events::{DownloadNews, Message};
use crate::native::page::{Page, SnapshotOptions, ToolError};

/// Makes a reply. Fails only with the page or the browser; whatever else goes wrong is part of it.
pub(crate) async fn compose(
    room: &Room,
    mut answer: Answer,
    deadline: Deadline,
) -> Result<Reply, ToolError> {
    for late in room.take_late().into_iter().rev() {
        answer.preceded_by(late);
    }
    let page = room.tabs().current();
    let mut snapshot = None;
    if let Some(page) = &page {
        snapshot = shot(page, &mut answer, deadline).await?;
        page.catch_up(deadline).await;
    }
    let standing = Standing::of(room, page, deadline).await;
    if answer.lists_tabs {
        answer
            .results
            .push(super::list_tabs(&standing.tabs).join("\n"));
    }
    let mut text = Text::default();
    text.section("Error", &answer.errors);
    let concealed = |lines: &[String]| -> Vec<String> {
        let lines = lines.iter();
        lines.map(|line| room.given().conceal(line)).collect()
    };
    text.section("Result", &concealed(&answer.results));
    text.code("Ran Playwright code", "js", &concealed(&answer.code));
    standing.tell(&answer, &mut text);
    let mut reply = standing.reply(&answer);
    if let Some(shot) = snapshot.filter(|_| reply.modal.is_none()) {
        show(shot, &mut text, &mut reply, &mut answer);
    }
    let events = report(room, &mut reply).await;
    text.section("Events", &events);
    Ok(finish(reply, text.finish(), answer))
}

/// A snapshot, and the name of the file that it is to be in, if it is to be in one.
struct Shot {
    yaml: String,
    filename: Option<String>,
}

/// Adds the snapshot to the text, or to the files with a line in the text that names it.
fn show(shot: Shot, text: &mut Text, reply: &mut Reply, answer: &mut Answer) {
    let Some(name) = shot.filename else {
        text.code("Snapshot", "yaml", std::slice::from_ref(&shot.yaml));
        reply.snapshot = Some(shot.yaml);
        return;
    };
    let file = Answer::default().file("Snapshot", &name, shot.yaml.into());
    text.section("Snapshot", &file.results);
    answer.files.extend(file.files);
}

/// The snapshot that an answer is to show, unless the page is blocked.
async fn shot(
    page: &Page,
    answer: &mut Answer,
    deadline: Deadline,
) -> Result<Option<Shot>, ToolError> {
    let (target, options, filename) = match &answer.shown {
        Shown::Nothing => return Ok(None),
        Shown::Page => (None, SnapshotOptions::default(), None),
        Shown::Part {
            target,
            options,
            filename,
        } => (target.clone(), options.clone(), filename.clone()),
    };
    let taking = async {
        let element = match &target {
            Some(target) => Some(page.find(target, deadline).await?),
            None => None,
        };
        page.snapshot(element.as_ref(), &options, deadline).await
    };
    let taken = tokio::select! {
        biased;
        // A page that has ended is not blocked: what the snapshot says of it is told.
        Some(()) = page.until(|books| books.modal().map(drop)) => return Ok(None),
        taken = taking => taken,
    };
    match taken {
        Ok(yaml) => Ok(Some(Shot { yaml, filename })),
        Err(error) if error.is_fatal() => Err(error),
        Err(error) => {
            // What there is to say of the page is that it cannot be shown.
            answer.shown = Shown::Nothing;
            answer.errors.extend(Answer::failed(&error).errors);
            Ok(None)
        }
    }
}

/// What has happened since the last answer, in all tabs.
async fn report(room: &Room, reply: &mut Reply) -> Vec<String> {
    let (mut messages, mut news): (Vec<Message>, Vec<DownloadNews>) = Default::default();
    for page in room.tabs().list() {
        page.write(|books| {
            messages.extend(books.journal.console.take_new());
            news.extend(books.journal.downloads.take_news());
        });
    }
    reply.console = messages.iter().map(Message::entry).collect();
    let mut lines = happened::console_lines(&messages);
    let (told, files) = happened::downloads(news, room.downloads()).await;
    lines.extend(told);
    reply.files = files;
    lines
}

fn finish(mut reply: Reply, text: String, answer: Answer) -> Reply {
    reply.is_error = !answer.errors.is_empty();
    let mut files: Vec<ReplyFile> = answer.files;
    files.append(&mut reply.files);
    reply.files = files;
    reply.content = vec![Content::text(text)];
    reply.content.extend(answer.content);
    reply.raw = raw(&reply);
    reply
}

/// The result as MCP would carry it, for the store.
fn raw(reply: &Reply) -> Bytes {
    let mut result = Map::new();
    let content = reply.content.iter().cloned().map(Value::from).collect();
    result.insert("content".to_owned(), Value::Array(content));
    if reply.is_error {
        result.insert("isError".to_owned(), true.into());
    }
    Value::Object(result).to_string().into()
}
