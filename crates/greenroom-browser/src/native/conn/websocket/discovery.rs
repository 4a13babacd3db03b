//! From the address of a browser to the address of its websocket.
//!
//! A browser that listens on a port tells at `/json/version` where its websocket is, as seen by
//! itself: behind a container's port mapping that may be an address which means nothing here, so
//! a loopback host in the answer stands for the host that was asked.

use http_body_util::{BodyExt as _, Empty, Limited};
use hyper::body::Bytes;
use hyper::client::conn::http1;
use hyper::header::HOST;
use hyper::{Request, StatusCode, Uri};
use hyper_util::rt::TokioIo;
use serde::Deserialize;
use tokio::net::TcpStream;

use super::error::{EndpointError, shown};

/// The answer is a few hundred bytes.
const LONGEST_ANSWER: usize = 64 * 1024;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Version {
    web_socket_debugger_url: String,
}

/// The address to open. One that is a websocket's already is taken as it is.
pub(super) async fn websocket_address(endpoint: &str) -> Result<String, EndpointError> {
    let malformed = |reason: &str| EndpointError::Malformed {
        endpoint: shown(endpoint),
        reason: reason.to_owned(),
    };
    let uri: Uri = endpoint.parse().map_err(|_| malformed("it is no URL"))?;
    if uri.host().unwrap_or_default().is_empty() {
        return Err(malformed("it names no host"));
    }
    match uri.scheme_str() {
        Some("ws") => Ok(endpoint.to_owned()),
        Some("http") => ask(&uri).await,
        Some("wss" | "https") => Err(malformed(
            "encrypted connections are not served; put a proxy that speaks TLS in between",
        )),
        _ => Err(malformed("its scheme is neither ws nor http")),
    }
}

async fn ask(endpoint: &Uri) -> Result<String, EndpointError> {
    let authority = endpoint
        .authority()
        .map_or("", |authority| authority.as_str());
    // Chromium answers only requests that name an address or localhost, so that a name on a web
    // page cannot be made to lead to it. A proxy in front may want its own name instead.
    let (mut status, mut body) = get(endpoint, authority).await?;
    if status != StatusCode::OK {
        (status, body) = get(endpoint, "localhost").await?;
    }
    let not_a_browser = |reason: String| EndpointError::NotABrowser {
        endpoint: shown(&endpoint.to_string()),
        reason,
    };
    if status != StatusCode::OK {
        return Err(not_a_browser(format!("it answers {status}")));
    }
    let version: Version =
        serde_json::from_slice(&body).map_err(|error| not_a_browser(error.to_string()))?;
    let told = version.web_socket_debugger_url;
    reachable(&told, authority).ok_or_else(|| not_a_browser("it names no websocket".to_owned()))
}

async fn get(endpoint: &Uri, host: &str) -> Result<(StatusCode, Bytes), EndpointError> {
    let unreachable = |reason: String| EndpointError::Unreachable {
        endpoint: shown(&endpoint.to_string()),
        reason,
    };
    let name = endpoint.host().unwrap_or_default();
    let name = name.trim_start_matches('[').trim_end_matches(']');
    let stream = TcpStream::connect((name, endpoint.port_u16().unwrap_or(80))).await;
    let stream = stream.map_err(|error| unreachable(error.to_string()))?;
    let path = format!("{}/json/version", endpoint.path().trim_end_matches('/'));
    let path = match endpoint.query() {
        Some(query) => format!("{path}?{query}"),
        None => path,
    };
    let request = Request::get(path)
        .header(HOST, host)
        .body(Empty::<Bytes>::new());
    let request = request.map_err(|error| unreachable(error.to_string()))?;
    let exchange = async {
        let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
        let answer = async {
            let response = sender.send_request(request).await?;
            let status = response.status();
            let body = Limited::new(response.into_body(), LONGEST_ANSWER).collect();
            Ok((status, body.await?.to_bytes()))
        };
        let mut answer = std::pin::pin!(answer);
        tokio::select! {
            answer = &mut answer => answer,
            // The connection may end with the answer already here.
            _ = connection => answer.await,
        }
    };
    let done: Result<_, Box<dyn std::error::Error + Send + Sync>> = exchange.await;
    done.map_err(|error| unreachable(error.to_string()))
}

/// The websocket's address as it can be reached from here.
fn reachable(told: &str, asked: &str) -> Option<String> {
    let uri: Uri = told.parse().ok()?;
    let scheme = uri.scheme_str().filter(|scheme| *scheme == "ws")?;
    let host = uri.host()?;
    let itself =
        matches!(host, "localhost" | "0.0.0.0" | "[::1]" | "[::]") || host.starts_with("127.");
    let authority = if itself {
        asked
    } else {
        uri.authority()?.as_str()
    };
    let path = uri.path_and_query().map_or("/", |path| path.as_str());
    Some(format!("{scheme}://{authority}{path}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_browser_that_names_itself_is_reached_where_it_was_asked() {
        let table = [
            (
                "ws://127.0.0.1:9222/devtools/browser/1",
                Some("ws://chrome:3000/devtools/browser/1"),
            ),
            (
                "ws://localhost/devtools/browser/1?a=b",
                Some("ws://chrome:3000/devtools/browser/1?a=b"),
            ),
            (
                "ws://grid.example:4444/s/1",
                Some("ws://grid.example:4444/s/1"),
            ),
            ("http://localhost/", None),
            ("", None),
        ];
        for (told, expected) in table {
            assert_eq!(
                reachable(told, "chrome:3000").as_deref(),
                expected,
                "{told}"
            );
        }
    }

    #[tokio::test]
    async fn what_is_no_address_of_a_browser_says_why() {
        let table = [
            ("localhost:9222", "scheme"),
            ("ftp://h/", "scheme"),
            ("wss://h/", "TLS"),
            ("two words", "no URL"),
        ];
        for (endpoint, why) in table {
            let error = websocket_address(endpoint).await.unwrap_err().to_string();
            assert!(error.contains(why), "{endpoint}: {error}");
        }
    }
}
