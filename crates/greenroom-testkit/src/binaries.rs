//! Where the programs of this kit are.

use std::path::{Path, PathBuf};

/// The fake upstream, a real program: see [`upstream`](crate::upstream).
pub fn fake_upstream() -> PathBuf {
    binary("fake-upstream")
}

/// A small owner of child processes, for tests that kill one: see its source in `src/bin`.
pub fn owner() -> PathBuf {
    binary("owner")
}

/// Cargo does not build the programs of a dependency for a test, so they may be missing.
fn binary(name: &str) -> PathBuf {
    let test = std::env::current_exe().expect("a test knows where it is");
    let profile = profile_directory(&test);
    let path = profile.join(name);
    assert!(
        path.is_file(),
        "{} is missing; run: cargo build -p greenroom-testkit --bins{}",
        path.display(),
        build_option(profile),
    );
    path
}

/// `target/<profile>`, from `target/<profile>/deps/<test>` or `target/<profile>/<program>`.
fn profile_directory(executable: &Path) -> &Path {
    let directory = executable.parent().unwrap_or(executable);
    let is_nested = directory.ends_with("deps") || directory.ends_with("examples");
    directory
        .parent()
        .filter(|_| is_nested)
        .unwrap_or(directory)
}

fn build_option(profile: &Path) -> String {
    match profile.file_name().and_then(|name| name.to_str()) {
        Some("debug") | None => String::new(),
        Some("release") => " --release".to_owned(),
        Some(other) => format!(" --profile {other}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_beside_the_directory_of_tests() {
        let table = [
            ("/t/debug/deps/sweep-1a2b", "/t/debug", ""),
            ("/t/release/examples/x", "/t/release", " --release"),
            ("/t/soak/greenroom", "/t/soak", " --profile soak"),
        ];
        for (executable, directory, option) in table {
            let found = profile_directory(Path::new(executable));
            assert_eq!(found, Path::new(directory));
            assert_eq!(build_option(found), option);
        }
    }
}
