use std::path::{Path, PathBuf};

use super::places::Places;

/// The version of `@playwright/mcp` that Greenroom is built and tested against.
pub const PINNED_UPSTREAM: &str = "0.0.83";

/// Where the package keeps its entry point, below a directory with `node_modules`.
const ENTRY: &str = "node_modules/@playwright/mcp/cli.js";

/// An installed upstream: run as `node <cli>`, never through npx or a shell, which swallow the end
/// of stdin and signals.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Upstream {
    /// The entry point.
    pub cli: PathBuf,
    /// Its version as its package says.
    pub version: String,
}

/// Finds Node on `PATH`.
pub fn find_node(places: &Places) -> Option<PathBuf> {
    places.on_path("node").or_else(|| places.on_path("nodejs"))
}

/// Finds the pinned upstream: in the `upstream/` folder of a checkout that holds the running
/// program, then below `data_dir`.
pub fn find_upstream(program: Option<&Path>, data_dir: &Path) -> Option<Upstream> {
    let checkout = program
        .into_iter()
        .flat_map(Path::ancestors)
        .map(|dir| dir.join("upstream"))
        .find(|dir| dir.join(ENTRY).is_file());
    checkout
        .into_iter()
        .chain([data_dir.join("upstream")])
        .find_map(|dir| installed_in(&dir))
}

fn installed_in(dir: &Path) -> Option<Upstream> {
    let cli = dir.join(ENTRY);
    let package = std::fs::read(cli.with_file_name("package.json")).ok()?;
    let package: serde_json::Value = serde_json::from_slice(&package).ok()?;
    Some(Upstream {
        version: package.get("version")?.as_str()?.to_owned(),
        cli,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn install(dir: &Path, version: &str) -> PathBuf {
        let cli = dir.join(ENTRY);
        std::fs::create_dir_all(cli.parent().unwrap()).unwrap();
        std::fs::write(&cli, "").unwrap();
        let package = format!("{{\"version\":\"{version}\"}}");
        std::fs::write(cli.with_file_name("package.json"), package).unwrap();
        cli
    }

    #[test]
    fn the_checkout_of_the_program_comes_before_the_data_directory() {
        let dir = tempfile::tempdir().unwrap();
        let (checkout, data) = (dir.path().join("checkout"), dir.path().join("data"));
        let of_data = install(&data.join("upstream"), "1.0.0");
        let program = checkout.join("target/debug/greenroom");
        let found = find_upstream(Some(&program), &data).unwrap();
        assert_eq!(found.cli, of_data);
        let of_checkout = install(&checkout.join("upstream"), "2.0.0");
        let found = find_upstream(Some(&program), &data).unwrap();
        assert_eq!((found.cli, found.version.as_str()), (of_checkout, "2.0.0"));
    }

    #[test]
    fn nothing_installed_is_none() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(find_upstream(None, dir.path()), None);
    }

    #[test]
    fn the_pin_is_the_version_in_the_committed_package() {
        let manifest = include_str!("../../../../upstream/package.json");
        let manifest: serde_json::Value = serde_json::from_str(manifest).unwrap();
        assert_eq!(manifest["dependencies"]["@playwright/mcp"], PINNED_UPSTREAM);
    }
}
