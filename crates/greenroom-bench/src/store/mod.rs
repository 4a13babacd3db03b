//! What recording costs: eight callers who are given answers of 100 KB as fast as they can ask.
//!
//! The upstream is a fake one that answers at once, so that what is left is ours. Its answers come
//! through a server that records every one of them, and straight, in turns. What of the difference
//! is recording and what is lending, checking and passing on, the server cannot tell; so the store
//! is also measured by itself, with and without storing.

mod alone;
mod programs;
mod server;

use std::io;

use self::programs::Programs;
use crate::Verdict;
use crate::table::Table;

/// How many ask at once.
const CALLERS: usize = 8;
/// How long each answer is.
const ANSWER_BYTES: usize = 100_000;

pub(crate) fn run() -> io::Result<Verdict> {
    let programs = Programs::find()?;
    let added = alone::measure()?;
    let load = server::measure(&programs)?;

    let mut table = Table::new(["greenroom", "upstream", "target"]);
    table.row(
        "100 KB to 8 callers, p50",
        vec![ms(load.through), ms(load.straight), "-".to_owned()],
    );
    table.row(
        "storing by itself, added p50",
        vec![ms(added), "-".to_owned(), "<= 1 ms".to_owned()],
    );
    table.row(
        "memory above idle (PSS)",
        vec![
            format!("{:.1} MB", load.memory),
            "-".to_owned(),
            "<= 64 MB".to_owned(),
        ],
    );
    table.write(&mut io::stdout().lock())?;
    let good = added <= 1.0 && load.memory <= 64.0;
    Ok(if good { Verdict::Good } else { Verdict::Bad })
}

fn ms(value: f64) -> String {
    format!("{value:.2} ms")
}

/// Lines like those of a page, this many bytes of them.
fn page() -> String {
    let mut text = String::with_capacity(ANSWER_BYTES + 80);
    for n in 0.. {
        if text.len() >= ANSWER_BYTES {
            break;
        }
        text.push_str(&format!("  - listitem [ref=e{n}]: item {n} of the list\n"));
    }
    text
}
