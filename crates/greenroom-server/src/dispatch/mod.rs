//! From a tool's name to its answer.
//!
//! A call goes one way: the catalogue validates it, a world is chosen and waited for, the engine
//! runs it, the answer is recorded and then given. Dropping the future of a call cancels it at any point: it leaves
//! the queue, its command is abandoned, its lease goes back.

mod blobs;
mod bulk;
mod error;
mod gate;
mod instructions;
mod own;
mod run;
mod status;
mod uploads;
mod world;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures::FutureExt as _;
use futures::future::BoxFuture;
use serde_json::{Map, Value};
use tokio::time::{Instant, timeout, timeout_at};

use self::gate::Gate;
use crate::fleet::Fleet;
use crate::identity::{Caller, ConnectionId, Principal};
use crate::record::{Journal, Ran, Record};
use crate::reply::Mode;
use crate::service::{
    Answer, Backend, BlobView, Facts, Incoming, ProgressSink, Refusal as ServiceRefusal, ToolView,
    UnknownTool,
};
use crate::session::{Registry, expiry, holding};
use crate::tools::extra::ExtraTools;
use crate::tools::refusal::Refusal;
use crate::tools::row::Effect;
use crate::tools::validate::{self, Call};
use crate::tools::{catalog, schema};

pub(crate) use error::CallError;
pub(crate) use own::{describe_dormant, list};

/// How long calls may take to write their last answer once every browser is closed.
const LAST_WRITES: Duration = Duration::from_secs(1);

/// Greenroom itself: the backend that lends browsers.
#[derive(Clone)]
pub struct Dispatcher(Arc<Inner>);

struct Inner {
    fleet: Fleet,
    journal: Journal,
    sessions: Arc<Registry>,
    listed: Mutex<Listed>,
    gate: Gate,
    next_connection: AtomicU64,
}

impl Dispatcher {
    /// Serves this fleet and records in this journal. Must be called within a runtime: one task per
    /// pool watches over the browsers that idle sessions hold.
    pub fn new(fleet: Fleet, journal: Journal) -> Self {
        let sessions = Arc::new(Registry::new(journal.store().clone()));
        for pool in fleet.pools() {
            tokio::spawn(holding::watch(
                Arc::downgrade(pool),
                Arc::downgrade(&sessions),
            ));
        }
        // A row does not say by which pool's SESSION_TTL it lives: the longest is safe for all.
        let ttl = fleet.pools().map(|pool| pool.session_ttl()).max();
        if let Some(ttl) = ttl {
            tokio::spawn(expiry::watch(Arc::downgrade(&sessions), ttl));
        }
        Self(Arc::new(Inner {
            fleet,
            journal,
            sessions,
            listed: Mutex::default(),
            gate: Gate::default(),
            next_connection: AtomicU64::new(1),
        }))
    }

    fn fleet(&self) -> &Fleet {
        &self.0.fleet
    }

    fn sessions(&self) -> &Registry {
        &self.0.sessions
    }

    async fn answer(
        &self,
        caller: &Caller,
        tool: &str,
        arguments: Map<String, Value>,
        progress: Option<&ProgressSink>,
    ) -> Result<Answer, UnknownTool> {
        let Some(_inside) = self.0.gate.admit() else {
            return Ok(CallError::ShuttingDown.into_answer());
        };
        let mut record = self.0.journal.begin(caller, tool, &arguments);
        let call =
            match validate::check(tool, Value::Object(arguments), &self.fleet().extra_tools()) {
                Ok(call) => call,
                Err(Refusal::UnknownTool { nearest, .. }) => {
                    record.forget();
                    let name = tool.to_owned();
                    return Err(UnknownTool { name, nearest });
                }
                Err(refusal) => {
                    let answer = CallError::Invalid(refusal.to_string()).into_answer();
                    return Ok(record.finish(answer.into(), Mode::Inline).await);
                }
            };
        if let Call::Own { tool, arguments } = &call
            && tool.reads_the_record()
        {
            record.forget();
            let read = arguments.get("ref_id").and_then(Value::as_str);
            let answer = self.run_own(caller, *tool, arguments).await;
            return Ok(match answer {
                Ok(answer) => sign_reading(answer, read),
                Err(error) => sign_reading(error.into_answer(), None),
            });
        }
        let mode = self.mode(&call);
        let may_have_happened = acts(&call);
        let ran = tokio::select! {
            biased;
            // First, because the browsers are closed right afterwards, which says less.
            () = self.0.gate.is_cut_off() => Err(CallError::CutOff {
                tool: tool.to_owned(),
                may_have_happened,
            }),
            ran = self.run(caller, call, progress, &mut record) => ran,
        };
        let ran = ran.unwrap_or_else(|error| error.into_answer().into());
        Ok(record.finish(ran, mode).await)
    }

    async fn run(
        &self,
        caller: &Caller,
        call: Call,
        progress: Option<&ProgressSink>,
        record: &mut Record,
    ) -> Result<Ran, CallError> {
        match call {
            Call::Browser { command, address } => {
                self.run_one(caller, command, &address, progress, record)
                    .await
            }
            Call::Bulk { bulk, address } => {
                self.run_bulk(caller, bulk, &address, progress, record)
                    .await
            }
            Call::Own { tool, arguments } => {
                self.run_own(caller, tool, &arguments).await.map(Ran::from)
            }
        }
    }

    /// How much of its answer a call wants. What Greenroom answers itself is always said.
    fn mode(&self, call: &Call) -> Mode {
        let asked = match call {
            Call::Browser { address, .. } | Call::Bulk { address, .. } => address.response_mode,
            Call::Own { .. } => Some(Mode::Inline),
        };
        asked.unwrap_or(self.0.journal.rules().mode)
    }

    /// Takes no new calls and waits for those that run. Those that have not ended by then are
    /// answered that they were cut off. Says whether all ended by themselves.
    pub async fn drain(&self, deadline: Instant) -> bool {
        self.0.gate.close();
        let ended = timeout_at(deadline, self.0.gate.empty()).await.is_ok();
        if !ended {
            self.0.gate.cut_off();
        }
        ended
    }

    /// Closes every browser, then the record.
    pub async fn close(&self) {
        self.0.gate.close();
        self.fleet().close().await;
        // A call that was cut off has an answer by now, which is still to be written.
        let _ = timeout(LAST_WRITES, self.0.gate.empty()).await;
        self.0.journal.close().await;
    }
}

/// The list of tools, made anew only when an upstream brings tools of its own.
#[derive(Default)]
struct Listed {
    extras: Option<Arc<ExtraTools>>,
    tools: Arc<Vec<ToolView>>,
}

impl Listed {
    fn tools(&mut self, extras: Arc<ExtraTools>) -> Arc<Vec<ToolView>> {
        let known = self.extras.as_ref();
        if !known.is_some_and(|known| Arc::ptr_eq(known, &extras)) {
            let views = extras
                .iter()
                .filter_map(|extra| ToolView::from_entry(extra.entry()));
            self.tools = Arc::new(catalog::rows().map(view).chain(views).collect());
            self.extras = Some(extras);
        }
        self.tools.clone()
    }
}

impl Backend for Dispatcher {
    fn tools(&self) -> Arc<Vec<ToolView>> {
        let mut listed = self.0.listed.lock().unwrap_or_else(PoisonError::into_inner);
        listed.tools(self.fleet().extra_tools())
    }

    fn instructions(&self) -> String {
        instructions::write(self.fleet())
    }

    fn call(
        &self,
        caller: Caller,
        tool: String,
        arguments: Map<String, Value>,
        progress: Option<ProgressSink>,
    ) -> BoxFuture<'static, Result<Answer, UnknownTool>> {
        let this = self.clone();
        async move {
            this.answer(&caller, &tool, arguments, progress.as_ref())
                .await
        }
        .boxed()
    }

    fn status(&self, principal: &Principal, pool: Option<&str>) -> Result<Value, String> {
        self.pool_status(principal, pool)
            .map_err(|error| error.to_string())
    }

    fn readiness(&self) -> (bool, Value) {
        let (ready, mut body) = self.fleet().readiness();
        body["store"] = self.0.journal.health();
        (ready, body)
    }

    fn blobs(
        &self,
        principal: Principal,
        limit: usize,
    ) -> BoxFuture<'static, Result<Vec<BlobView>, ServiceRefusal>> {
        let this = self.clone();
        async move { blobs::list(this.0.journal.store(), &principal, limit).await }.boxed()
    }

    fn open_blob(
        &self,
        principal: Principal,
        id: String,
    ) -> BoxFuture<'static, Result<(BlobView, tokio::fs::File), ServiceRefusal>> {
        let this = self.clone();
        async move { blobs::open(this.0.journal.store(), &principal, &id).await }.boxed()
    }

    fn put_blob(
        &self,
        principal: Principal,
        mime_type: String,
        bytes: Incoming,
    ) -> BoxFuture<'static, Result<BlobView, ServiceRefusal>> {
        let this = self.clone();
        async move { blobs::put(this.0.journal.store(), &principal, mime_type, bytes).await }
            .boxed()
    }

    fn open_connection(&self) -> ConnectionId {
        ConnectionId(self.0.next_connection.fetch_add(1, Ordering::Relaxed))
    }

    fn close_connection(&self, connection: ConnectionId) {
        self.sessions().close_connection(connection);
    }
}

/// Reading is not recorded itself, so it has no name of its own: it says what was read. Its text has a
/// closing line already, or is a refusal that needs none.
fn sign_reading(mut answer: Answer, read: Option<&str>) -> Answer {
    answer.sign(&Facts {
        ref_id: read,
        session_id: None,
        persisted: true,
        closing_line: false,
    });
    answer
}

/// Whether a call changes something in a page.
fn acts(call: &Call) -> bool {
    match call {
        Call::Browser { command, .. } => command.tool.effect() == Effect::Acts,
        Call::Bulk { bulk, .. } => {
            let mut commands = bulk.commands.iter();
            commands.any(|bulk| bulk.command.tool.effect() == Effect::Acts)
        }
        Call::Own { .. } => false,
    }
}

fn view(row: &'static crate::tools::row::Tool) -> ToolView {
    ToolView {
        name: row.name.to_owned(),
        description: row.description.to_owned(),
        input_schema: Arc::new(schema::input(row)),
        output_schema: schema::output(row).map(Arc::new),
        annotations: Value::Object(schema::annotations(row)),
    }
}
