//! A service whose calls do what their tool is called.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use futures::FutureExt;
use futures::future::BoxFuture;
use greenroom_server::identity::{Caller, ConnectionId, Principal};
use greenroom_server::service::{
    Answer, Backend, Progress, ProgressSink, Service, ToolView, UnknownTool,
};
use serde_json::{Map, Value, json};
use tokio::sync::Semaphore;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::soon;

/// What happened inside the service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    Opened(ConnectionId),
    Closed(ConnectionId),
    /// A call of `hang`, `gate` or `progress` is running.
    Started,
    /// Such a call was dropped before its end.
    Dropped,
}

/// The inside of the service.
pub struct Double {
    events: UnboundedSender<Event>,
    tools: Arc<Vec<ToolView>>,
    connections: AtomicU64,
    /// Lets calls of `gate` finish, one per permit.
    pub gate: Arc<Semaphore>,
    pub ready: AtomicBool,
}

/// The service, its inside, and what happens there.
pub struct Stage {
    pub service: Service,
    pub double: Arc<Double>,
    events: UnboundedReceiver<Event>,
}

impl Stage {
    pub fn new() -> Self {
        let (sender, events) = unbounded_channel();
        let names = ["echo", "whoami", "hang", "gate", "progress", "boom", "big"];
        let double = Arc::new(Double {
            events: sender,
            tools: Arc::new(names.map(tool).to_vec()),
            connections: AtomicU64::new(1),
            gate: Arc::new(Semaphore::new(0)),
            ready: AtomicBool::new(true),
        });
        Self {
            service: Service::new(double.clone()),
            double,
            events,
        }
    }

    pub async fn event(&mut self) -> Event {
        soon(self.events.recv()).await.expect("the service lives")
    }

    /// Asserts the next events, in order.
    pub async fn expect(&mut self, expected: &[Event]) {
        for event in expected {
            assert_eq!(&self.event().await, event);
        }
    }

    /// Asserts the next events, in order and without a wait: rmcp alone would give calls that
    /// nobody waits for two to five seconds.
    pub async fn expect_at_once(&mut self, expected: &[Event]) {
        tokio::time::timeout(Duration::from_millis(1500), self.expect(expected))
            .await
            .expect("this happens at once");
    }

    /// Whether nothing has happened that was not looked at.
    pub fn is_quiet(&mut self) -> bool {
        self.events.try_recv().is_err()
    }
}

fn tool(name: &str) -> ToolView {
    let schema = json!({"type": "object", "properties": {"text": {"type": "string"}}});
    ToolView {
        name: name.to_owned(),
        description: format!("Does {name}."),
        input_schema: Arc::new(schema.as_object().unwrap().clone()),
        output_schema: None,
        annotations: json!({"readOnlyHint": true, "title": name}),
    }
}

fn said(text: impl Into<String>) -> Answer {
    Answer {
        content: vec![json!({"type": "text", "text": text.into()})],
        ..Answer::default()
    }
}

/// Reports that a call was dropped before its end.
struct Tripwire(Option<UnboundedSender<Event>>);

impl Tripwire {
    fn start(events: UnboundedSender<Event>) -> Self {
        let _ = events.send(Event::Started);
        Self(Some(events))
    }

    fn arrive(mut self) {
        self.0 = None;
    }
}

impl Drop for Tripwire {
    fn drop(&mut self) {
        if let Some(events) = self.0.take() {
            let _ = events.send(Event::Dropped);
        }
    }
}

fn report(sink: &ProgressSink, progress: f64) {
    sink(Progress {
        progress,
        total: Some(3.0),
        message: format!("step {progress}"),
    });
}

impl Backend for Double {
    fn tools(&self) -> Arc<Vec<ToolView>> {
        self.tools.clone()
    }

    fn instructions(&self) -> String {
        "Browsers in named pools.".to_owned()
    }

    fn call(
        &self,
        caller: Caller,
        tool: String,
        arguments: Map<String, Value>,
        progress: Option<ProgressSink>,
    ) -> BoxFuture<'static, Result<Answer, UnknownTool>> {
        let events = self.events.clone();
        let gate = self.gate.clone();
        async move {
            Ok(match tool.as_str() {
                "echo" => said(arguments["text"].as_str().unwrap_or_default()),
                "whoami" => said(
                    json!({
                        "principal": caller.principal.as_str(),
                        "connection": caller.connection.map(|id| id.0),
                    })
                    .to_string(),
                ),
                "hang" => {
                    let _tripwire = Tripwire::start(events);
                    std::future::pending().await
                }
                "gate" => {
                    let tripwire = Tripwire::start(events);
                    gate.acquire().await.unwrap().forget();
                    tripwire.arrive();
                    said("through")
                }
                "progress" => {
                    let sink = progress.expect("the client asked for progress");
                    report(&sink, 1.0);
                    let tripwire = Tripwire::start(events);
                    gate.acquire().await.unwrap().forget();
                    report(&sink, 3.0);
                    tripwire.arrive();
                    said("done")
                }
                "boom" => panic!("as asked"),
                "big" => {
                    let bytes = arguments["bytes"].as_u64().unwrap();
                    said("x".repeat(usize::try_from(bytes).unwrap()))
                }
                _ => {
                    let nearest = Some("echo".to_owned());
                    return Err(UnknownTool {
                        name: tool,
                        nearest,
                    });
                }
            })
        }
        .boxed()
    }

    fn status(&self, principal: &Principal, pool: Option<&str>) -> Result<Value, String> {
        match pool {
            None | Some("MAIN") => Ok(json!({"pools": [], "asked_by": principal.as_str()})),
            Some(other) => Err(format!("unknown pool '{other}': there is MAIN")),
        }
    }

    fn readiness(&self) -> (bool, Value) {
        let ready = self.ready.load(Ordering::SeqCst);
        (ready, json!({"ready": ready}))
    }

    fn open_connection(&self) -> ConnectionId {
        let id = ConnectionId(self.connections.fetch_add(1, Ordering::SeqCst));
        let _ = self.events.send(Event::Opened(id));
        id
    }

    fn close_connection(&self, id: ConnectionId) {
        let _ = self.events.send(Event::Closed(id));
    }
}
