//! The shape in which an answer reaches a model: all of it, its name alone, or in between.
//!
//! | mode | text | pictures | other files |
//! |---|---|---|---|
//! | `inline` | as the engine said | as the engine said | links |
//! | `auto` | as it is up to `INLINE_MAX`; beyond it facts, what is short, an outline of the page | as they are up to 1 MiB, else links | links |
//! | `ref` | facts | links | links |
//!
//! An error is always told in full, up to `INLINE_MAX`: an agent must not have to ask what went wrong.

mod brief;

use greenroom_config::ResponseMode;
use serde_json::Value;

use crate::record::Attachment;
use crate::service::{Answer, Metadata, text_block};

pub(crate) use greenroom_config::ResponseMode as Mode;

/// A larger picture is worth a link.
const INLINE_PICTURE: u64 = 1 << 20;

/// What is shown when nobody asks otherwise.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rules {
    pub(crate) mode: Mode,
    pub(crate) inline_max: usize,
}

impl Rules {
    /// Whether the text of this answer is too much to be given as it is.
    pub(crate) fn shortens(&self, mode: Mode, answer: &Answer) -> bool {
        match mode {
            Mode::Inline => false,
            Mode::Ref => true,
            Mode::Auto => length(answer) > self.inline_max,
        }
    }
}

/// Everything that decides the shape of one answer.
pub(crate) struct Shaping<'a> {
    pub(crate) rules: Rules,
    pub(crate) mode: Mode,
    pub(crate) ref_id: &'a str,
    pub(crate) metadata: &'a Metadata,
    /// The page, where the answer is to be shortened and has one.
    pub(crate) snapshot: Option<&'a str>,
    pub(crate) attachments: &'a [Attachment],
}

/// Gives the answer its shape.
pub(crate) fn shape(answer: &mut Answer, shaping: &Shaping<'_>) {
    let shortens = shaping.rules.shortens(shaping.mode, answer);
    link_binaries(answer, shaping);
    if !shortens {
        return;
    }
    let text = brief::text(answer, shaping);
    answer.content.retain(|block| block["type"] != "text");
    answer.content.insert(0, text_block(text));
    answer.structured = None;
    if let Ok(metadata) = serde_json::to_value(shaping.metadata) {
        answer
            .meta
            .insert("greenroom/metadata".to_owned(), metadata);
    }
}

fn link_binaries(answer: &mut Answer, shaping: &Shaping<'_>) {
    let most = match shaping.mode {
        ResponseMode::Inline => u64::MAX,
        ResponseMode::Auto => INLINE_PICTURE,
        ResponseMode::Ref => 0,
    };
    for attachment in shaping.attachments {
        match attachment.block {
            Some(index) if attachment.size > most => answer.content[index] = attachment.link(),
            Some(_) => {}
            None => answer.content.push(attachment.link()),
        }
    }
}

/// Bytes of text.
fn length(answer: &Answer) -> usize {
    let texts = answer
        .content
        .iter()
        .filter_map(|block| block["text"].as_str());
    texts.map(str::len).sum()
}

fn texts(answer: &Answer) -> impl Iterator<Item = &str> {
    let texts = answer.content.iter();
    texts.filter_map(|block: &Value| block["text"].as_str())
}

#[cfg(test)]
mod tests;
