use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{CALLERS, page};

/// The programs that take part, and what the fake upstream is told.
pub(super) struct Programs {
    greenroom: PathBuf,
    fake: PathBuf,
    home: tempfile::TempDir,
}

impl Programs {
    pub(super) fn find() -> io::Result<Self> {
        let own = std::env::current_exe()?;
        let programs = Self {
            greenroom: own.with_file_name("greenroom"),
            fake: own.with_file_name("fake-upstream"),
            home: tempfile::tempdir()?,
        };
        for (file, package) in [
            (&programs.greenroom, "greenroom"),
            (&programs.fake, "greenroom-testkit"),
        ] {
            if !file.is_file() {
                let fix = format!("cargo build --release -p {package}");
                let text = format!("{} is missing; run {fix}", file.display());
                return Err(io::Error::new(io::ErrorKind::NotFound, text));
            }
        }
        let answer = page().replace('\n', "\\n");
        let rule = format!(r#"{{"tool":"browser_evaluate","reply":{{"text":"{answer}"}}}}"#);
        std::fs::write(programs.script(), format!(r#"{{"calls":[{rule}]}}"#))?;
        Ok(programs)
    }

    fn script(&self) -> PathBuf {
        self.home.path().join("script.json")
    }

    fn data_dir(&self) -> PathBuf {
        self.home.path().join("data")
    }

    /// A server with a browser for every caller.
    pub(super) fn server(&self) -> Command {
        let mut command = self.greenroom("serve");
        command.args(["--port", "0"]);
        command
    }

    /// A client of that server, which speaks for one caller.
    pub(super) fn client(&self) -> Command {
        self.greenroom("stdio")
    }

    /// What the server asks, without the server.
    pub(super) fn upstream(&self, work: &Path) -> Command {
        let mut command = Command::new(&self.fake);
        command
            .arg("--script")
            .arg(format!("@{}", self.script().display()))
            .arg("--output-dir")
            .arg(work)
            .current_dir(work);
        command
    }

    fn greenroom(&self, subcommand: &str) -> Command {
        let fake = self.fake.display();
        let script = self.script();
        let upstream = format!("'{fake}' --script '@{}'", script.display());
        let mut command = Command::new(&self.greenroom);
        command
            .arg(subcommand)
            .arg("--data-dir")
            .arg(self.data_dir())
            .current_dir(self.home.path())
            .env("PW_MCP_PROXY__P_INSTANCES", CALLERS.to_string())
            .env("PW_MCP_PROXY__P_IS_DEFAULT", "true")
            .env("PW_MCP_PROXY__P_ISOLATED", "true")
            .env("PW_MCP_PROXY__P_ENGINE", "playwright")
            .env("PW_MCP_PROXY__P_UPSTREAM_COMMAND", upstream);
        command
    }
}
