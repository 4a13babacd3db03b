//! `browser_network_request`.

mod details;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;

use super::arguments::Arguments;
use super::work::Work;
use crate::native::answer::Answer;
use crate::native::error::CdpError;
use crate::native::events::Exchange;
use crate::native::page::ToolError;
use crate::native::protocol::network::{GetRequestPostData, GetResponseBody};
use details::{details, headers, may_have_body};

pub(super) async fn request(work: &Work, arguments: &Arguments<'_>) -> Result<Answer, ToolError> {
    let index = arguments
        .whole("index")
        .ok_or_else(|| arguments.missing("index", "a number"))?;
    let page = work.page().await?;
    page.catch_up(work.deadline).await;
    let exchange = page.read(|books| books.journal.network.get(index).cloned());
    let exchange = exchange.ok_or_else(|| {
        ToolError::Argument(format!(
            "Request #{index} not found. Use browser_network_requests to see available indexes."
        ))
    })?;
    let filename = arguments.text("filename");
    match arguments.text("part") {
        None => {
            let text = details(index, &exchange);
            Ok(Answer::default().result_or_file("Request", text, filename))
        }
        Some(part) => show_part(work, &exchange, part, filename).await,
    }
}

async fn show_part(
    work: &Work,
    exchange: &Exchange,
    part: &str,
    filename: Option<&str>,
) -> Result<Answer, ToolError> {
    let answer = Answer::default();
    match part {
        "request-headers" => {
            let text = headers(&exchange.headers, "");
            Ok(answer.result_or_file("Request headers", text, filename))
        }
        "request-body" => match sent(work, exchange).await? {
            Some(text) => Ok(answer.result_or_file("Request body", text, filename)),
            None => Ok(answer.result("The request has no body.")),
        },
        "response-headers" => match exchange.response_headers() {
            Some(all) => Ok(answer.result_or_file("Response headers", headers(&all, ""), filename)),
            None => Ok(answer.result("There is no response yet. Ask again later.")),
        },
        "response-body" => received(work, exchange, filename).await,
        other => Err(ToolError::Argument(format!(
            "There is no part \"{other}\". Use request-headers, request-body, response-headers or response-body."
        ))),
    }
}

/// What was sent with a request.
async fn sent(work: &Work, exchange: &Exchange) -> Result<Option<String>, ToolError> {
    if exchange.post_data.is_some() || !exchange.has_post_data {
        return Ok(exchange.post_data.clone());
    }
    let ask = GetRequestPostData {
        request_id: exchange.id.clone(),
    };
    match exchange
        .session
        .call_within(work.deadline.left(), ask)
        .await
    {
        Ok(data) => Ok(Some(data.post_data)),
        Err(CdpError::Refused { .. }) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// What came back: as text where it is text, else as a file.
async fn received(
    work: &Work,
    exchange: &Exchange,
    filename: Option<&str>,
) -> Result<Answer, ToolError> {
    let answer = Answer::default();
    if !may_have_body(exchange) {
        return Ok(answer.result("The response has no body."));
    }
    let ask = GetResponseBody {
        request_id: exchange.id.clone(),
    };
    let body = match exchange
        .session
        .call_within(work.deadline.left(), ask)
        .await
    {
        Ok(body) => body,
        Err(error @ CdpError::Refused { .. }) => {
            return Ok(answer.result(format!(
                "The body is not kept any more ({error}). Do again what asked for it, then read it at once."
            )));
        }
        Err(error) => return Err(error.into()),
    };
    if !body.base64_encoded {
        return Ok(answer.result_or_file("Response body", body.body, filename));
    }
    let bytes = STANDARD
        .decode(&body.body)
        .map(Bytes::from)
        .unwrap_or_default();
    let name = filename.map_or_else(|| file_name(exchange), str::to_owned);
    Ok(answer.file("Response body", &name, bytes))
}

/// A name for a body that is not text, by its address.
fn file_name(exchange: &Exchange) -> String {
    let path = exchange.url.split(['?', '#']).next().unwrap_or_default();
    let last = path.rsplit('/').next().unwrap_or_default();
    if last.contains('.') && !last.contains(':') {
        last.to_owned()
    } else {
        "response.bin".to_owned()
    }
}
