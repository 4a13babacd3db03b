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

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use futures::FutureExt as _;
use futures::future::BoxFuture;
use serde_json::{Map, Value};

use self::gate::Gate;
use crate::fleet::Fleet;
use crate::identity::{Caller, ConnectionId, Principal};
use crate::service::{Answer, Backend, ProgressSink, ToolView, UnknownTool};
use crate::session::{Registry, holding};
use crate::tools::refusal::Refusal;
use crate::tools::validate::{self, Call};
use crate::tools::{catalog, schema};

pub(crate) use error::CallError;

/// Greenroom itself: the backend that lends browsers.
#[derive(Clone)]
pub struct Dispatcher(Arc<Inner>);

struct Inner {
    fleet: Fleet,
    sessions: Arc<Registry>,
    rows: Vec<ToolView>,
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
            rows: catalog::rows().map(view).collect(),
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
        let answer = match call {
            Call::Browser { command, address } => {
                self.run_one(caller, command, &address, progress).await
            }
            Call::Bulk { bulk, address } => self.run_bulk(caller, bulk, &address, progress).await,
            Call::Own { tool, arguments } => self.run_own(caller, tool, &arguments),
        };
        Ok(answer.unwrap_or_else(CallError::into_answer))
    }

    /// Takes no new calls and waits for those that run, at most so long. Says whether all ended.
    pub async fn drain(&self, limit: Duration) -> bool {
        self.0.gate.close();
        tokio::time::timeout(limit, self.0.gate.empty())
            .await
            .is_ok()
    }

    /// Closes every browser.
    pub async fn close(&self) {
        self.0.gate.close();
        self.fleet().close().await;
    }
}

impl Backend for Dispatcher {
    fn tools(&self) -> Arc<Vec<ToolView>> {
        let extras = self.fleet().extra_tools();
        let extras = extras
            .iter()
            .filter_map(|extra| ToolView::from_entry(extra.entry()));
        Arc::new(self.0.rows.iter().cloned().chain(extras).collect())
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

fn view(row: &'static crate::tools::row::Tool) -> ToolView {
    ToolView {
        name: row.name.to_owned(),
        description: row.description.to_owned(),
        input_schema: Arc::new(schema::input(row)),
        output_schema: schema::output(row).map(Arc::new),
        annotations: Value::Object(schema::annotations(row)),
    }
}
