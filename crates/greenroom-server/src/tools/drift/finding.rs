//! One difference.

/// One difference between an upstream and the catalogue.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say what the fields are")]
pub enum Finding {
    #[error("{0} is missing")]
    MissingTool(String),
    #[error("{0} is not in the catalogue; it passes through as it is")]
    ExtraTool(String),
    #[error("{0} has the name of a tool of our own; the upstream's is left out")]
    ShadowedTool(String),
    #[error("entry {0} of the list has no name; it is left out")]
    NamelessTool(usize),
    #[error("{0} has an input schema that is not a valid object schema; it is left out")]
    BadSchema(String),
    #[error("{tool}: argument {ours} is now called {theirs}")]
    RenamedArgument {
        tool: String,
        ours: String,
        theirs: String,
    },
    #[error("{tool}: argument {name} is gone")]
    MissingArgument { tool: String, name: String },
    #[error("{tool}: argument {name} is new and {}", need(*.required))]
    AddedArgument {
        tool: String,
        name: String,
        required: bool,
    },
    #[error("{tool}: argument {name} is now {}", need(*.required))]
    ChangedNeed {
        tool: String,
        name: String,
        required: bool,
    },
    #[error("{tool}: argument {name} was {ours} and is now {theirs}")]
    ChangedType {
        tool: String,
        name: String,
        ours: String,
        theirs: String,
    },
}

impl Finding {
    /// Whether a call that fits our row may fail because of it.
    #[must_use]
    pub fn is_breaking(&self) -> bool {
        match self {
            Self::ExtraTool(_) | Self::ShadowedTool(_) | Self::NamelessTool(_) => false,
            Self::AddedArgument { required, .. } | Self::ChangedNeed { required, .. } => *required,
            _ => true,
        }
    }
}

fn need(required: bool) -> &'static str {
    if required { "required" } else { "optional" }
}
