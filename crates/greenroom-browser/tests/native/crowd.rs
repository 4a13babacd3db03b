//! Many worlds at work in one browser at once.

use std::sync::Arc;

use crate::stage::{GRACE, LONG, SHELL, Stage, spec};
use greenroom_browser::call::Call;
use greenroom_browser::native::browser::{Fleet, FleetOptions};
use greenroom_browser::native::engine::{NativeInstance, Source};
use greenroom_testkit::site::Site;

const WORLDS: usize = 10;
const ROUNDS: usize = 4;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn worlds_that_work_in_parallel_see_their_own_pages_only() {
    let stage = Stage::open().await;
    let options = FleetOptions {
        label: "TEST".to_owned(),
        spec: spec(SHELL),
        contexts_per_browser: 16,
        warm: 2,
    };
    let fleet = Fleet::new(options.clone(), stage.host.clone());
    let site = Arc::new(Site::start().await);
    let working: Vec<_> = (0..WORLDS)
        .map(|n| {
            let (source, spec, site) = (
                Source::Shared(fleet.clone()),
                options.spec.clone(),
                site.clone(),
            );
            tokio::spawn(async move {
                let instance = NativeInstance::start_from(source, &spec).await.unwrap();
                for round in 0..ROUNDS {
                    let name = format!("world-{n}-{round}");
                    let url = site.url(&format!("/named?name={name}"));
                    let go = Call::new("browser_navigate").with("url", url);
                    let reply = instance.call(&go, LONG).await.unwrap();
                    assert!(!reply.is_error && reply.snapshot.unwrap().contains(&name));
                    let look = Call::new("browser_snapshot");
                    let reply = instance.call(&look, LONG).await.unwrap();
                    assert!(reply.snapshot.unwrap().contains(&name));
                }
                instance.stop(GRACE).await.unwrap();
            })
        })
        .collect();
    for worked in working {
        worked.await.unwrap();
    }
    fleet.close(GRACE).await.unwrap();
    drop((fleet, site));
    stage.strike().await;
}
