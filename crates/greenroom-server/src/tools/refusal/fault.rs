//! The kinds of problem, and their wording.

use super::super::urls::UrlFault;

/// What is wrong in one place. Every message is a fragment that follows the place, and
/// says what to do about it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say what the fields are")]
pub enum Fault {
    #[error("is not known here; use {0}")]
    Renamed(&'static str),
    #[error("is not known here; did you mean {0}?")]
    Misspelt(&'static str),
    #[error("is not known here; leave it out ({known})", known = known_names(.0))]
    Unknown(Vec<&'static str>),
    #[error("is missing; give {wanted}")]
    Missing { wanted: String },
    #[error("is empty; give {wanted}")]
    Empty { wanted: String },
    #[error("is {given}; give {wanted}")]
    WrongType { given: String, wanted: String },
    #[error("is {given}; give one of {}{}", .allowed.join(", "), guess(*.nearest))]
    NotAChoice {
        given: String,
        allowed: &'static [&'static str],
        nearest: Option<&'static str>,
    },
    #[error("is {given}; give {min} or more")]
    TooSmall { given: String, min: i64 },
    #[error("is {given}; give a whole number")]
    NotWhole { given: String },
    #[error("{0}")]
    Url(UrlFault),
    #[error(
        "is not usable as a session id; give 1 to {max} letters, digits and signs such as - and _, without spaces"
    )]
    SessionId { max: usize },
    #[error("none is given; give at least one of them")]
    NoneGiven,
    #[error("{given} are given; give exactly one of them")]
    NotExactlyOne { given: usize },
    #[error("exclude each other; leave one of them out")]
    Together,
    #[error("is missing; {when} \"{is}\" needs it")]
    Needed {
        when: &'static str,
        is: &'static str,
    },
    #[error("means nothing without {needs}; give {needs} too, or leave it out")]
    Alone { needs: &'static str },
    #[error("is an empty list; give at least one item")]
    EmptyList,
    #[error("there is no tool {given}; {}", instead_of_tool(.nearest.as_deref()))]
    UnknownTool {
        given: String,
        nearest: Option<String>,
    },
    #[error("cannot run inside a bulk; call {tool} on its own")]
    NotInBulk { tool: &'static str },
    #[error(
        "differs from the bulk's own; all commands share one browser, so give {name} beside commands or not at all"
    )]
    OtherAddress { name: &'static str },
    #[error("are nested deeper than {max} levels; send flatter data")]
    TooDeep { max: usize },
    #[error("are larger than {max} bytes; send less, or split it over several calls")]
    TooLarge { max: usize },
}

/// The last words about an unknown tool.
pub(super) fn instead_of_tool(nearest: Option<&str>) -> String {
    match nearest {
        Some(name) => format!("did you mean {name}?"),
        None => "see tools/list for what there is".to_owned(),
    }
}

fn known_names(known: &[&str]) -> String {
    if known.is_empty() {
        "there are no arguments".to_owned()
    } else {
        format!("known: {}", known.join(", "))
    }
}

fn guess(nearest: Option<&str>) -> String {
    nearest.map_or_else(String::new, |name| format!("; did you mean {name}?"))
}
