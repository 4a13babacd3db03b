//! What Greenroom costs beside the bare upstream: start, memory, and time added to a call.

mod added;
mod cold_start;
mod memory;

use std::io;
use std::path::{Path, PathBuf};

use crate::Verdict;
use crate::table::Table;

/// The two programs that are compared.
struct Programs {
    greenroom: PathBuf,
    upstream: PathBuf,
}

pub(crate) fn run() -> io::Result<Verdict> {
    let programs = Programs::find()?;
    let cold = cold_start::measure(&programs)?;
    let memory = memory::measure(&programs)?;
    let added = added::measure(&programs)?;

    let mut table = Table::new(["greenroom", "playwright-mcp", "target"]);
    table.row(
        "start to initialize answered",
        vec![ms(cold.greenroom), ms(cold.upstream), "<= 1/10".to_owned()],
    );
    table.row(
        "server without browsers (PSS)",
        vec![
            format!("{:.1} MB", memory),
            "-".to_owned(),
            "<= 15 MB".to_owned(),
        ],
    );
    table.row(
        "evaluate, p50",
        vec![
            ms(added.greenroom),
            ms(added.upstream),
            "<= 1 ms more".to_owned(),
        ],
    );
    table.write(&mut io::stdout().lock())?;
    let good = cold.greenroom <= cold.upstream / 10.0
        && memory <= 15.0
        && added.greenroom - added.upstream <= 1.0;
    Ok(if good { Verdict::Good } else { Verdict::Bad })
}

/// The same figure of both, in milliseconds.
struct Pair {
    greenroom: f64,
    upstream: f64,
}

fn ms(value: f64) -> String {
    format!("{value:.2} ms")
}

impl Programs {
    fn find() -> io::Result<Self> {
        let own = std::env::current_exe()?;
        let checkout = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let programs = Self {
            greenroom: own.with_file_name("greenroom"),
            upstream: checkout.join("upstream/node_modules/@playwright/mcp/cli.js"),
        };
        for (file, fix) in [
            (&programs.greenroom, "cargo build --release -p greenroom"),
            (&programs.upstream, "make setup"),
        ] {
            if !file.is_file() {
                let text = format!("{} is missing; run {fix}", file.display());
                return Err(io::Error::new(io::ErrorKind::NotFound, text));
            }
        }
        Ok(programs)
    }
}
