//! A browser that runs elsewhere: a websocket in place of the pipe.

mod discovery;
mod error;

use std::future::Future;
use std::io;
use std::time::Duration;

use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt as _, StreamExt as _};
use tokio::net::TcpStream;
use tokio::time::{Instant, timeout};
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{Error as WebSocketError, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async_with_config};

pub use error::EndpointError;

use super::Connection;
use super::frame::{FRAME_LIMIT, Frame};
use super::transport::{Sink, Source};

type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// Proxies between here and the browser end connections on which nothing moves.
const PULSE: Duration = Duration::from_secs(30);

/// A peer that has missed two signs of life is gone, though its socket does not know it.
const SILENCE: Duration = Duration::from_secs(75);

/// Connects to a browser: by its websocket (`ws://…`), or by the address at which it tells where
/// that is (`http://host:9222`).
pub async fn connect(endpoint: &str, deadline: Duration) -> Result<Connection, EndpointError> {
    let end = Instant::now() + deadline;
    let shown = error::shown(endpoint);
    let late = |_| EndpointError::Silent {
        endpoint: shown.clone(),
        after: deadline,
    };
    let address = timeout(deadline, discovery::websocket_address(endpoint));
    let address = address.await.map_err(late)??;
    let left = end.saturating_duration_since(Instant::now());
    let socket = timeout(left, open(&address)).await.map_err(late)?;
    let socket = socket.map_err(|reason| EndpointError::Unreachable {
        endpoint: shown.clone(),
        reason: reason.to_string(),
    })?;
    let (sink, source) = socket.split();
    let obituary = std::future::pending();
    Ok(Connection::over(Incoming(source), Outgoing(sink), obituary))
}

async fn open(address: &str) -> Result<Socket, WebSocketError> {
    let config = WebSocketConfig::default()
        .max_message_size(Some(FRAME_LIMIT))
        .max_frame_size(Some(FRAME_LIMIT));
    let request = address.into_client_request()?;
    let (socket, _) = connect_async_with_config(request, Some(config), true).await?;
    Ok(socket)
}

/// The half that is read. Proxies may send text as binary messages; both are taken.
struct Incoming(SplitStream<Socket>);

impl Source for Incoming {
    async fn next(&mut self) -> io::Result<Option<Frame>> {
        loop {
            let message = timeout(SILENCE, self.0.next()).await;
            let message = message.map_err(|_| io::Error::from(io::ErrorKind::TimedOut))?;
            return match message.transpose().map_err(failed)? {
                Some(Message::Text(text)) => Ok(Some(Frame::Message(text.into()))),
                Some(Message::Binary(bytes)) => Ok(Some(Frame::Message(bytes))),
                Some(Message::Close(_)) | None => Ok(None),
                // Pings are answered below this; a pong is only a sign of life.
                Some(Message::Ping(_) | Message::Pong(_) | Message::Frame(_)) => continue,
            };
        }
    }
}

/// The half that is written.
struct Outgoing(SplitSink<Socket, Message>);

impl Sink for Outgoing {
    const PULSE: Option<Duration> = Some(PULSE);

    async fn send(&mut self, messages: Vec<Vec<u8>>) -> io::Result<()> {
        for message in messages {
            let text = message.try_into().map_err(io::Error::other)?;
            self.0.feed(Message::Text(text)).await.map_err(failed)?;
        }
        self.0.flush().await.map_err(failed)
    }

    fn pulse(&mut self) -> impl Future<Output = io::Result<()>> + Send {
        let ping = self.0.send(Message::Ping(Vec::new().into()));
        async { ping.await.map_err(failed) }
    }
}

fn failed(error: WebSocketError) -> io::Error {
    match error {
        WebSocketError::Io(error) => error,
        other => io::Error::other(other),
    }
}
