//! What happens in a page, kept for whoever asks later.
//!
//! Everything here is bounded: a page can say and ask for anything, any number of times. The
//! newest are kept, and what is counted is counted beyond what is kept.

mod console;
mod downloads;
mod exchange;
mod journal;
mod modal;
mod network;
mod preview;

pub use console::{ConsoleLog, Message, level_of};
pub use downloads::{Download, DownloadNews, Downloads};
pub use exchange::{Exchange, Outcome};
pub use journal::Journal;
pub use modal::{Chooser, Dialog, Modal};
pub use network::NetworkLog;
