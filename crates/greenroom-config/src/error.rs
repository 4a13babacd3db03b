//! Everything that can be wrong with a configuration, and how to fix it.

use crate::scope::PoolName;

/// What is wrong. Every message ends with what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[allow(
    missing_docs,
    reason = "the message of each variant says what its fields are"
)]
pub enum Fault {
    #[error("cannot be read: {reason}; make it a readable UTF-8 file or do not name it")]
    Unreadable { reason: String },
    #[error("is larger than {limit} bytes, which no configuration needs; name the right file")]
    TooLarge { limit: u64 },
    #[error("the TOML is not valid: {message}; correct it here")]
    Syntax { message: String },
    #[error("the line is not NAME=VALUE with its quotes closed; correct it here")]
    BadLine,
    #[error("the value is not UTF-8; write it as UTF-8")]
    NotUnicode,
    #[error(
        "`{name}` is not followed by `=` and a value; write --set KEY=VALUE, POOL.KEY=VALUE or POOL.ID.KEY=VALUE"
    )]
    NotAnAssignment { name: String },
    #[error(
        "the name has too many parts; write --set KEY=VALUE, POOL.KEY=VALUE or POOL.ID.KEY=VALUE"
    )]
    MalformedSet,

    #[error("unknown key `{name}`; {}", did_you_mean(suggestion.as_deref()))]
    UnknownKey {
        name: String,
        suggestion: Option<String>,
    },
    #[error("`{name}` is not a name for a pool; {}", pool_name_remedy(suggestion.as_deref()))]
    BadPoolName {
        name: String,
        suggestion: Option<String>,
    },
    #[error("invalid instance ID in override: `{text}` is not a number; name instances 0, 1, 2…")]
    InstanceIdNotANumber { text: String },
    #[error(
        "the name is read as {first_key} of pool {first_pool} and as {second_key} of pool {second_pool}, and both pools are declared; rename one of them, or set this key in greenroom.toml"
    )]
    AmbiguousName {
        first_key: &'static str,
        first_pool: String,
        second_key: &'static str,
        second_pool: String,
    },
    #[error("this name belongs to an earlier version and is no longer read; rename it to {new}")]
    FirstVersionName { new: String },
    #[error("`{name}` must be {expected}; {remedy}")]
    NotATable {
        name: String,
        expected: &'static str,
        remedy: &'static str,
    },

    #[error("{key} defined {level}, but it belongs to {owner}; set {remedy} instead")]
    WrongLevel {
        key: &'static str,
        level: &'static str,
        owner: &'static str,
        remedy: String,
    },
    #[error(
        "{key} is refused here, because a file that happens to lie in the working directory must not choose what runs; {remedy}"
    )]
    RefusedHere {
        key: &'static str,
        remedy: &'static str,
    },
    #[error("{key} is {written}, but must be {expected}{}", suggest(suggestion.as_deref()))]
    BadValue {
        key: &'static str,
        written: String,
        expected: String,
        suggestion: Option<String>,
    },
    #[error("{key} {reason}")]
    Refused { key: &'static str, reason: String },

    #[error(
        "pool missing INSTANCES configuration: pool {pool} does not say how many instances it has; set {remedy}{hint}"
    )]
    MissingInstances {
        pool: String,
        remedy: String,
        hint: String,
    },
    #[error(
        "multiple default pools defined: {pools}; leave IS_DEFAULT true for exactly one of them"
    )]
    MultipleDefaults { pools: String },
    #[error(
        "no default pool defined among {pools}; set {remedy} to true, or do so for another pool"
    )]
    NoDefault { pools: String, remedy: String },
    #[error(
        "invalid instance ID in override: pool {pool} has INSTANCES={instances} ({origin}), so there is no instance {id}; use {range} or increase INSTANCES"
    )]
    NoSuchInstance {
        pool: String,
        id: u32,
        instances: u64,
        range: String,
        origin: String,
    },
    #[error(
        "duplicate alias in pool {pool}: `{alias}` already names instance {other} ({origin}); give each instance an alias of its own"
    )]
    DuplicateAlias {
        pool: String,
        alias: String,
        other: u32,
        origin: String,
    },

    #[error("{subject}: {one} and {other} cannot hold together, because {why}; {remedy}")]
    Contradiction {
        subject: String,
        one: String,
        other: String,
        why: &'static str,
        remedy: String,
    },
    #[error(
        "SERVER_HOST={host} is reachable from other machines, which needs AUTH_TOKENS; set PW_MCP_PROXY_AUTH_TOKENS=name:token, or listen on localhost"
    )]
    OpenToOthers { host: String },
    #[error(
        "{one} and {other} would share the profile directory {directory}; give each instance a directory of its own"
    )]
    SharedProfile {
        one: String,
        other: String,
        directory: String,
    },
    #[error(
        "there is no place for data, because neither HOME nor XDG_DATA_HOME is an absolute path; set PW_MCP_PROXY_DATA_DIR"
    )]
    NoDataDir,
}

impl Fault {
    pub(crate) fn bad_pool_name(name: &str) -> Self {
        let upper = name.to_ascii_uppercase().replace('-', "_");
        let suggestion = PoolName::new(&upper).map(|pool| pool.to_string());
        Self::BadPoolName {
            name: name.to_owned(),
            suggestion: suggestion.filter(|better| better != name),
        }
    }
}

fn did_you_mean(suggestion: Option<&str>) -> String {
    match suggestion {
        Some(name) => format!("did you mean {name}?"),
        None => "`greenroom config reference` lists every key".to_owned(),
    }
}

fn suggest(suggestion: Option<&str>) -> String {
    suggestion.map_or(String::new(), |word| format!("; did you mean {word}?"))
}

fn pool_name_remedy(suggestion: Option<&str>) -> String {
    match suggestion {
        Some(name) => format!("write {name}"),
        None => "use A-Z, 0-9 and single underscores, none at either end".to_owned(),
    }
}
