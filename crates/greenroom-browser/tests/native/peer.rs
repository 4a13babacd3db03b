//! A browser that is a script: the other end of a connection, in memory.

use std::future::Future as _;
use std::pin::pin;
use std::task::Poll;

use greenroom_browser::call::Death;
use greenroom_browser::native::conn::{Connection, Frame, FrameReader};
use serde_json::{Value, json};
use tokio::io::{AsyncWriteExt as _, DuplexStream, ReadHalf, WriteHalf, duplex, split};
use tokio::sync::oneshot;

pub(crate) struct Peer {
    reader: FrameReader<ReadHalf<DuplexStream>>,
    writer: WriteHalf<DuplexStream>,
    obituary: oneshot::Sender<Death>,
}

impl Peer {
    /// A connection and its other end, which holds `width` bytes on their way.
    pub(crate) fn connect(width: usize) -> (Connection, Self) {
        let (ours, theirs) = duplex(width);
        let (our_reader, our_writer) = split(ours);
        let (obituary, told) = oneshot::channel();
        let dies = async move {
            match told.await {
                Ok(death) => death,
                Err(_) => std::future::pending().await,
            }
        };
        let connection = Connection::over_pipe(our_reader, our_writer, dies);
        let (reader, writer) = split(theirs);
        let reader = FrameReader::new(reader, 1 << 30);
        let peer = Self {
            reader,
            writer,
            obituary,
        };
        (connection, peer)
    }

    /// Ends the streams. What the process died of can still be told.
    pub(crate) fn hang_up(self) -> oneshot::Sender<Death> {
        self.obituary
    }

    /// The next command.
    pub(crate) async fn command(&mut self) -> Value {
        match self.reader.next().await.unwrap() {
            Some(Frame::Message(text)) => serde_json::from_slice(&text).unwrap(),
            other => panic!("expected a command: {other:?}"),
        }
    }

    /// Waits for the beginning of a command, and reads no more than is there.
    pub(crate) async fn beginning_of_a_command(&mut self) {
        std::future::poll_fn(|context| {
            let whole = pin!(self.reader.next()).poll(context);
            assert!(whole.is_pending(), "the command must not fit");
            match self.reader.unfinished() {
                [] => Poll::Pending,
                _ => Poll::Ready(()),
            }
        })
        .await;
    }

    pub(crate) async fn say(&mut self, message: &Value) {
        self.write(format!("{message}\0").as_bytes()).await;
    }

    pub(crate) async fn write(&mut self, bytes: &[u8]) {
        self.writer.write_all(bytes).await.unwrap();
    }

    /// Answers a command.
    pub(crate) async fn answer(&mut self, command: &Value, result: Value) {
        let reply = json!({"id": command["id"], "result": result});
        self.say(&reply).await;
    }

    pub(crate) async fn event(&mut self, session: Option<&str>, method: &str, params: Value) {
        let mut event = json!({"method": method, "params": params});
        if let Some(session) = session {
            event["sessionId"] = session.into();
        }
        self.say(&event).await;
    }

    /// Tells of a new session with a page.
    pub(crate) async fn attach(&mut self, session: &str) {
        let info = json!({"targetId": format!("target of {session}"), "type": "page",
            "title": "", "url": "about:blank", "attached": true});
        let params = json!({"sessionId": session, "targetInfo": info, "waitingForDebugger": false});
        self.event(None, "Target.attachedToTarget", params).await;
    }

    pub(crate) async fn detach(&mut self, session: &str) {
        let params = json!({"sessionId": session});
        self.event(None, "Target.detachedFromTarget", params).await;
    }
}
