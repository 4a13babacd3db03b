//! From the command line to the first message.

use std::ffi::OsString;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Map, Value};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use super::arguments::Arguments;
use super::journal::{Entry, Journal};
use super::page::Page;
use super::script::Script;
use super::server::Server;
use super::{flood_stderr, grandchild, leave, wait, wait_forever};

pub(super) fn start(argv: &[OsString], cwd: PathBuf, arguments: Arguments) -> ExitCode {
    let Arguments { script, output_dir } = arguments;
    let journal = Journal::new(script.journal.clone());
    journal.write(&started(argv, cwd.clone(), &script));
    obey_signals(journal.clone(), script.ignore_sigterm);
    let server = Server::new(script, journal, Page::new(cwd, output_dir));
    if let Some(code) = before_the_first_message(&server) {
        return ExitCode::from(code);
    }
    let server = Arc::new(server);
    server.serve(std::io::stdin().lock());
    if server.script.ignore_eof {
        wait_forever();
    }
    ExitCode::SUCCESS
}

/// Does what the script wants at the start; says the code to end with, if it is to end.
fn before_the_first_message(server: &Server) -> Option<u8> {
    let script = &server.script;
    if let Some(end) = script.start.exit_later {
        std::thread::spawn(move || {
            wait(Duration::from_millis(end.after_ms));
            leave(end.code);
        });
    }
    if script.start.delay_ms > 0 {
        wait(Duration::from_millis(script.start.delay_ms));
    }
    if let Some(options) = script.grandchild {
        let pid = grandchild::start(options).expect("a grandchild can be started");
        server.journal.write(&Entry::Grandchild { pid });
    }
    let _ = std::io::stderr().write_all(script.start.stderr.as_bytes());
    flood_stderr(script.start.stderr_flood_mb);
    script
        .start
        .noise
        .iter()
        .for_each(|noise| server.output.noise(noise));
    script.start.exit
}

fn started(argv: &[OsString], cwd: PathBuf, script: &Script) -> Entry {
    #[expect(clippy::disallowed_methods, reason = "it reports what it was given")]
    let env: Vec<(OsString, OsString)> = std::env::vars_os().collect();
    let text = |text: &OsString| text.to_string_lossy().into_owned();
    let wanted = |name: &str| script.journal_values_of.iter().any(|other| other == name);
    let values = env
        .iter()
        .map(|(name, value)| (text(name), Value::from(text(value))));
    Entry::Started {
        pid: std::process::id(),
        argv: argv.iter().map(text).collect(),
        cwd,
        env_names: env.iter().map(|(name, _)| text(name)).collect(),
        env: values
            .filter(|(name, _)| wanted(name))
            .collect::<Map<_, _>>(),
    }
}

/// SIGINT and SIGTERM end it in good order, as they do the real one.
fn obey_signals(journal: Journal, ignore_sigterm: bool) {
    let mut signals = Signals::new([SIGINT, SIGTERM]).expect("signals can be handled");
    std::thread::spawn(move || {
        for number in signals.forever() {
            journal.write(&Entry::Signal { number });
            if !(ignore_sigterm && number == SIGTERM) {
                leave(0);
            }
        }
    });
}
