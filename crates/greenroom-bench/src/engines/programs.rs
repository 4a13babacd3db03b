use std::io;
use std::path::{Path, PathBuf};

/// The programs that take part.
pub(super) struct Programs {
    pub(super) greenroom: PathBuf,
    pub(super) upstream: PathBuf,
    /// The browser that all of them drive.
    pub(super) browser: PathBuf,
}

impl Programs {
    pub(super) fn find() -> io::Result<Self> {
        let own = std::env::current_exe()?;
        let checkout = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let programs = Self {
            greenroom: own.with_file_name("greenroom"),
            upstream: checkout.join("upstream/node_modules/@playwright/mcp/cli.js"),
            browser: PathBuf::from("/usr/bin/chromium-headless-shell"),
        };
        for (file, fix) in [
            (&programs.greenroom, "cargo build --release -p greenroom"),
            (&programs.upstream, "make setup"),
            (&programs.browser, "make setup"),
        ] {
            if !file.is_file() {
                let text = format!("{} is missing; run {fix}", file.display());
                return Err(io::Error::new(io::ErrorKind::NotFound, text));
            }
        }
        Ok(programs)
    }
}
