//! The ways in which the upstream points to files, each one line of text.

/// A line that points to a file.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Link<'a> {
    /// `- [Screenshot of viewport](./page-1.png)`
    File { title: &'a str, target: &'a str },
    /// `- New console entries: console-1.log#L1-L2`
    Console { target: &'a str },
    /// `- Downloaded file report.pdf to "./report.pdf"`
    Download { name: &'a str, target: &'a str },
}

/// The file that a line points to; a line that points to an address is none.
pub(super) fn parse(line: &str) -> Option<Link<'_>> {
    let item = line.strip_prefix("- ")?;
    if let Some(target) = item.strip_prefix("New console entries: ") {
        return console(target);
    }
    if let Some(download) = item.strip_prefix("Downloaded file ") {
        let (name, target) = download.strip_suffix('"')?.rsplit_once(" to \"")?;
        return is_path(target).then_some(Link::Download { name, target });
    }
    let (title, target) = item
        .strip_prefix('[')?
        .strip_suffix(')')?
        .rsplit_once("](")?;
    is_path(target).then_some(Link::File { title, target })
}

fn console(target: &str) -> Option<Link<'_>> {
    let (file, range) = target.rsplit_once("#L")?;
    let (from, to) = range.split_once("-L").unwrap_or((range, range));
    let numbers = [from, to]
        .iter()
        .all(|number| number.parse::<u64>().is_ok());
    (numbers && is_path(file)).then_some(Link::Console { target: file })
}

/// Whether this is a path rather than an address or a fragment of one. A single letter before a
/// colon is a drive of Windows.
fn is_path(target: &str) -> bool {
    let scheme = target.split_once(':').is_some_and(|(scheme, _)| {
        scheme.len() > 1
            && scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || "+.-".contains(c))
    });
    !target.is_empty() && !scheme && !target.starts_with("//") && !target.starts_with(['#', '?'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_point_to_files_are_recognised() {
        let file = |title, target| Some(Link::File { title, target });
        for (line, expected) in [
            (
                "- [Snapshot](./page-1.yml)",
                file("Snapshot", "./page-1.yml"),
            ),
            (
                "- [Screenshot of [x](y)](./p (1).png)",
                file("Screenshot of [x](y)", "./p (1).png"),
            ),
            (
                "- [Page as pdf](/srv/out/p.pdf)",
                file("Page as pdf", "/srv/out/p.pdf"),
            ),
            (
                "- [Snapshot](C:\\out\\p.yml)",
                file("Snapshot", "C:\\out\\p.yml"),
            ),
            (
                "- New console entries: console-1.log#L1-L2",
                Some(Link::Console {
                    target: "console-1.log",
                }),
            ),
            (
                "- New console entries: a#b.log#L3",
                Some(Link::Console { target: "a#b.log" }),
            ),
            (
                "- Downloaded file a to \"b\".txt to \"./a-to-b.txt\"",
                Some(Link::Download {
                    name: "a to \"b\".txt",
                    target: "./a-to-b.txt",
                }),
            ),
        ] {
            assert_eq!(parse(line), expected, "{line}");
        }
    }

    #[test]
    fn other_lines_are_left_alone() {
        for line in [
            "- [Docs](https://example.org/)",
            "- [Mail](mailto:a@b.c)",
            "- [Here](#top)",
            "- [Host](//example.org/x)",
            "- [Empty]()",
            "- 0: (current) [T](./page)",
            "- [Snapshot](./x.yml) @ http://x/:1",
            "  - [Snapshot](./x.yml)",
            "- New console entries: see below",
            "- New console entries: c.log#Lx-L2",
            "- Downloading file a.txt ...",
            "- Downloaded file a.txt",
        ] {
            assert_eq!(parse(line), None, "{line}");
        }
    }
}
