//! What a script is made of.

use serde_json::Value;

/// One call that is made in both engines.
pub(super) struct Step {
    pub(super) tool: &'static str,
    /// A string that begins with `@` stands for the ref on the first line of the last snapshot
    /// that contains what follows, in each engine its own.
    pub(super) arguments: Value,
    /// Text that either answer must hold: the call is repeated until it does.
    pub(super) until: Option<&'static str>,
    /// Whether each engine says in its own words what went wrong.
    pub(super) has_own_words: bool,
    /// Whether the page goes on changing after the answer.
    pub(super) is_in_motion: bool,
}

/// A step of a script.
pub(super) fn step(tool: &'static str, arguments: Value) -> Step {
    Step {
        tool,
        arguments,
        until: None,
        has_own_words: false,
        is_in_motion: false,
    }
}

impl Step {
    /// Repeats a call that only looks, because what it looks for comes in its own time.
    pub(super) fn until(self, text: &'static str) -> Self {
        Self {
            until: Some(text),
            ..self
        }
    }

    /// Both answers must be errors, and no more: the native engine says more about this one.
    pub(super) fn in_own_words(self) -> Self {
        Self {
            has_own_words: true,
            ..self
        }
    }

    /// The answer may come before or after what the step has set in motion, so that only what was
    /// done is compared. The next step waits for the rest.
    pub(super) fn in_motion(self) -> Self {
        Self {
            is_in_motion: true,
            ..self
        }
    }

    /// Whether every target is a ref. What is named otherwise, the upstream names so in its code.
    pub(super) fn is_by_ref(&self) -> bool {
        let is_ref = |value: &Value| value.as_str().is_none_or(|text| text.starts_with('@'));
        let targets = |fields: &Value| {
            let names = ["target", "startTarget", "endTarget"];
            names.iter().all(|name| is_ref(&fields[*name]))
        };
        let fields = self.arguments["fields"].as_array();
        targets(&self.arguments) && fields.is_none_or(|fields| fields.iter().all(targets))
    }
}

/// What the scripts find when they begin.
pub(super) struct Scene {
    /// Where the site is, without a path.
    pub(super) site: String,
    /// The name of a file that was brought over HTTP.
    pub(super) blob: String,
    /// The name of a storage state that was brought the same way.
    pub(super) state: String,
}

impl Scene {
    /// The address of a path of the site.
    pub(super) fn url(&self, path: &str) -> String {
        format!("{}{path}", self.site)
    }

    /// Goes to a page of the site.
    pub(super) fn visit(&self, path: &str) -> Step {
        step(
            "browser_navigate",
            serde_json::json!({"url": self.url(path)}),
        )
    }
}
