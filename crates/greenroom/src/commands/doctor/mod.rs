//! `greenroom doctor`: everything that could keep browsers from starting, found before they do.

mod check;
mod install;
mod machine;
mod software;

use std::ffi::OsString;
use std::path::Path;

use greenroom_browser::find::{BrowserKind, PINNED_UPSTREAM, Places};
use greenroom_config::{Engine, InstanceSettings, Problems, Settings};
use greenroom_server::browser_kind;
use serde_json::json;

use self::check::{Check, Verdict, render};
use self::install::Installer;
use self::software::Wanted;
use crate::cli::{DoctorArgs, SettingsArgs};
use crate::exit::Code;
use crate::output;
use crate::wiring::Setup;

pub(super) fn run(args: &DoctorArgs, settings: &SettingsArgs) -> anyhow::Result<Code> {
    let setup = Setup::read(settings)?;
    let places = setup.places();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    if args.fix {
        runtime.block_on(fix(&setup, &places));
    }
    let checks = runtime.block_on(examine(&setup.settings, &places));
    let fine = checks.iter().all(|check| check.status != Verdict::Problem);
    output::to_stdout(&if args.json {
        format!("{:#}\n", json!({"ok": fine, "checks": checks}))
    } else {
        render(&checks)
    })?;
    Ok(if fine { Code::Ok } else { Code::Failed })
}

/// Repairs what can be repaired from here, and tells on stderr what it did. What could not be is
/// among the checks that follow.
async fn fix(setup: &Setup, places: &Places) {
    let Ok(settings) = &setup.settings else {
        return;
    };
    if !needs_upstream(settings) {
        return;
    }
    let installer = Installer {
        data_dir: &settings.server.data_dir,
        places,
        environment: environment_of_npm(setup),
    };
    let program = std::env::current_exe().ok();
    let told = match installer.run(program.as_deref()).await {
        Ok(None) => return,
        Ok(Some(place)) => format!(
            "installed @playwright/mcp {PINNED_UPSTREAM} in {}",
            place.display()
        ),
        Err(error) => format!("the upstream could not be installed: {error:#}"),
    };
    output::to_stderr(&format!("greenroom: {told}\n"));
}

fn environment_of_npm(setup: &Setup) -> Vec<(OsString, OsString)> {
    let variables = setup.environment.variables.iter();
    let settings = variables.filter(|(name, _)| install::is_npm_setting(name));
    let mut environment = setup.child_environment();
    environment.extend(settings.map(|(name, value)| (name.into(), value.clone())));
    environment
}

fn needs_upstream(settings: &Settings) -> bool {
    instances(settings).any(|instance| {
        instance.engine() == Engine::Playwright && instance.upstream_command.is_none()
    })
}

async fn examine(settings: &Result<Settings, Problems>, places: &Places) -> Vec<Check> {
    let mut checks = vec![configuration(settings)];
    if let Ok(settings) = settings {
        checks.push(data_directory(&settings.server.data_dir));
        let wanted = wanted_browsers(settings);
        for browser in &wanted {
            checks.push(software::browser(browser, places).await);
        }
        if wanted
            .iter()
            .any(|w| w.kind == BrowserKind::Chromium && w.headless && w.executable.is_none())
        {
            checks.push(software::headless_shell(places));
        }
        if needs_upstream(settings) {
            checks.push(software::node(places).await);
            let program = std::env::current_exe().ok();
            checks.push(software::upstream(
                program.as_deref(),
                &settings.server.data_dir,
            ));
        }
        let sandbox_wanted = instances(settings).all(|instance| instance.sandbox != Some(false));
        checks.push(machine::sandbox(sandbox_wanted));
    }
    checks.push(machine::shared_memory());
    checks.push(machine::file_limit());
    checks.push(machine::control_group());
    checks
}

fn configuration(settings: &Result<Settings, Problems>) -> Check {
    const NAME: &str = "configuration";
    match settings {
        Ok(settings) => Check::ok(NAME, format!("valid, {} pool(s)", settings.pools.len())),
        Err(problems) => Check::problem(
            NAME,
            format!("{} problem(s)", problems.len()),
            "greenroom config check lists them, each with its fix",
        ),
    }
}

/// It need not exist yet, but somebody must be able to make it.
fn data_directory(data_dir: &Path) -> Check {
    const NAME: &str = "data directory";
    let existing = data_dir.ancestors().find(|dir| dir.exists());
    let writable = existing.is_some_and(|dir| {
        dir.is_dir() && rustix::fs::access(dir, rustix::fs::Access::WRITE_OK).is_ok()
    });
    if writable {
        Check::ok(NAME, data_dir.display().to_string())
    } else {
        Check::problem(
            NAME,
            format!("{} cannot be written", data_dir.display()),
            "choose another with --data-dir or PW_MCP_PROXY_DATA_DIR",
        )
    }
}

fn instances(settings: &Settings) -> impl Iterator<Item = &InstanceSettings> {
    settings.pools.iter().flat_map(|pool| &pool.instances)
}

/// Each different browser once. Those on the Windows side of WSL are out of our sight.
fn wanted_browsers(settings: &Settings) -> Vec<Wanted> {
    let mut wanted: Vec<Wanted> = Vec::new();
    for instance in instances(settings) {
        let elsewhere = instance.wsl_windows
            || (instance.engine() == Engine::Native && instance.cdp_endpoint.is_some());
        let browser = Wanted {
            kind: browser_kind(instance.browser),
            headless: instance.headless,
            executable: instance.executable_path.clone(),
        };
        if !elsewhere && !wanted.contains(&browser) {
            wanted.push(browser);
        }
    }
    wanted
}
