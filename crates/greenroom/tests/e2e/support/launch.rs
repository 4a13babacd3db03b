use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use greenroom_testkit::upstream::Entry;
use procfs::process::Process;
use serde_json::Value;

use super::Setup;

/// The arguments that an upstream, or a browser that is driven without one, was started with.
#[derive(Debug)]
pub struct Launch(Vec<String>);

impl Launch {
    /// Of the process that an instance has, as the system tells it.
    pub fn of(instance: &Value) -> Self {
        let process = Process::new(i32::try_from(pid_of(instance)).unwrap()).unwrap();
        Self(process.cmdline().unwrap())
    }

    /// Of the fake upstream that an instance has, as it wrote them down.
    pub fn told(journal: &[Entry], instance: &Value) -> Self {
        let argv = journal.iter().find_map(|entry| match entry {
            Entry::Started { pid, argv, .. } if *pid == pid_of(instance) => Some(argv.clone()),
            _ => None,
        });
        Self(argv.unwrap_or_else(|| panic!("nobody wrote about {instance:#}")))
    }

    pub fn has(&self, flag: &str) -> bool {
        self.0.iter().any(|word| word == flag)
    }

    /// The value of an option, which may be a word of its own or follow an equals sign.
    pub fn value(&self, option: &str) -> &str {
        let joined = self
            .0
            .iter()
            .find_map(|word| word.strip_prefix(option)?.strip_prefix('='));
        let at = self.0.iter().position(|word| word == option);
        joined
            .or_else(|| Some(&*self.0[at? + 1]))
            .unwrap_or_else(|| panic!("no {option} in {self:?}"))
    }

    /// Whether this is a browser itself, without a window, and no upstream that starts one.
    pub fn is_headless_chromium(&self) -> bool {
        self.has("--remote-debugging-pipe") && self.has("--headless")
    }

    /// What the configuration file says about a window.
    pub fn config_is_headless(&self) -> bool {
        let config = std::fs::read(self.value("--config")).unwrap();
        let config: Value = serde_json::from_slice(&config).unwrap();
        config["browser"]["launchOptions"]["headless"]
            .as_bool()
            .unwrap()
    }
}

fn pid_of(instance: &Value) -> u32 {
    let pid = instance["process_id"].as_u64();
    let pid = pid.unwrap_or_else(|| panic!("no process in {instance:#}"));
    u32::try_from(pid).unwrap()
}

impl Setup {
    /// A file in the working directory.
    pub fn file(self, name: &str, text: &str) -> Self {
        std::fs::write(self.data_dir.with_file_name(name), text).unwrap();
        self
    }

    /// A program of this name, a script for the shell, which is found before those of the machine.
    pub fn script(self, name: &str, script: &str) -> Self {
        let programs = self.data_dir.with_file_name("bin");
        write_program(&programs.join(name), script);
        let others = option_env!("PATH").unwrap_or("/usr/bin:/bin");
        self.variable("PATH", &format!("{}:{others}", programs.display()))
    }

    /// A WebKit as Playwright installs one, which nobody may start.
    pub fn webkit(self) -> Self {
        let builds = self.data_dir.with_file_name("ms-playwright");
        write_program(&builds.join("webkit-2203/pw_run.sh"), "exit 1");
        self.variable("PLAYWRIGHT_BROWSERS_PATH", builds.to_str().unwrap())
    }
}

fn write_program(program: &Path, script: &str) {
    std::fs::create_dir_all(program.parent().unwrap()).unwrap();
    std::fs::write(program, format!("#!/bin/sh\n{script}\n")).unwrap();
    std::fs::set_permissions(program, Permissions::from_mode(0o755)).unwrap();
}
