//! The manual of the tools, in Markdown, from the same rows as everything else.

use super::catalog;
use super::row::{Effect, Handler, Kind, Need, Param, Rule, Tool};
use super::schema;

const INTRODUCTION: &str = "\
# Tools

This page is generated from the tool catalogue; edit the catalogue, not the page.

Every tool that runs *in a browser* also takes these arguments:

";

const ARGUMENTS: &str = "| argument | type | needed | meaning |\n|---|---|---|---|\n";

const FIELDS: &str = "| field | type | needed | meaning |\n|---|---|---|---|\n";

/// The whole page.
#[must_use]
pub fn render() -> String {
    let mut page = format!("{INTRODUCTION}{ARGUMENTS}{}", lines(&catalog::ADDRESS, ""));
    for tool in catalog::rows() {
        page.push('\n');
        page.push_str(&section(tool));
    }
    page
}

fn section(tool: &Tool) -> String {
    let head = format!(
        "## `{}`\n\n{}\n\n*{}*\n",
        tool.name,
        tool.description,
        manner(tool)
    );
    let arguments = match tool.params {
        [] => String::new(),
        params => format!("\n{ARGUMENTS}{}", lines(params, "")),
    };
    let rules: String = tool.rules.iter().map(sentence).collect();
    let example = format!("\n```json\n{}\n```\n", tool.example);
    let answer = tool.output.map_or_else(String::new, |fields| {
        format!("\nThe answer, at least:\n\n{FIELDS}{}", lines(fields, ""))
    });
    [head, arguments, rules, example, answer].concat()
}

fn manner(tool: &Tool) -> String {
    let place = match tool.handler {
        Handler::Browser | Handler::Bulk => "in a browser",
        Handler::Own(_) => "by Greenroom itself",
    };
    let effect = match tool.effect {
        Effect::Reads => "only looks",
        Effect::Acts => "acts",
    };
    let guard = if tool.guarded {
        ", only where a pool allows it"
    } else {
        ""
    };
    format!("{}: {place}, {effect}{guard}", tool.title)
}

/// One line for each parameter, and after it those of the objects that it holds.
fn lines(params: &[Param], path: &str) -> String {
    params.iter().map(|param| line(param, path)).collect()
}

fn line(param: &Param, path: &str) -> String {
    let place = format!("{path}{}", param.name);
    let (kind, need) = (type_name(param), need(param.need));
    let nested = match param.kind {
        Kind::Record(fields) => lines(fields, &format!("{place}.")),
        Kind::List(Kind::Record(fields)) => lines(fields, &format!("{place}[].")),
        _ => String::new(),
    };
    format!(
        "| `{place}` | {kind} | {need} | {} |\n{nested}",
        param.about
    )
}

fn type_name(param: &Param) -> String {
    let name = kind_name(&param.kind);
    if param.nullable {
        format!("{name} or null")
    } else {
        name
    }
}

fn kind_name(kind: &Kind) -> String {
    match kind {
        Kind::Text | Kind::AnyText => "text".to_owned(),
        Kind::Url => "web address".to_owned(),
        Kind::SessionId => "session id".to_owned(),
        Kind::Boolean => "true or false".to_owned(),
        Kind::Number { min } => at_least("number", *min),
        Kind::Whole { min } | Kind::Integer { min } => at_least("whole number", *min),
        Kind::Choice(words) => words.join(" \\| "),
        Kind::List(item) => format!("list of {}", kind_name(item)),
        Kind::Record(_) | Kind::FreeObject => "object".to_owned(),
        Kind::TextMap => "object of texts".to_owned(),
    }
}

fn at_least(name: &str, min: Option<i64>) -> String {
    min.map_or_else(|| name.to_owned(), |min| format!("{name} ≥ {min}"))
}

fn need(need: Need) -> String {
    match need {
        Need::Required => "yes".to_owned(),
        Need::Optional => "no".to_owned(),
        Need::Default(literal) => format!("default `{}`", schema::literal_value(literal)),
    }
}

fn sentence(rule: &Rule) -> String {
    let sentence = match rule {
        Rule::AtLeastOne(names) => format!("At least one of {} is needed.", listed(names)),
        Rule::ExactlyOne(names) => format!("Exactly one of {} is needed.", listed(names)),
        Rule::NotTogether(one, other) => format!("`{one}` and `{other}` exclude each other."),
        Rule::Requires(one, other) => format!("`{one}` needs `{other}`."),
        Rule::Needs { when, is, needs } => format!("`{when}` \"{is}\" needs `{needs}`."),
        Rule::NotEmpty(name) => format!("`{name}` holds at least one item."),
    };
    format!("\n{sentence}\n")
}

fn listed(names: &[&str]) -> String {
    names
        .iter()
        .map(|name| format!("`{name}`"))
        .collect::<Vec<_>>()
        .join(", ")
}
