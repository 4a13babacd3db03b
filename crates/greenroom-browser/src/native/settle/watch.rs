//! The mark before an action, and the wait after it.

use std::collections::HashSet;
use std::time::Duration;

use crate::native::deadline::Deadline;
use crate::native::events::Exchange;
use crate::native::page::{Books, Load, Page};

/// The longest that a new document is waited for.
const DOCUMENT: Duration = Duration::from_secs(10);
/// The longest that requests are waited for, all of them together.
const REQUESTS: Duration = Duration::from_secs(5);
/// The longest that the rest of an answer is waited for whose beginning is here. A page that does
/// not read an answer leaves it without an end.
const REST: Duration = Duration::from_secs(1);
/// A navigation that was asked for begins at once, or was refused.
const BEGINNING: Duration = Duration::from_millis(250);
/// The longest that a frame is waited for, in which nothing else happens.
const FRAME: Duration = Duration::from_secs(1);
/// Answers lead to further requests; so often they are waited for as well.
const ROUNDS: usize = 3;

/// What an action may have done that is worth a look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effect {
    /// Input: its handlers have run, but the page may draw the outcome only in its next frame.
    Drawn,
    /// Code of the agent's: whatever it waited for is there, and what it has put off until it was
    /// over comes next.
    Told,
}

/// A mark before an action.
#[derive(Debug)]
pub(crate) struct Settle {
    page: Page,
    requests: u64,
    /// What the page was waiting for already: it asks again for what it waits for by itself.
    habits: HashSet<String>,
    load: Load,
}

impl Settle {
    /// Makes a mark.
    pub(crate) fn begin(page: &Page) -> Self {
        let (requests, habits) = page.read(|books| {
            let network = &books.journal.network;
            let pending = network.list().map(|(_, exchange)| exchange);
            let pending = pending.filter(|exchange| !exchange.has_ended());
            (network.mark(), pending.map(habit).collect())
        });
        Self {
            page: page.clone(),
            requests,
            habits,
            load: page.load(),
        }
    }

    /// Waits for what has come to be since the mark.
    pub(crate) async fn end(self, effect: Effect, deadline: Deadline) {
        let mut is_drawn = effect == Effect::Told;
        if is_drawn {
            self.until_next_task(deadline).await;
        }
        let for_requests = deadline.at_most(REQUESTS);
        for _ in 0..ROUNDS {
            self.page.catch_up(deadline).await;
            if self.is_navigating(deadline).await {
                return self.until_loaded(deadline).await;
            }
            let has_waited = self.until_answered(for_requests).await;
            if is_drawn && !has_waited {
                return;
            }
            self.until_drawn(deadline).await;
            is_drawn = true;
        }
    }

    /// Whether a navigation has begun. One that was only asked for is given a moment: the browser
    /// decides about it in another process.
    async fn is_navigating(&self, deadline: Deadline) -> bool {
        let has_begun =
            |load: &Load| load.started > self.load.started || load.loader != self.load.loader;
        let load = self.page.load();
        if has_begun(&load) || load.requested == self.load.requested {
            return has_begun(&load);
        }
        let begun = self
            .page
            .until(|books| main(books).filter(|load| has_begun(load)).map(drop));
        deadline.at_most(BEGINNING).limit(begun).await.is_some()
    }

    async fn until_loaded(&self, deadline: Deadline) {
        let loaded = self.page.until(|books| {
            let load = main(books)?;
            let is_new = load.loader != self.load.loader;
            let is_over = load.ended > self.load.ended && !load.is_loading;
            ((is_new && load.is_loaded && !load.is_loading) || is_over).then_some(())
        });
        deadline.at_most(DOCUMENT).limit(loaded).await;
    }

    /// Waits until requests are answered, or lead elsewhere. Says whether there were any.
    async fn until_answered(&self, deadline: Deadline) -> bool {
        if !self.page.read(|books| self.has(books, |_| true)) {
            return false;
        }
        self.while_there_are(|exchange| !exchange.has_begun(), deadline)
            .await;
        self.while_there_are(|_| true, deadline.at_most(REST)).await;
        true
    }

    async fn while_there_are(
        &self,
        is_meant: impl Fn(&Exchange) -> bool + Send + Sync,
        deadline: Deadline,
    ) {
        let gone = self.page.until(|books| {
            let leads_elsewhere = main(books)?.started > self.load.started;
            (leads_elsewhere || !self.has(books, &is_meant)).then_some(())
        });
        deadline.limit(gone).await;
    }

    /// Whether one of the action's requests is such that it is waited for.
    fn has(&self, books: &Books, is_meant: impl Fn(&Exchange) -> bool) -> bool {
        let mut ours = books.journal.network.since(self.requests);
        ours.any(|exchange| {
            exchange.is_awaited() && is_meant(exchange) && !self.habits.contains(&habit(exchange))
        })
    }

    /// Waits until the page has done what was put off without a delay, such as a dialog by a timer.
    async fn until_next_task(&self, deadline: Deadline) {
        let deadline = deadline.at_most(FRAME);
        let turned = self.page.ask::<()>("frames.nextTask", (), deadline);
        let _ = turned.await;
    }

    /// Waits until the page has drawn a frame. A page that cannot has something else to do.
    async fn until_drawn(&self, deadline: Deadline) {
        let deadline = deadline.at_most(FRAME);
        let drawn = self.page.ask::<()>("frames.nextFrame", (), deadline);
        let _ = drawn.await;
    }
}

/// What a page asks for again and again, whatever it adds to the address or counts in it.
fn habit(exchange: &Exchange) -> String {
    let address = exchange.url.split(['?', '#']).next().unwrap_or_default();
    let address: String = address
        .chars()
        .filter(|each| !each.is_ascii_digit())
        .collect();
    format!("{} {address}", exchange.method)
}

fn main(books: &Books) -> Option<&Load> {
    books.frames.main_info().map(|info| &info.load)
}
