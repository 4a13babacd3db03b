//! A caller of an MCP server over HTTP.

use std::io;

use super::http::Http;
use super::pages::Target;
use super::peer::{Caller, expect};

pub(super) struct McpCaller {
    http: Http,
    session: String,
    /// What is said beside the arguments that both servers know, so that both answer in full.
    in_full: &'static str,
    last_id: u64,
}

impl McpCaller {
    pub(super) fn connect(host: &str, in_full: &'static str) -> io::Result<Self> {
        let mut http = Http::connect(host)?;
        let params = r#"{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}"#;
        let hello = request(0, "initialize", params);
        let answer = http.send("POST", None, &hello)?;
        let session = answer.session;
        let session = session.ok_or_else(|| io::Error::other("no MCP session was given"))?;
        let ready = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
        http.send("POST", Some(&session), ready)?;
        Ok(Self {
            http,
            session,
            in_full,
            last_id: 0,
        })
    }

    fn call(&mut self, tool: &str, arguments: &str, holds: &str) -> io::Result<()> {
        self.last_id += 1;
        let params = format!(r#"{{"name":"{tool}","arguments":{{{arguments}}}}}"#);
        let asked = request(self.last_id, "tools/call", &params);
        let answer = self.http.send("POST", Some(&self.session), &asked)?;
        if answer.body.contains(r#""isError":true"#) {
            return Err(io::Error::other(format!("{tool} failed: {}", answer.body)));
        }
        expect(&answer.body, holds)
    }

    fn with(&self, arguments: &str) -> String {
        match (arguments, self.in_full) {
            (arguments, "") => arguments.to_owned(),
            ("", in_full) => in_full.to_owned(),
            (arguments, in_full) => format!("{arguments},{in_full}"),
        }
    }
}

fn request(id: u64, method: &str, params: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{params}}}"#)
}

impl Caller for McpCaller {
    fn navigate(&mut self, target: &Target) -> io::Result<()> {
        let arguments = self.with(&format!(r#""url":"{}""#, target.url));
        self.call("browser_navigate", &arguments, &target.url)
    }

    fn arrive(&mut self, target: &Target) -> io::Result<()> {
        // The answer to a navigation has a snapshot: Greenroom's in full, the upstream's as a file
        // that it has written.
        let arguments = self.with(&format!(r#""url":"{}""#, target.url));
        self.call("browser_navigate", &arguments, "### Snapshot")
    }

    fn snapshot(&mut self, target: &Target) -> io::Result<()> {
        let arguments = self.with("");
        self.call("browser_snapshot", &arguments, target.holds)
    }

    fn evaluate(&mut self) -> io::Result<()> {
        let arguments = self.with(r#""function":"() => 6 * 7""#);
        self.call("browser_evaluate", &arguments, "42")
    }

    fn leave(mut self: Box<Self>) -> io::Result<()> {
        self.http.send("DELETE", Some(&self.session), "").map(drop)
    }
}
