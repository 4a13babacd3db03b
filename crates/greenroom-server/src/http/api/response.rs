//! Responses and schemas in the words of OpenAPI, said briefly.

use utoipa::ToSchema;
use utoipa::openapi::content::ContentBuilder;
use utoipa::openapi::header::Header;
use utoipa::openapi::link::{Link, LinkBuilder};
use utoipa::openapi::response::{Response, ResponseBuilder};
use utoipa::openapi::{Content, Ref};

use crate::http::problem::PROBLEM_JSON;

/// The schemas of a tool's arguments and of its answer in the document.
pub(super) fn arguments_of(tool: &str) -> Ref {
    Ref::from_schema_name(format!("{tool}.arguments"))
}

/// See [`arguments_of`].
pub(super) fn answer_of(tool: &str) -> Ref {
    Ref::from_schema_name(format!("{tool}.answer"))
}

/// The schema of a type of ours.
pub(super) fn schema_of<T: ToSchema>() -> Ref {
    Ref::from_schema_name(T::name())
}

/// A response of JSON, to be described further.
pub(super) fn json(about: &str, schema: Ref) -> ResponseBuilder {
    ResponseBuilder::new()
        .description(about)
        .content("application/json", content(schema))
}

/// What can be done next with a field of a response.
pub(super) fn follow(operation: &str, parameter: &str, field: &str) -> Link {
    LinkBuilder::new()
        .operation_id(operation)
        .parameter(parameter, format!("$response.body#/{field}"))
        .build()
}

/// A response header.
pub(super) fn header(about: &str) -> Header {
    let mut header = Header::default();
    header.description = Some(about.to_owned());
    header
}

/// JSON of this schema.
pub(super) fn content(schema: Ref) -> Content {
    ContentBuilder::new().schema(Some(schema)).build()
}

/// A problem with this status, described by when it occurs.
pub(super) fn problem(status: u16) -> Response {
    let about = match status {
        400 => "The request is not what this route takes; the detail says what is.",
        401 => "The token is missing or wrong.",
        403 => "Not allowed from this Host or Origin, or not allowed here.",
        404 => "There is no such thing, or it is somebody else's.",
        408 => "The body did not arrive in time.",
        409 => "It does not go together with how things stand.",
        413 => "The body is larger than is taken.",
        415 => "The body has a Content-Type that is not taken.",
        416 => "The range lies outside of it.",
        429 => "Too many ask at once; try again after the time in Retry-After.",
        503 => "What is needed does not run now; try again after the time in Retry-After.",
        _ => "It failed.",
    };
    let schema = Ref::from_schema_name("Problem");
    let response = ResponseBuilder::new()
        .description(about)
        .content(PROBLEM_JSON, content(schema));
    if matches!(status, 429 | 503) {
        let wait = header("Seconds to wait before the same request makes sense again.");
        return response.header("Retry-After", wait).build();
    }
    response.build()
}
