//! The closed sets of words that some keys accept.

use serde::Serialize;

/// Declares an enum together with the words that name its variants, so that
/// the key table, the parser and the resolved type cannot disagree.
macro_rules! choice {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $word:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
        #[serde(rename_all = "lowercase")]
        pub enum $name {
            $($(#[$variant_doc])* $variant),+
        }

        impl $name {
            /// Every accepted word, in the order of the variants.
            pub const WORDS: &'static [&'static str] = &[$($word),+];

            /// The word that names this variant.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word),+ }
            }

            /// The variant that `word` names.
            #[must_use]
            pub fn from_word(word: &str) -> Option<Self> {
                match word { $($word => Some(Self::$variant),)+ _ => None }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }
    };
}

choice! {
    /// The kind of browser an instance runs.
    Browser {
        /// Chromium.
        Chromium = "chromium",
        /// Google Chrome.
        Chrome = "chrome",
        /// Microsoft Edge.
        Msedge = "msedge",
        /// Firefox.
        Firefox = "firefox",
        /// WebKit.
        Webkit = "webkit",
    }
}

impl Browser {
    /// Whether it speaks the Chrome DevTools Protocol, which the native
    /// engine needs.
    #[must_use]
    pub fn is_chromium_kind(self) -> bool {
        matches!(self, Self::Chromium | Self::Chrome | Self::Msedge)
    }
}

choice! {
    /// The engine that was asked for.
    EngineChoice {
        /// Decided by the browser.
        Auto = "auto",
        /// Chromium over a CDP pipe.
        Native = "native",
        /// A child process speaking MCP.
        Playwright = "playwright",
    }
}

choice! {
    /// The engine that drives an instance.
    Engine {
        /// Chromium over a CDP pipe.
        Native = "native",
        /// A child process speaking MCP.
        Playwright = "playwright",
    }
}

choice! {
    /// Whose browser process an instance was asked to live in.
    ProcessChoice {
        /// Decided by engine and isolation.
        Auto = "auto",
        /// A context in a shared Chromium.
        Shared = "shared",
        /// A process of its own.
        Dedicated = "dedicated",
    }
}

choice! {
    /// Whose browser process an instance lives in.
    Process {
        /// A context in a shared Chromium.
        Shared = "shared",
        /// A process of its own.
        Dedicated = "dedicated",
    }
}

choice! {
    /// What a caller without a session id gets.
    Sticky {
        /// Its own world, kept between calls.
        Connection = "connection",
        /// Any free instance, leased for each call.
        Call = "call",
    }
}

choice! {
    /// How much is logged.
    LogLevel {
        /// Errors only.
        Error = "error",
        /// Errors and warnings.
        Warn = "warn",
        /// What an operator wants to see.
        Info = "info",
        /// What a developer wants to see.
        Debug = "debug",
        /// Everything.
        Trace = "trace",
    }
}

choice! {
    /// What an acknowledged call survives.
    Durability {
        /// Any crash of Greenroom.
        Normal = "normal",
        /// A crash of the machine too.
        Full = "full",
    }
}

choice! {
    /// How much of a response travels with the reply.
    ResponseMode {
        /// Inline while it is small, a reference beyond that.
        Auto = "auto",
        /// Everything.
        Inline = "inline",
        /// Metadata and the `ref_id`.
        Ref = "ref",
    }
}

choice! {
    /// Which set of tools is listed.
    Tools {
        /// The core tools.
        Core = "core",
        /// Every tool.
        Full = "full",
        /// One consolidated tool and a few beside it.
        Compact = "compact",
    }
}
