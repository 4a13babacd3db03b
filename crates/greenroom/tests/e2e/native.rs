//! What the native engine is configured with: whose processes, which profile, a window, a browser
//! that runs elsewhere.

use std::process::Stdio;
use std::time::Duration;

use crate::support::{
    Launch, Legacy, Setup, TestServer, error_of, heading_of, renderers_of, root_of, text_of,
};
use greenroom_testkit::site::Site;
use rustix::process::{Pid, Signal, kill_process_group};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncRead, BufReader};
use tokio::process::{Child, Command};

/// How long a helper program may take to say that it is ready.
const PATIENCE: Duration = Duration::from_secs(30);

fn native(instances: &str) -> Setup {
    Setup::new()
        .set("_P_INSTANCES", instances)
        .set("_P_IS_DEFAULT", "true")
        .set("_P_ENGINE", "native")
}

async fn evaluate(client: &Legacy, function: &str, place: Value) -> String {
    let mut arguments = json!({"function": function});
    for (name, value) in place.as_object().unwrap() {
        arguments[name] = value.clone();
    }
    text_of(&client.call("browser_evaluate", arguments).await)
}

async fn processes(server: &TestServer, client: &Legacy) -> Vec<Value> {
    let status = server.until(client, |_| true).await;
    let instances = status["pools"][0]["instances"].as_array().unwrap();
    assert!(instances.iter().all(|i| i["engine"] == "native"));
    instances.iter().map(|i| i["process_id"].clone()).collect()
}

/// Reads lines until one has what is looked for.
async fn line_with(from: impl AsyncRead + Unpin, sign: &str) -> String {
    let mut lines = BufReader::new(from).lines();
    let reading = async {
        while let Ok(Some(line)) = lines.next_line().await {
            if line.contains(sign) {
                return line;
            }
        }
        panic!("it ended without saying {sign:?}");
    };
    tokio::time::timeout(PATIENCE, reading).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn instances_share_a_browser_unless_one_differs_or_wants_its_own() {
    let setup = native("4")
        .set("_P_ISOLATED", "true")
        .set("_P__1_USER_AGENT", "Mine/1.0")
        .set("_P__3_PROCESS", "dedicated");
    let server = TestServer::start(setup).await;
    let client = Legacy::connect(&server.url).await;
    server.all_healthy(&client, 4).await;
    let pids = processes(&server, &client).await;
    assert_eq!(pids[0], pids[2], "{pids:?}");
    for (one, other) in [(0, 1), (0, 3), (1, 3)] {
        assert_ne!(pids[one], pids[other], "{pids:?}");
    }
    for (instance, mine) in [("0", false), ("1", true)] {
        let place = json!({"browser_instance": instance});
        let agent = evaluate(&client, "() => navigator.userAgent", place).await;
        assert_eq!(agent.contains("Mine/1.0"), mine, "{agent}");
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shared_browser_that_is_full_is_joined_by_another() {
    let setup = native("3")
        .set("_P_ISOLATED", "true")
        .set("_P_CONTEXTS_PER_BROWSER", "2");
    let server = TestServer::start(setup).await;
    let client = Legacy::connect(&server.url).await;
    server.all_healthy(&client, 3).await;
    let mut pids = processes(&server, &client).await;
    pids.sort_by_key(Value::as_u64);
    pids.dedup();
    assert_eq!(pids.len(), 2, "{pids:?}");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_profile_outlives_the_server_and_a_browser_that_was_killed() {
    let site = Site::start().await;
    let page = json!({"url": site.url("/named?name=home")});
    let look = "() => document.cookie + ' ' + localStorage.getItem('kept')";
    let mut setup = native("1");
    for round in 0..3 {
        let server = TestServer::start(setup).await;
        let client = Legacy::connect(&server.url).await;
        client.call("browser_navigate", page.clone()).await;
        let seen = evaluate(&client, look, json!({})).await;
        let keep = "() => { document.cookie = 'kept=yes; max-age=3600'; localStorage.setItem('kept', 'too'); }";
        match round {
            0 => {
                assert!(!seen.contains("yes"), "{seen}");
                evaluate(&client, keep, json!({})).await;
                setup = server.stop_for_now().await;
            }
            1 => {
                assert!(seen.contains("kept=yes too"), "{seen}");
                // What a killed browser leaves must not keep the next one out.
                let profile = server.setup.data_dir.join("profiles/P/0");
                (setup, _) = server.kill().await;
                let link = profile.join("SingletonLock");
                let _ = std::fs::remove_file(&link);
                std::os::unix::fs::symlink("dead-host-1", link).unwrap();
            }
            _ => {
                assert!(seen.contains("kept=yes too"), "{seen}");
                server.stop().await;
                return;
            }
        }
    }
}

/// A screen that nobody sees.
struct Screen {
    child: Child,
    display: String,
}

impl Screen {
    #[allow(
        clippy::disallowed_methods,
        reason = "the test owns the child and ends it"
    )]
    async fn start() -> Self {
        let mut child = Command::new("Xvfb")
            .args([
                "-displayfd",
                "1",
                "-screen",
                "0",
                "1024x768x24",
                "-nolisten",
                "tcp",
            ])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .expect("Xvfb is missing; run: make setup");
        let display = line_with(child.stdout.take().unwrap(), "").await;
        Self {
            child,
            display: format!(":{display}"),
        }
    }

    async fn end(mut self) {
        self.child.kill().await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_with_a_window_is_driven_on_a_screen() {
    let site = Site::start().await;
    let screen = Screen::start().await;
    let setup = native("1")
        .set("_P_ISOLATED", "true")
        .set("_P_HEADLESS", "false")
        .variable("DISPLAY", &screen.display);
    let server = TestServer::start(setup).await;
    let client = Legacy::connect(&server.url).await;
    let instance = server.instance(&client, "P", "0").await;
    assert_eq!(instance["headless"], false);
    assert!(!Launch::of(&instance).has("--headless"));
    let page = json!({"url": site.url("/button")});
    client.call("browser_navigate", page).await;
    client
        .call("browser_click", json!({"target": "button"}))
        .await;
    let seen = evaluate(&client, "() => [window.clicks, screen.width]", json!({})).await;
    assert!(seen.contains('1') && seen.contains("1024"), "{seen}");
    let shot = client.call("browser_take_screenshot", json!({})).await;
    assert_eq!(shot["isError"], false, "{shot:#}");
    server.stop().await;
    screen.end().await;
}

/// A Chromium that somebody else has started.
struct Elsewhere {
    child: Child,
    endpoint: String,
    _profile: tempfile::TempDir,
}

impl Elsewhere {
    #[allow(
        clippy::disallowed_methods,
        reason = "the test owns the child and ends it"
    )]
    async fn start() -> Self {
        let profile = tempfile::tempdir().unwrap();
        let mut child = Command::new("chromium-headless-shell")
            .args(["--headless", "--no-sandbox", "--remote-debugging-port=0"])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .arg("about:blank")
            .stderr(Stdio::piped())
            // What Debian calls by this name is a script around the program.
            .process_group(0)
            .spawn()
            .expect("chromium-headless-shell is missing; run: make setup");
        let line = line_with(child.stderr.take().unwrap(), "DevTools listening on").await;
        let endpoint = line.split_whitespace().last().unwrap().to_owned();
        Self {
            child,
            endpoint,
            _profile: profile,
        }
    }

    fn is_running(&mut self) -> bool {
        self.child.try_wait().unwrap().is_none()
    }

    async fn end(&mut self) {
        let group = self.child.id().unwrap().cast_signed();
        kill_process_group(Pid::from_raw(group).unwrap(), Signal::KILL).unwrap();
        self.child.wait().await.unwrap();
    }
}

impl Drop for Elsewhere {
    fn drop(&mut self) {
        let group = self
            .child
            .id()
            .and_then(|id| Pid::from_raw(id.cast_signed()));
        if let Some(group) = group {
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_elsewhere_serves_isolated_worlds_and_is_left_running() {
    let site = Site::start().await;
    let mut elsewhere = Elsewhere::start().await;
    let setup = native("2").set("_P_CDP_ENDPOINT", &elsewhere.endpoint);
    let mut server = TestServer::start(setup).await;
    let client = Legacy::connect(&server.url).await;
    server.all_healthy(&client, 2).await;
    let pids = processes(&server, &client).await;
    assert_eq!(pids, [Value::Null, Value::Null]);
    let url = site.url("/named?name=far");
    for instance in ["0", "1"] {
        let place = json!({"url": url, "browser_instance": instance});
        let seen = client.call("browser_navigate", place).await;
        assert_eq!(heading_of(&seen), "This is far");
    }
    let keep = "() => { document.cookie = 'far=1'; }";
    evaluate(&client, keep, json!({"browser_instance": "0"})).await;
    let look = "() => 'cookies: ' + document.cookie";
    let own = evaluate(&client, look, json!({"browser_instance": "0"})).await;
    let other = evaluate(&client, look, json!({"browser_instance": "1"})).await;
    assert!(own.contains("far=1") && !other.contains("far=1"), "{other}");
    server.signal(Signal::TERM);
    assert_eq!(server.wait().await.code(), Some(0), "{}", server.log());
    assert!(elsewhere.is_running(), "it was ended");
    elsewhere.end().await;
    server.assert_clean().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_elsewhere_that_goes_away_is_told_at_once() {
    let mut elsewhere = Elsewhere::start().await;
    let setup = native("1")
        .set("_P_CDP_ENDPOINT", &elsewhere.endpoint)
        .set("_P_HEALTH_CHECK_INTERVAL", "1h");
    let server = TestServer::start(setup).await;
    let client = Legacy::connect(&server.url).await;
    server.all_healthy(&client, 1).await;
    let waiting = json!({"function": "() => new Promise(() => {})"});
    let call = client.call("browser_evaluate", waiting);
    let ending = async {
        let watcher = Legacy::connect(&server.url).await;
        let in_call = |i: &Value| i["activity"] == "browser_evaluate";
        server.instance_until(&watcher, ("P", "0"), in_call).await;
        elsewhere.end().await;
    };
    let (lost, ()) = tokio::join!(call, ending);
    assert!(error_of(&lost).contains("was lost"), "{lost:#}");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_page_that_never_ends_its_work_does_not_slow_its_neighbours() {
    let site = Site::start().await;
    let server = TestServer::start(native("2").set("_P_ISOLATED", "true")).await;
    let (busy, other) = (
        Legacy::connect(&server.url).await,
        Legacy::connect(&server.url).await,
    );
    server.all_healthy(&busy, 2).await;
    for client in [&busy, &other] {
        let page = json!({"url": site.url("/named?name=both")});
        client.call("browser_navigate", page).await;
    }
    let status = server.until(&other, |_| true).await;
    let shared = &status["pools"][0]["instances"][0];
    assert!(!renderers_of(shared).is_empty());
    let endless = json!({"function": "() => { for (;;); }"});
    let spinning = busy.call("browser_evaluate", endless);
    let beside = async {
        for _ in 0..20 {
            let seen = other.call("browser_snapshot", json!({})).await;
            assert_eq!(heading_of(&seen), "This is both");
        }
        root_of(shared).kill();
    };
    let (lost, ()) = tokio::join!(spinning, beside);
    assert!(error_of(&lost).contains("was lost"), "{lost:#}");
    server.stop().await;
}
