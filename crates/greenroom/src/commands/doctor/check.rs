//! One finding of the doctor and how it is shown.

use serde::Serialize;

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Verdict {
    Ok,
    /// Greenroom works, less well than it could.
    Warning,
    /// Something that is configured cannot work.
    Problem,
}

/// A finding, with the command that fixes it where there is something to fix.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Check {
    pub(super) name: &'static str,
    pub(super) status: Verdict,
    pub(super) detail: String,
    pub(super) fix: Option<String>,
}

impl Check {
    pub(super) fn ok(name: &'static str, detail: impl Into<String>) -> Self {
        Self {
            name,
            status: Verdict::Ok,
            detail: detail.into(),
            fix: None,
        }
    }

    pub(super) fn warning(
        name: &'static str,
        detail: impl Into<String>,
        fix: impl Into<String>,
    ) -> Self {
        Self {
            name,
            status: Verdict::Warning,
            detail: detail.into(),
            fix: Some(fix.into()),
        }
    }

    pub(super) fn problem(
        name: &'static str,
        detail: impl Into<String>,
        fix: impl Into<String>,
    ) -> Self {
        Self {
            status: Verdict::Problem,
            ..Self::warning(name, detail, fix)
        }
    }
}

/// The findings as a person reads them.
pub(super) fn render(checks: &[Check]) -> String {
    let width = checks
        .iter()
        .map(|check| check.name.len())
        .max()
        .unwrap_or(0);
    let mut text = String::new();
    for check in checks {
        let mark = match check.status {
            Verdict::Ok => "ok     ",
            Verdict::Warning => "warning",
            Verdict::Problem => "problem",
        };
        text.push_str(&format!(
            "{mark}  {:width$}  {}\n",
            check.name, check.detail
        ));
        if let Some(fix) = &check.fix {
            text.push_str(&format!("{:9}{:width$}  fix: {fix}\n", "", ""));
        }
    }
    let count = |status| checks.iter().filter(|check| check.status == status).count();
    match (count(Verdict::Problem), count(Verdict::Warning)) {
        (0, 0) => text.push_str("\neverything is in place\n"),
        (0, warnings) => text.push_str(&format!("\nready, with {}\n", plural(warnings, "warning"))),
        (problems, _) => text.push_str(&format!("\n{} to fix\n", plural(problems, "problem"))),
    }
    text
}

fn plural(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_is_shown_with_its_fix_and_counted() {
        let checks = [
            Check::ok("node", "v22.1.0"),
            Check::problem("chromium", "no chromium found", "apt-get install chromium"),
        ];
        insta::assert_snapshot!(render(&checks), @r"
        ok       node      v22.1.0
        problem  chromium  no chromium found
                           fix: apt-get install chromium

        1 problem to fix
        ");
    }
}
