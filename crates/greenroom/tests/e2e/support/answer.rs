use serde_json::Value;

/// All text of a tool's result.
pub fn text_of(result: &Value) -> String {
    let blocks = result["content"].as_array().cloned().unwrap_or_default();
    let texts: Vec<String> = blocks
        .iter()
        .filter_map(|block| block["text"].as_str().map(str::to_owned))
        .collect();
    texts.join("\n")
}

/// What an answer says without its closing line, which differs each time.
pub fn said_by(text: &str) -> &str {
    text.rsplit_once("\n[greenroom] ")
        .map_or(text, |(said, _)| said)
}

/// The text of a result that must be a failure.
pub fn error_of(result: &Value) -> String {
    assert_eq!(
        result["isError"], true,
        "this should have failed: {result:#}"
    );
    text_of(result)
}

/// The first heading in the snapshot of a result. YAML quotes a line that holds a colon.
pub fn heading_of(result: &Value) -> String {
    let text = text_of(result);
    let is_heading = |line: &&str| {
        line.trim_start_matches([' ', '-', '\''])
            .starts_with("heading ")
    };
    let line = text.lines().find(is_heading);
    let line = line.unwrap_or_else(|| panic!("no heading in:\n{text}"));
    line.split('"').nth(1).unwrap_or_default().to_owned()
}

/// A fact that Greenroom adds to an answer.
pub fn meta(result: &Value, name: &str) -> Value {
    result["_meta"][format!("greenroom/{name}")].clone()
}

/// The session that a call ran in.
pub fn session_of(result: &Value) -> String {
    let session = meta(result, "session_id");
    session
        .as_str()
        .unwrap_or_else(|| panic!("no session in {result:#}"))
        .to_owned()
}
