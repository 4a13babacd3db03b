//! What must be installed: the configured browsers, Node and the pinned upstream.

use std::path::{Path, PathBuf};

use greenroom_browser::find::{
    BrowserKind, PINNED_UPSTREAM, Places, find_browser, find_node, find_upstream, program_version,
};

use super::check::Check;

/// The oldest Node that the pinned upstream runs on.
const NODE_MAJOR: u64 = 18;

/// A browser that the configuration asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Wanted {
    pub(super) kind: BrowserKind,
    pub(super) headless: bool,
    pub(super) executable: Option<PathBuf>,
}

pub(super) async fn browser(wanted: &Wanted, places: &Places) -> Check {
    let name = wanted.kind.as_str();
    let configured = wanted.executable.as_deref();
    // A headless pool runs on the full browser too: the shell is checked on its own below.
    let found = match find_browser(wanted.kind, wanted.headless, configured, places) {
        Ok(found) => found,
        Err(error) => {
            return Check::problem(name, error.to_string(), wanted.kind.install_hint());
        }
    };
    match program_version(&found.path).await {
        Ok(version) => Check::ok(name, format!("{version} ({})", found.path.display())),
        Err(error) => Check::problem(name, error.to_string(), wanted.kind.install_hint()),
    }
}

pub(super) fn headless_shell(places: &Places) -> Check {
    const NAME: &str = "headless shell";
    match find_browser(BrowserKind::Chromium, true, None, places) {
        Ok(found) if found.headless_shell => Check::ok(NAME, found.path.display().to_string()),
        _ => Check::warning(
            NAME,
            "not installed: headless pools use the full browser, which needs a third more memory",
            "apt-get install chromium-headless-shell",
        ),
    }
}

pub(super) async fn node(places: &Places) -> Check {
    const NAME: &str = "node";
    const FIX: &str = "apt-get install nodejs npm";
    let Some(node) = find_node(places) else {
        return Check::problem(NAME, "no node on PATH; the playwright engine needs it", FIX);
    };
    match program_version(&node).await {
        Ok(version) if major(&version) >= Some(NODE_MAJOR) => {
            Check::ok(NAME, format!("{version} ({})", node.display()))
        }
        Ok(version) => Check::problem(
            NAME,
            format!("{version} is too old; the upstream needs {NODE_MAJOR} or newer"),
            FIX,
        ),
        Err(error) => Check::problem(NAME, error.to_string(), FIX),
    }
}

fn major(version: &str) -> Option<u64> {
    version
        .trim_start_matches('v')
        .split('.')
        .next()?
        .parse()
        .ok()
}

pub(super) fn upstream(program: Option<&Path>, data_dir: &Path) -> Check {
    const NAME: &str = "upstream";
    const FIX: &str = "greenroom doctor --fix";
    match find_upstream(program, data_dir) {
        Some(found) if found.version == PINNED_UPSTREAM => Check::ok(
            NAME,
            format!(
                "@playwright/mcp {} ({})",
                found.version,
                found.cli.display()
            ),
        ),
        Some(found) => Check::warning(
            NAME,
            format!(
                "@playwright/mcp {} is installed; {PINNED_UPSTREAM} is what greenroom is tested with",
                found.version
            ),
            FIX,
        ),
        None => Check::problem(NAME, "@playwright/mcp is not installed", FIX),
    }
}

#[cfg(test)]
mod tests {
    use super::super::check::Verdict;
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    fn fake_program(dir: &Path, name: &str, script: &str) -> Places {
        let file = dir.join(name);
        std::fs::write(&file, format!("#!/bin/sh\n{script}\n")).unwrap();
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).unwrap();
        Places {
            path: vec![dir.to_owned()],
            playwright_browsers: None,
            root: dir.to_owned(),
        }
    }

    #[tokio::test]
    async fn node_is_judged_by_its_major_version() {
        let dir = tempfile::tempdir().unwrap();
        let old = fake_program(dir.path(), "node", "echo v16.20.2");
        assert_eq!(node(&old).await.status, Verdict::Problem);
        let new = fake_program(dir.path(), "node", "echo v22.1.0");
        assert_eq!(node(&new).await.status, Verdict::Ok);
    }

    #[tokio::test]
    async fn a_browser_that_cannot_start_is_a_problem_that_quotes_it() {
        let dir = tempfile::tempdir().unwrap();
        let places = fake_program(
            dir.path(),
            "chromium",
            "echo 'libnss3.so missing' >&2; exit 127",
        );
        let wanted = Wanted {
            kind: BrowserKind::Chromium,
            headless: false,
            executable: None,
        };
        let check = browser(&wanted, &places).await;
        assert_eq!(check.status, Verdict::Problem);
        assert!(
            check.detail.contains("libnss3.so missing"),
            "{}",
            check.detail
        );
    }

    #[test]
    fn a_missing_upstream_names_the_command_that_installs_it() {
        let dir = tempfile::tempdir().unwrap();
        let check = upstream(None, dir.path());
        assert_eq!(check.status, Verdict::Problem);
        assert!(check.fix.unwrap().contains("greenroom doctor --fix"));
    }
}
