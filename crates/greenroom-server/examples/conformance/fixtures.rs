//! The suite's fixtures around Greenroom's handler: ours is asked for whatever is not one of them.
#![expect(
    deprecated,
    reason = "the legacy era has logging and resource subscriptions"
)]

use std::sync::Arc;

use greenroom_server::mcp::Handler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, CompleteRequestParams, CompleteResult,
    ContentBlock, GetPromptRequestParams, GetPromptResponse, GetPromptResult, ListPromptsResult,
    ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, PaginatedRequestParams,
    ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult, ServerConfig,
    SetLevelRequestParams, SubscribeRequestParams, SubscriptionFilter, Tool,
    UnsubscribeRequestParams,
};
use rmcp::service::{RequestContext, SubscriptionContext};
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::sync::broadcast;

use super::{asks, documents, rounds};

/// Tools that pretend that a list has changed.
const TRIGGERS: [&str; 2] = ["test_trigger_tool_change", "test_trigger_prompt_change"];

/// Which list has changed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Change {
    Tools,
    Prompts,
}

/// Tells open subscriptions of changes.
#[derive(Clone)]
pub(crate) struct Changes(Arc<broadcast::Sender<Change>>);

impl Default for Changes {
    fn default() -> Self {
        Self(Arc::new(broadcast::Sender::new(16)))
    }
}

/// The handler with its fixtures.
pub(crate) struct Fixtures {
    handler: Handler,
    changes: Changes,
}

impl Fixtures {
    pub(crate) fn around(handler: Handler, changes: Changes) -> Self {
        Self { handler, changes }
    }
}

/// A result with one text.
pub(crate) fn said(text: &str) -> CallToolResult {
    CallToolResult::success(vec![ContentBlock::text(text)])
}

/// A protocol type from the JSON that it stands for.
pub(crate) fn parsed<T: DeserializeOwned>(value: Value) -> Result<T, ErrorData> {
    serde_json::from_value(value)
        .map_err(|error| ErrorData::internal_error(error.to_string(), None))
}

/// A whole result. rmcp takes the mark off again for clients of the legacy era.
fn complete<T: DeserializeOwned>(mut value: Value) -> Result<T, ErrorData> {
    value["resultType"] = json!("complete");
    parsed(value)
}

fn own_tools() -> impl Iterator<Item = Tool> {
    let names = asks::TOOLS.into_iter().chain(rounds::TOOLS).chain(TRIGGERS);
    names.map(|name| {
        let schema = json!({"type": "object"})
            .as_object()
            .cloned()
            .unwrap_or_default();
        Tool::new(name, format!("Fixture {name}."), Arc::new(schema))
    })
}

impl ServerHandler for Fixtures {
    fn get_info(&self) -> ServerConfig {
        let mut info = self.handler.get_info();
        info.capabilities = parsed(json!({
            "tools": {"listChanged": true},
            "prompts": {"listChanged": true},
            "resources": {"subscribe": true},
            "completions": {},
            "logging": {},
        }))
        .expect("BUG: the capabilities are well-formed");
        info
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let mut list = self.handler.list_tools(request, context).await?;
        list.tools.extend(own_tools());
        Ok(list)
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        let ours = self.handler.get_tool(name);
        ours.or_else(|| own_tools().find(|tool| tool.name == name))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let name = request.name.as_ref();
        if asks::TOOLS.contains(&name) {
            let arguments = request.arguments.clone().unwrap_or_default();
            return asks::call(name, &arguments, &context).await.map(Into::into);
        }
        if rounds::TOOLS.contains(&name) {
            return rounds::call(&request, &context);
        }
        if TRIGGERS.contains(&name) {
            let change = if name == TRIGGERS[0] {
                Change::Tools
            } else {
                Change::Prompts
            };
            let _ = self.changes.0.send(change);
            return Ok(said("changed").into());
        }
        self.handler.call_tool(request, context).await
    }

    fn accepted_subscription_filter(
        &self,
        asked: &SubscriptionFilter,
    ) -> Option<SubscriptionFilter> {
        Some(asked.clone())
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let mut changes = self.changes.0.subscribe();
        loop {
            let change = tokio::select! {
                () = context.cancelled() => return Ok(()),
                change = changes.recv() => change,
            };
            // A change that the client did not ask for is refused by the sink, as it should be.
            let _ = match change {
                Ok(Change::Tools) => context.sink().notify_tool_list_changed().await,
                Ok(Change::Prompts) => context.sink().notify_prompt_list_changed().await,
                Err(_) => return Ok(()),
            };
        }
    }

    async fn list_prompts(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        complete(documents::prompts())
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        if request.name == "test_input_required_result_prompt" {
            return Ok(
                match rounds::prompt_context(request.input_responses.as_ref()) {
                    Ok(text) => {
                        let content = json!({"type": "text", "text": text});
                        let messages = json!({"messages": [{"role": "user", "content": content}]});
                        complete::<GetPromptResult>(messages)?.into()
                    }
                    Err(asked) => (*asked).into(),
                },
            );
        }
        let arguments = request.arguments.unwrap_or_default();
        complete::<GetPromptResult>(documents::prompt(&request.name, &arguments)?).map(Into::into)
    }

    async fn list_resources(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        complete(documents::resources())
    }

    async fn list_resource_templates(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        complete(documents::templates())
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        complete::<ReadResourceResult>(documents::resource(&request.uri)?).map(Into::into)
    }

    async fn complete(
        &self,
        _request: CompleteRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        complete(json!({"completion": {"values": ["paris", "park"], "total": 2, "hasMore": false}}))
    }

    async fn set_level(
        &self,
        _request: SetLevelRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        legacy_only::<rmcp::model::SetLevelRequestMethod>(&context)
    }

    async fn subscribe(
        &self,
        _request: SubscribeRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        Ok(())
    }

    async fn unsubscribe(
        &self,
        _request: UnsubscribeRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        Ok(())
    }
}

/// The new era has no such method.
fn legacy_only<M: rmcp::model::ConstString>(
    context: &RequestContext<RoleServer>,
) -> Result<(), ErrorData> {
    if context.meta.protocol_version().is_some() {
        return Err(ErrorData::method_not_found::<M>());
    }
    Ok(())
}
