//! Pages in a real browser: frames, elements, snapshots, scripts.

use std::sync::Arc;

use crate::local::Local;
use crate::stage::{GRACE, LONG, SHELL, Stage, spec, value, visit};
use greenroom_browser::native::Deadline;
use greenroom_browser::native::browser::{Place, SharedBrowser, TabEvent};
use greenroom_browser::native::page::{DocumentNumbers, Page, SnapshotOptions, ToolError};
use tokio::sync::mpsc;

/// One page of a world, with a site to visit.
pub(crate) struct Set {
    stage: Stage,
    browser: Arc<SharedBrowser>,
    place: Place,
    pub(crate) page: Page,
    _tabs: mpsc::Receiver<TabEvent>,
    pub(crate) site: Local,
}

impl Set {
    pub(crate) async fn open() -> Self {
        Self::open_with(&[]).await
    }

    /// With a browser that is started with these arguments.
    pub(crate) async fn open_with(args: &[&str]) -> Self {
        let stage = Stage::open().await;
        let mut spec = spec(SHELL);
        spec.args = args.iter().map(|&arg| arg.to_owned()).collect();
        let browser = SharedBrowser::start("TEST", &spec, &stage.host, 2).await;
        let browser = browser.unwrap_or_else(|error| panic!("{error}"));
        let world = browser.world(LONG).await.unwrap();
        let (place, tab, tabs) = world.into_parts();
        let page = Page::follow(tab, DocumentNumbers::default());
        let site = Local::start().await;
        Self {
            stage,
            browser,
            place,
            page,
            _tabs: tabs,
            site,
        }
    }

    pub(crate) async fn go(&self, path: &str, body: &str) {
        let url = self.site.page(path, body);
        visit(self.page.session(), &url).await;
    }

    pub(crate) async fn snapshot(&self) -> String {
        let all = SnapshotOptions::default();
        let shot = self.page.snapshot(None, &all, soon()).await;
        shot.unwrap_or_else(|error| panic!("{error}"))
    }

    pub(crate) async fn close(self) {
        self.place.dispose(LONG).await.unwrap();
        self.browser.stop(GRACE).await.unwrap();
        drop(self.browser);
        drop(self.page);
        drop(self.site);
        self.stage.strike().await;
    }
}

pub(crate) fn soon() -> Deadline {
    Deadline::after(LONG)
}

#[tokio::test]
async fn frames_of_all_processes_are_one_snapshot_whose_refs_work() {
    let set = Set::open().await;
    set.site.page(
        "/inner",
        "<button onclick='this.textContent=\"done\"'>Deep</button>",
    );
    set.site
        .page("/same", "<p>Same</p><iframe src='/inner'></iframe>");
    let other = set.site.elsewhere("/same");
    set.go(
        "/top",
        &format!("<h1>Top</h1><iframe src='/same'></iframe><iframe src='{other}'></iframe>"),
    )
    .await;
    let shot = set.snapshot().await;
    assert_eq!(shot.matches("button \"Deep\"").count(), 2, "{shot}");
    assert_eq!(shot.matches("paragraph").count(), 2, "{shot}");
    let refs: Vec<&str> = shot
        .lines()
        .filter(|line| line.contains("button \"Deep\""))
        .map(|line| {
            line.split("[ref=")
                .nth(1)
                .unwrap()
                .split(']')
                .next()
                .unwrap()
        })
        .collect();
    for target in refs {
        let element = set.page.find(target, soon()).await.unwrap();
        let described = element.describe(soon()).await.unwrap();
        assert_eq!(
            described.locator.matches(".contentFrame().").count(),
            2,
            "{described:?}"
        );
        assert!(
            described
                .locator
                .ends_with("getByRole('button', { name: 'Deep' })"),
            "{described:?}"
        );
        let by_locator = set.page.find(&described.locator, soon()).await.unwrap();
        let again = by_locator.describe(soon()).await.unwrap();
        assert_eq!(again.reference.as_deref(), Some(target));
        let given = element
            .evaluate("(button) => button.textContent", soon())
            .await
            .unwrap();
        assert_eq!(given.value.unwrap().get(), "\"Deep\"");
    }
    set.close().await;
}

#[tokio::test]
async fn a_ref_of_a_page_that_was_left_is_refused_and_never_means_something_else() {
    let set = Set::open().await;
    set.go("/one", "<button>One</button>").await;
    let first = set.snapshot().await;
    assert!(first.contains("[ref=e"), "{first}");
    assert!(set.page.find("e2", soon()).await.is_ok());
    set.go("/two", "<button>Two</button>").await;
    let stale = set.page.find("e2", soon()).await.unwrap_err();
    assert!(matches!(stale, ToolError::OtherDocument { .. }), "{stale}");
    let second = set.snapshot().await;
    assert!(second.contains("[ref=f1e"), "{second}");
    let stale = set.page.find("e2", soon()).await.unwrap_err().to_string();
    assert!(stale.contains("Take a new snapshot"), "{stale}");
    let missing = set
        .page
        .find("getByRole('button', { name: 'One' })", soon())
        .await;
    let missing = missing.unwrap_err();
    assert!(
        matches!(&missing, ToolError::Refused { kind, .. } if kind == "NotFound"),
        "{missing}"
    );
    set.close().await;
}

#[tokio::test]
async fn code_of_an_agent_sees_the_pages_variables_and_not_our_script() {
    let set = Set::open().await;
    set.go("/code", "<script>window.answer = 42</script><p id=p>x</p>")
        .await;
    set.snapshot().await;
    let run = async |code: &str| {
        let given = set.page.evaluate(code, soon()).await;
        given.map(|given| {
            given
                .value
                .map_or("undefined".to_owned(), |value| value.get().to_owned())
        })
    };
    assert_eq!(run("() => answer").await.unwrap(), "42");
    assert_eq!(run("answer + 1").await.unwrap(), "43");
    assert_eq!(run("async () => { await 1; }").await.unwrap(), "undefined");
    assert_eq!(
        run("() => typeof greenroom").await.unwrap(),
        "\"undefined\""
    );
    assert_eq!(
        run("() => document.querySelector('p')").await.unwrap(),
        "\"<p>\""
    );
    let thrown = run("() => { throw new Error('no') }")
        .await
        .unwrap_err()
        .to_string();
    assert!(thrown.contains("Error: no"), "{thrown}");
    let wrong = run("() => {").await.unwrap_err().to_string();
    assert!(wrong.contains("SyntaxError"), "{wrong}");
    let hidden: bool = value(set.page.session(), "typeof greenroom === 'undefined'").await;
    assert!(hidden);
    set.close().await;
}

#[tokio::test]
async fn a_frame_that_goes_from_process_to_process_is_followed() {
    let set = Set::open().await;
    let here = set.site.page("/here", "<p>Here</p>");
    set.site.page("/there", "<p>There</p>");
    let there = set.site.elsewhere("/there");
    set.go("/top", &format!("<iframe id=f src='{here}'></iframe>"))
        .await;
    for round in 0..3 {
        for (url, words) in [(&there, "There"), (&here, "Here")] {
            let code = format!(
                "() => new Promise(done => {{ f.onload = () => done(); f.src = '{url}?{round}'; }})"
            );
            set.page.evaluate(&code, soon()).await.unwrap();
            let shot = set.snapshot().await;
            assert!(shot.contains(words), "{round} {words}: {shot}");
            let target = shot
                .split("[ref=")
                .last()
                .unwrap()
                .split(']')
                .next()
                .unwrap();
            let element = set.page.find(target, soon()).await.unwrap();
            let given = element
                .evaluate("(p) => p.textContent", soon())
                .await
                .unwrap();
            assert_eq!(given.value.unwrap().get(), format!("\"{words}\""));
        }
    }
    set.page
        .evaluate("() => { f.remove(); }", soon())
        .await
        .unwrap();
    assert!(!set.snapshot().await.contains("iframe"));
    set.close().await;
}

#[tokio::test]
async fn a_document_that_is_replaced_again_and_again_can_still_be_looked_at() {
    let set = Set::open().await;
    let body = "<h1>Round</h1><script>if (!location.hash.includes('stop')) setTimeout(() => location.replace('/turn?' + Math.random()), 80)</script>";
    set.go("/turn", body).await;
    let mut seen = 0;
    for _ in 0..10 {
        let all = SnapshotOptions::default();
        match set.page.snapshot(None, &all, soon()).await {
            Ok(shot) => seen += usize::from(shot.contains("Round")),
            Err(error) => assert!(!error.is_fatal(), "{error}"),
        }
    }
    assert!(seen > 0, "never seen");
    set.close().await;
}
