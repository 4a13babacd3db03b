//! `greenroom doctor --fix`: the pinned upstream, for somebody who has only this binary.
//!
//! The lockfile is part of the binary, so what is installed is what greenroom is tested with, to
//! the byte. npm works in a directory of this run, on the same file system as the place where the
//! result belongs; one rename puts it there, so that nobody ever finds half of it.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, bail};
use greenroom_browser::find::{PINNED_UPSTREAM, Places, find_upstream};
use greenroom_browser::process::{Ended, Run, Spawn, Supervisor, prepare_data_directory};
use rustix::fs::{CWD, RenameFlags, renameat_with};
use tokio::io::AsyncReadExt as _;

use crate::signals::EndSignals;

const PACKAGE: &str = include_str!("../../../../../upstream/package.json");
const LOCKFILE: &str = include_str!("../../../../../upstream/package-lock.json");

/// A few megabytes over a slow line.
const DEADLINE: Duration = Duration::from_secs(300);
const GRACE: Duration = Duration::from_secs(1);
/// What is said on stdout when all is well is one line; when it is not, the end of it matters.
const QUOTED: u64 = 8 << 10;

/// `ci` installs the lockfile and nothing else. Nothing that is downloaded is run. Its integrity is
/// in the lockfile, so a cached copy is as good as a fresh one.
const NPM_ARGS: &[&str] = &[
    "ci",
    "--ignore-scripts",
    "--prefer-offline",
    "--no-audit",
    "--no-fund",
    "--no-update-notifier",
    "--loglevel=error",
];

/// Where to install, and with what.
pub(super) struct Installer<'a> {
    pub(super) data_dir: &'a Path,
    pub(super) places: &'a Places,
    /// What children get, and npm's own settings.
    pub(super) environment: Vec<(OsString, OsString)>,
}

impl Installer<'_> {
    /// Installs the upstream unless it is there. Says where, if it did.
    pub(super) async fn run(self, program: Option<&Path>) -> anyhow::Result<Option<PathBuf>> {
        let target = self.data_dir.join("upstream");
        match find_upstream(program, self.data_dir) {
            Some(found) if found.version == PINNED_UPSTREAM => return Ok(None),
            Some(found) if !found.cli.starts_with(&target) => bail!(
                "{} is version {} and comes before the data directory; run make setup in that checkout",
                found.cli.display(),
                found.version
            ),
            _ => {}
        }
        let npm = self.places.on_path("npm");
        let npm = npm.context("npm is not on PATH; run: apt-get install nodejs npm")?;
        prepare_data_directory(self.data_dir)?;
        let (run, _) = Run::open(self.data_dir).await?;
        let supervisor = Supervisor::new(run)?;
        let mut signals = EndSignals::listen()?;
        let installed = tokio::select! {
            done = self.install(&supervisor, npm, &target) => done,
            () = signals.next() => Err(anyhow::anyhow!("interrupted; nothing was changed")),
        };
        supervisor.close(GRACE).await?;
        installed.map(|()| Some(target))
    }

    async fn install(
        self,
        supervisor: &Supervisor,
        npm: PathBuf,
        target: &Path,
    ) -> anyhow::Result<()> {
        // Nothing runs in this one: it holds the result, and what it replaces, until it is dropped.
        let holding = supervisor.scratch("upstream")?;
        let fresh = holding.path().join("upstream");
        std::fs::create_dir(&fresh)?;
        std::fs::write(fresh.join("package.json"), PACKAGE)?;
        std::fs::write(fresh.join("package-lock.json"), LOCKFILE)?;
        let spawn = Spawn::new(npm)
            .args(NPM_ARGS.iter().copied())
            .envs(self.environment)
            .cwd(&fresh);
        npm_ci(supervisor, spawn).await?;
        let found = find_upstream(None, holding.path());
        if found.is_none_or(|found| found.version != PINNED_UPSTREAM) {
            bail!(
                "npm ci says that all is well, but @playwright/mcp {PINNED_UPSTREAM} is not there"
            );
        }
        put_in_place(&fresh, target)
            .with_context(|| format!("cannot put the upstream into {}", target.display()))
    }
}

async fn npm_ci(supervisor: &Supervisor, spawn: Spawn) -> anyhow::Result<()> {
    let child = supervisor.spawn(spawn, supervisor.scratch("npm")?)?;
    drop(child.take_stdin());
    let stdout = child.take_stdout();
    let work = async {
        let mut said = Vec::new();
        if let Some(mut stdout) = stdout {
            let _ = (&mut stdout).take(QUOTED).read_to_end(&mut said).await;
            let _ = tokio::io::copy(&mut stdout, &mut tokio::io::sink()).await;
        }
        (child.exited().await, said)
    };
    match tokio::time::timeout(DEADLINE, work).await {
        Ok((exit, _)) if exit.ended == Ended::Code(0) => Ok(()),
        Ok((exit, said)) => bail!(
            "npm ci failed ({}); what it said:\n{}{}",
            exit.ended,
            String::from_utf8_lossy(&said),
            exit.stderr
        ),
        Err(_) => {
            child.stop(Duration::ZERO).await?;
            bail!(
                "npm ci did not finish within {} s; what it said:\n{}",
                DEADLINE.as_secs(),
                child.stderr_tail()
            )
        }
    }
}

/// Moves the directory to where it belongs. What is there already comes out in exchange.
fn put_in_place(fresh: &Path, target: &Path) -> io::Result<()> {
    match std::fs::rename(fresh, target) {
        Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => Ok(renameat_with(
            CWD,
            fresh,
            CWD,
            target,
            RenameFlags::EXCHANGE,
        )?),
        other => other,
    }
}

/// The variables that tell npm where to download from and through which proxy.
pub(super) fn is_npm_setting(name: &str) -> bool {
    let prefix = name.get(.."npm_config_".len());
    prefix.is_some_and(|prefix| prefix.eq_ignore_ascii_case("npm_config_"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_there_comes_out_in_exchange() {
        let dir = tempfile::tempdir().unwrap();
        let (fresh, target) = (dir.path().join("fresh"), dir.path().join("target"));
        for round in ["first", "second"] {
            std::fs::create_dir_all(&fresh).unwrap();
            std::fs::write(fresh.join("round"), round).unwrap();
            put_in_place(&fresh, &target).unwrap();
            let now = std::fs::read_to_string(target.join("round")).unwrap();
            assert_eq!(now, round);
        }
        let before = std::fs::read_to_string(fresh.join("round")).unwrap();
        assert_eq!(before, "first");
    }

    #[test]
    fn npm_is_told_its_own_settings_in_either_spelling() {
        assert!(is_npm_setting("npm_config_registry"));
        assert!(is_npm_setting("NPM_CONFIG_USERCONFIG"));
        assert!(!is_npm_setting("npm_package_name"));
        assert!(!is_npm_setting("NPM_TOKEN"));
    }

    #[test]
    fn the_lockfile_holds_the_pinned_version() {
        let lockfile: serde_json::Value = serde_json::from_str(LOCKFILE).unwrap();
        let package = &lockfile["packages"]["node_modules/@playwright/mcp"];
        assert_eq!(package["version"], PINNED_UPSTREAM);
    }
}
