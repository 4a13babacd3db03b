//! Where a script is played: one server with a pool of each engine, and one site for both.

use std::collections::HashMap;
use std::path::Path;
use std::time::Duration;

use greenroom_testkit::site::Site;
use serde_json::{Value, json};

use super::alike;
use super::attachments;
use super::look;
use super::pages::PAGES;
use super::step::{Scene, Step};
use crate::support::{Legacy, Setup, TestServer, said_by, text_of};

/// The pools, the native one first.
const POOLS: [&str; 2] = ["NATIVE", "PLAYWRIGHT"];

/// How long a step may be repeated until what it waits for has come.
pub(super) const PATIENCE: Duration = Duration::from_secs(10);

/// What a script is played on.
pub(super) struct Ground {
    server: TestServer,
    client: Legacy,
    scene: Scene,
    /// The last snapshot that each engine has shown.
    shown: HashMap<&'static str, String>,
    _site: Site,
}

/// What one engine has made of a step.
pub(super) struct Outcome {
    /// What the agent was told.
    pub(super) said: String,
    /// Pictures and files, as far as they can be compared.
    pub(super) attached: Vec<String>,
    /// The page afterwards.
    pub(super) page: Value,
}

impl Ground {
    /// Starts everything.
    pub(super) async fn prepare() -> Self {
        let site = Site::start_with(PAGES).await;
        let server = TestServer::start(two_engines()).await;
        let client = Legacy::connect(&server.url).await;
        let scene = Scene {
            site: site.url(""),
            blob: bring(&server, "a finch".to_owned()).await,
            state: bring(&server, state_for(&site.url(""))).await,
        };
        Self {
            server,
            client,
            scene,
            shown: HashMap::new(),
            _site: site,
        }
    }

    /// Plays a script in both engines and panics with every difference.
    pub(super) async fn play(mut self, script: fn(&Scene) -> Vec<Step>) {
        let mut differences = Vec::new();
        for (at, step) in script(&self.scene).iter().enumerate() {
            let [native, playwright] = POOLS.map(|pool| self.take(pool, step));
            let (native, playwright) = tokio::join!(native, playwright);
            for (pool, outcome) in POOLS.iter().zip([&native, &playwright]) {
                if let Some(snapshot) = alike::snapshot_in(&outcome.said) {
                    self.shown.insert(pool, snapshot.to_owned());
                }
            }
            let found = alike::differences(step, &native, &playwright);
            if !found.is_empty() {
                let found = found.join("\n");
                let Step {
                    tool, arguments, ..
                } = step;
                differences.push(format!("step {at}: {tool} {arguments}\n{found}"));
            }
        }
        assert!(differences.is_empty(), "{}", differences.join("\n\n"));
        self.server.stop().await;
    }

    /// Takes a step in one engine, and looks at the page afterwards.
    async fn take(&self, pool: &'static str, step: &Step) -> Outcome {
        let mut arguments = step.arguments.clone();
        self.name_refs(pool, &mut arguments);
        let asking = self.ask(pool, step, arguments);
        let in_time = tokio::time::timeout(PATIENCE, asking).await;
        let (said, attached) = in_time.unwrap_or_else(|_| panic!("{pool}: no {:?}", step.until));
        let page = if step.is_in_motion {
            Value::Null
        } else {
            look::page(&self.client, pool).await
        };
        Outcome {
            said,
            attached,
            page,
        }
    }

    /// Calls the tool of a step and, while what it waits for has not been said, calls it again. What
    /// is in motion is only looked at again; its first answer counts, and all files.
    async fn ask(&self, pool: &str, step: &Step, mut arguments: Value) -> (String, Vec<String>) {
        let (mut tool, mut files, mut first) = (step.tool, Vec::new(), None);
        loop {
            arguments["browser_pool"] = pool.into();
            arguments["response_mode"] = "inline".into();
            let answer = self.client.call(tool, arguments.clone()).await;
            let text = text_of(&answer);
            files.extend(attachments::of(&answer));
            let said = first.get_or_insert_with(|| said_by(&text).to_owned());
            if !step.is_in_motion {
                said_by(&text).clone_into(said);
            }
            if step.until.is_none_or(|wanted| text.contains(wanted)) {
                return (first.unwrap_or_default(), files);
            }
            if step.is_in_motion {
                (tool, arguments) = ("browser_snapshot", json!({}));
            }
        }
    }

    /// Puts the refs of this engine where a script means them.
    fn name_refs(&self, pool: &str, arguments: &mut Value) {
        match arguments {
            Value::String(text) => {
                if let Some(wanted) = text.strip_prefix('@') {
                    let shown = self.shown.get(pool).map_or("", String::as_str);
                    *text = ref_in(shown, wanted);
                }
            }
            Value::Array(items) => items.iter_mut().for_each(|it| self.name_refs(pool, it)),
            Value::Object(fields) => fields.values_mut().for_each(|it| self.name_refs(pool, it)),
            _ => {}
        }
    }
}

/// Where something is wanted after another (`Inner far >> button`), one is looked for below the
/// other.
fn ref_in(snapshot: &str, wanted: &str) -> String {
    let mut lines = snapshot.lines();
    let found = wanted
        .split(" >> ")
        .map(|part| lines.find(|line| line.contains(part)));
    let line = found.last().flatten();
    let line = line.unwrap_or_else(|| panic!("no {wanted} in:\n{snapshot}"));
    let (_, rest) = line.split_once("[ref=").expect("the line has no ref");
    rest.split(']').next().unwrap().to_owned()
}

/// One isolated browser for each engine. The upstream serves the groups of tools that it does not
/// serve unasked; what it lists, Greenroom passes on to either pool.
fn two_engines() -> Setup {
    let upstream = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../upstream");
    let command = upstream.join("node_modules/@playwright/mcp/cli.js");
    let command = format!("node '{}' --caps=pdf,vision,storage", command.display());
    Setup::new()
        .set("ISOLATED", "true")
        .set("_NATIVE_INSTANCES", "1")
        .set("_NATIVE_IS_DEFAULT", "true")
        .set("_NATIVE_ENGINE", "native")
        .set("_PLAYWRIGHT_INSTANCES", "1")
        .set("_PLAYWRIGHT_ENGINE", "playwright")
        .set("_PLAYWRIGHT_UPSTREAM_COMMAND", &command)
}

/// A cookie and an entry of the local storage, as the upstream writes them down.
fn state_for(origin: &str) -> String {
    let cookie = json!({
        "name": "kept", "value": "restored", "domain": "127.0.0.1", "path": "/",
        "expires": -1, "httpOnly": false, "secure": false, "sameSite": "Lax",
    });
    let entries = json!([{"name": "kept", "value": "too"}]);
    let origins = json!([{"origin": origin, "localStorage": entries}]);
    json!({"cookies": [cookie], "origins": origins}).to_string()
}

/// Stores a file as a program would, and gives its name.
async fn bring(server: &TestServer, contents: String) -> String {
    let request = reqwest::Client::new().post(server.route("/blobs"));
    let request = request.header("content-type", "text/csv").body(contents);
    let answer = request.send().await.unwrap().text().await.unwrap();
    let stored: Value = serde_json::from_str(&answer).unwrap();
    let id = stored["id"].as_str();
    id.unwrap_or_else(|| panic!("not stored: {answer}"))
        .to_owned()
}

/// What a server with both pools lists.
pub(super) async fn listed_tools() -> Vec<String> {
    let server = TestServer::start(two_engines()).await;
    let client = Legacy::connect(&server.url).await;
    let listed = client.request("tools/list", json!({})).await;
    server.stop().await;
    let tools = listed["tools"].as_array().unwrap().iter();
    tools
        .map(|tool| tool["name"].as_str().unwrap().to_owned())
        .collect()
}
