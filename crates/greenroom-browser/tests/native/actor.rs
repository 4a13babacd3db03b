//! An instance of the native engine with a site to visit.

use std::time::Duration;

use greenroom_browser::call::{Call, Content, EngineError, Reply};
use greenroom_browser::native::engine::NativeInstance;
use serde_json::{Map, Value};

use crate::local::Local;
use crate::stage::{GRACE, LONG, SHELL, Stage, spec};

pub(crate) struct Actor {
    pub(crate) stage: Stage,
    pub(crate) instance: NativeInstance,
    pub(crate) site: Local,
}

impl Actor {
    pub(crate) async fn enter() -> Self {
        Self::enter_with(&[]).await
    }

    /// With a browser that is started with these arguments.
    pub(crate) async fn enter_with(args: &[&str]) -> Self {
        let stage = Stage::open().await;
        let mut spec = spec(SHELL);
        spec.args = args.iter().map(|&arg| arg.to_owned()).collect();
        let started = NativeInstance::start("TEST", &spec, &stage.host).await;
        let instance = started.unwrap_or_else(|error| panic!("{error}"));
        let site = Local::start().await;
        Self {
            stage,
            instance,
            site,
        }
    }

    /// Calls a tool, whatever comes of it.
    pub(crate) async fn attempt(&self, tool: &str, arguments: Value) -> Result<Reply, EngineError> {
        self.attempt_within(LONG, tool, arguments).await
    }

    pub(crate) async fn attempt_within(
        &self,
        deadline: Duration,
        tool: &str,
        arguments: Value,
    ) -> Result<Reply, EngineError> {
        let call = Call {
            tool: tool.to_owned(),
            arguments: as_map(arguments),
        };
        self.instance.call(&call, deadline).await
    }

    /// Calls a tool that must succeed.
    pub(crate) async fn call(&self, tool: &str, arguments: Value) -> Reply {
        let reply = self.attempt(tool, arguments).await;
        let reply = reply.unwrap_or_else(|error| panic!("{tool}: {error}"));
        assert!(!reply.is_error, "{tool}: {}", text(&reply));
        reply
    }

    /// Calls a tool that must be refused, and gives the refusal.
    pub(crate) async fn refused(&self, tool: &str, arguments: Value) -> String {
        self.refused_within(LONG, tool, arguments).await
    }

    /// Calls a tool that must be refused within this time, and gives the refusal.
    pub(crate) async fn refused_within(
        &self,
        deadline: Duration,
        tool: &str,
        arguments: Value,
    ) -> String {
        let reply = self.attempt_within(deadline, tool, arguments).await;
        let reply = reply.unwrap_or_else(|error| panic!("{tool}: {error}"));
        assert!(reply.is_error, "{tool}: {}", text(&reply));
        text(&reply)
    }

    /// Serves a page and goes there; gives its snapshot.
    pub(crate) async fn visit(&self, path: &str, body: &str) -> String {
        let url = self.site.page(path, body);
        self.go(&url).await
    }

    pub(crate) async fn go(&self, url: &str) -> String {
        let reply = self
            .call("browser_navigate", serde_json::json!({"url": url}))
            .await;
        reply.snapshot.unwrap_or_default()
    }

    /// The result of code in the page.
    pub(crate) async fn run(&self, code: &str) -> String {
        let reply = self
            .call("browser_evaluate", serde_json::json!({"function": code}))
            .await;
        section(&reply, "Result").unwrap_or_default()
    }

    pub(crate) async fn snapshot(&self) -> String {
        let reply = self.call("browser_snapshot", serde_json::json!({})).await;
        reply.snapshot.unwrap()
    }

    pub(crate) async fn leave(self) {
        self.instance.stop(GRACE).await.unwrap();
        drop(self.instance);
        drop(self.site);
        self.stage.strike().await;
    }
}

fn as_map(arguments: Value) -> Map<String, Value> {
    match arguments {
        Value::Object(arguments) => arguments,
        other => panic!("{other}"),
    }
}

/// All text of a reply.
pub(crate) fn text(reply: &Reply) -> String {
    let texts: Vec<_> = reply.content.iter().filter_map(Content::as_text).collect();
    texts.join("\n")
}

/// A section of a reply, without its title.
pub(crate) fn section(reply: &Reply, title: &str) -> Option<String> {
    let text = text(reply);
    let mut sections = text.split("### ");
    let found = sections.find_map(|section| {
        section
            .strip_prefix(&format!("{title}\n"))
            .map(str::to_owned)
    });
    found.map(|section| section.trim_end().to_owned())
}

/// The ref on the line that holds this.
pub(crate) fn reference(snapshot: &str, of: &str) -> String {
    let line = snapshot.lines().find(|line| line.contains(of));
    let line = line.unwrap_or_else(|| panic!("no {of} in\n{snapshot}"));
    let (_, rest) = line
        .split_once("[ref=")
        .unwrap_or_else(|| panic!("no ref: {line}"));
    rest.split(']').next().unwrap().to_owned()
}
