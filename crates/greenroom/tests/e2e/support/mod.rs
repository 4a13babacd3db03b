//! What the end-to-end tests share: the binary as a server or over stdio, clients of both eras, and
//! the check that nothing of ours is left.
#![allow(
    dead_code,
    clippy::needless_pass_by_value,
    unused_imports,
    unreachable_pub,
    reason = "each test binary uses its own part of this"
)]

mod answer;
mod http;
mod launch;
mod processes;
mod record;
mod server;
mod small_disk;
mod stdio;
mod upstream;

pub use answer::{error_of, heading_of, meta, said_by, session_of, text_of};
pub use http::{Legacy, Stateless, bearer};
pub use launch::Launch;
pub use processes::{Proc, all_gone, below, browser_of, renderers_of, root_of};
pub use record::{all_calls, local, page_of, ref_of};
pub use server::{Setup, TestServer};
pub use stdio::Stdio;
