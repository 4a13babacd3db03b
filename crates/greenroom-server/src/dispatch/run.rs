//! One command in one world.

use std::sync::Arc;

use greenroom_browser::call::{self, Death, EngineError, Reply, Stage};

use serde_json::{Map, Value};

use super::uploads;
use super::world::{Entered, World};
use super::{CallError, Dispatcher};
use crate::identity::Caller;
use crate::record::{Ran, Record};
use crate::service::{Answer, Progress, ProgressSink};
use crate::tools::row::Effect;
use crate::tools::validate::{Address, Command};

/// The tools that need no earlier page: a call of one may open a session of its own.
pub(super) const OPENS: &str = "browser_navigate";

impl Dispatcher {
    pub(super) async fn run_one(
        &self,
        caller: &Caller,
        command: Command,
        address: &Address,
        progress: Option<&ProgressSink>,
        record: &mut Record,
    ) -> Result<Ran, CallError> {
        let tool = command.tool.name().to_owned();
        let world = self.world(caller, address, &tool, tool == OPENS).await?;
        self.permit(&tool, &world)?;
        record.started(world.session(), world.pool().name());
        announce(progress, &world);
        let mut entered = match world.enter(caller, &tool).await {
            Ok(entered) => entered,
            Err(error) => return Ok(self.not_entered(&world, error).await),
        };
        let mut evidence = entered.evidence(&world);
        let executed = self.execute(caller, &mut entered, &command).await;
        let mut answer = match executed {
            Ok(mut reply) => {
                evidence.raw = Some(std::mem::take(&mut reply.raw));
                evidence.take(&mut reply);
                Answer::from_reply(&mut reply)
            }
            Err(error) => error.into_answer(),
        };
        note_lost_state(&mut answer, &world, &entered);
        Ok(Ran { answer, evidence })
    }

    /// Runs one command, with the files that it names by blob id laid out for its browser.
    pub(super) async fn execute(
        &self,
        caller: &Caller,
        entered: &mut Entered,
        command: &Command,
    ) -> Result<Reply, CallError> {
        let lease = entered
            .browser()
            .expect("BUG: a command after the browser was given back");
        let store = self.0.journal.store();
        let arguments = uploads::lay_out(store, &caller.principal, lease, command).await?;
        execute(entered, command, arguments).await
    }

    /// Code that runs outside the page's sandbox needs the pool's word.
    pub(super) fn permit(&self, tool: &str, world: &World) -> Result<(), CallError> {
        let pool = world.pool();
        if tool != "browser_run_code_unsafe" || pool.allows_run_code() {
            return Ok(());
        }
        Err(CallError::RunCodeRefused {
            pool: pool.name().to_owned(),
            allowed: self.fleet().pools_that_run_code(),
        })
    }
}

/// Tells the caller if the world is not the one that it left.
pub(super) fn note_lost_state(answer: &mut Answer, world: &World, entered: &Entered) {
    if let Some(why) = entered.lost() {
        let what = world.pool().what_a_world_holds();
        answer.note_lost_state(&format!("{} ({what}) is gone: {why}", entered.owner()));
    }
}

/// A client that can show progress learns that it waits, and for what.
pub(super) fn announce(progress: Option<&ProgressSink>, world: &World) {
    let waits_for = || match world.has_browser() {
        true => None,
        false => world.pool().what_a_caller_waits_for(),
    };
    let (Some(progress), Some(message)) = (progress, waits_for()) else {
        return;
    };
    progress(Progress {
        progress: 0.0,
        total: None,
        message,
    });
}

/// Runs one command on the browser that was entered, within the `TIMEOUT` of its instance.
async fn execute(
    entered: &mut Entered,
    command: &Command,
    arguments: Map<String, Value>,
) -> Result<Reply, CallError> {
    let tool = command.tool.name().to_owned();
    let lease = entered
        .browser()
        .expect("BUG: a command after the browser was given back");
    let browser = lease.browser();
    let timeout = browser.timeout();
    let call = call::Call {
        tool: tool.clone(),
        arguments,
    };
    let result = tokio::select! {
        biased;
        result = browser.engine().call(&call, timeout) => result,
        reason = lease.lost() => Err(EngineError::Died {
            death: Arc::new(Death::new(&*reason)),
            sent: true,
        }),
    };
    let error = match result {
        Ok(reply) => {
            entered.observe(&reply);
            // The engine gave up waiting by itself. Its page may be slow, or its browser gone in
            // all but name; the next caller must not find that out the same way.
            if reply.timed_out() && !lease.answers().await {
                entered.fail("its browser no longer answers");
            }
            return Ok(reply);
        }
        Err(error) => error,
    };
    let (pool, instance) = (lease.pool_name().to_owned(), lease.name().to_string());
    // Work that was given up on and outlasts a whole further deadline will not end by itself.
    let stuck = matches!(
        error,
        EngineError::Timeout {
            stage: Stage::Waiting,
            ..
        }
    );
    let suspect = stuck || (error.needs_probe() && !lease.answers().await);
    if suspect || error.poisons_instance() {
        entered.fail(&error.to_string());
    }
    let may_have_happened =
        command.tool.effect() == Effect::Acts && error.outcome_unknown_for_actions();
    Err(match error {
        EngineError::Timeout { .. } if !suspect => CallError::TimedOut {
            tool,
            after: timeout,
            pool,
            may_have_happened,
        },
        EngineError::Timeout { .. }
        | EngineError::Died { .. }
        | EngineError::BrowserLost { .. } => CallError::Lost {
            tool,
            pool,
            instance,
            reason: error.to_string(),
            may_have_happened,
        },
        error => CallError::Engine {
            tool,
            pool,
            reason: error.to_string(),
            may_have_happened,
        },
    })
}
