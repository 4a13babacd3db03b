//! Tools that need something from the client, as the new era does it: they say what, and are called
//! again with it. What they must remember in between travels with the client, sealed.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, InputRequiredResult, RequestStateCodec,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer};
use serde_json::{Value, json};

use super::fixtures::{parsed, said};

/// The tools of this module.
pub(crate) const TOOLS: [&str; 9] = [
    "test_input_required_result_elicitation",
    "test_input_required_result_sampling",
    "test_input_required_result_list_roots",
    "test_input_required_result_request_state",
    "test_input_required_result_multiple_inputs",
    "test_input_required_result_multi_round",
    "test_input_required_result_tampered_state",
    "test_input_required_result_capabilities",
    "test_streaming_elicitation",
];

/// Nothing that is sealed here outlives or leaves a test run.
static SEAL: LazyLock<RequestStateCodec> = LazyLock::new(|| {
    RequestStateCodec::try_new(b"a key for fixtures, known to everybody").expect("BUG: long enough")
});

type Responses = BTreeMap<String, Value>;

/// Runs one of [`TOOLS`].
pub(crate) fn call(
    request: &CallToolRequestParams,
    context: &RequestContext<RoleServer>,
) -> Result<CallToolResponse, ErrorData> {
    let nothing = Responses::new();
    let responses = request.input_responses.as_ref().unwrap_or(&nothing);
    let state = opened(request.request_state.as_deref())?;
    match request.name.as_ref() {
        "test_input_required_result_elicitation" => greet(responses),
        "test_input_required_result_sampling" => match text_of(responses, "capital_question") {
            Some(answer) => done(answer),
            None => ask(
                &json!({"capital_question": question("What is the capital of France?", 100)}),
                None,
            ),
        },
        "test_input_required_result_list_roots" => match roots_of(responses) {
            Some(roots) => done(&format!("roots: {roots}")),
            None => ask(&json!({"client_roots": roots()}), None),
        },
        "test_input_required_result_multiple_inputs" => gather(responses, state.as_deref()),
        "test_input_required_result_multi_round" => walk(responses, state.as_deref()),
        "test_input_required_result_capabilities" => within_capabilities(context),
        "test_streaming_elicitation" => ask(
            &json!({"more": form("Anything else?", "answer", "string")}),
            None,
        ),
        _ => confirm(responses, state.as_deref()),
    }
}

/// The question that the suite's prompt asks, until it is answered.
pub(crate) fn prompt_context(
    responses: Option<&Responses>,
) -> Result<String, Box<InputRequiredResult>> {
    let given = responses.and_then(|all| field_of(all, "user_context", "context"));
    given.map(str::to_owned).ok_or_else(|| {
        let asked = form("What context should the prompt use?", "context", "string");
        Box::new(input_required(&json!({"user_context": asked}), None))
    })
}

fn greet(responses: &Responses) -> Result<CallToolResponse, ErrorData> {
    match field_of(responses, "user_name", "name") {
        Some(name) => done(&format!("Hello, {name}!")),
        None => ask(
            &json!({"user_name": form("What is your name?", "name", "string")}),
            None,
        ),
    }
}

fn confirm(responses: &Responses, state: Option<&str>) -> Result<CallToolResponse, ErrorData> {
    match (responses.contains_key("confirm"), state) {
        (true, Some("confirm")) => done("state-ok"),
        (true, _) => Err(ErrorData::invalid_params("requestState is missing", None)),
        _ => ask(
            &json!({"confirm": form("Please confirm", "ok", "boolean")}),
            Some("confirm"),
        ),
    }
}

fn gather(responses: &Responses, state: Option<&str>) -> Result<CallToolResponse, ErrorData> {
    let complete = ["user_name", "greeting", "client_roots"]
        .iter()
        .all(|key| responses.contains_key(*key));
    if complete && state == Some("gather") {
        return done("all there");
    }
    let asked = json!({
        "user_name": form("What is your name?", "name", "string"),
        "greeting": question("Generate a greeting", 50),
        "client_roots": roots(),
    });
    ask(&asked, Some("gather"))
}

fn walk(responses: &Responses, state: Option<&str>) -> Result<CallToolResponse, ErrorData> {
    match state {
        Some("second") if responses.contains_key("step2") => done("both steps taken"),
        Some("first") if responses.contains_key("step1") => {
            let asked = form("Step 2: What is your favorite color?", "color", "string");
            ask(&json!({"step2": asked}), Some("second"))
        }
        _ => ask(
            &json!({"step1": form("Step 1: What is your name?", "name", "string")}),
            Some("first"),
        ),
    }
}

fn within_capabilities(
    context: &RequestContext<RoleServer>,
) -> Result<CallToolResponse, ErrorData> {
    let client = context.client_capabilities().unwrap_or_default();
    let mut asked = json!({});
    if client.sampling.is_some() {
        asked["thought"] = question("Think of a number", 50);
    }
    if client.elicitation.is_some() {
        asked["answer"] = form("Say a number", "number", "string");
    }
    ask(&asked, None)
}

fn form(message: &str, field: &str, kind: &str) -> Value {
    json!({"method": "elicitation/create", "params": {
        "message": message,
        "requestedSchema": {
            "type": "object",
            "properties": {field: {"type": kind}},
            "required": [field],
        },
    }})
}

fn question(text: &str, max_tokens: u32) -> Value {
    json!({"method": "sampling/createMessage", "params": {
        "messages": [{"role": "user", "content": {"type": "text", "text": text}}],
        "maxTokens": max_tokens,
    }})
}

fn roots() -> Value {
    json!({"method": "roots/list", "params": {}})
}

fn field_of<'a>(responses: &'a Responses, key: &str, field: &str) -> Option<&'a str> {
    responses.get(key)?.get("content")?.get(field)?.as_str()
}

fn text_of<'a>(responses: &'a Responses, key: &str) -> Option<&'a str> {
    field_of(responses, key, "text")
}

fn roots_of(responses: &Responses) -> Option<&Value> {
    responses
        .get("client_roots")?
        .get("roots")
        .filter(|roots| roots.is_array())
}

fn done(text: &str) -> Result<CallToolResponse, ErrorData> {
    Ok(said(text).into())
}

fn ask(requests: &Value, state: Option<&str>) -> Result<CallToolResponse, ErrorData> {
    Ok(input_required(requests, state).into())
}

fn input_required(requests: &Value, state: Option<&str>) -> InputRequiredResult {
    let sealed = state.map(|state| SEAL.seal(state.as_bytes()));
    let result =
        json!({"resultType": "input_required", "inputRequests": requests, "requestState": sealed});
    parsed(result).expect("BUG: the fixtures are well-formed")
}

fn opened(state: Option<&str>) -> Result<Option<String>, ErrorData> {
    let Some(sealed) = state else {
        return Ok(None);
    };
    let open = SEAL
        .open(sealed)
        .ok()
        .and_then(|bytes| String::from_utf8(bytes).ok());
    open.map(Some)
        .ok_or_else(|| ErrorData::invalid_params("requestState is not ours", None))
}
