//! A value that was read and found to be of its kind.

use std::path::PathBuf;
use std::time::Duration;

use crate::values::choices::{
    Browser, Durability, EngineChoice, LogLevel, ProcessChoice, ResponseMode, Sticky, Tools,
};
use crate::values::secret::{MaskedUrl, Secret};

/// A read value. The kind of the key decides the variant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Value {
    Bool(bool),
    AutoBool(Option<bool>),
    Number(u64),
    Limit(Option<u64>),
    Time(Duration),
    Age(Option<Duration>),
    Size(u64),
    Choice(&'static str),
    Text(String),
    Path(PathBuf),
    Words(Vec<String>),
    List(Vec<String>),
    Viewport(Viewport),
    Url(MaskedUrl),
    Warmup(Warmup),
    Tokens(Vec<AuthToken>),
}

/// The size of a page's visible area in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Viewport {
    /// Width.
    pub width: u32,
    /// Height.
    pub height: u32,
}

/// What runs in every new instance before it serves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Warmup {
    /// A page to load.
    Url(MaskedUrl),
    /// A JSON file of tool calls.
    Script(PathBuf),
}

/// A bearer token and the principal it stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuthToken {
    /// The name of the principal.
    pub name: String,
    /// The token.
    pub token: Secret,
}

/// A type that a [`Value`] can be taken out as.
pub(crate) trait FromValue: Sized {
    /// The typed value, if the variant fits.
    fn from_value(value: &Value) -> Option<Self>;
}

macro_rules! from_value {
    ($($variant:ident => $type:ty),+ $(,)?) => {
        $(impl FromValue for $type {
            fn from_value(value: &Value) -> Option<Self> {
                match value {
                    Value::$variant(inner) => Some(inner.clone()),
                    _ => None,
                }
            }
        })+
    };
}

from_value! {
    Bool => bool, AutoBool => Option<bool>, Limit => Option<u64>, Time => Duration,
    Age => Option<Duration>, Text => String, Path => PathBuf, Viewport => Viewport,
    Url => MaskedUrl, Warmup => Warmup, Tokens => Vec<AuthToken>,
}

impl FromValue for u64 {
    fn from_value(value: &Value) -> Option<Self> {
        match value {
            Value::Number(number) | Value::Size(number) => Some(*number),
            _ => None,
        }
    }
}

impl FromValue for Vec<String> {
    fn from_value(value: &Value) -> Option<Self> {
        match value {
            Value::List(items) | Value::Words(items) => Some(items.clone()),
            _ => None,
        }
    }
}

macro_rules! narrow {
    ($($type:ty),+) => {
        $(impl FromValue for $type {
            fn from_value(value: &Value) -> Option<Self> {
                u64::from_value(value).and_then(|number| number.try_into().ok())
            }
        })+
    };
}

narrow!(u16, u32, usize);

macro_rules! from_choice {
    ($($type:ty),+ $(,)?) => {
        $(impl FromValue for $type {
            fn from_value(value: &Value) -> Option<Self> {
                match value {
                    Value::Choice(word) => Self::from_word(word),
                    _ => None,
                }
            }
        })+
    };
}

from_choice! {
    Browser, Durability, EngineChoice, LogLevel, ProcessChoice, ResponseMode, Sticky, Tools,
}
