use std::sync::Arc;

use crate::peer::{LONG, connected};
use proptest::prelude::*;
use serde_json::{Value, json};

/// What happens next on a connection with several calls in flight.
#[derive(Debug, Clone)]
enum Step {
    /// The peer answers this call, whether it was answered or cancelled before or not.
    Answer(usize),
    /// The peer refuses this call.
    Refuse(usize),
    /// The caller goes away.
    Cancel(usize),
    /// The peer answers what nobody asked.
    Stray(u64),
    /// The peer says something that is no message.
    Noise,
}

const CALLS: usize = 6;

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => (0..CALLS).prop_map(Step::Answer),
        1 => (0..CALLS).prop_map(Step::Refuse),
        3 => (0..CALLS).prop_map(Step::Cancel),
        1 => (1000..2000u64).prop_map(Step::Stray),
        1 => Just(Step::Noise),
    ]
}

/// Plays the steps and returns what each caller got: `None` for one that was cancelled.
async fn play(steps: &[Step]) -> Vec<Option<Result<Value, String>>> {
    let (client, mut peer) = connected();
    let client = Arc::new(client);
    let mut callers = Vec::new();
    let mut ids = Vec::new();
    for number in 0..CALLS {
        let client = client.clone();
        callers.push(tokio::spawn(async move {
            let params = json!({"number": number});
            client.call("tools/call", &params, LONG).await
        }));
        let (id, params) = peer.asked("tools/call").await;
        assert_eq!(params["number"], number);
        ids.push(id);
    }
    let mut stray = 0;
    for step in steps {
        match step {
            Step::Answer(number) => peer.answer(ids[*number], json!({"number": number})).await,
            Step::Refuse(number) => peer.refuse(ids[*number], -32000).await,
            Step::Cancel(number) => callers[*number].abort(),
            Step::Stray(id) => {
                stray += 1;
                peer.answer(*id, json!("stray")).await;
            }
            Step::Noise => peer.say("noise\n").await,
        }
        if matches!(step, Step::Cancel(_)) {
            tokio::task::yield_now().await;
        }
    }
    // Every call that is still open is answered now, so that no caller waits for ever.
    for (number, id) in ids.iter().enumerate() {
        peer.answer(*id, json!({"number": number})).await;
    }
    let mut outcomes = Vec::new();
    for caller in callers {
        outcomes.push(caller.await.ok().map(|outcome| match outcome {
            Ok(result) => Ok(serde_json::from_slice(&result).unwrap()),
            Err(error) => Err(error.kind().to_owned()),
        }));
    }
    peer.exit().await;
    client.ended().await;
    assert!(client.stats().stray >= stray);
    assert_eq!(client.abandoned(), 0);
    outcomes
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn in_any_interleaving_each_reply_reaches_its_own_caller_and_no_other(
        steps in proptest::collection::vec(step(), 0..40)
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let outcomes = runtime.block_on(play(&steps));
        for (number, outcome) in outcomes.into_iter().enumerate() {
            let first = steps.iter().find(|step| matches!(
                step,
                Step::Answer(n) | Step::Refuse(n) | Step::Cancel(n) if *n == number
            ));
            match (first, outcome) {
                (Some(Step::Cancel(_)), outcome) => prop_assert!(outcome.is_none()),
                (Some(Step::Refuse(_)), Some(outcome)) => {
                    prop_assert_eq!(outcome, Err("upstream".to_owned()));
                }
                (_, Some(outcome)) => prop_assert_eq!(outcome, Ok(json!({"number": number}))),
                // Its reply had come, but the caller was cancelled before it looked.
                (_, None) => prop_assert!(steps.iter().any(
                    |step| matches!(step, Step::Cancel(n) if *n == number)
                )),
            }
        }
    }
}
