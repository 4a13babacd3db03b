//! Programs and their arguments.

use crate::values::parse::{Base, Refusal, line};
use crate::values::raw::Raw;
use crate::values::value::Value;

/// The words of a value: an array in TOML, quoted as in a shell wherever it is one text.
pub(crate) fn words(raw: &Raw) -> Result<Vec<String>, Refusal> {
    let words = match (raw, raw.text()) {
        (Raw::Strings(items), _) => items.clone(),
        (_, Some(text)) => shell_words::split(text)
            .map_err(|error| Refusal::Because(format!("has a {error}; close it")))?,
        _ => return Err(Refusal::Kind),
    };
    let broken = words.iter().any(|word| word.contains('\0'));
    if broken {
        Err(Refusal::Kind)
    } else {
        Ok(words)
    }
}

/// A program named by a path. A bare name is refused: it would be looked for
/// in the directory of the file, which nobody means.
pub(crate) fn executable(raw: &Raw, base: &Base) -> Result<Value, Refusal> {
    let text = line(raw).ok_or(Refusal::Kind)?;
    if !text.contains('/') {
        let why = format!(
            "is the bare name `{text}`; give the path of the program (`command -v {text}` prints it)"
        );
        return Err(Refusal::Because(why));
    }
    base.resolve(text).map(Value::Path).ok_or(Refusal::Kind)
}

/// Programs that would fetch or interpret something else at run time.
const GO_BETWEENS: &[&str] = &[
    "npx",
    "npx.cmd",
    "bunx",
    "pnpx",
    "sh",
    "bash",
    "dash",
    "zsh",
    "fish",
    "cmd",
    "cmd.exe",
    "powershell",
    "powershell.exe",
    "pwsh",
];

/// A program and its arguments.
pub(crate) fn command(raw: &Raw, base: &Base) -> Result<Value, Refusal> {
    let mut words = words(raw)?;
    let program = words.first_mut().filter(|word| !word.is_empty());
    let program = program.ok_or(Refusal::Kind)?;
    let name = program.rsplit('/').next().unwrap_or(program);
    if GO_BETWEENS.contains(&name) {
        let why = format!(
            "runs the upstream through `{name}`; name what it would run, such as `node /path/to/cli.js`"
        );
        return Err(Refusal::Because(why));
    }
    // A program with a slash is a path like any other; a bare name is looked
    // up on PATH by whoever starts it.
    if program.contains('/') {
        let path = base.resolve(program).ok_or(Refusal::Kind)?;
        *program = path.to_string_lossy().into_owned();
    }
    Ok(Value::Words(words))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn base() -> Base {
        Base {
            directory: "/here".into(),
            home: None,
        }
    }

    fn plain(text: &str) -> Raw {
        Raw::Plain(text.to_owned())
    }

    #[test]
    fn words_are_quoted_as_in_a_shell() {
        let read = words(&plain("--a 'b c' \"d e\" f\\ g ''"));
        let expected = ["--a", "b c", "d e", "f g", ""].map(str::to_owned).to_vec();
        assert_eq!(read, Ok(expected));
        assert!(matches!(words(&plain("'open")), Err(Refusal::Because(_))));
    }

    #[test]
    fn a_command_is_never_run_through_a_go_between() {
        for bad in ["npx @playwright/mcp", "/bin/sh -c x", "bash run"] {
            let why = command(&plain(bad), &base());
            assert!(matches!(why, Err(Refusal::Because(_))), "{bad}");
        }
        for (good, first) in [("node cli.js", "node"), ("./run x", "/here/run")] {
            let Ok(Value::Words(words)) = command(&plain(good), &base()) else {
                panic!("{good} must be accepted");
            };
            assert_eq!(words[0], first);
        }
    }

    #[test]
    fn an_executable_is_a_path_and_not_a_bare_name() {
        let relative = executable(&plain("bin/chromium"), &base());
        assert_eq!(relative, Ok(Value::Path("/here/bin/chromium".into())));
        let bare = executable(&plain("chromium"), &base());
        assert!(matches!(bare, Err(Refusal::Because(why)) if why.contains("command -v chromium")));
    }
}
