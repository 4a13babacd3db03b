//! Binaries over plain HTTP: stored, listed, read, and never active.
#![allow(clippy::unwrap_used, missing_docs)]

use std::time::Duration;

use crate::support::http::{Raw, Server, Setup};
use crate::support::shelf::LARGEST;
use crate::support::soon;
use greenroom_server::http::Limits;
use reqwest::{Method, Response};
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;

async fn get(server: &Server, path: &str, headers: &[(&str, &str)]) -> Response {
    send(server, Method::GET, path, headers).await
}

async fn send(server: &Server, method: Method, path: &str, headers: &[(&str, &str)]) -> Response {
    let request = headers
        .iter()
        .fold(server.request(method, path), |request, (name, value)| {
            request.header(*name, *value)
        });
    soon(request.send()).await.unwrap()
}

fn header<'a>(response: &'a Response, name: &str) -> &'a str {
    let value = response.headers().get(name);
    value.map_or("", |value| value.to_str().unwrap())
}

async fn bytes(response: Response) -> Vec<u8> {
    soon(response.bytes()).await.unwrap().to_vec()
}

#[tokio::test]
async fn what_is_stored_is_read_back_byte_for_byte_with_its_type() {
    let (server, _canned) = Server::canned(Setup::default()).await;
    // Larger than any other body may be.
    let sent: Vec<u8> = (0..5_000_000_u32).map(|n| (n % 251) as u8).collect();
    let storing = server
        .request(Method::POST, "/blobs")
        .header("content-type", "image/png")
        .body(sent.clone());
    let stored = soon(storing.send()).await.unwrap();
    assert_eq!(stored.status(), 201);
    let location = header(&stored, "location").to_owned();
    let blob: Value = stored.json().await.unwrap();
    let id = blob["id"].as_str().unwrap();
    assert_eq!(location, format!("/blobs/{id}"));
    assert_eq!(blob["size"], 5_000_000);
    assert_eq!(blob["mime_type"], "image/png");
    assert_eq!(blob["uri"], format!("blob://{id}"));

    let read = get(&server, &location, &[]).await;
    assert_eq!(read.status(), 200);
    assert_eq!(header(&read, "content-type"), "image/png");
    assert_eq!(header(&read, "content-length"), "5000000");
    assert_eq!(header(&read, "etag"), format!("\"{id}\""));
    assert_eq!(header(&read, "accept-ranges"), "bytes");
    assert_eq!(header(&read, "content-disposition"), "inline");
    assert!(bytes(read).await == sent, "the bytes differ");
}

#[tokio::test]
async fn what_could_run_as_a_page_is_a_file_in_which_nothing_runs() {
    let (server, canned) = Server::canned(Setup::default()).await;
    for mime_type in [
        "image/svg+xml",
        "text/html",
        "text/javascript",
        "application/pdf",
    ] {
        let blob = canned.shelf.add("local", mime_type, mime_type.as_bytes());
        let read = get(&server, &format!("/blobs/{}", blob.id), &[]).await;
        assert_eq!(header(&read, "content-type"), mime_type);
        let disposition = header(&read, "content-disposition");
        assert!(disposition.starts_with("attachment"), "{mime_type}");
        let policy = header(&read, "content-security-policy");
        assert_eq!(policy, "sandbox; default-src 'none'");
        assert_eq!(header(&read, "x-content-type-options"), "nosniff");
    }
}

#[tokio::test]
async fn whoever_has_it_already_gets_no_bytes() {
    let (server, canned) = Server::canned(Setup::default()).await;
    let blob = canned.shelf.add("local", "image/png", b"0123456789");
    let path = format!("/blobs/{}", blob.id);
    let tag = format!("\"{}\"", blob.id);
    let weak = format!("\"other\", W/{tag}");
    for known in [tag.as_str(), &weak, "*"] {
        let read = get(
            &server,
            &path,
            &[("if-none-match", known), ("range", "bytes=0-1")],
        )
        .await;
        assert_eq!(read.status(), 304, "{known}");
        assert_eq!(header(&read, "etag"), tag);
        assert_eq!(bytes(read).await, b"");
    }
    let other = get(&server, &path, &[("if-none-match", "\"other\"")]).await;
    assert_eq!(other.status(), 200);
}

#[tokio::test]
async fn one_range_is_a_part_and_anything_else_the_whole() {
    let (server, canned) = Server::canned(Setup::default()).await;
    let blob = canned.shelf.add("local", "image/png", b"0123456789");
    let path = format!("/blobs/{}", blob.id);
    for (range, part, which) in [
        ("bytes=2-4", "234", "bytes 2-4/10"),
        ("bytes=7-", "789", "bytes 7-9/10"),
        ("bytes=-2", "89", "bytes 8-9/10"),
        ("bytes=0-99", "0123456789", "bytes 0-9/10"),
    ] {
        let read = get(&server, &path, &[("range", range)]).await;
        assert_eq!(read.status(), 206, "{range}");
        assert_eq!(header(&read, "content-range"), which);
        assert_eq!(header(&read, "content-length"), part.len().to_string());
        assert_eq!(bytes(read).await, part.as_bytes(), "{range}");
    }
    for range in ["bytes=0-1,3-4", "lines=1-2", "bytes=x"] {
        let read = get(&server, &path, &[("range", range)]).await;
        assert_eq!(read.status(), 200, "{range}");
        assert_eq!(bytes(read).await, b"0123456789");
    }
    let tag = format!("\"{}\"", blob.id);
    for (only, status) in [(tag.as_str(), 206), ("\"other\"", 200)] {
        let headers = [("range", "bytes=0-1"), ("if-range", only)];
        assert_eq!(get(&server, &path, &headers).await.status(), status);
    }
}

#[tokio::test]
async fn a_range_past_the_end_says_how_much_there_is() {
    let (server, canned) = Server::canned(Setup::default()).await;
    let blob = canned.shelf.add("local", "image/png", b"0123456789");
    let path = format!("/blobs/{}", blob.id);
    let read = get(&server, &path, &[("range", "bytes=10-")]).await;
    assert_eq!(read.status(), 416);
    assert_eq!(header(&read, "content-range"), "bytes */10");
    assert_eq!(header(&read, "content-type"), "application/problem+json");
}

#[tokio::test]
async fn head_says_the_same_without_the_bytes() {
    let (server, canned) = Server::canned(Setup::default()).await;
    let blob = canned.shelf.add("local", "image/png", b"0123456789");
    let path = format!("/blobs/{}", blob.id);
    // A range means something only to GET.
    for headers in [&[][..], &[("range", "bytes=0-1")]] {
        let read = send(&server, Method::HEAD, &path, headers).await;
        assert_eq!(read.status(), 200);
        assert_eq!(header(&read, "content-length"), "10");
        assert_eq!(header(&read, "content-type"), "image/png");
        assert_eq!(bytes(read).await, b"");
    }
}

#[tokio::test]
async fn an_empty_blob_is_a_blob() {
    let (server, canned) = Server::canned(Setup::default()).await;
    let blob = canned.shelf.add("local", "image/png", b"");
    let read = get(&server, &format!("/blobs/{}", blob.id), &[]).await;
    assert_eq!(read.status(), 200);
    assert_eq!(bytes(read).await, b"");
}

#[tokio::test]
async fn blobs_of_others_and_no_blobs_are_the_same() {
    let (server, canned) = Server::canned(Setup::with_tokens()).await;
    let blob = canned.shelf.add("laptop", "image/png", b"secret");
    let mut answers = Vec::new();
    for id in [blob.id.as_str(), "sha256-0", "..%2Fetc", "x"] {
        let request = server.request(Method::GET, &format!("/blobs/{id}"));
        let response = soon(request.bearer_auth("alpha-token").send())
            .await
            .unwrap();
        assert_eq!(response.status(), 404, "{id}");
        answers.push(bytes(response).await);
    }
    answers.dedup();
    assert_eq!(answers.len(), 1, "{answers:?}");
    for (token, count) in [("alpha-token", 0), ("beta-token", 1)] {
        let request = server.request(Method::GET, "/blobs").bearer_auth(token);
        let listed: Value = soon(request.send()).await.unwrap().json().await.unwrap();
        assert_eq!(listed["blobs"].as_array().unwrap().len(), count);
    }
}

#[tokio::test]
async fn blobs_are_listed_newest_first_as_many_as_asked_for() {
    let (server, canned) = Server::canned(Setup::default()).await;
    let all: Vec<_> = (0..3)
        .map(|n| canned.shelf.add("local", "image/png", &[n]))
        .collect();
    let listed: Value = get(&server, "/blobs?limit=2", &[])
        .await
        .json()
        .await
        .unwrap();
    let first = json!({
        "id": all[2].id, "size": 1, "mime_type": "image/png", "uri": all[2].uri(),
        "named_at": all[2].named_at,
    });
    assert_eq!(listed["blobs"][0], first);
    assert_eq!(listed["blobs"].as_array().unwrap().len(), 2);
    for query in [
        "limit=0",
        "limit=1001",
        "limit=x",
        "limit=-1",
        "limt=1",
        "limit=1&limit=2",
    ] {
        let refused = get(&server, &format!("/blobs?{query}"), &[]).await;
        assert_eq!(refused.status(), 400, "{query}");
        let problem: Value = refused.json().await.unwrap();
        let detail = problem["detail"].as_str().unwrap();
        assert!(detail.contains("from 1 to 1000"), "{detail}");
    }
}

const HEAD: &str = "POST /blobs HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n";

#[tokio::test]
async fn a_type_that_a_page_may_send_unasked_is_refused() {
    let (server, canned) = Server::canned(Setup::default()).await;
    for line in [
        "X-None: here",
        "Content-Type: text/plain",
        "Content-Type: Text/Plain;charset=utf-8",
        "Content-Type: application/x-www-form-urlencoded",
        "Content-Type: multipart/form-data; boundary=x",
        "Content-Type: png",
        "Content-Type: image/png\r\nContent-Type: image/png",
    ] {
        let raw = server
            .raw(&format!("{HEAD}{line}\r\nContent-Length: 1\r\n\r\nx"))
            .await;
        assert_eq!(raw.status, 415, "{line}: {raw:?}");
        assert!(raw.is_problem(), "{line}");
        assert!(raw.body.contains("application/octet-stream"), "{line}");
    }
    assert_eq!(canned.shelf.list("local", 9), []);
}

#[tokio::test]
async fn what_is_larger_than_the_store_takes_is_refused_as_such() {
    let (server, canned) = Server::canned(Setup::default()).await;
    let sent = vec![0; usize::try_from(LARGEST).unwrap() + 1];
    let storing = server
        .request(Method::POST, "/blobs")
        .header("content-type", "application/octet-stream")
        .body(sent);
    assert_eq!(soon(storing.send()).await.unwrap().status(), 413);
    assert_eq!(canned.shelf.list("local", 9), []);
}

#[tokio::test]
async fn a_body_that_stalls_or_breaks_off_is_given_up_and_nothing_is_stored() {
    let limits = Limits {
        body_time: Duration::from_millis(50),
        ..Limits::default()
    };
    let setup = Setup {
        limits,
        ..Setup::default()
    };
    let (server, canned) = Server::canned(setup).await;
    let begun = format!("{HEAD}Content-Type: image/png\r\nContent-Length: 9\r\n\r\nabc");
    let stalled = server.raw(&begun).await;
    assert_eq!(stalled.status, 408, "{stalled:?}");
    assert!(stalled.is_problem());
    let mut stream = server.connect().await;
    let broken = format!(
        "{HEAD}Content-Type: image/png\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nzz\r\n"
    );
    stream.write_all(broken.as_bytes()).await.unwrap();
    assert_eq!(Raw::read(&mut stream).await.status, 400);
    assert_eq!(canned.shelf.list("local", 9), []);
}
