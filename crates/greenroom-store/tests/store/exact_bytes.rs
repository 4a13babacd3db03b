//! Whatever is stored comes back byte for byte: small and large, before and after it is settled.
#![allow(clippy::unwrap_used, missing_docs)]

use crate::support::{Fixture, ada, call, done};
use greenroom_store::{
    ConsoleLevel, ConsoleMessage, Content, ReadRequest, Reader, Reading, Response,
};
use proptest::prelude::*;

/// Noise of any length up to beyond where values become files, or the same byte over and over.
fn bytes() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        proptest::collection::vec(any::<u8>(), 0..3000),
        proptest::collection::vec(any::<u8>(), 30_000..50_000),
        (any::<u8>(), 0usize..200_000).prop_map(|(byte, length)| vec![byte; length]),
    ]
}

async fn round_trip(result: Vec<u8>, text: String, arguments: String) {
    let store = Fixture::new().await;
    let console = vec![
        ConsoleMessage::new(
            ConsoleLevel::Error,
            text.chars().take(50).collect::<String>(),
        ),
        ConsoleMessage::new(ConsoleLevel::Debug, "quiet"),
    ];
    let call = call().arguments(arguments.clone());
    let ref_id = call.ref_id;
    let response = Response::new(result.clone())
        .content(Content::text(text.clone()))
        .console(console.clone());
    store.call_started(&call);
    store.call_finished(call, done(response)).await.unwrap();
    for settled in [false, true] {
        if settled {
            store.settle().await.unwrap();
            assert_eq!(store.sizes().await.unwrap().unsettled, 0);
        }
        assert!(
            store.result(ada(), ref_id).await.unwrap() == result,
            "settled: {settled}"
        );
        assert!(store.arguments(ada(), ref_id).await.unwrap() == arguments);
        assert_eq!(store.console(ada(), ref_id, None).await.unwrap(), console);
        let errors = store
            .console(ada(), ref_id, Some(ConsoleLevel::Error))
            .await
            .unwrap();
        assert_eq!(errors, console[..1]);
        let request = ReadRequest::new(ada(), Reader::new("r"), ref_id);
        let Reading::Full { text: read, .. } = store.read(request).await.unwrap() else {
            panic!("expected the whole text");
        };
        assert!(read == text, "settled: {settled}");
        let info = store.call(ada(), ref_id).await.unwrap().response.unwrap();
        assert_eq!((info.console_count, info.console_error_count), (2, 1));
    }
    store.close().await;
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn stored_bytes_come_back_exactly(
        result in bytes(),
        text in "(\\PC|\n){0,300}",
        repeat in 1usize..400,
        arguments in "[a-z\"{}]{0,2000}",
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(round_trip(result, text.repeat(repeat), arguments));
    }
}
