//! Relations between the keys of the server.

use std::path::PathBuf;

use crate::error::Fault;
use crate::keys::Key;
use crate::merge::Merged;
use crate::notice::Notice;
use crate::problem::Problem;
use crate::scope::Scope;
use crate::values::is_loopback;
use crate::values::value::AuthToken;

/// Shorter tokens can be guessed by trying.
const SHORTEST_GOOD_TOKEN: usize = 16;

pub(crate) fn check(merged: &Merged, problems: &mut Vec<Problem>, notices: &mut Vec<Notice>) {
    problems.extend(open_to_others(merged));
    problems.extend(no_data_dir(merged));
    notices.extend(short_tokens(merged));
    notices.extend(unreachable_by_name(merged));
}

fn open_to_others(merged: &Merged) -> Option<Problem> {
    let host = merged.effective(&Scope::Global, Key::ServerHost);
    let tokens = merged.effective(&Scope::Global, Key::AuthTokens);
    let name: String = host.get()?;
    let open = !is_loopback(&name) && !tokens.is_set();
    open.then(|| Problem::at(host.origin, Fault::OpenToOthers { host: name }))
}

fn no_data_dir(merged: &Merged) -> Option<Problem> {
    let directory = merged.effective(&Scope::Global, Key::DataDir);
    let missing = !directory.is_set() && directory.get::<PathBuf>().is_none();
    missing.then_some(Problem {
        place: None,
        fault: Fault::NoDataDir,
    })
}

fn short_tokens(merged: &Merged) -> Option<Notice> {
    let effective = merged.effective(&Scope::Global, Key::AuthTokens);
    let tokens: Vec<AuthToken> = effective.get()?;
    let short: Vec<&str> = tokens
        .iter()
        .filter(|token| token.token.expose().len() < SHORTEST_GOOD_TOKEN)
        .map(|token| token.name.as_str())
        .collect();
    (!short.is_empty()).then(|| Notice::Advice {
        place: Some(effective.origin),
        text: format!(
            "the token of {} is short enough to be guessed; use {SHORTEST_GOOD_TOKEN} random characters or more",
            short.join(", ")
        ),
    })
}

/// Whoever listens for other machines must also accept the name by which
/// these call it.
fn unreachable_by_name(merged: &Merged) -> Option<Notice> {
    let host = merged.effective(&Scope::Global, Key::ServerHost);
    let allowed = merged.effective(&Scope::Global, Key::AllowedHosts);
    let open = !is_loopback(&host.get::<String>()?) && !allowed.is_set();
    open.then(|| Notice::Advice {
        place: Some(host.origin.clone()),
        text: format!(
            "{} listens for other machines, but {} serves requests to this one only; add the name by which it is called to ALLOWED_HOSTS",
            host.told(),
            allowed.told()
        ),
    })
}
