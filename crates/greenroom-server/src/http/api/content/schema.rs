//! What the tools behind these routes answer, described for the document.

use utoipa::ToSchema;

/// A page, or what was asked of it. More fields come with each kind.
#[derive(ToSchema)]
#[expect(
    dead_code,
    reason = "the tool answers this as JSON; here it is described"
)]
pub(in crate::http::api) struct Content {
    /// The response.
    ref_id: String,
    /// What the content is.
    kind: Kind,
    /// The text.
    content: String,
    /// Whether the page differs from what this reader saw last.
    changed: bool,
}

/// What a content is.
#[derive(ToSchema)]
#[schema(as = ContentKind, rename_all = "lowercase")]
#[expect(dead_code, reason = "the words of a schema")]
pub(in crate::http::api) enum Kind {
    Full,
    Unchanged,
    Diff,
    Page,
    Search,
    Query,
    History,
    None,
}

/// The messages that a page wrote to its console.
#[derive(ToSchema)]
#[expect(
    dead_code,
    reason = "the tool answers this as JSON; here it is described"
)]
pub(in crate::http::api) struct Console {
    /// The response.
    ref_id: String,
    /// Which level was asked for.
    level: Option<String>,
    /// How many messages there are in all.
    total: u64,
    /// How many of those are errors.
    error_count: u64,
    /// Those of this level.
    messages: Vec<Message>,
}

/// One message.
#[derive(ToSchema)]
#[schema(as = ConsoleMessage)]
#[expect(
    dead_code,
    reason = "the tool answers this as JSON; here it is described"
)]
pub(in crate::http::api) struct Message {
    /// How serious it is.
    level: String,
    /// What it says.
    text: String,
    /// Where it comes from.
    location: Option<String>,
}
