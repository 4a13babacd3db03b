//! How to connect, in the words of each client.

/// Shown when the server is ready.
pub(super) fn for_url(url: &str) -> String {
    format!(
        "greenroom: serving MCP at {url}\n\
         \n\
         Claude Code   claude mcp add --transport http greenroom {url}\n\
         Cursor        ~/.cursor/mcp.json: {{\"mcpServers\": {{\"greenroom\": {{\"url\": \"{url}\"}}}}}}\n\
         VS Code       .vscode/mcp.json:   {{\"servers\": {{\"greenroom\": {{\"type\": \"http\", \"url\": \"{url}\"}}}}}}\n\
         any stdio     command: greenroom, args: [\"stdio\"]\n\n"
    )
}
