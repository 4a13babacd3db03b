//! `GET /openapi.json` and the router know the same routes, and the document is sound.
#![allow(clippy::unwrap_used, missing_docs)]

use std::collections::BTreeSet;
use std::path::Path;

use crate::support::http::{Server, Setup};
use crate::support::soon;
use reqwest::Method;
use serde_json::Value;

const METHODS: [&str; 7] = ["get", "head", "post", "put", "patch", "delete", "trace"];

async fn document(server: &Server) -> Value {
    let response = soon(server.request(Method::GET, "/openapi.json").send()).await;
    let response = response.unwrap();
    assert_eq!(response.headers()["content-type"], "application/json");
    response.json().await.unwrap()
}

fn operations(document: &Value) -> BTreeSet<(String, String)> {
    let paths = document["paths"].as_object().unwrap().iter();
    let each = paths.flat_map(|(path, item)| {
        let methods = METHODS.iter().filter(|method| item.get(**method).is_some());
        methods.map(|method| ((*method).to_owned(), path.clone()))
    });
    each.collect()
}

#[tokio::test]
async fn every_route_of_ours_is_in_the_document() {
    let (server, _canned) = Server::canned(Setup::default()).await;
    let known: Vec<String> = operations(&document(&server).await)
        .into_iter()
        .map(|(method, path)| format!("{method} {path}"))
        .collect();
    let expected = [
        "delete /sessions/{id}",
        "get /blobs",
        "get /blobs/{id}",
        "get /console/{ref_id}",
        "get /content/{ref_id}",
        "get /health",
        "get /openapi.json",
        "get /pools",
        "get /ready",
        "get /sessions",
        "head /blobs/{id}",
        "post /blobs",
        "post /proxy",
        "post /sessions",
    ];
    assert_eq!(known, expected);
}

#[tokio::test]
async fn the_router_answers_what_the_document_says_and_nothing_else() {
    let (server, _canned) = Server::canned(Setup::default()).await;
    let documented = operations(&document(&server).await);
    let paths: BTreeSet<_> = documented.iter().map(|(_, path)| path.clone()).collect();
    for path in paths {
        let place = path.replace("{id}", "x").replace("{ref_id}", "x");
        let mut refused = Vec::new();
        for method in METHODS {
            let asking = Method::from_bytes(method.to_uppercase().as_bytes()).unwrap();
            let request = server
                .request(asking, &place)
                .header("content-type", "application/json");
            if soon(request.send()).await.unwrap().status() == 405 {
                refused.push(method);
            }
        }
        for method in METHODS {
            let is_documented = documented.contains(&(method.to_owned(), path.clone()));
            // Whatever can be got can be asked about; that is documented where it is of use.
            let is_head_of_get = method == "head" && !refused.contains(&"get");
            let is_served = !refused.contains(&method);
            assert!(
                is_served == is_documented || is_head_of_get,
                "{method} {path}"
            );
        }
    }
}

/// Every `$ref` below a value.
fn references(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (name, field) in fields {
                match field.as_str() {
                    Some(target) if name == "$ref" => found.push(target.to_owned()),
                    _ => references(field, found),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| references(item, found)),
        _ => {}
    }
}

#[tokio::test]
async fn every_reference_leads_somewhere_whatever_the_tools() {
    let (canned, _inside) = Server::canned(Setup::default()).await;
    for server in [canned, Server::start().await] {
        let document = document(&server).await;
        assert_eq!(document["openapi"], "3.1.0");
        let mut found = Vec::new();
        references(&document, &mut found);
        assert!(found.len() > 20);
        for target in found {
            let pointer = target.strip_prefix('#').unwrap();
            assert!(document.pointer(pointer).is_some(), "{target}");
        }
    }
}

#[tokio::test]
async fn the_document_repeats_the_schemas_of_the_tools() {
    let (server, _canned) = Server::canned(Setup::default()).await;
    let document = document(&server).await;
    let schemas = &document["components"]["schemas"];
    let label = &schemas["create_new_session.arguments"]["properties"]["label"];
    assert_eq!(label["type"], "string");
    assert_eq!(
        schemas["create_new_session.answer"]["required"][0],
        "session_id"
    );
    let tools = &schemas["ProxyCall"]["properties"]["tool"]["enum"];
    assert!(
        tools
            .as_array()
            .unwrap()
            .contains(&"browser_navigate".into())
    );
    let parameters = &document["paths"]["/content/{ref_id}"]["get"]["parameters"];
    let named = |place: &str| -> Vec<&str> {
        let all = parameters.as_array().unwrap().iter();
        let there = all.filter(|parameter| parameter["in"] == place);
        there
            .map(|parameter| parameter["name"].as_str().unwrap())
            .collect()
    };
    assert_eq!(named("path"), ["ref_id"]);
    assert_eq!(named("query").len(), 10);
    assert!(named("query").contains(&"before_lines"));
}

#[tokio::test]
async fn every_problem_is_a_problem_and_every_operation_can_refuse() {
    let (server, _canned) = Server::canned(Setup::default()).await;
    let document = document(&server).await;
    for (method, path) in operations(&document) {
        let operation = &document["paths"][&path][&method];
        let responses = operation["responses"].as_object().unwrap();
        for status in ["400", "403"] {
            assert!(responses.contains_key(status), "{method} {path} {status}");
        }
        assert_eq!(responses.contains_key("401"), path != "/health", "{path}");
        for (status, response) in responses {
            // What is not ready is told in the terms of readiness.
            if status.as_str() < "400" || path == "/ready" {
                continue;
            }
            let schema = &response["content"]["application/problem+json"]["schema"]["$ref"];
            assert_eq!(
                schema, "#/components/schemas/Problem",
                "{method} {path} {status}"
            );
        }
    }
}

#[tokio::test]
async fn a_token_is_asked_for_where_one_is_configured() {
    let (open, _inside) = Server::canned(Setup::default()).await;
    let security =
        |document: &Value, path: &str| document["paths"][path]["get"]["security"].clone();
    let without = document(&open).await;
    assert_eq!(
        security(&without, "/pools"),
        serde_json::json!([{}, {"bearer": []}])
    );
    let (closed, _inside) = Server::canned(Setup::with_tokens()).await;
    let request = closed.request(Method::GET, "/openapi.json");
    let with = soon(request.bearer_auth("alpha-token").send())
        .await
        .unwrap();
    let with: Value = with.json().await.unwrap();
    assert_eq!(
        security(&with, "/pools"),
        serde_json::json!([{"bearer": []}])
    );
    assert_eq!(security(&with, "/health"), Value::Null);
}

#[tokio::test]
async fn the_page_about_the_api_has_an_example_of_every_route() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/http-api.md");
    let page = std::fs::read_to_string(page).unwrap();
    let (server, _canned) = Server::canned(Setup::default()).await;
    for (method, path) in operations(&document(&server).await) {
        let heading = format!("`{} {path}`", method.to_uppercase());
        assert!(page.contains(&heading), "{heading} is not in the page");
    }
}
