//! The command line: our own two options among any number of the real one's.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use super::script::Script;

/// What the command line says.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Arguments {
    pub(super) script: Script,
    pub(super) output_dir: PathBuf,
}

impl Arguments {
    /// Reads the script from `--script JSON`, from `--script @FILE`, or from a file beside the
    /// program (`<argv0>.script.json`). Options it does not know are left alone: an engine
    /// appends those of the real program.
    pub(super) fn read(argv: &[OsString], cwd: &Path) -> Result<Self, String> {
        let script = match option(argv, "--script") {
            Some(value) => parse(&value)?,
            None => beside(argv.first().map_or(OsStr::new(""), |program| program))?,
        };
        let output_dir = option(argv, "--output-dir");
        let output_dir = output_dir.map_or_else(|| cwd.join(".playwright-mcp"), PathBuf::from);
        Ok(Self { script, output_dir })
    }
}

/// The value of `--name VALUE` or `--name=VALUE`.
fn option(argv: &[OsString], name: &str) -> Option<String> {
    let mut rest = argv.iter().map(|argument| argument.to_string_lossy());
    while let Some(argument) = rest.next() {
        if argument == name {
            return rest.next().map(Into::into);
        }
        let value = argument
            .strip_prefix(name)
            .and_then(|v| v.strip_prefix('='));
        if let Some(value) = value {
            return Some(value.to_owned());
        }
    }
    None
}

fn parse(value: &str) -> Result<Script, String> {
    let json = match value.strip_prefix('@') {
        Some(file) => std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?,
        None => value.to_owned(),
    };
    serde_json::from_str(&json).map_err(|error| format!("the script is wrong: {error}"))
}

fn beside(program: &OsStr) -> Result<Script, String> {
    let mut file = program.to_owned();
    file.push(".script.json");
    match std::fs::read_to_string(&file) {
        Ok(json) => parse(&json),
        Err(_) => Ok(Script::default()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(argv: &[&str]) -> Result<Arguments, String> {
        let argv: Vec<OsString> = argv.iter().map(Into::into).collect();
        Arguments::read(&argv, Path::new("/here"))
    }

    #[test]
    fn options_of_the_real_program_are_left_alone() {
        let arguments =
            read(&["fake", "--headless", "--output-dir=/out", "--caps", "pdf"]).unwrap();
        assert_eq!(arguments.script, Script::default());
        assert_eq!(arguments.output_dir, Path::new("/out"));
        let plain = read(&["fake"]).unwrap();
        assert_eq!(plain.output_dir, Path::new("/here/.playwright-mcp"));
    }

    #[test]
    fn the_script_comes_inline_from_a_file_or_from_beside_the_program() {
        let directory = tempfile::tempdir().unwrap();
        let program = directory.path().join("mcp").display().to_string();
        let json = r#"{"ignore_eof": true}"#;
        std::fs::write(format!("{program}.script.json"), json).unwrap();
        let from_file = format!("@{program}.script.json");
        for argv in [
            vec!["x", "--script", json],
            vec!["x", "--script", &from_file],
            vec![program.as_str()],
        ] {
            assert!(read(&argv).unwrap().script.ignore_eof, "{argv:?}");
        }
        assert!(read(&["x", "--script", "{"]).is_err());
    }
}
