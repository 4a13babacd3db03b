//! Browsers that run elsewhere.

use std::time::Duration;

use crate::stage::{GRACE, LONG, SHELL, Stage, eventually, spec, value};
use futures_util::{SinkExt as _, StreamExt as _};
use greenroom_browser::LaunchSpec;
use greenroom_browser::call::Call;
use greenroom_browser::native::browser::{SharedBrowser, WorldSettings};
use greenroom_browser::native::conn::connect;
use greenroom_browser::native::engine::NativeInstance;
use greenroom_browser::native::launch::Chromium;
use greenroom_browser::native::protocol::browser::GetVersion;
use greenroom_browser::process::{Child, Spawn};
use greenroom_testkit::site::Site;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio_tungstenite::tungstenite::Message;

/// A browser that listens on a port, as somebody else would start it; and where it listens.
async fn listening(stage: &Stage) -> (Child, String) {
    let scratch = stage.host.supervisor.scratch("REMOTE").unwrap();
    let port_file = scratch.profile().join("DevToolsActivePort");
    let spawn = Spawn::new(SHELL)
        .envs(stage.host.environment.iter().cloned())
        .args(["--remote-debugging-port=0", "--no-sandbox", "--headless"])
        .arg(format!("--user-data-dir={}", scratch.profile().display()));
    let child = stage.host.supervisor.spawn(spawn, scratch).unwrap();
    let read = || std::fs::read_to_string(&port_file).unwrap_or_default();
    eventually("it listens", || read().lines().count() == 2).await;
    let port = read().lines().next().unwrap().to_owned();
    (child, format!("http://127.0.0.1:{port}"))
}

#[tokio::test]
async fn a_browser_elsewhere_serves_worlds_and_goes_on_without_us() {
    let stage = Stage::open().await;
    let (child, endpoint) = listening(&stage).await;
    for _ in 0..2 {
        let chromium = Chromium::connect(&endpoint, LONG, LONG).await.unwrap();
        assert_eq!(chromium.pid(), None);
        let settings = WorldSettings::of(&spec(SHELL));
        let browser = SharedBrowser::of(chromium, settings, 4).await.unwrap();
        let world = browser.world(LONG).await.unwrap();
        assert_eq!(world.downloads(), None);
        assert_eq!(value::<u32>(world.page(), "6 * 7").await, 42);
        // Longer than any buffer on the way.
        let long: String = value(world.page(), "'x'.repeat(3_000_000)").await;
        assert_eq!(long.len(), 3_000_000);
        world.dispose(LONG).await.unwrap();
        browser.stop(GRACE).await.unwrap();
        assert!(child.try_exited().is_none(), "it is not ours to end");
    }
    child.stop(GRACE).await.unwrap();
    drop(child);
    stage.strike().await;
}

#[tokio::test]
async fn an_instance_in_a_browser_elsewhere_has_all_tools_but_no_files() {
    let stage = Stage::open().await;
    let (child, endpoint) = listening(&stage).await;
    let site = Site::start().await;
    let spec = LaunchSpec {
        cdp_endpoint: Some(endpoint),
        ..spec(SHELL)
    };
    let instance = NativeInstance::start("P-0", &spec, &stage.host).await;
    let instance = instance.unwrap();
    assert_eq!(instance.pid(), 0);
    let go = Call::new("browser_navigate").with("url", site.url("/named?name=far"));
    let reply = instance.call(&go, LONG).await.unwrap();
    assert!(reply.snapshot.unwrap().contains("This is far"));
    instance.reset(LONG).await.unwrap();
    let path = stage.data.path().join("file");
    tokio::fs::write(&path, "x").await.unwrap();
    let mut file = tokio::fs::File::open(&path).await.unwrap();
    assert!(instance.lay_out("f", "file", &mut file).await.is_err());
    instance.stop(GRACE).await.unwrap();
    assert!(child.try_exited().is_none(), "it is not ours to end");
    child.stop(GRACE).await.unwrap();
    drop((instance, child, site, file));
    stage.strike().await;
}

#[tokio::test]
async fn a_browser_elsewhere_that_ends_fails_what_waits() {
    let stage = Stage::open().await;
    let (child, endpoint) = listening(&stage).await;
    let chromium = Chromium::connect(&endpoint, LONG, LONG).await.unwrap();
    child.stop(Duration::ZERO).await.unwrap();
    let death = tokio::time::timeout(LONG, chromium.ended()).await.unwrap();
    assert!(death.how.contains("connection"), "{death}");
    assert!(chromium.probe(LONG).await.is_err());
    drop((chromium, child));
    stage.strike().await;
}

/// A server that answers one command, in a binary message, after a ping.
async fn binary_peer(listener: TcpListener) -> Vec<Message> {
    let (stream, _) = listener.accept().await.unwrap();
    let mut socket = tokio_tungstenite::accept_async(stream).await.unwrap();
    let command = socket.next().await.unwrap().unwrap();
    let command: Value = serde_json::from_str(command.to_text().unwrap()).unwrap();
    socket
        .send(Message::Ping("are you there".into()))
        .await
        .unwrap();
    let version = json!({"protocolVersion": "1.3", "product": "Proxied/1", "revision": "",
        "userAgent": "", "jsVersion": ""});
    let reply = json!({"id": command["id"], "result": version}).to_string();
    socket
        .send(Message::Binary(reply.into_bytes().into()))
        .await
        .unwrap();
    let mut heard = Vec::new();
    while let Some(Ok(message)) = socket.next().await {
        heard.push(message);
    }
    heard
}

#[tokio::test]
async fn binary_messages_are_taken_and_pings_answered() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("ws://{}/any/path?token=x", listener.local_addr().unwrap());
    let peer = tokio::spawn(binary_peer(listener));
    let connection = connect(&address, LONG).await.unwrap();
    let version = connection.browser(LONG).call(GetVersion {}).await.unwrap();
    assert_eq!(version.product, "Proxied/1");
    connection.close();
    connection.ended().await;
    let heard = peer.await.unwrap();
    assert!(
        heard.contains(&Message::Pong("are you there".into())),
        "{heard:?}"
    );
}

#[tokio::test]
async fn what_is_no_browser_is_told_apart_and_no_secret_is_shown() {
    let site = Site::start().await;
    let error = connect(&site.url("/?token=secret"), LONG)
        .await
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("no browser with remote debugging"),
        "{error}"
    );
    assert!(!error.contains("secret"), "{error}");
    let free = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = free.local_addr().unwrap();
    // It accepts and never says a word.
    let silent = connect(&format!("ws://{address}/"), Duration::from_millis(100)).await;
    let silent = silent.unwrap_err().to_string();
    assert!(silent.contains("did not answer within 100 ms"), "{silent}");
    drop(free);
    let gone = connect(&format!("http://{address}"), LONG)
        .await
        .unwrap_err()
        .to_string();
    assert!(gone.contains("check that it runs"), "{gone}");
}
