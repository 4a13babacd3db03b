use std::path::PathBuf;

use greenroom_store::{
    CallFilter, CallInfo, Check, Options, PageRequest, PageStart, Principal, RefId, Store,
};
use serde_json::Value;

use super::{Setup, meta};

impl Setup {
    /// Where the record is.
    pub fn database(&self) -> PathBuf {
        self.data_dir.join("greenroom.db")
    }

    /// Opens the record beside the server, or after it, and has every page of the file checked.
    pub async fn record(&self) -> Store {
        let options = Options {
            check: Check::Always,
            retention: None,
            ..Options::default()
        };
        Store::open(self.database(), options).await.unwrap()
    }
}

/// Who calls where nobody shows a token.
pub fn local() -> Principal {
    Principal::new("local")
}

/// The name of an answer in the record.
pub fn ref_of(result: &Value) -> RefId {
    let ref_id = meta(result, "ref_id");
    let ref_id = ref_id
        .as_str()
        .unwrap_or_else(|| panic!("no ref_id in {result:#}"));
    ref_id.parse().unwrap()
}

/// The text of a recorded answer.
pub async fn page_of(store: &Store, principal: Principal, ref_id: RefId) -> String {
    let all = PageRequest {
        start: PageStart::Byte(0),
        max_lines: None,
        max_bytes: 64 << 20,
    };
    store.page(principal, ref_id, all).await.unwrap().text
}

/// Every recorded call of one tool, newest first.
pub async fn all_calls(store: &Store, principal: Principal, tool: &str) -> Vec<CallInfo> {
    let filter = CallFilter {
        tool: Some(tool.to_owned()),
        limit: usize::MAX,
        ..CallFilter::default()
    };
    store.calls(principal, filter).await.unwrap()
}
