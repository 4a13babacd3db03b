//! `browser_network_requests`.

use regex::Regex;

use super::arguments::Arguments;
use super::work::Work;
use crate::native::answer::Answer;
use crate::native::events::{Exchange, Outcome};
use crate::native::page::ToolError;

/// Addresses that hold their content are shown by their beginning.
const SHOWN_DATA: usize = 100;

pub(super) async fn requests(work: &Work, arguments: &Arguments<'_>) -> Result<Answer, ToolError> {
    let page = work.page().await?;
    page.catch_up(work.deadline).await;
    let all: Vec<(usize, Exchange)> = page.read(|books| {
        let log = books.journal.network.list();
        log.map(|(number, exchange)| (number, exchange.clone()))
            .collect()
    });
    let of_page = |exchange: &Exchange| !exchange.is_fetch() && exchange.is_success();
    let (hidden, mut shown): (Vec<_>, Vec<_>) = all
        .into_iter()
        .partition(|(_, exchange)| !arguments.flag("static") && of_page(exchange));
    if let Some(filter) = arguments.text("filter") {
        matching(&mut shown, filter)?;
    }
    let mut lines: Vec<String> = shown
        .iter()
        .map(|(number, exchange)| format!("{number}. {}", line(exchange)))
        .collect();
    if !hidden.is_empty() {
        let (plural, them) = if hidden.len() == 1 {
            ("", "it")
        } else {
            ("s", "them")
        };
        lines.push(format!(
            "\nNote: {} static request{plural} not shown, run with \"static\" option to see {them}.",
            hidden.len()
        ));
    }
    let filename = arguments.text("filename");
    Ok(Answer::default().result_or_file("Network", lines.join("\n"), filename))
}

/// Keeps those whose address matches.
fn matching(shown: &mut Vec<(usize, Exchange)>, filter: &str) -> Result<(), ToolError> {
    let filter = Regex::new(filter).map_err(|error| {
        ToolError::Argument(format!(
            r"The filter {filter} is not a regular expression ({error}). Escape what is meant as it stands, such as \? and \."
        ))
    })?;
    shown.retain(|(_, exchange)| filter.is_match(&exchange.url));
    Ok(())
}

/// `[GET] address => [200] OK`
pub(super) fn line(exchange: &Exchange) -> String {
    let asked = format!(
        "[{}] {}",
        exchange.method.to_uppercase(),
        address(&exchange.url)
    );
    match &exchange.outcome {
        Outcome::Pending => asked,
        Outcome::Answered(response) => {
            format!("{asked} => [{}] {}", response.status, response.status_text)
                .trim_end()
                .to_owned()
        }
        Outcome::Failed(why) => format!("{asked} => [FAILED] {why}"),
    }
}

pub(super) fn address(url: &str) -> String {
    if url.starts_with("data:") && url.len() > SHOWN_DATA {
        return format!("{}…", &url[..url.floor_char_boundary(SHOWN_DATA)]);
    }
    url.to_owned()
}
