//! The program behind a script that does nothing but run it.
//!
//! Distributions put such a script on the path. Some of them stay as the browser's parent: a
//! process more, in the way of signals, whose number is not the browser's and whose end is not the
//! browser's either. Where the script says nothing else, what it runs is run instead.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// A script that only runs a program is a few lines long.
const LONGEST: u64 = 4096;

/// The program that `path` runs, or `path` itself if it is no such script. Blocks.
pub(super) fn unwrapped(path: PathBuf) -> PathBuf {
    let program = read(&path).and_then(|text| program_of(&text));
    program.filter(|program| program.is_file()).unwrap_or(path)
}

/// The text of a short script.
fn read(path: &Path) -> Option<String> {
    let file = File::open(path).ok()?;
    if file.metadata().ok()?.len() > LONGEST {
        return None;
    }
    let mut text = String::new();
    file.take(LONGEST).read_to_string(&mut text).ok()?;
    text.starts_with("#!").then_some(text)
}

/// The only thing that a script says, if that is to run a program with all arguments.
fn program_of(script: &str) -> Option<PathBuf> {
    let lines = script.lines().map(str::trim);
    let mut said = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    let (Some(command), None) = (said.next(), said.next()) else {
        return None;
    };
    let program = command.strip_suffix("\"$@\"")?.trim();
    let program = program.strip_prefix("exec ").unwrap_or(program).trim();
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+".contains(c);
    (program.starts_with('/') && program.chars().all(plain)).then(|| program.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_script_that_says_nothing_else_is_seen_through() {
        let table = [
            (
                "#!/bin/sh -e\n\n/usr/lib/c/c \"$@\"\n",
                Some("/usr/lib/c/c"),
            ),
            ("#!/bin/sh\n# why\nexec /opt/c \"$@\"", Some("/opt/c")),
            ("#!/bin/sh\nexport A=b\n/opt/c \"$@\"\n", None),
            ("#!/bin/sh\n/opt/c --flag \"$@\"\n", None),
            ("#!/bin/sh\n$LIBDIR/c \"$@\"\n", None),
            ("#!/bin/sh\nc \"$@\"\n", None),
            ("#!/bin/sh\n", None),
        ];
        for (script, expected) in table {
            assert_eq!(
                program_of(script).as_deref(),
                expected.map(Path::new),
                "{script}"
            );
        }
    }

    #[test]
    fn a_program_that_is_not_there_is_left_to_its_script() {
        let dir = tempfile::tempdir().unwrap();
        let (script, program) = (dir.path().join("script"), dir.path().join("program"));
        std::fs::write(
            &script,
            format!("#!/bin/sh\n{} \"$@\"\n", program.display()),
        )
        .unwrap();
        assert_eq!(unwrapped(script.clone()), script);
        std::fs::write(&program, "\x7fELF").unwrap();
        assert_eq!(unwrapped(script), program);
        assert_eq!(unwrapped(program.clone()), program);
    }
}
