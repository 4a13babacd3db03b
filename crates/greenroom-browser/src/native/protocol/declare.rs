//! Shorthand for the declarations of this module: they are many, and alike. Whoever uses it has
//! the trait in scope.

/// Declares commands: name, method, reply, the parameters that they need, and those that may be
/// left out (`None` is not sent).
macro_rules! command {
    ($(
        $(#[$meta:meta])*
        $name:ident = $method:literal -> $reply:ty {
            $($(#[$field_meta:meta])* $field:ident: $type:ty),* $(,)?
        } $({
            $($(#[$option_meta:meta])* $option:ident: $option_type:ty),* $(,)?
        })?
    )*) => {$(
        $(#[$meta])*
        #[derive(Debug, Clone, Default, PartialEq, serde::Serialize)]
        #[serde(rename_all = "camelCase")]
        #[allow(missing_docs, reason = "named and documented by the protocol")]
        pub struct $name {
            $($(#[$field_meta])* pub $field: $type,)*
            $($(
                $(#[$option_meta])*
                #[serde(skip_serializing_if = "Option::is_none")]
                pub $option: Option<$option_type>,
            )*)?
        }

        impl Command for $name {
            const METHOD: &'static str = $method;
            type Reply = $reply;
        }
    )*};
}

/// Declares what is only received: replies, and parts of them.
macro_rules! received {
    ($(
        $(#[$meta:meta])*
        $name:ident {
            $($(#[$field_meta:meta])* $field:ident: $type:ty),* $(,)?
        }
    )*) => {$(
        $(#[$meta])*
        #[derive(Debug, Clone, serde::Deserialize)]
        #[serde(rename_all = "camelCase")]
        #[allow(missing_docs, reason = "named and documented by the protocol")]
        pub struct $name {
            $($(#[$field_meta])* pub $field: $type,)*
        }
    )*};
}

/// Declares events: name, method, what they carry.
macro_rules! event {
    ($(
        $(#[$meta:meta])*
        $name:ident = $method:literal {
            $($(#[$field_meta:meta])* $field:ident: $type:ty),* $(,)?
        }
    )*) => {$(
        received! {
            $(#[$meta])*
            $name { $($(#[$field_meta])* $field: $type),* }
        }

        impl Event for $name {
            const METHOD: &'static str = $method;
        }
    )*};
}
