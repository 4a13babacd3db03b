//! `browser_execute_bulk`: several commands on one lease, in order.

use greenroom_browser::call::{Content, Reply};
use serde_json::{Value, json};

use super::run::{OPENS, announce, note_lost_state};
use super::{CallError, Dispatcher};
use crate::identity::Caller;
use crate::record::{Ran, Record};
use crate::service::{Answer, Outcome, Progress, ProgressSink};
use crate::session::SessionId;
use crate::tools::validate::{Address, Bulk, BulkCommand};

const NAME: &str = "browser_execute_bulk";

/// What became of one command.
enum Step {
    Done(Box<Reply>),
    /// The tool or the browser failed; whether nobody can tell what happened.
    Failed {
        error: String,
        unknown: bool,
    },
    NotRun,
}

impl Dispatcher {
    pub(super) async fn run_bulk(
        &self,
        caller: &Caller,
        bulk: Bulk,
        address: &Address,
        progress: Option<&ProgressSink>,
        record: &mut Record,
    ) -> Result<Ran, CallError> {
        let opens = bulk
            .commands
            .first()
            .is_some_and(|first| first.command.tool.name() == OPENS);
        let world = self.world(caller, address, NAME, opens).await?;
        for command in &bulk.commands {
            self.permit(command.command.tool.name(), &world)?;
        }
        record.started(world.session(), world.pool().name());
        announce(progress, &world);
        let mut entered = match world.enter(caller, NAME).await {
            Ok(entered) => entered,
            Err(error) => return Ok(self.not_entered(&world, error).await),
        };
        let mut evidence = entered.evidence(&world);

        let total = bulk.commands.len();
        let mut steps: Vec<Step> = Vec::with_capacity(total);
        let mut stopped = false;
        for (index, BulkCommand { command, .. }) in bulk.commands.iter().enumerate() {
            // A browser that is gone cannot run the rest, whatever stop_on_error says.
            if stopped || !entered.is_alive() {
                steps.push(Step::NotRun);
                continue;
            }
            let tool = command.tool.name();
            if let Some(lease) = entered.browser() {
                lease.set_activity(Some(tool));
            }
            report_progress(progress, index, total, tool);
            let step = match self.execute(caller, &mut entered, command).await {
                Ok(mut reply) => {
                    evidence.take(&mut reply);
                    Step::of(reply)
                }
                Err(error) => Step::Failed {
                    unknown: error.outcome_unknown(),
                    error: error.to_string(),
                },
            };
            stopped = bulk.stop_on_error && matches!(step, Step::Failed { .. });
            steps.push(step);
        }
        let session = entered.session().map(SessionId::as_str);
        let mut answer = report(&bulk, steps, session, entered.lost());
        // Whoever asked for results reads those again, not the page that the last one left.
        if bulk.return_all_results || bulk.commands.iter().any(|each| each.return_result) {
            evidence.snapshot = None;
        }
        note_lost_state(&mut answer, &world, &entered);
        Ok(Ran { answer, evidence })
    }
}

impl Step {
    fn of(reply: Reply) -> Self {
        if reply.is_error {
            return Self::Failed {
                error: all_text(&reply),
                unknown: false,
            };
        }
        Self::Done(Box::new(reply))
    }
}

fn all_text(reply: &Reply) -> String {
    let texts: Vec<&str> = reply.content.iter().filter_map(Content::as_text).collect();
    texts.join("\n")
}

fn report_progress(progress: Option<&ProgressSink>, done: usize, total: usize, tool: &str) {
    if let Some(progress) = progress {
        progress(Progress {
            progress: done as f64 + 1.0,
            total: Some(total as f64),
            message: format!("{tool} ({} of {total})", done + 1),
        });
    }
}

/// What ran, what failed, what did not run, and the results that were asked for.
///
/// The facts that other answers carry in their text are in the data too: clients that read
/// structured content drop the text. Where pictures were asked for there is no structured content,
/// because such clients would drop the pictures as well.
fn report(bulk: &Bulk, steps: Vec<Step>, session: Option<&str>, lost: Option<&str>) -> Answer {
    let (mut completed, mut failed, mut not_run, mut unknown) = (0, 0, 0, false);
    let mut results = Vec::with_capacity(steps.len());
    let mut pictures = Vec::new();
    for (index, (command, step)) in bulk.commands.iter().zip(steps).enumerate() {
        let mut entry = json!({"index": index, "tool": command.command.tool.name()});
        match step {
            Step::Done(reply) => {
                completed += 1;
                entry["status"] = "success".into();
                if bulk.return_all_results || command.return_result {
                    let content: Vec<Value> = reply.content.into_iter().map(Value::from).collect();
                    pictures.extend(content.iter().filter(|block| is_picture(block)).cloned());
                    entry["result"] = json!({"content": content});
                }
            }
            Step::Failed {
                error,
                unknown: nobody_knows,
            } => {
                failed += 1;
                unknown |= nobody_knows;
                entry["status"] = "error".into();
                entry["error"] = error.into();
            }
            Step::NotRun => {
                not_run += 1;
                entry["status"] = "not_run".into();
            }
        }
        results.push(entry);
    }
    let outcome = match (unknown, failed) {
        (true, _) => Outcome::Unknown,
        (false, 0) => Outcome::Success,
        (false, _) => Outcome::Error,
    };
    let mut data = json!({
        "status": if failed == 0 { "success" } else { "error" },
        "outcome": outcome.as_str(),
        "session_id": session,
        "completed": completed,
        "failed": failed,
        "not_run": not_run,
        "results": results,
    });
    if let Some(why) = lost {
        data["state_lost"] = why.into();
    }
    // The text leaves pictures to the picture blocks after it: base64 in a text is paid in tokens.
    strip_pictures(&mut data);
    let mut answer = Answer::data(data);
    if !pictures.is_empty() {
        answer.structured = None;
    }
    answer.content.extend(pictures);
    answer.is_error = failed > 0;
    answer.outcome = outcome;
    answer
}

fn is_picture(block: &Value) -> bool {
    block.get("type").is_some_and(|kind| kind == "image")
}

fn strip_pictures(value: &mut Value) {
    match value {
        Value::Object(block) if block.get("type").is_some_and(|kind| kind == "image") => {
            block.insert("data".to_owned(), "(follows this text)".into());
        }
        Value::Object(fields) => fields.values_mut().for_each(strip_pictures),
        Value::Array(items) => items.iter_mut().for_each(strip_pictures),
        _ => {}
    }
}
