//! Calls and their responses.

mod console;
mod model;
pub(crate) mod parts;
mod query;
mod record;
mod stored;

pub use console::{ConsoleLevel, ConsoleMessage};
pub(crate) use model::word_column;
pub use model::{Call, Content, ContentKind, Finish, Outcome, Persisted, Response};
pub use query::{CallFilter, CallInfo, ResponseInfo};
