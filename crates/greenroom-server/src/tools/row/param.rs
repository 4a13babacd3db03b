//! Arguments and fields: what they hold, whether they must be there, how they relate.

/// One argument of a tool, or one field of an object in its arguments or its answer.
#[derive(Debug, Clone, Copy)]
pub struct Param {
    /// Its key in the JSON object.
    pub name: &'static str,
    /// What it holds.
    pub kind: Kind,
    /// Whether it has to be there.
    pub need: Need,
    /// What it means.
    pub about: &'static str,
    /// Whether these words stay out of the schema. They are in the manual and in error
    /// messages all the same; but every byte of the list is paid for in every
    /// conversation, and most names say enough.
    pub quiet: bool,
    /// Whether `null` is a value of its own and not merely another way to leave it out.
    pub nullable: bool,
}

impl Param {
    /// A parameter without which the call makes no sense.
    #[must_use]
    pub const fn required(name: &'static str, kind: Kind, about: &'static str) -> Self {
        Self::new(name, kind, Need::Required, about)
    }

    /// A parameter that may be left out.
    #[must_use]
    pub const fn optional(name: &'static str, kind: Kind, about: &'static str) -> Self {
        Self::new(name, kind, Need::Optional, about)
    }

    /// A parameter that is filled in when it is left out.
    #[must_use]
    pub const fn defaulted(
        name: &'static str,
        kind: Kind,
        default: Literal,
        about: &'static str,
    ) -> Self {
        Self::new(name, kind, Need::Default(default), about)
    }

    /// The same parameter, whose words models need not read before they call.
    #[must_use]
    pub const fn quiet(self) -> Self {
        Self {
            quiet: true,
            ..self
        }
    }

    /// The same parameter, where `null` means something.
    #[must_use]
    pub const fn nullable(self) -> Self {
        Self {
            nullable: true,
            ..self
        }
    }

    const fn new(name: &'static str, kind: Kind, need: Need, about: &'static str) -> Self {
        Self {
            name,
            kind,
            need,
            about,
            quiet: false,
            nullable: false,
        }
    }

    /// Whether a call without it is refused.
    #[must_use]
    pub fn is_required(&self) -> bool {
        matches!(self.need, Need::Required)
    }
}

/// Whether a parameter has to be there.
#[derive(Debug, Clone, Copy)]
pub enum Need {
    /// A call without it is refused.
    Required,
    /// A call without it is fine.
    Optional,
    /// A call without it gets this value, so that what runs never depends on an
    /// engine's own idea of the default.
    Default(Literal),
}

/// A default value that can stand in constant data.
#[derive(Debug, Clone, Copy)]
pub enum Literal {
    /// `true` or `false`.
    Bool(bool),
    /// A string.
    Text(&'static str),
    /// `{}`.
    EmptyObject,
}

/// What a parameter holds.
#[derive(Debug, Clone, Copy)]
pub enum Kind {
    /// Text with something in it. An empty optional one counts as left out.
    Text,
    /// Text that may be empty, because emptiness means something (clearing a field).
    AnyText,
    /// A web address that a browser may be sent to; see [`urls`](super::super::urls).
    Url,
    /// The name of a session, given out by Greenroom or chosen by the caller.
    SessionId,
    /// `true` or `false`.
    Boolean,
    /// Any number. The bound is ours alone and stays out of the schema, as upstream has it.
    Number {
        /// The smallest that is accepted.
        min: Option<i64>,
    },
    /// A whole number that the schema calls `number`, because upstream does.
    Whole {
        /// The smallest that is accepted.
        min: Option<i64>,
    },
    /// A whole number.
    Integer {
        /// The smallest that is accepted.
        min: Option<i64>,
    },
    /// One of a few words.
    Choice(&'static [&'static str]),
    /// An array, every item of one kind.
    List(&'static Kind),
    /// An object with known fields.
    Record(&'static [Param]),
    /// An object from free keys to texts.
    TextMap,
    /// Any object; whoever receives it checks it.
    FreeObject,
}

/// A condition between the arguments of one call. A *given* argument is one that is
/// there and is not `false`, zero or an empty list, as upstream counts them.
#[derive(Debug, Clone, Copy)]
pub enum Rule {
    /// At least one of these is given.
    AtLeastOne(&'static [&'static str]),
    /// Exactly one of these is given.
    ExactlyOne(&'static [&'static str]),
    /// These two are not given together.
    NotTogether(&'static str, &'static str),
    /// The first is given only together with the second.
    Requires(&'static str, &'static str),
    /// When the first argument has this value, the other must be there.
    Needs {
        /// The argument that decides.
        when: &'static str,
        /// The value of it that asks for another.
        is: &'static str,
        /// The argument that must be there then.
        needs: &'static str,
    },
    /// This list has at least one item.
    NotEmpty(&'static str),
}
