//! The tool list in rmcp's terms, converted once and shared by all handlers.
//!
//! Handlers are built per request in the new era, and rmcp asks for a tool by name on every one of
//! their calls, so neither may cost a conversion.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use rmcp::model::{Tool, ToolAnnotations};
use serde_json::Value;

use crate::service::{Service, ToolView};

/// The service's tools as rmcp sends them.
pub(crate) struct Catalogue {
    service: Service,
    latest: Mutex<Option<Arc<Listing>>>,
}

/// One converted list, valid while the service returns the same one.
pub(crate) struct Listing {
    source: Arc<Vec<ToolView>>,
    tools: Vec<Tool>,
    positions: HashMap<String, usize>,
}

impl Catalogue {
    pub(crate) fn new(service: Service) -> Self {
        Self {
            service,
            latest: Mutex::new(None),
        }
    }

    /// The tools in the service's order, which is the same for every connection.
    pub(crate) fn current(&self) -> Arc<Listing> {
        let source = self.service.tools();
        let mut latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        match &*latest {
            Some(listing) if Arc::ptr_eq(&listing.source, &source) => listing.clone(),
            _ => latest.insert(Arc::new(Listing::new(source))).clone(),
        }
    }
}

impl Listing {
    fn new(source: Arc<Vec<ToolView>>) -> Self {
        let tools: Vec<Tool> = source.iter().map(tool).collect();
        let positions = source
            .iter()
            .enumerate()
            .map(|(position, view)| (view.name.clone(), position))
            .collect();
        Self {
            source,
            tools,
            positions,
        }
    }

    pub(crate) fn tools(&self) -> &[Tool] {
        &self.tools
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Tool> {
        self.positions
            .get(name)
            .map(|&position| &self.tools[position])
    }
}

fn tool(view: &ToolView) -> Tool {
    let mut tool = Tool::new(
        view.name.clone(),
        view.description.clone(),
        view.input_schema.clone(),
    );
    tool.output_schema.clone_from(&view.output_schema);
    tool.annotations = annotations(view);
    tool
}

fn annotations(view: &ToolView) -> Option<ToolAnnotations> {
    if view.annotations == Value::Null {
        return None;
    }
    // Hints are worth a log line, not a failure: the tool works without them.
    serde_json::from_value(view.annotations.clone())
        .inspect_err(|error| tracing::warn!(tool = view.name, %error, "annotations left out"))
        .ok()
}
