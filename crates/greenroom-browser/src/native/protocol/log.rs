//! What the browser itself has to say about a page.

use super::runtime::StackTrace;
use super::{Command, Done, Event, RequestId};

command! {
    /// Asks for the events of this domain, and for what was said before.
    Enable = "Log.enable" -> Done {}
}

event! {
    /// The browser says something about the page: a request that failed, a policy that it broke.
    EntryAdded = "Log.entryAdded" { entry: LogEntry }
}

received! {
    /// What it says.
    LogEntry {
        /// `network`, `security`, `deprecation`, `javascript`…
        source: String,
        /// `verbose`, `info`, `warning` or `error`.
        level: String,
        text: String,
        timestamp: f64,
        url: Option<String>,
        line_number: Option<i64>,
        stack_trace: Option<StackTrace>,
        network_request_id: Option<RequestId>,
    }
}
