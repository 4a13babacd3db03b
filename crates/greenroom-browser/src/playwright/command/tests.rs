use super::*;
use crate::ViewportSize;
use crate::find::Places;
use crate::sandbox::Sandbox;
use std::os::unix::fs::PermissionsExt as _;

const CLI: &str = "data/upstream/node_modules/@playwright/mcp/cli.js";

/// A machine of its own, with these programs on its PATH and the upstream in its data.
struct Fixture {
    root: tempfile::TempDir,
    machine: Machine,
}

impl Fixture {
    fn new(programs: &[&str]) -> Self {
        let root = tempfile::tempdir().unwrap();
        let path = |name: &str| root.path().join(name);
        let machine = Machine {
            places: Places {
                path: vec![path("bin")],
                playwright_browsers: Some(path("builds")),
                root: path("root"),
            },
            program: None,
            data_dir: path("data"),
            sandbox: Sandbox::Available,
        };
        let fixture = Self { root, machine };
        fixture.write(CLI, "");
        fixture.write(
            "data/upstream/node_modules/@playwright/mcp/package.json",
            r#"{"version":"1"}"#,
        );
        programs
            .iter()
            .for_each(|program| fixture.write(program, "#!/bin/sh\n"));
        fixture
    }

    fn write(&self, name: &str, text: &str) {
        let file = self.path(name);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, text).unwrap();
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).unwrap();
    }

    fn path(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    fn build(&self, spec: &LaunchSpec) -> Result<UpstreamCommand, EngineError> {
        let directories = Directories {
            output: "/i/output".into(),
            profile: "/i/profile".into(),
            config: "/i/upstream.json".into(),
        };
        let paths = PathStyle::choose(spec.wsl_windows, &self.machine)?;
        build(spec, &self.machine, &directories, &paths)
    }

    /// The command line as one text, with the fixture's own directory called `~`.
    fn line(&self, spec: &LaunchSpec) -> String {
        let command = self.build(spec).unwrap();
        let words = std::iter::once(command.program.into_os_string()).chain(command.args);
        let words: Vec<String> = words.map(|word| word.into_string().unwrap()).collect();
        words
            .join(" ")
            .replace(self.root.path().to_str().unwrap(), "~")
    }
}

const CHROMIUM: &[&str] = &["bin/node", "bin/chromium", "bin/chromium-headless-shell"];

#[test]
fn the_whole_line_of_a_headless_isolated_chromium() {
    let line = Fixture::new(CHROMIUM).line(&LaunchSpec::new(BrowserKind::Chromium));
    assert_eq!(
        line,
        "~/bin/node ~/data/upstream/node_modules/@playwright/mcp/cli.js --browser chromium \
         --executable-path ~/bin/chromium-headless-shell --headless --sandbox --isolated \
         --timeout-settle 0 --timeout-navigation 28000 --timeout-action 5000 --idle-timeout 0 \
         --no-webmcp --output-dir /i/output --config /i/upstream.json"
    );
}

#[test]
fn each_browser_is_named_as_the_upstream_knows_it() {
    let all = [
        "bin/node",
        "bin/chromium",
        "bin/google-chrome",
        "bin/microsoft-edge",
        "bin/firefox-esr",
        "builds/webkit-2203/pw_run.sh",
    ];
    let fixture = Fixture::new(&all);
    for (kind, headless, expected) in [
        (
            BrowserKind::Chromium,
            false,
            "--browser chromium --executable-path ~/bin/chromium --sandbox ",
        ),
        (
            BrowserKind::Chrome,
            true,
            "--browser chrome --headless --sandbox ",
        ),
        (BrowserKind::Msedge, false, "--browser msedge --sandbox "),
        (
            BrowserKind::Firefox,
            true,
            "--browser moz-firefox --executable-path ~/bin/firefox-esr --headless --isolated",
        ),
        (
            BrowserKind::Webkit,
            true,
            "--browser webkit --headless --isolated --timeout-settle 20 ",
        ),
    ] {
        let line = fixture.line(&LaunchSpec {
            headless,
            ..LaunchSpec::new(kind)
        });
        assert!(line.contains(expected), "{kind}: {line}");
    }
}

#[test]
fn builds_of_playwright_s_own_are_left_for_it_to_find() {
    let fixture = Fixture::new(&[
        "bin/node",
        "builds/firefox-1500/firefox/firefox",
        "bin/mine",
    ]);
    let firefox = LaunchSpec::new(BrowserKind::Firefox);
    assert!(
        fixture
            .line(&firefox)
            .contains("--browser firefox --headless")
    );
    let mut configured = firefox.clone();
    configured.executable = Some(fixture.path("builds/firefox-1500/firefox/firefox"));
    let line = fixture.line(&configured);
    assert!(
        line.contains("--browser firefox --executable-path ~/builds/firefox-1500"),
        "{line}"
    );
    configured.executable = Some(fixture.path("bin/mine"));
    let line = fixture.line(&configured);
    assert!(
        line.contains("--browser moz-firefox --executable-path ~/bin/mine"),
        "{line}"
    );
    let chrome = LaunchSpec {
        executable: configured.executable,
        ..LaunchSpec::new(BrowserKind::Chrome)
    };
    let line = fixture.line(&chrome);
    assert!(
        line.contains("--browser chrome --executable-path ~/bin/mine"),
        "{line}"
    );
}

#[test]
fn the_sandbox_is_on_where_it_can_be_unless_told() {
    let unavailable = Sandbox::Unavailable {
        reason: "",
        fix: "",
    };
    for (sandbox, asked, expected) in [
        (Sandbox::Available, None, "--sandbox"),
        (Sandbox::Available, Some(false), "--no-sandbox"),
        (unavailable.clone(), None, "--no-sandbox"),
        (unavailable, Some(true), "--sandbox"),
    ] {
        let mut fixture = Fixture::new(CHROMIUM);
        fixture.machine.sandbox = sandbox;
        let spec = LaunchSpec {
            sandbox: asked,
            ..LaunchSpec::new(BrowserKind::Chromium)
        };
        assert!(
            fixture.line(&spec).contains(&format!(" {expected} ")),
            "{asked:?}"
        );
    }
}

#[test]
fn every_setting_has_its_option() {
    let spec = LaunchSpec {
        viewport: Some(ViewportSize {
            width: 800,
            height: 600,
        }),
        user_agent: Some("Me 1.0".into()),
        proxy_server: Some("socks5://p:1".into()),
        ignore_https_errors: true,
        storage_state: Some("/s.json".into()),
        capabilities: vec!["pdf".into(), "vision".into()],
        args: vec!["--lang=de".into()],
        ..LaunchSpec::new(BrowserKind::Chromium)
    };
    let fixture = Fixture::new(CHROMIUM);
    let line = fixture.line(&spec);
    for option in [
        "--viewport-size 800x600 ",
        "--user-agent Me 1.0 ",
        "--proxy-server socks5://p:1 ",
        "--ignore-https-errors ",
        "--isolated --storage-state /s.json ",
        "--caps pdf,vision ",
    ] {
        assert!(line.contains(option), "{option}: {line}");
    }
    let config = fixture.build(&spec).unwrap().config;
    let launch = json!({"headless": true, "args": ["--lang=de"]});
    assert_eq!(config, json!({"browser": {"launchOptions": launch}}));
}

#[test]
fn firefox_keeps_no_pages_that_would_come_back_unseen() {
    let fixture = Fixture::new(&["bin/node", "bin/firefox-esr"]);
    let firefox = LaunchSpec::new(BrowserKind::Firefox);
    let config = fixture.build(&firefox).unwrap().config;
    let preferences = &config["browser"]["launchOptions"]["firefoxUserPrefs"];
    assert_eq!(preferences["browser.sessionhistory.max_total_viewers"], 0);
}

#[test]
fn a_profile_is_the_configured_one_or_a_passing_one() {
    let fixture = Fixture::new(CHROMIUM);
    let mut spec = LaunchSpec::new(BrowserKind::Chromium);
    spec.isolated = false;
    assert!(fixture.line(&spec).contains("--user-data-dir /i/profile "));
    spec.user_data_dir = Some("/profiles/a".into());
    let line = fixture.line(&spec);
    assert!(line.contains("--user-data-dir /profiles/a ") && !line.contains("--isolated"));
}

#[test]
fn the_upstream_s_own_limits_stay_below_the_call_s() {
    for (timeout, navigation, action) in [
        (60_000, 58_000, 5000),
        (30_000, 28_000, 5000),
        (4000, 3600, 3600),
        (400, 200, 200),
    ] {
        let mut spec = LaunchSpec::new(BrowserKind::Chromium);
        spec.timeout = Duration::from_millis(timeout);
        let line = Fixture::new(CHROMIUM).line(&spec);
        let expected = format!("--timeout-navigation {navigation} --timeout-action {action} ");
        assert!(line.contains(&expected), "{timeout}: {line}");
    }
}

#[test]
fn a_configured_command_is_run_as_it_is() {
    let mut spec = LaunchSpec::new(BrowserKind::Chromium);
    spec.upstream_command = Some(vec!["/opt/mcp".into(), "--mine".into()]);
    let line = Fixture::new(&["bin/chromium"]).line(&spec);
    assert!(
        line.starts_with("/opt/mcp --mine --browser chromium "),
        "{line}"
    );
}

#[test]
fn what_is_missing_is_named_with_its_remedy() {
    let chromium = LaunchSpec::new(BrowserKind::Chromium);
    let error = |fixture: &Fixture| fixture.build(&chromium).unwrap_err().to_string();
    let text = error(&Fixture::new(&["bin/chromium"]));
    assert_eq!(
        text,
        "cannot start a browser without Node.js on PATH; apt-get install nodejs"
    );
    assert!(error(&Fixture::new(&["bin/node"])).contains("apt-get install chromium"));
    let bare = Fixture::new(CHROMIUM);
    std::fs::remove_file(bare.path(CLI)).unwrap();
    std::fs::remove_dir_all(bare.path("data")).unwrap();
    assert!(
        error(&bare).contains("greenroom doctor --fix"),
        "{}",
        error(&bare)
    );
}

#[test]
fn windows_gets_its_own_node_its_own_browser_and_its_own_paths() {
    let fixture = Fixture::new(&["bin/node", "bin/node.exe"]);
    let mut spec = LaunchSpec::new(BrowserKind::Msedge);
    spec.wsl_windows = true;
    spec.headless = false;
    let error = fixture.build(&spec).unwrap_err().to_string();
    assert!(error.contains("wslpath"), "{error}");
    fixture.write(
        "bin/wslpath",
        "#!/bin/sh\n[ \"$1\" = -w ] && echo \"W:$2\"\n",
    );
    let line = fixture.line(&spec);
    assert_eq!(
        line,
        "~/bin/node.exe W:~/data/upstream/node_modules/@playwright/mcp/cli.js --browser msedge \
         --isolated --timeout-settle 0 --timeout-navigation 28000 --timeout-action 5000 \
         --idle-timeout 0 --no-webmcp --output-dir W:/i/output --config W:/i/upstream.json"
    );
    spec.executable = Some("C:\\Edge\\msedge.exe".into());
    let line = fixture.line(&spec);
    assert!(
        line.contains("--executable-path C:\\Edge\\msedge.exe "),
        "{line}"
    );
    fixture.write("bin/wslpath", "#!/bin/sh\nexit 1\n");
    assert!(
        fixture
            .build(&spec)
            .unwrap_err()
            .to_string()
            .contains("wslpath -w")
    );
}
