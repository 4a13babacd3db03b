//! Files that come out of a page, and files that go into one.

use greenroom_store::{BlobId, Options, Principal, Store};
use greenroom_testkit::site::{REPORT, Site};
use serde_json::{Value, json};
use tokio::io::AsyncReadExt as _;

use super::browsers;
use crate::support::{Legacy, Setup, TestServer, bearer, error_of, text_of};

const ANN: &str = "ann-has-a-long-token";
const BEN: &str = "ben-has-another-token";

/// The link to a file in an answer.
fn link_of(result: &Value) -> Value {
    let blocks = result["content"].as_array().unwrap();
    let link = blocks.iter().find(|block| block["type"] == "resource_link");
    link.unwrap_or_else(|| panic!("no link in {}", text_of(result)))
        .clone()
}

/// What the blob of a link holds, as a program of the same user reads it.
async fn bytes_of(setup: &Setup, principal: &str, link: &Value) -> Vec<u8> {
    let id = link["uri"].as_str().unwrap().trim_start_matches("blob://");
    let id: BlobId = id.parse().unwrap();
    let record = Store::open(setup.data_dir.join("greenroom.db"), Options::default());
    let record = record.await.unwrap();
    let opened = record.open_blob(Principal::new(principal), id).await;
    let (info, mut file) = opened.unwrap();
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).await.unwrap();
    record.close().await;
    assert_eq!(info.size, bytes.len() as u64);
    assert_eq!(link["size"], info.size);
    assert_eq!(link["mimeType"], info.mime);
    bytes
}

/// Goes to the page with files and gives the refs of its link, its field and its place for drops.
async fn open_files(client: &Legacy, site: &Site) -> [String; 3] {
    let page = client
        .call("browser_navigate", json!({"url": site.url("/files")}))
        .await;
    let text = text_of(&page);
    ["Take the report", "\"Choose\"", "\"Drop here\""].map(|name| super::ref_in(&text, name))
}

#[tokio::test(flavor = "multi_thread")]
async fn screenshots_with_a_name_and_downloads_are_blobs_with_the_right_bytes() {
    let site = Site::start().await;
    let server = TestServer::start(browsers(1)).await;
    let client = Legacy::connect(&server.url).await;
    let [report, ..] = open_files(&client, &site).await;
    let shot = json!({"filename": "files.png", "response_mode": "ref"});
    let shot = client.call("browser_take_screenshot", shot).await;
    let link = link_of(&shot);
    assert_eq!(link["name"], "files.png", "{link:#}");
    let picture = bytes_of(&server.setup, "local", &link).await;
    assert!(
        picture.starts_with(b"\x89PNG\r\n\x1a\n"),
        "{} bytes",
        picture.len()
    );

    let clicked = client
        .call("browser_click", json!({"target": report}))
        .await;
    assert_eq!(clicked["isError"], false, "{clicked:#}");
    let downloaded = until_downloaded(&client, clicked).await;
    let link = link_of(&downloaded);
    assert_eq!(link["name"], "report.csv", "{link:#}");
    assert_eq!(
        bytes_of(&server.setup, "local", &link).await,
        REPORT.as_bytes()
    );
    let text = text_of(&downloaded);
    let directory = server.setup.data_dir.to_str().unwrap();
    assert!(!text.contains(directory), "no path of the machine: {text}");
    server.stop().await;
}

/// A download ends when it ends: the answer to the click may come before.
async fn until_downloaded(client: &Legacy, clicked: Value) -> Value {
    let mut last = clicked;
    let looking = async {
        while !text_of(&last).contains("Downloaded file report.csv") {
            last = client.call("browser_snapshot", json!({})).await;
        }
        last
    };
    let patience = std::time::Duration::from_secs(10);
    tokio::time::timeout(patience, looking)
        .await
        .expect("no download")
}

#[tokio::test(flavor = "multi_thread")]
async fn blobs_are_uploaded_and_dropped_by_their_ids_and_only_by_their_owner() {
    let site = Site::start().await;
    let setup = browsers(2).set("AUTH_TOKENS", &format!("ann:{ANN},ben:{BEN}"));
    let server = TestServer::start(setup).await;
    let ann = Legacy::connect_as(&server.url, ANN).await;
    let [_, choose, drop_here] = open_files(&ann, &site).await;
    let shot = ann
        .call("browser_take_screenshot", json!({"response_mode": "ref"}))
        .await;
    let link = link_of(&shot);
    let uri = link["uri"].as_str().unwrap().to_owned();
    let id = uri.trim_start_matches("blob://").to_owned();
    let told = format!("{id}.png has {} bytes", link["size"]);

    for path in [&uri, &id] {
        let opened = ann.call("browser_click", json!({"target": choose})).await;
        assert!(text_of(&opened).contains("File chooser"), "{opened:#}");
        let upload = json!({"paths": [path], "response_mode": "inline"});
        let upload = ann.call("browser_file_upload", upload).await;
        assert!(
            text_of(&upload).contains(&format!("chosen: {told}")),
            "{}",
            text_of(&upload)
        );
    }
    let dropped = json!({"target": drop_here, "paths": [uri], "response_mode": "inline"});
    let dropped = ann.call("browser_drop", dropped).await;
    assert!(
        text_of(&dropped).contains(&format!("dropped: {told}")),
        "{}",
        text_of(&dropped)
    );

    // Files brought over HTTP go by the names that they are given, which must differ.
    let mut ids = Vec::new();
    for text in ["one", "three"] {
        let stored = bearer(ANN)
            .post(server.route("/blobs"))
            .header("content-type", "text/csv")
            .body(text)
            .send();
        let stored = stored.await.unwrap().text().await.unwrap();
        let stored: Value = serde_json::from_str(&stored).unwrap();
        ids.push(stored["id"].as_str().unwrap().to_owned());
    }
    let drop_both = async |names: [&str; 2]| {
        let paths = [0, 1].map(|n| format!("{}/{}", ids[n], names[n]));
        let both = json!({"target": drop_here, "paths": paths, "response_mode": "inline"});
        text_of(&ann.call("browser_drop", both).await)
    };
    let same = drop_both(["table.csv", "table.csv"]).await;
    assert!(same.contains("a name of its own"), "{same}");
    let both = drop_both(["one.csv", "two.csv"]).await;
    let told = "one.csv has 3 bytes, two.csv has 5 bytes";
    assert!(both.contains(told), "{both}");

    let nobody = format!("sha256-{}", "0a".repeat(32));
    let ben = Legacy::connect_as(&server.url, BEN).await;
    let [_, _, drop_there] = open_files(&ben, &site).await;
    let mut refusals = Vec::new();
    for (client, target, blob) in [(&ann, &drop_here, &nobody), (&ben, &drop_there, &id)] {
        let arguments = json!({"target": target, "paths": [blob]});
        let refused = error_of(&client.call("browser_drop", arguments).await);
        assert!(
            refused.contains("no blob") && refused.contains("POST /blobs"),
            "{refused}"
        );
        let said = crate::support::said_by(&refused);
        refusals.push(said.replace(blob.as_str(), "it"));
    }
    assert_eq!(refusals[0], refusals[1], "a foreign blob looks unknown");
    server.stop().await;
}
