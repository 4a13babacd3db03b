//! What a child gets, and what is said when it cannot be started.

use std::fs::{self, File, Permissions};
use std::io::{Read as _, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use crate::support::{Client, Stage};
use greenroom_browser::Error;
use greenroom_browser::process::{Ended, Spawn, child_environment};
use greenroom_testkit::upstream::{Entry, Script};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

#[tokio::test]
async fn a_child_gets_the_published_variables_its_markers_and_nothing_else() {
    let stage = Stage::open().await;
    let parent = [
        ("PATH", "/usr/bin:/bin"),
        ("LC_ALL", "C"),
        ("AWS_SECRET_ACCESS_KEY", "x"),
    ];
    let parent = parent.map(|(name, value)| (name.into(), value.into()));
    let script = Script {
        journal_values_of: vec!["TMPDIR".into(), "GREENROOM_RUN".into()],
        ..Script::default()
    };
    let spawn = crate::support::fake(script, stage.journal_path()).envs(child_environment(parent));
    let child = stage.spawn(spawn);
    Client::of(&child).ping().await;
    let Entry::Started {
        env_names,
        env,
        cwd,
        ..
    } = stage.journal().remove(0)
    else {
        panic!("the journal begins with the start");
    };
    let mut names = env_names;
    names.sort();
    assert_eq!(
        names,
        [
            "GREENROOM_CHILD",
            "GREENROOM_RUN",
            "LC_ALL",
            "PATH",
            "TMPDIR"
        ]
    );
    assert_eq!(env["GREENROOM_RUN"], stage.supervisor.run().id().as_str());
    let tmp = Path::new(env["TMPDIR"].as_str().unwrap());
    assert!(tmp.as_os_str().len() <= 62, "{}", tmp.display());
    assert_eq!(fs::canonicalize(tmp).unwrap(), cwd.join("tmp"));
    assert!(cwd.starts_with(stage.supervisor.run().path()));
    drop(child);
    stage.strike().await;
}

#[tokio::test]
async fn a_child_leads_a_process_group_of_its_own() {
    let stage = Stage::open().await;
    let child = stage.start(Script::default());
    let pid = rustix::process::Pid::from_raw(child.root().pid);
    assert_eq!(rustix::process::getpgid(pid).unwrap(), pid.unwrap());
    drop(child);
    stage.strike().await;
}

#[tokio::test]
async fn descriptors_arrive_under_their_numbers_even_when_these_are_taken() {
    let stage = Stage::open().await;
    let (theirs_in, ours_in) = std::io::pipe().unwrap();
    let (ours_out, theirs_out) = std::io::pipe().unwrap();
    // Crossed on purpose: whatever numbers these have here, each must not overwrite the other.
    let spawn = Spawn::new("/bin/sh")
        .args([
            "-c",
            "read -r line <&3; echo \"got $line\" >&4; test ! -e /proc/self/fd/5",
        ])
        .env("PATH", "/usr/bin:/bin")
        .pass(OwnedFd::from(theirs_out), 4)
        .pass(OwnedFd::from(theirs_in), 3);
    let child = stage.spawn(spawn);
    let talk = move || {
        let (mut ours_in, mut ours_out) = (ours_in, ours_out);
        ours_in.write_all(b"hello\n").unwrap();
        let mut answer = String::new();
        ours_out.read_to_string(&mut answer).unwrap();
        answer
    };
    let answer = tokio::task::spawn_blocking(talk).await.unwrap();
    assert_eq!(answer, "got hello\n");
    assert_eq!(child.gone().await.unwrap().ended, Ended::Code(0));
    drop(child);
    stage.strike().await;
}

#[tokio::test]
async fn the_oom_score_is_set_before_the_program_begins() {
    let stage = Stage::open().await;
    let check = "test \"$(cat /proc/self/oom_score_adj)\" = 900";
    let spawn = Spawn::new("/bin/sh")
        .args(["-c", check])
        .env("PATH", "/usr/bin:/bin");
    let child = stage.spawn(spawn.oom_score_adj(900));
    assert_eq!(child.gone().await.unwrap().ended, Ended::Code(0));
    drop(child);
    stage.strike().await;
}

#[tokio::test]
async fn a_program_that_cannot_run_is_named_with_its_remedy() {
    let stage = Stage::open().await;
    let base = stage.data.path();
    let file = |name: &str, content: &str, mode: u32| {
        let path = base.join(name);
        fs::write(&path, content).unwrap();
        fs::set_permissions(&path, Permissions::from_mode(mode)).unwrap();
        path
    };
    let table = [
        (
            Spawn::new("/nonexistent/node"),
            "cannot find the program /nonexistent/node",
        ),
        (
            Spawn::new("no-such-node").env("PATH", "/usr/bin"),
            "in PATH /usr/bin",
        ),
        (Spawn::new(base), "it is a directory"),
        (Spawn::new(file("plain", "", 0o644)), "chmod +x"),
        (
            Spawn::new(file("script", "#!/no/such/shell\n", 0o755)),
            "interpreter",
        ),
        (
            Spawn::new(file("garbage", "\x7fELFgarbage", 0o755)),
            "not a program for this system",
        ),
        (
            Spawn::new("/bin/true").cwd("/no/such/place"),
            "no such directory",
        ),
        (
            Spawn::new("/bin/true").pass(File::open("/dev/null").unwrap().into(), 2),
            "from 3 to 9",
        ),
    ];
    for (spawn, phrase) in table {
        let scratch = stage.supervisor.scratch("BAD-0").unwrap();
        let home = scratch.path().to_owned();
        let error = stage.supervisor.spawn(spawn, scratch).unwrap_err();
        assert!(error.to_string().contains(phrase), "{error}");
        assert!(!error.is_retryable(), "{error}");
        assert!(!home.exists());
    }
    assert_eq!(stage.supervisor.live(), 0);
    stage.strike().await;
}

#[tokio::test]
async fn running_out_of_descriptors_is_a_typed_error_and_passes() {
    let stage = Stage::open().await;
    let scratch = stage.supervisor.scratch("FULL-0").unwrap();
    let limit = getrlimit(Resource::Nofile);
    let next_free = rustix::io::dup(std::io::stderr()).unwrap();
    let used = std::os::fd::AsRawFd::as_raw_fd(&next_free)
        .try_into()
        .unwrap();
    let none_left = Rlimit {
        current: Some(used),
        maximum: limit.maximum,
    };
    drop(next_free);
    setrlimit(Resource::Nofile, none_left).unwrap();
    let spawn = || crate::support::fake(Script::default(), stage.journal_path());
    let error = stage.supervisor.spawn(spawn(), scratch).unwrap_err();
    setrlimit(Resource::Nofile, limit).unwrap();
    assert!(matches!(error, Error::TooManyOpenFiles { .. }), "{error:?}");
    assert!(error.is_retryable());
    let child = stage.spawn(spawn());
    Client::of(&child).ping().await;
    drop(child);
    stage.strike().await;
}
