//! Real browsers, started and ended.

use std::fs;
use std::time::Duration;

use crate::stage::{
    CHROMIUM, GRACE, LONG, SHELL, Stage, eventually, kill, signal, spec, value, visit,
};
use greenroom_browser::LaunchSpec;
use greenroom_browser::call::EngineError;
use greenroom_browser::find::BrowserKind;
use greenroom_browser::native::CdpError;
use greenroom_browser::native::browser::{SharedBrowser, WorldSettings};
use greenroom_browser::native::launch::Chromium;
use greenroom_browser::native::protocol::browser::GetVersion;
use greenroom_browser::native::protocol::target::GetTargets;
use greenroom_testkit::site::Site;
use rustix::process::Signal;
use tokio::time::Instant;

async fn start(stage: &Stage, spec: &LaunchSpec) -> Chromium {
    let started = Chromium::start("TEST", spec, &stage.host).await;
    started.unwrap_or_else(|error| panic!("{error}"))
}

async fn refused(stage: &Stage, spec: &LaunchSpec) -> EngineError {
    let started = Chromium::start("TEST", spec, &stage.host).await;
    started.expect_err("it must not start")
}

#[tokio::test]
async fn both_programs_start_answer_and_end_without_a_trace() {
    for program in [SHELL, CHROMIUM] {
        let stage = Stage::open().await;
        let chromium = start(&stage, &spec(program)).await;
        let product = &chromium.version().product;
        assert!(product.contains("Chrome/"), "{product}");
        chromium.probe(LONG).await.unwrap();
        assert!(chromium.memory().await.unwrap().pss > 10 << 20);
        let begun = Instant::now();
        chromium.stop(GRACE).await.unwrap();
        assert!(begun.elapsed() < GRACE, "{program} closes by itself");
        assert!(!chromium.is_alive());
        drop(chromium);
        stage.strike().await;
    }
}

#[tokio::test]
async fn a_headless_pool_gets_the_shell_and_an_isolated_browser_has_no_page_of_its_own() {
    let stage = Stage::open().await;
    let chromium = start(&stage, &LaunchSpec::new(BrowserKind::Chromium)).await;
    let program = fs::read_link(format!("/proc/{}/exe", chromium.pid().unwrap())).unwrap();
    assert!(
        program.to_string_lossy().contains("headless"),
        "{program:?}"
    );
    let targets = chromium
        .session()
        .call(GetTargets::default())
        .await
        .unwrap();
    let pages = targets
        .target_infos
        .iter()
        .filter(|target| target.kind == "page");
    assert_eq!(pages.count(), 0);
    chromium.stop(GRACE).await.unwrap();
    drop(chromium);
    stage.strike().await;
}

#[tokio::test]
async fn a_killed_browser_fails_every_call_at_once_with_the_reason() {
    let stage = Stage::open().await;
    let chromium = start(&stage, &spec(SHELL)).await;
    let pid = chromium.pid().unwrap();
    // Stopped first, so that no call can be answered before the browser dies.
    signal(pid, Signal::STOP);
    let calls: Vec<_> = (0..50)
        .map(|_| {
            let browser = chromium.session().clone();
            tokio::spawn(async move { browser.call(GetVersion {}).await })
        })
        .collect();
    eventually("all wait", || chromium.connection().pending() == 50).await;
    let begun = Instant::now();
    kill(pid);
    for call in calls {
        let Err(CdpError::Ended { death, .. }) = call.await.unwrap() else {
            panic!("it cannot have an answer");
        };
        assert!(death.how.contains("signal 9"), "{death}");
    }
    assert!(
        begun.elapsed() < Duration::from_secs(1),
        "{:?}",
        begun.elapsed()
    );
    assert!(chromium.ended().await.how.contains("SIGKILL"));
    chromium.stop(GRACE).await.unwrap();
    drop(chromium);
    stage.strike().await;
}

#[tokio::test]
async fn a_browser_that_hangs_is_ended_all_the_same() {
    let stage = Stage::open().await;
    let chromium = start(&stage, &spec(SHELL)).await;
    signal(chromium.pid().unwrap(), Signal::STOP);
    let late = chromium
        .probe(Duration::from_millis(200))
        .await
        .unwrap_err();
    assert!(matches!(late, CdpError::Timeout { .. }), "{late}");
    let begun = Instant::now();
    chromium.stop(Duration::from_secs(1)).await.unwrap();
    assert!(begun.elapsed() < Duration::from_secs(5));
    drop(chromium);
    stage.strike().await;
}

#[tokio::test]
async fn a_program_that_is_no_browser_says_what_it_did() {
    let stage = Stage::open().await;
    let script = stage.data.path().join("chromium");
    let text = "#!/bin/sh\necho 'cannot open display' >&2\nexit 7\n";
    fs::write(&script, text).unwrap();
    fs::set_permissions(&script, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let broken = LaunchSpec {
        executable: Some(script.clone()),
        ..LaunchSpec::new(BrowserKind::Chromium)
    };
    let error = refused(&stage, &broken).await.to_string();
    assert!(
        error.contains("code 7") && error.contains("cannot open display"),
        "{error}"
    );

    fs::write(&script, "#!/bin/sh\nexec sleep 1000\n").unwrap();
    let silent = LaunchSpec {
        start_timeout: Duration::from_millis(300),
        ..broken
    };
    let error = refused(&stage, &silent).await.to_string();
    assert!(error.contains("DevTools pipe"), "{error}");

    let missing = LaunchSpec {
        executable: Some("/nonexistent/chromium".into()),
        ..LaunchSpec::new(BrowserKind::Chromium)
    };
    let error = refused(&stage, &missing).await.to_string();
    assert!(error.contains("/nonexistent/chromium"), "{error}");
    let firefox = LaunchSpec::new(BrowserKind::Firefox);
    let error = refused(&stage, &firefox).await.to_string();
    assert!(error.contains("ENGINE=playwright"), "{error}");
    stage.strike().await;
}

#[tokio::test]
async fn a_window_where_there_is_no_display_says_so() {
    let mut stage = Stage::open().await;
    let on_display = |name: &std::ffi::OsString| name == "DISPLAY" || name == "WAYLAND_DISPLAY";
    stage.host.environment.retain(|(name, _)| !on_display(name));
    let spec = LaunchSpec {
        headless: false,
        ..spec(CHROMIUM)
    };
    let error = refused(&stage, &spec).await.to_string();
    assert!(error.contains("X server or $DISPLAY"), "{error}");
    let shell = LaunchSpec {
        headless: false,
        ..crate::stage::spec(SHELL)
    };
    let error = refused(&stage, &shell).await.to_string();
    assert!(error.contains("HEADLESS=true"), "{error}");
    stage.strike().await;
}

#[tokio::test]
async fn what_the_instance_is_to_be_is_what_its_pages_see() {
    let stage = Stage::open().await;
    let spec = LaunchSpec {
        user_agent: Some("Mine/1.0".into()),
        viewport: Some(greenroom_browser::ViewportSize {
            width: 801,
            height: 602,
        }),
        args: vec!["--js-flags=--expose-gc".into()],
        ..spec(SHELL)
    };
    let browser = SharedBrowser::start("TEST", &spec, &stage.host, 2)
        .await
        .unwrap();
    let world = browser.world(LONG).await.unwrap();
    let script = "[navigator.userAgent, innerWidth, innerHeight, typeof gc]";
    let seen: (String, u32, u32, String) = value(world.page(), script).await;
    assert_eq!(seen, ("Mine/1.0".into(), 801, 602, "function".into()));
    world.dispose(LONG).await.unwrap();
    browser.stop(GRACE).await.unwrap();
    drop(browser);
    stage.strike().await;
}

#[tokio::test]
async fn a_profile_is_kept_serves_one_browser_and_survives_a_crash() {
    for program in [SHELL, CHROMIUM] {
        let stage = Stage::open().await;
        let site = Site::start().await;
        let profile = stage.data.path().join("profiles/p");
        let spec = LaunchSpec {
            isolated: false,
            user_data_dir: Some(profile.clone()),
            ..spec(program)
        };
        let settings = WorldSettings::of(&spec);
        let first = start(&stage, &spec).await;
        let error = refused(&stage, &spec).await;
        assert!(error.to_string().contains("in use"), "{error}");
        let first = SharedBrowser::of(first, settings.clone(), 1).await.unwrap();
        let world = first.profile_world(LONG).await.unwrap();
        assert_eq!(world.context(), None);
        let cookie = "document.cookie = 'kept=1; max-age=1000'";
        visit(world.page(), &site.url("/")).await;
        value::<String>(world.page(), cookie).await;
        // A browser that is closed writes its profile; the next one reads it.
        world.dispose(LONG).await.unwrap();
        first.stop(GRACE).await.unwrap();
        drop(first);

        let second = start(&stage, &spec).await;
        let second = SharedBrowser::of(second, settings.clone(), 1)
            .await
            .unwrap();
        let world = second.profile_world(LONG).await.unwrap();
        visit(world.page(), &site.url("/")).await;
        let cookies: String = value(world.page(), "document.cookie").await;
        assert_eq!(cookies, "kept=1", "{program}");
        // A browser that is killed leaves its lock; the next one starts all the same.
        kill(second.chromium().pid().unwrap());
        second.ended().await;
        drop(world);
        second.stop(GRACE).await.unwrap();
        drop(second);
        let third = start(&stage, &spec).await;
        third.stop(GRACE).await.unwrap();
        drop((third, site));
        stage.strike().await;
    }
}
