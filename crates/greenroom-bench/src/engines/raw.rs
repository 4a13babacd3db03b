//! The limit: the same Chromium with the same arguments over the same pipe, and nothing on top.
//! There are no tools, no sessions, no record; a look at the page is a loop over its elements.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use greenroom_browser::find::{BrowserKind, Places};
use greenroom_browser::native::conn::Session;
use greenroom_browser::native::launch::Chromium;
use greenroom_browser::native::protocol::ContextId;
use greenroom_browser::native::protocol::page::{
    Enable, LifecycleEvent, Navigate, SetLifecycleEventsEnabled,
};
use greenroom_browser::native::protocol::runtime::Evaluate;
use greenroom_browser::native::protocol::target::{
    AttachToTarget, CreateBrowserContext, CreateTarget, DisposeBrowserContext,
};
use greenroom_browser::process::{Run, Supervisor, child_environment};
use greenroom_browser::sandbox::Sandbox;
use greenroom_browser::{Host, LaunchSpec, Machine};
use tokio::runtime::Runtime;
use tokio::time::timeout;

use super::pages::Target;
use super::peer::{Caller, Peer, expect};

const PATIENCE: Duration = Duration::from_secs(30);
const GRACE: Duration = Duration::from_secs(5);

const LOOK: &str = "[...document.body.querySelectorAll('*')].map((element) => element.localName + ' ' \
    + [...element.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data).join(' ')).join('\\n')";

pub(super) struct Raw {
    runtime: Arc<Runtime>,
    host: Host,
    chromium: Arc<Chromium>,
    _data: tempfile::TempDir,
}

impl Raw {
    pub(super) fn start(executable: &std::path::Path) -> io::Result<Self> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()?;
        let data = tempfile::tempdir()?;
        let spec = LaunchSpec {
            executable: Some(executable.to_owned()),
            ..LaunchSpec::new(BrowserKind::Chromium)
        };
        let (host, chromium) = runtime.block_on(async {
            let host = host(data.path()).await?;
            let chromium = Chromium::start("RAW", &spec, &host).await;
            io::Result::Ok((host, chromium.map_err(io::Error::other)?))
        })?;
        Ok(Self {
            runtime: Arc::new(runtime),
            host,
            chromium: Arc::new(chromium),
            _data: data,
        })
    }
}

#[allow(
    clippy::disallowed_methods,
    reason = "the environment of a benchmark is that of its browsers"
)]
async fn host(data: &std::path::Path) -> io::Result<Host> {
    let (run, _) = Run::open(data).await.map_err(io::Error::other)?;
    Ok(Host {
        supervisor: Supervisor::new(run).map_err(io::Error::other)?,
        environment: child_environment(std::env::vars_os()),
        machine: Machine {
            places: Places::from_env(|name| std::env::var_os(name)),
            program: None,
            data_dir: data.to_owned(),
            sandbox: Sandbox::detect(),
        },
    })
}

impl Peer for Raw {
    fn connect(&self) -> io::Result<Box<dyn Caller>> {
        Ok(Box::new(RawCaller {
            runtime: self.runtime.clone(),
            chromium: self.chromium.clone(),
            place: None,
        }))
    }

    fn root(&self) -> u32 {
        self.chromium.pid().map_or(0, i32::cast_unsigned)
    }
}

impl Drop for Raw {
    fn drop(&mut self) {
        let _ = self.runtime.block_on(async {
            let _ = self.chromium.stop(GRACE).await;
            self.host.supervisor.close(GRACE).await
        });
    }
}

struct RawCaller {
    runtime: Arc<Runtime>,
    chromium: Arc<Chromium>,
    place: Option<(ContextId, Session)>,
}

impl Caller for RawCaller {
    fn navigate(&mut self, target: &Target) -> io::Result<()> {
        let Self {
            runtime,
            chromium,
            place,
        } = self;
        runtime.block_on(async {
            if place.is_none() {
                *place = Some(open(chromium.session()).await?);
            }
            visit(page(place.as_ref())?, &target.url).await
        })
    }

    fn arrive(&mut self, target: &Target) -> io::Result<()> {
        self.navigate(target)?;
        self.snapshot(target)
    }

    fn snapshot(&mut self, target: &Target) -> io::Result<()> {
        expect(&self.value(LOOK)?, target.holds)
    }

    fn evaluate(&mut self) -> io::Result<()> {
        expect(&self.value("String(6 * 7)")?, "42")
    }

    fn leave(self: Box<Self>) -> io::Result<()> {
        let Some((browser_context_id, _)) = self.place else {
            return Ok(());
        };
        let dispose = DisposeBrowserContext { browser_context_id };
        let ended = self.runtime.block_on(self.chromium.session().call(dispose));
        ended.map(drop).map_err(io::Error::other)
    }
}

impl RawCaller {
    fn value(&self, script: &str) -> io::Result<String> {
        let asked = page(self.place.as_ref())?.call(Evaluate::value_of(script));
        let given = self.runtime.block_on(asked).map_err(io::Error::other)?;
        given.result.read().map_err(io::Error::other)
    }
}

fn page(place: Option<&(ContextId, Session)>) -> io::Result<&Session> {
    let missing = || io::Error::other("nobody has navigated yet");
    place.map(|(_, page)| page).ok_or_else(missing)
}

/// A context with a page in it that tells when it has loaded.
async fn open(browser: &Session) -> io::Result<(ContextId, Session)> {
    let opening = async {
        let context = browser.call(CreateBrowserContext::default()).await?;
        let context = context.browser_context_id;
        let blank = CreateTarget {
            url: "about:blank".to_owned(),
            browser_context_id: Some(context.clone()),
            ..CreateTarget::default()
        };
        let target_id = browser.call(blank).await?.target_id;
        let flatten = true;
        let attached = browser.call(AttachToTarget { target_id, flatten }).await?;
        let page = browser.sibling(attached.session_id);
        let lifecycle = SetLifecycleEventsEnabled { enabled: true };
        tokio::try_join!(page.call(Enable {}), page.call(lifecycle))?;
        Ok((context, page))
    };
    let opened: Result<_, greenroom_browser::native::CdpError> = opening.await;
    opened.map_err(io::Error::other)
}

async fn visit(page: &Session, url: &str) -> io::Result<()> {
    let mut events = page.events();
    let go = Navigate {
        url: url.to_owned(),
        ..Navigate::default()
    };
    let gone = page.call(go).await.map_err(io::Error::other)?;
    let loader = gone.loader_id;
    let loaded = events.find(|stage: LifecycleEvent| {
        (stage.name == "load" && Some(&stage.loader_id) == loader.as_ref()).then_some(())
    });
    let in_time = timeout(PATIENCE, loaded).await.ok().flatten();
    in_time.ok_or_else(|| io::Error::other(format!("{url} did not load")))
}
