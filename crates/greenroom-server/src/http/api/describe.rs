//! Operations in the words of OpenAPI, said briefly.

use utoipa::openapi::path::{Operation, OperationBuilder, ParameterBuilder, ParameterIn};
use utoipa::openapi::request_body::RequestBodyBuilder;
use utoipa::openapi::response::Response;
use utoipa::openapi::schema::{ObjectBuilder, Schema};
use utoipa::openapi::{Content, Ref, RefOr, Required, Type};

use super::response::{content, json, problem};

/// What body a route takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Takes {
    Nothing,
    Json,
    Bytes,
}

/// One operation on its way to its description.
pub(super) struct Describe {
    takes: Takes,
    operation: OperationBuilder,
}

impl Describe {
    /// Its name for programs, what it belongs to, and what it does. Whatever the route, a request
    /// may be malformed or come from where it may not.
    pub(super) fn new(id: &str, tag: &str, summary: &str) -> Self {
        let operation = OperationBuilder::new()
            .operation_id(Some(id))
            .tag(tag)
            .summary(Some(summary));
        let takes = Takes::Nothing;
        Self { takes, operation }.refuses(&[400, 403])
    }

    /// More than fits into one line.
    pub(super) fn explain(self, text: &str) -> Self {
        self.map(|operation| operation.description(Some(text)))
    }

    /// A segment of the path.
    pub(super) fn path(self, name: &str, about: &str, schema: impl Into<Schema>) -> Self {
        self.parameter(ParameterIn::Path, name, about, schema)
    }

    /// A parameter of the query that may be left out.
    pub(super) fn query(self, name: &str, about: &str, schema: impl Into<Schema>) -> Self {
        self.parameter(ParameterIn::Query, name, about, schema)
    }

    /// A header that may be left out.
    pub(super) fn header(self, name: &str, about: &str) -> Self {
        let text = ObjectBuilder::new().schema_type(Type::String);
        self.parameter(ParameterIn::Header, name, about, text)
    }

    fn parameter(
        self,
        place: ParameterIn,
        name: &str,
        about: &str,
        schema: impl Into<Schema>,
    ) -> Self {
        let required = match place {
            ParameterIn::Path => Required::True,
            _ => Required::False,
        };
        let parameter = ParameterBuilder::new()
            .name(name)
            .parameter_in(place)
            .required(required)
            .description(Some(about))
            .schema(Some(schema.into()));
        self.map(|operation| operation.parameter(parameter))
    }

    /// A JSON body and what goes wrong with bodies.
    pub(super) fn takes(self, schema: Ref) -> Self {
        let body = RequestBodyBuilder::new().content("application/json", content(schema));
        self.body(Takes::Json, body)
    }

    /// A body as it is.
    pub(super) fn takes_bytes(self, about: &str) -> Self {
        let body = RequestBodyBuilder::new()
            .content("application/octet-stream", Content::default())
            .description(Some(about));
        self.body(Takes::Bytes, body)
    }

    fn body(self, takes: Takes, body: RequestBodyBuilder) -> Self {
        let body = body.required(Some(Required::True)).build();
        let described = self.map(|operation| operation.request_body(Some(body)));
        Self { takes, ..described }.refuses(&[408, 413, 415])
    }

    /// JSON with this status.
    pub(super) fn answers(self, status: u16, about: &str, schema: Ref) -> Self {
        self.response(status, json(about, schema))
    }

    /// Any other response with this status.
    pub(super) fn response(self, status: u16, response: impl Into<RefOr<Response>>) -> Self {
        self.map(|operation| operation.response(status.to_string(), response))
    }

    /// Problems with these statuses.
    pub(super) fn refuses(self, statuses: &[u16]) -> Self {
        let describe = |this: Self, &status: &u16| this.response(status, problem(status));
        statuses.iter().fold(self, describe)
    }

    /// What it takes, and its description.
    pub(super) fn done(self) -> (Takes, Operation) {
        (self.takes, self.operation.build())
    }

    fn map(self, change: impl FnOnce(OperationBuilder) -> OperationBuilder) -> Self {
        let operation = change(self.operation);
        Self { operation, ..self }
    }
}
