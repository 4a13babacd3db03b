//! A request in full, as text.

use super::super::network::address;
use crate::native::events::{Exchange, Outcome};

/// Whether there may be something in the answer.
pub(super) fn may_have_body(exchange: &Exchange) -> bool {
    exchange
        .response()
        .is_some_and(|response| !matches!(response.status, 100..=199 | 204 | 304))
}

/// All that is known of a request but its bodies.
pub(super) fn details(index: usize, exchange: &Exchange) -> String {
    let mut lines = vec![
        format!(
            "#{index} [{}] {}",
            exchange.method.to_uppercase(),
            address(&exchange.url)
        ),
        String::new(),
        "  General".to_owned(),
    ];
    match &exchange.outcome {
        Outcome::Answered(response) => {
            let status = format!(
                "    status:    [{}] {}",
                response.status, response.status_text
            );
            lines.push(status.trim_end().to_owned());
        }
        Outcome::Failed(why) => lines.push(format!("    status:    [FAILED] {why}")),
        Outcome::Pending => {}
    }
    if let Some(duration) = exchange.duration() {
        lines.push(format!("    duration:  {duration}ms"));
    }
    lines.push(format!("    type:      {}", exchange.kind));
    if let Some(kind) = exchange.response_header("content-type") {
        let kind = kind.split(';').next().unwrap_or_default().trim();
        lines.push(format!("    mimeType:  {kind}"));
    }
    push_headers(&mut lines, "Request headers", &exchange.headers);
    push_headers(
        &mut lines,
        "Response headers",
        &exchange.response_headers().unwrap_or_default(),
    );
    let mut hints = Vec::new();
    if exchange.has_post_data {
        hints.push(
            "Call browser_network_request with part=\"request-body\" to read the request body.",
        );
    }
    if may_have_body(exchange) {
        hints.push(
            "Call browser_network_request with part=\"response-body\" to read the response body.",
        );
    }
    if !hints.is_empty() {
        lines.push(String::new());
        lines.extend(hints.into_iter().map(str::to_owned));
    }
    lines.join("\n")
}

fn push_headers(lines: &mut Vec<String>, title: &str, all: &[(String, String)]) {
    if !all.is_empty() {
        lines.push(String::new());
        lines.push(format!("  {title}"));
        lines.push(headers(all, "    "));
    }
}

/// Headers as lines.
pub(super) fn headers(all: &[(String, String)], indent: &str) -> String {
    let line = |(name, value): &(String, String)| format!("{indent}{name}: {value}");
    all.iter().map(line).collect::<Vec<_>>().join("\n")
}
