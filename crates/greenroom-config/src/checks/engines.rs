//! What each engine can and cannot drive.

use crate::checks::relations::Clash;
use crate::effective::Effective;
use crate::keys::Key;
use crate::merge::Merged;
use crate::problem::Problem;
use crate::scope::Scope;
use crate::settings::engine_of;
use crate::values::choices::{Browser, Engine, EngineChoice, ProcessChoice};

pub(crate) fn check(merged: &Merged, scope: &Scope, problems: &mut Vec<Problem>) {
    if let Some(view) = View::new(merged, scope) {
        problems.extend(view.native_cannot_drive());
        problems.extend(view.cannot_be_shared());
        problems.extend(view.endpoint_of_the_wrong_engine());
        problems.extend(view.endpoint_beside_a_program());
    }
}

/// The settings that decide how an instance is driven. There is none while
/// one of the first three cannot be read: nothing is known then.
struct View<'a> {
    merged: &'a Merged,
    scope: &'a Scope,
    choice: EngineChoice,
    browser: Browser,
    wsl: bool,
}

impl<'a> View<'a> {
    fn new(merged: &'a Merged, scope: &'a Scope) -> Option<Self> {
        Some(Self {
            merged,
            scope,
            choice: merged.effective(scope, Key::Engine).get()?,
            browser: merged.effective(scope, Key::Browser).get()?,
            wsl: merged.effective(scope, Key::WslWindows).get()?,
        })
    }

    fn effective(&self, key: Key) -> Effective {
        self.merged.effective(self.scope, key)
    }

    fn is_playwright(&self) -> bool {
        engine_of(self.choice, self.browser, self.wsl) == Engine::Playwright
    }

    /// The setting because of which the engine is playwright.
    fn reason_for_playwright(&self) -> Effective {
        self.effective(match (self.choice, self.wsl) {
            (EngineChoice::Playwright, _) => Key::Engine,
            (_, true) => Key::WslWindows,
            (_, false) => Key::Browser,
        })
    }

    fn clash(
        &self,
        one: &Effective,
        other: &Effective,
        why: &'static str,
        remedy: &str,
    ) -> Problem {
        Clash {
            scope: self.scope,
            one,
            other,
            why,
            remedy: remedy.to_owned(),
        }
        .problem()
    }

    fn native_cannot_drive(&self) -> Vec<Problem> {
        if self.choice != EngineChoice::Native {
            return Vec::new();
        }
        let engine = self.effective(Key::Engine);
        let mut problems = Vec::new();
        if !self.browser.is_chromium_kind() {
            let browser = self.effective(Key::Browser);
            let why = "the native engine drives chromium, chrome and msedge only";
            let remedy = "set ENGINE to auto or playwright, or choose one of these browsers";
            problems.push(self.clash(&engine, &browser, why, remedy));
        }
        if self.wsl {
            let wsl = self.effective(Key::WslWindows);
            let why = "only the playwright engine runs on the Windows side";
            let remedy = "set ENGINE to auto or playwright, or WSL_WINDOWS to false";
            problems.push(self.clash(&engine, &wsl, why, remedy));
        }
        problems
    }

    fn cannot_be_shared(&self) -> Vec<Problem> {
        let process = self.effective(Key::Process);
        if process.get() != Some(ProcessChoice::Shared) {
            return Vec::new();
        }
        let mut problems = Vec::new();
        if self.is_playwright() {
            let reason = self.reason_for_playwright();
            let why = "the playwright engine has one process per instance";
            let remedy = "set PROCESS to auto or dedicated, or use the native engine";
            problems.push(self.clash(&process, &reason, why, remedy));
        }
        let isolated = self.effective(Key::Isolated);
        if isolated.get() == Some(false) {
            let why = "a profile directory belongs to one browser process";
            let remedy = "set PROCESS to auto or dedicated, or ISOLATED to true";
            problems.push(self.clash(&process, &isolated, why, remedy));
        }
        problems
    }

    /// An endpoint that is set more generally than what makes the engine
    /// playwright is meant for the other instances, and fine.
    fn endpoint_of_the_wrong_engine(&self) -> Option<Problem> {
        let endpoint = self.effective(Key::CdpEndpoint);
        let reason = self.reason_for_playwright();
        let clash = self.is_playwright() && endpoint.is_set() && endpoint.level >= reason.level;
        let why = "only the native engine connects to a browser that runs elsewhere";
        let remedy = "leave out CDP_ENDPOINT, or use the native engine with a Chromium kind";
        clash.then(|| self.clash(&endpoint, &reason, why, remedy))
    }

    /// Likewise a program that is set more generally than the endpoint.
    fn endpoint_beside_a_program(&self) -> Option<Problem> {
        let endpoint = self.effective(Key::CdpEndpoint);
        let program = self.effective(Key::ExecutablePath);
        let clash = endpoint.is_set() && program.is_set() && program.level >= endpoint.level;
        let why = "a browser that runs elsewhere is not started here";
        let remedy = "leave out one of the two";
        clash.then(|| self.clash(&program, &endpoint, why, remedy))
    }
}
