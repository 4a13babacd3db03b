//! From a tool's name to its answer.
//!
//! A call goes one way: the catalogue validates it, a world is chosen and waited for, the engine
//! runs it, the answer is built. Dropping the future of a call cancels it at any point: it leaves
//! the queue, its command is abandoned, its lease goes back.

mod bulk;
mod error;
mod gate;
mod instructions;
mod own;
mod run;
mod status;
mod world;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use futures::FutureExt as _;
use futures::future::BoxFuture;
use serde_json::{Map, Value};
use tokio::time::{Instant, timeout_at};

use self::gate::Gate;
use crate::fleet::Fleet;
use crate::identity::{Caller, ConnectionId, Principal};
use crate::service::{Answer, Backend, ProgressSink, ToolView, UnknownTool};
use crate::session::{Registry, holding};
use crate::tools::extra::ExtraTools;
use crate::tools::refusal::Refusal;
use crate::tools::row::Effect;
use crate::tools::validate::{self, Call};
use crate::tools::{catalog, schema};

pub(crate) use error::CallError;

/// Greenroom itself: the backend that lends browsers.
#[derive(Clone)]
pub struct Dispatcher(Arc<Inner>);

struct Inner {
    fleet: Fleet,
    sessions: Arc<Registry>,
    listed: Mutex<Listed>,
    gate: Gate,
    next_connection: AtomicU64,
}

impl Dispatcher {
    /// Serves this fleet. Must be called within a runtime: one task per pool watches over the
    /// browsers that idle sessions hold.
    pub fn new(fleet: Fleet) -> Self {
        let sessions = Arc::new(Registry::default());
        for pool in fleet.pools() {
            tokio::spawn(holding::watch(
                Arc::downgrade(pool),
                Arc::downgrade(&sessions),
            ));
        }
        Self(Arc::new(Inner {
            fleet,
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
        let call =
            match validate::check(tool, Value::Object(arguments), &self.fleet().extra_tools()) {
                Ok(call) => call,
                Err(Refusal::UnknownTool { nearest, .. }) => {
                    let name = tool.to_owned();
                    return Err(UnknownTool { name, nearest });
                }
                Err(refusal) => return Ok(CallError::Invalid(refusal.to_string()).into_answer()),
            };
        let Some(_inside) = self.0.gate.admit() else {
            return Ok(CallError::ShuttingDown.into_answer());
        };
        let may_have_happened = acts(&call);
        let answer = tokio::select! {
            biased;
            // First, because the browsers are closed right afterwards, which says less.
            () = self.0.gate.is_cut_off() => Err(CallError::CutOff {
                tool: tool.to_owned(),
                may_have_happened,
            }),
            answer = self.run(caller, call, progress) => answer,
        };
        Ok(answer.unwrap_or_else(CallError::into_answer))
    }

    async fn run(
        &self,
        caller: &Caller,
        call: Call,
        progress: Option<&ProgressSink>,
    ) -> Result<Answer, CallError> {
        match call {
            Call::Browser { command, address } => {
                self.run_one(caller, command, &address, progress).await
            }
            Call::Bulk { bulk, address } => self.run_bulk(caller, bulk, &address, progress).await,
            Call::Own { tool, arguments } => self.run_own(caller, tool, &arguments),
        }
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

    /// Closes every browser.
    pub async fn close(&self) {
        self.0.gate.close();
        self.fleet().close().await;
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
        self.fleet().readiness()
    }

    fn open_connection(&self) -> ConnectionId {
        ConnectionId(self.0.next_connection.fetch_add(1, Ordering::Relaxed))
    }

    fn close_connection(&self, connection: ConnectionId) {
        self.sessions().close_connection(connection);
    }
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
