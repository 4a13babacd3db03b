//! A process on a database that tests kill, starve and lock out. It says on stdout what it was
//! acknowledged, and does what it is told on stdin.

#[path = "../store/support/pages.rs"]
mod pages;

use std::error::Error;
use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use greenroom_store::{
    Call, Content, Durability, Finish, Options, Outcome, Principal, RefId, Response, SessionId,
    Store, StoreError, Timestamp,
};

type Anything<T> = Result<T, Box<dyn Error>>;

const TASKS: usize = 8;

fn main() -> Anything<()> {
    let mut args = std::env::args().skip(1);
    let role = args.next().ok_or("a role is missing")?;
    let database = PathBuf::from(args.next().ok_or("a database is missing")?);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    match role.as_str() {
        "load" => runtime.block_on(load(&database)),
        "obey" => runtime.block_on(obey(&database)),
        "lock" => lock(&database),
        other => Err(format!("no such role: {other}").into()),
    }
}

/// Stores as fast as it can until it is killed.
async fn load(database: &Path) -> Anything<()> {
    let store = Store::open(database, Options::default()).await?;
    let tasks: Vec<_> = (0..TASKS)
        .map(|number| tokio::spawn(store_for_ever(store.clone(), number)))
        .collect();
    for task in tasks {
        task.await?;
    }
    Ok(())
}

async fn store_for_ever(store: Store, number: usize) {
    for round in 0usize.. {
        // One call that never ends, and is committed before the next one is acknowledged.
        let hung = call();
        store.call_started(&hung);
        let (ref_id, bytes) = (RefId::new(), sizes(number, round));
        match finish_one(&store, ref_id, bytes).await {
            Ok(()) => say(&format!("ack {ref_id} {bytes}\nhung {}", hung.ref_id)),
            Err(error) => say(&format!("error {error}")),
        }
    }
}

/// Small ones, middling ones and large ones.
fn sizes(number: usize, round: usize) -> usize {
    [80, 3_000, 20_000, 60_000, 150_000][(number + round) % 5]
}

/// Does what it is told, a line at a time.
async fn obey(database: &Path) -> Anything<()> {
    let options = Options {
        durability: Durability::Full,
        ..Options::default()
    };
    let store = Store::open(database, options).await?;
    let ballast = database.with_file_name("ballast");
    say("ready");
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let (order, bytes) = line.split_once(' ').unwrap_or((&line, "0"));
        let bytes: usize = bytes.parse()?;
        match order {
            "store" => {
                let ref_id = RefId::new();
                match finish_one(&store, ref_id, bytes).await {
                    Ok(()) => say(&format!("ack {ref_id} {bytes}")),
                    Err(StoreError::NotPersisted { reason }) => say(&format!("{reason:?}")),
                    Err(other) => say(&format!("error {other}")),
                }
            }
            "ballast" => {
                std::fs::write(&ballast, vec![0; bytes])?;
                say("done");
            }
            "free" => {
                std::fs::remove_file(&ballast)?;
                say("done");
            }
            "verify" => say(&verify(database)?),
            other => say(&format!("unknown order {other}")),
        }
    }
    store.close().await;
    Ok(())
}

fn verify(database: &Path) -> Anything<String> {
    let conn = rusqlite::Connection::open(database)?;
    Ok(conn.query_row("PRAGMA integrity_check", [], |row| row.get(0))?)
}

/// Keeps everyone else from writing until its input ends.
fn lock(database: &Path) -> Anything<()> {
    let conn = rusqlite::Connection::open(database)?;
    conn.busy_timeout(Duration::from_secs(30))?;
    conn.execute_batch("BEGIN EXCLUSIVE")?;
    say("locked");
    for line in std::io::stdin().lock().lines() {
        drop(line?);
    }
    conn.execute_batch("COMMIT")?;
    Ok(())
}

async fn finish_one(store: &Store, ref_id: RefId, bytes: usize) -> Result<(), StoreError> {
    let call = Call { ref_id, ..call() };
    store.call_started(&call);
    let page = Content::snapshot(pages::page_of(ref_id, bytes));
    let response = Response::new(pages::result_of(ref_id, bytes)).content(page);
    let finish = Finish::new(Outcome::Success, Duration::from_millis(1)).response(response);
    store.call_finished(call, finish).await.map(|_| ())
}

fn call() -> Call {
    let ada = Principal::new("ada");
    Call::new(RefId::new(), ada, "browser_click", Timestamp::now()).session(SessionId::new("s"))
}

/// One write, so that a kill leaves whole lines only.
fn say(line: &str) {
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(format!("{line}\n").as_bytes());
    let _ = out.flush();
}
