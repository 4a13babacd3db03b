//! What is told of a browser that has ended.

use crate::call::Death;
use crate::process::Exit;

/// A browser writes a good deal to stderr; what it died of stands at the end.
const LINES: usize = 8;
const BYTES: usize = 1500;
/// What every browser says that runs on a server, where there is neither a desktop nor a graphics
/// card: it would only hide what matters.
const ROUTINE: &[&str] = &[
    ":WARNING:",
    "ERROR:dbus/",
    "ERROR:gpu/",
    "DevTools listening on",
];

/// How a browser ended, for whoever waited for it.
pub(super) fn death(exit: &Exit) -> Death {
    Death {
        how: exit.ended.to_string(),
        stderr_tail: last_lines(&exit.stderr),
        half_line: None,
    }
}

fn last_lines(text: &str) -> String {
    let mut lines: Vec<&str> = Vec::new();
    let mut bytes = 0;
    let is_routine = |line: &&str| ROUTINE.iter().any(|words| line.contains(words));
    let telling = text.trim().lines().rev().filter(|line| !is_routine(line));
    for line in telling.take(LINES) {
        bytes += line.len();
        if bytes > BYTES && !lines.is_empty() {
            break;
        }
        lines.push(&line[..line.floor_char_boundary(BYTES)]);
    }
    lines.reverse();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_lines_are_told_and_not_more() {
        let many: String = (0..100).map(|n| format!("line {n}\n")).collect();
        let told = last_lines(&many);
        assert!(told.starts_with("line 92") && told.ends_with("line 99"));
        let wide = format!("first\n{}\n", "é".repeat(5000));
        assert!(last_lines(&wide).len() <= BYTES);
        assert_eq!(last_lines(" \n"), "");
        let routine = "[1115/1:ERROR:dbus/bus.cc:405] Failed to connect to the bus\nlost\n[1115/1:WARNING:media/x.cc:1] none";
        assert_eq!(last_lines(routine), "lost");
    }
}
