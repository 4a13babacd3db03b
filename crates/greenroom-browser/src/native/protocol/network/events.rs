//! A request from its beginning to its end.

use super::super::{Event, FrameId, LoaderId, RequestId};
use super::Headers;

event! {
    /// A request goes out, or is sent on to another address (then with what redirected it).
    RequestWillBeSent = "Network.requestWillBeSent" {
        request_id: RequestId,
        /// Empty for requests of workers. That of a document's own request is its request id.
        loader_id: LoaderId,
        #[serde(rename = "documentURL")]
        document_url: String,
        request: Request,
        timestamp: f64,
        wall_time: f64,
        redirect_response: Option<Response>,
        /// `Document`, `Script`, `XHR`, `Fetch`…
        #[serde(rename = "type")]
        kind: Option<String>,
        frame_id: Option<FrameId>,
    }
    /// The headers that really went out, cookies included.
    RequestWillBeSentExtraInfo = "Network.requestWillBeSentExtraInfo" {
        request_id: RequestId,
        headers: Headers,
    }
    /// A request was answered from memory.
    RequestServedFromCache = "Network.requestServedFromCache" { request_id: RequestId }
    /// The head of the answer is here.
    ResponseReceived = "Network.responseReceived" {
        request_id: RequestId,
        loader_id: LoaderId,
        timestamp: f64,
        #[serde(rename = "type")]
        kind: String,
        response: Response,
        frame_id: Option<FrameId>,
    }
    /// The headers that really came in, cookies included.
    ResponseReceivedExtraInfo = "Network.responseReceivedExtraInfo" {
        request_id: RequestId,
        headers: Headers,
        status_code: u16,
    }
    /// The answer is complete.
    LoadingFinished = "Network.loadingFinished" {
        request_id: RequestId,
        timestamp: f64,
        encoded_data_length: f64,
    }
    /// There will be no answer, or no more of it.
    LoadingFailed = "Network.loadingFailed" {
        request_id: RequestId,
        timestamp: f64,
        #[serde(rename = "type")]
        kind: String,
        error_text: String,
        canceled: Option<bool>,
        blocked_reason: Option<String>,
    }
    /// A websocket was opened.
    WebSocketCreated = "Network.webSocketCreated" { request_id: RequestId, url: String }
    /// A websocket is gone.
    WebSocketClosed = "Network.webSocketClosed" { request_id: RequestId, timestamp: f64 }
}

received! {
    /// What was asked.
    Request {
        url: String,
        url_fragment: Option<String>,
        method: String,
        headers: Headers,
        /// What was sent with it, if it is short.
        post_data: Option<String>,
        has_post_data: Option<bool>,
    }
    /// What came back.
    Response {
        url: String,
        status: u16,
        status_text: String,
        headers: Headers,
        mime_type: String,
        #[serde(default)]
        charset: String,
        #[serde(rename = "remoteIPAddress")]
        remote_ip_address: Option<String>,
        remote_port: Option<u16>,
        from_disk_cache: Option<bool>,
        from_service_worker: Option<bool>,
        encoded_data_length: f64,
        protocol: Option<String>,
    }
}
