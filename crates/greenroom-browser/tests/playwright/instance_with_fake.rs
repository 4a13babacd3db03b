//! An instance of the playwright engine whose upstream does what it is told.

use std::time::Duration;

use crate::engine::{
    LONG, cwd_of, error_of, evaluate, fake, host, kill, navigate, run, start, start_fake, text,
};
use crate::support::{GRACE, Stage};
use greenroom_browser::call::{Call, EngineError};
use greenroom_browser::find::BrowserKind;
use greenroom_browser::playwright::{Era, PlaywrightInstance};
use greenroom_browser::{Engine, LaunchSpec};
use greenroom_testkit::upstream::{self, CallRule, Entry, Grandchild, Reply, Script, Start};
use tokio::time::{Instant, timeout};

/// What a caller may have to wait for the news of a death.
const AT_ONCE: Duration = Duration::from_secs(1);

fn rule(reply: Reply) -> Script {
    Script::for_calls(CallRule {
        reply,
        ..CallRule::default()
    })
}

#[tokio::test]
async fn an_instance_starts_answers_and_leaves_nothing_behind() {
    let stage = Stage::open().await;
    let instance = start_fake(&stage, Script::default()).await;
    assert_eq!(instance.handshake().era, Era::Session("2025-11-25".into()));
    assert_eq!(instance.handshake().tools.len(), 25);
    let reply = run(&instance, navigate("http://a/")).await;
    assert!(
        text(&reply).contains("### Snapshot\n```yaml\n- generic"),
        "{}",
        text(&reply)
    );
    assert!(reply.snapshot.as_ref().unwrap().contains("http://a/"));
    assert_eq!(reply.page.unwrap().url, "http://a/");
    let output = cwd_of(instance.pid());
    assert_eq!(
        std::fs::read_dir(&output).unwrap().count(),
        0,
        "linked files are taken"
    );
    instance.probe(LONG).await.unwrap();
    instance.stop(LONG).await.unwrap();
    drop(instance);
    assert!(!output.exists());
    stage.strike().await;
}

#[tokio::test]
async fn an_upstream_of_the_stateless_era_is_served_as_well() {
    let stage = Stage::open().await;
    let script = Script {
        era: upstream::Era::New,
        ..Script::default()
    };
    let instance = start_fake(&stage, script).await;
    assert_eq!(
        instance.handshake().era,
        Era::Stateless("2026-07-28".into())
    );
    instance.probe(LONG).await.unwrap();
    let reply = run(&instance, navigate("http://a/")).await;
    assert_eq!(reply.page.unwrap().url, "http://a/");
    instance.stop(GRACE).await.unwrap();
    drop(instance);
    stage.strike().await;
}

#[tokio::test]
async fn the_upstream_runs_in_a_directory_of_its_own_with_published_variables_only() {
    let stage = Stage::open().await;
    let instance = start_fake(&stage, Script::default()).await;
    let Entry::Started {
        argv,
        cwd,
        env_names,
        ..
    } = &stage.journal()[0]
    else {
        panic!("no start in the journal");
    };
    let option = |name: &str| {
        let at = argv.iter().position(|word| word == name).unwrap();
        argv[at + 1].clone()
    };
    assert_eq!(option("--output-dir"), cwd.display().to_string());
    let config = std::fs::read_to_string(option("--config")).unwrap();
    assert_eq!(config, r#"{"browser":{"launchOptions":{"headless":true}}}"#);
    assert!(
        !env_names.iter().any(|name| name.starts_with("CARGO")),
        "{env_names:?}"
    );
    instance.stop(GRACE).await.unwrap();
    drop(instance);
    stage.strike().await;
}

#[tokio::test]
async fn a_hung_call_meets_its_deadline_and_holds_the_next_one_back_until_a_reset() {
    let stage = Stage::open().await;
    let script = Script::for_calls(CallRule {
        nth: Some(1),
        reply: Reply::Never,
        ..CallRule::default()
    });
    let instance = start_fake(&stage, script).await;
    let error = error_of(
        instance
            .call(&navigate("http://a/"), Duration::from_millis(200))
            .await,
    );
    assert_eq!(error.kind(), "timeout");
    assert!(error.needs_probe() && error.outcome_unknown_for_actions());
    instance.probe(LONG).await.unwrap();
    instance.page_answers(LONG).await.unwrap();
    let held = error_of(
        instance
            .call(&evaluate("() => 1"), Duration::from_millis(200))
            .await,
    );
    let said = held.to_string();
    assert!(
        said.contains("within 200 ms, an earlier call that was given up is still at work"),
        "{said}"
    );
    assert!(held.needs_probe() && !held.poisons_instance());
    assert!(!held.outcome_unknown_for_actions() && !heard(&stage, "browser_evaluate"));
    instance.reset(LONG).await.unwrap();
    run(&instance, evaluate("() => 1")).await;
    let cancelled = stage
        .journal()
        .iter()
        .any(|entry| matches!(entry, Entry::Cancelled { .. }));
    assert!(!cancelled, "an upstream that is told would never answer");
    instance.stop(GRACE).await.unwrap();
    drop(instance);
    stage.strike().await;
}

#[tokio::test]
async fn a_call_after_a_slow_one_that_was_given_up_runs_when_that_one_has_ended() {
    const SLOW: Duration = Duration::from_millis(600);
    let stage = Stage::open().await;
    let script = Script::for_calls(CallRule {
        nth: Some(1),
        delay_ms: SLOW.as_millis().try_into().unwrap(),
        ..CallRule::default()
    });
    let instance = start_fake(&stage, script).await;
    let begun = Instant::now();
    let slow = navigate("http://slow/");
    let given_up = timeout(Duration::from_millis(100), instance.call(&slow, LONG));
    assert!(given_up.await.is_err());
    assert!(!heard(&stage, "browser_evaluate"));
    run(&instance, evaluate("() => 1")).await;
    assert!(begun.elapsed() >= SLOW);
    let stats = instance.client().stats();
    assert_eq!((stats.late, instance.client().abandoned()), (1, 0));
    instance.stop(GRACE).await.unwrap();
    drop(instance);
    stage.strike().await;
}

#[tokio::test]
async fn a_call_that_is_held_back_hears_of_a_dead_upstream_at_once() {
    let stage = Stage::open().await;
    let instance = start_fake(&stage, rule(Reply::Never)).await;
    let hung = navigate("http://a/");
    let given_up = instance.call(&hung, Duration::from_millis(100)).await;
    assert_eq!(error_of(given_up).kind(), "timeout");
    let begun = Instant::now();
    let next = evaluate("() => 1");
    let (outcome, ()) = tokio::join!(instance.call(&next, LONG), async { kill(instance.pid()) });
    let error = error_of(outcome);
    assert_eq!(error.kind(), "died");
    assert!(!error.outcome_unknown_for_actions(), "it was never sent");
    assert!(begun.elapsed() < AT_ONCE);
    instance.stop(GRACE).await.unwrap();
    drop(instance);
    stage.strike().await;
}

#[tokio::test]
async fn a_reset_fails_while_a_call_that_was_given_up_does_not_end() {
    let stage = Stage::open().await;
    let script = Script::for_calls(CallRule {
        tool: Some("browser_wait_for".into()),
        reply: Reply::Never,
        ignore_cancel: true,
        ..CallRule::default()
    });
    let instance = start_fake(&stage, script).await;
    let wait = Call::new("browser_wait_for");
    error_of(instance.call(&wait, Duration::from_millis(100)).await);
    let error = instance.reset(LONG).await.unwrap_err();
    assert!(matches!(error, EngineError::ResetFailed { .. }), "{error}");
    assert!(error.to_string().contains("still at work"), "{error}");
    instance.stop(GRACE).await.unwrap();
    drop(instance);
    stage.strike().await;
}

#[tokio::test]
async fn a_browser_answers_with_whatever_but_a_timeout() {
    let silent = [
        Reply::Failure("TimeoutError: page.title: Timeout 5000ms exceeded.".into()),
        Reply::Never,
    ];
    let alive = [
        Reply::Normal,
        Reply::Failure("Error: no such tab".into()),
        Reply::RpcError(-32603),
    ];
    let silent = silent.into_iter().map(|reply| (reply, false));
    for (reply, expected) in silent.chain(alive.into_iter().map(|reply| (reply, true))) {
        let stage = Stage::open().await;
        let said = format!("{reply:?}");
        let script = Script::for_calls(CallRule {
            tool: Some("browser_tabs".into()),
            reply,
            ..CallRule::default()
        });
        let instance = start_fake(&stage, script).await;
        let answers = instance.page_answers(Duration::from_millis(500)).await;
        assert_eq!(answers.is_ok(), expected, "{said}: {answers:?}");
        if let Err(error) = answers {
            assert_eq!(error.kind(), "timeout", "{said}");
        }
        instance.stop(GRACE).await.unwrap();
        drop(instance);
        stage.strike().await;
    }
}

#[tokio::test]
async fn a_profile_serves_one_instance_at_a_time() {
    let stage = Stage::open().await;
    let profiles = tempfile::tempdir().unwrap();
    let profile = profiles.path().join("p");
    let keeping = LaunchSpec {
        isolated: false,
        user_data_dir: Some(profile.clone()),
        ..fake(&stage, Script::default())
    };
    let first = start(&stage, &keeping).await;
    let second = PlaywrightInstance::start("TEST-1", &keeping, &host(&stage)).await;
    let said = second.expect_err("the profile is taken").to_string();
    assert!(said.contains(&*profile.to_string_lossy()), "{said}");
    assert!(said.contains("stop the other Greenroom"), "{said}");
    assert!(said.contains("USER_DATA_DIR"), "{said}");
    first.stop(GRACE).await.unwrap();
    let next = start(&stage, &keeping).await;
    next.stop(GRACE).await.unwrap();
    drop((first, next));
    stage.strike().await;
}

#[tokio::test]
async fn an_upstream_that_exits_in_mid_call_is_reported_with_code_and_last_words() {
    for reply in [Reply::Exit(7), Reply::HalfLineThenExit(7)] {
        let stage = Stage::open().await;
        let half = reply != Reply::Exit(7);
        let script = Script {
            start: Start {
                stderr: "low on memory\n".into(),
                ..Start::default()
            },
            ..rule(reply)
        };
        let instance = start_fake(&stage, script).await;
        let begun = Instant::now();
        let error = error_of(instance.call(&navigate("http://a/"), LONG).await);
        assert!(begun.elapsed() < AT_ONCE);
        let said = error.to_string();
        assert!(
            said.contains("exited with code 7") && said.contains("low on memory"),
            "{said}"
        );
        assert_eq!(said.contains("in the middle of a line"), half, "{said}");
        assert!(error.poisons_instance() && error.outcome_unknown_for_actions());
        assert!(instance.ended().await.how.contains("code 7"));
        let later = error_of(instance.call(&navigate("http://a/"), LONG).await);
        assert!(!later.outcome_unknown_for_actions());
        assert!(instance.probe(LONG).await.is_err());
        instance.stop(GRACE).await.unwrap();
        drop(instance);
        stage.strike().await;
    }
}

#[tokio::test]
async fn an_answer_beyond_the_limit_fails_its_own_call_only() {
    let stage = Stage::open().await;
    let script = Script::for_calls(CallRule {
        nth: Some(1),
        reply: Reply::HugeMb(70),
        ..CallRule::default()
    });
    let instance = start_fake(&stage, script).await;
    let error = error_of(instance.call(&navigate("http://a/"), LONG).await);
    assert!(
        matches!(error, EngineError::ResponseTooLarge { .. }),
        "{error}"
    );
    run(&instance, navigate("http://b/")).await;
    instance.stop(GRACE).await.unwrap();
    drop(instance);
    stage.strike().await;
}

#[tokio::test]
async fn several_calls_run_at_once_and_the_upstream_s_questions_are_answered() {
    let stage = Stage::open().await;
    let slow = CallRule {
        nth: Some(1),
        delay_ms: 300,
        ask: Some("roots/list".into()),
        ..CallRule::default()
    };
    let instance = start_fake(&stage, Script::for_calls(slow)).await;
    let first = async {
        run(&instance, navigate("http://slow/")).await;
        Instant::now()
    };
    let second = async {
        run(&instance, evaluate("() => 1")).await;
        Instant::now()
    };
    let (first, second) = tokio::join!(first, second);
    assert!(second < first);
    let answered = stage.journal().iter().any(|entry| {
        matches!(
            entry,
            Entry::Asked {
                answer: Some(_),
                ..
            }
        )
    });
    assert!(answered);
    instance.stop(GRACE).await.unwrap();
    drop(instance);
    stage.strike().await;
}

#[tokio::test]
async fn a_program_below_the_upstream_is_watched_like_a_browser() {
    let stage = Stage::open().await;
    let script = Script {
        grandchild: Some(Grandchild::default()),
        ..Script::for_calls(CallRule {
            tool: Some("browser_wait_for".into()),
            reply: Reply::Never,
            ..CallRule::default()
        })
    };
    let instance = start_fake(&stage, script).await;
    run(&instance, navigate("http://a/")).await;
    let browser = stage.grandchildren()[0];
    assert_eq!(instance.browser_pid(), Some(browser));
    let begun = Instant::now();
    let wait = Call::new("browser_wait_for");
    let waiting = instance.call(&wait, LONG);
    let killing = async {
        // The call is under way once the upstream has heard of it.
        while !heard(&stage, "browser_wait_for") {
            tokio::task::yield_now().await;
        }
        kill(browser);
    };
    let (outcome, ()) = tokio::join!(waiting, killing);
    let error = error_of(outcome);
    assert!(
        matches!(error, EngineError::BrowserLost { sent: true }),
        "{error}"
    );
    assert!(begun.elapsed() < AT_ONCE);
    assert!(instance.ended().await.how.contains("browser ended"));
    assert!(instance.probe(LONG).await.is_err() && instance.reset(LONG).await.is_err());
    instance.stop(GRACE).await.unwrap();
    drop(instance);
    stage.strike().await;
}

fn heard(stage: &Stage, tool: &str) -> bool {
    let calls = |entry: &Entry| matches!(entry, Entry::Received { message } if message["params"]["name"] == tool);
    stage.journal().iter().any(calls)
}

#[tokio::test]
async fn a_reset_that_leaves_a_program_running_has_failed() {
    let stage = Stage::open().await;
    let script = Script {
        grandchild: Some(Grandchild::default()),
        ..Script::default()
    };
    let instance = start_fake(&stage, script).await;
    run(&instance, navigate("http://a/")).await;
    let error = instance
        .reset(Duration::from_millis(300))
        .await
        .unwrap_err();
    assert!(matches!(error, EngineError::ResetFailed { .. }), "{error}");
    assert!(error.poisons_instance());
    instance.stop(GRACE).await.unwrap();
    drop(instance);
    stage.strike().await;
}

#[tokio::test]
async fn a_reset_forgets_the_page_and_clears_the_directory() {
    let stage = Stage::open().await;
    let instance = start_fake(&stage, Script::default()).await;
    run(&instance, navigate("http://a/")).await;
    let stray = cwd_of(instance.pid()).join("stray.txt");
    std::fs::write(&stray, "left by a holder").unwrap();
    instance.reset(LONG).await.unwrap();
    assert!(!stray.exists());
    let reply = run(&instance, Call::new("browser_snapshot")).await;
    assert_eq!(reply.page.unwrap().url, "about:blank");
    instance.stop(GRACE).await.unwrap();
    drop(instance);
    stage.strike().await;
}

#[tokio::test]
async fn starts_that_cannot_succeed_say_why() {
    let stage = Stage::open().await;
    let dead = Script {
        start: Start {
            exit: Some(3),
            stderr: "no such browser\n".into(),
            ..Start::default()
        },
        ..Script::default()
    };
    let silent = Script {
        never_initialize: true,
        ..Script::default()
    };
    let mut cold = fake(&stage, silent);
    cold.start_timeout = Duration::from_millis(400);
    let mut missing = fake(&stage, Script::default());
    missing.upstream_command = Some(vec!["/nonexistent/mcp".into()]);
    let mut broken = fake(
        &stage,
        rule(Reply::Failure("Executable doesn't exist at /x".into())),
    );
    broken.warm = true;
    for (spec, expected) in [
        (
            fake(&stage, dead),
            vec!["it exited with code 3", "no such browser"],
        ),
        (cold, vec!["the MCP handshake"]),
        (missing, vec!["/nonexistent/mcp"]),
        (
            broken,
            vec!["its browser", "Executable doesn't exist at /x"],
        ),
    ] {
        let outcome = PlaywrightInstance::start("TEST-0", &spec, &host(&stage)).await;
        let said = outcome.expect_err("the start must fail").to_string();
        assert!(expected.iter().all(|part| said.contains(part)), "{said}");
    }
    stage.strike().await;
}

#[tokio::test]
async fn a_start_that_is_given_up_leaves_nothing_behind() {
    let stage = Stage::open().await;
    let silent = fake(
        &stage,
        Script {
            never_initialize: true,
            ..Script::default()
        },
    );
    let host = host(&stage);
    let start = PlaywrightInstance::start("TEST-0", &silent, &host);
    assert!(timeout(Duration::from_millis(300), start).await.is_err());
    drop(host);
    stage.strike().await;
}

#[tokio::test]
async fn an_upstream_that_heeds_nothing_is_killed_after_the_grace() {
    let stage = Stage::open().await;
    let script = Script {
        ignore_sigterm: true,
        ignore_eof: true,
        grandchild: Some(Grandchild {
            ignore_sigterm: true,
            ..Grandchild::default()
        }),
        ..rule(Reply::Never)
    };
    let instance = start_fake(&stage, script).await;
    let begun = Instant::now();
    instance.stop(GRACE).await.unwrap();
    assert!(begun.elapsed() >= GRACE);
    drop(instance);
    stage.strike().await;
}

#[tokio::test]
async fn code_runs_only_where_it_is_allowed() {
    let stage = Stage::open().await;
    let spec = fake(&stage, Script::default());
    let code = Call::new("browser_run_code_unsafe").with("code", "1");
    let instance = start(&stage, &spec).await;
    let error = error_of(instance.call(&code, LONG).await);
    assert!(
        error
            .to_string()
            .ends_with("set ALLOW_RUN_CODE for the pool"),
        "{error}"
    );
    assert!(!heard(&stage, "browser_run_code_unsafe"));
    instance.stop(GRACE).await.unwrap();
    let instance = start(
        &stage,
        &LaunchSpec {
            allow_run_code: true,
            ..spec
        },
    )
    .await;
    run(&instance, code).await;
    instance.stop(GRACE).await.unwrap();
    drop(instance);
    stage.strike().await;
}

#[tokio::test]
async fn the_engine_keeps_the_contract_whatever_is_behind_it() {
    let stage = Stage::open().await;
    let spec = LaunchSpec {
        kind: BrowserKind::Chromium,
        ..fake(&stage, Script::default())
    };
    let engine = Engine::start_playwright("TEST-0", &spec, &host(&stage))
        .await
        .unwrap();
    engine.probe(LONG).await.unwrap();
    let reply = engine.call(&navigate("http://a/"), LONG).await.unwrap();
    assert_eq!(reply.page.unwrap().url, "http://a/");
    engine.reset(LONG).await.unwrap();
    assert!(engine.stderr_tail().is_empty());
    kill(engine.pid());
    assert!(engine.ended().await.how.contains("SIGKILL"));
    engine.stop(GRACE).await.unwrap();
    drop(engine);
    stage.strike().await;
}
