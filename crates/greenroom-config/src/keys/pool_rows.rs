//! Keys of pools: how many instances, and how they are shared out.

use crate::keys::{Effect, Fallback, Key, Levels, Row};
use crate::values::choices::Sticky;
use crate::values::kind::Kind;
use crate::values::unit::Unit;

const HOUR_MS: u64 = 3_600_000;
const DAY_MS: u64 = 24 * HOUR_MS;

/// The rows, in the order of [`Key`].
pub(crate) const POOL_ROWS: &[Row] = &[
    Row {
        key: Key::Instances,
        name: "INSTANCES",
        levels: Levels::Pool,
        kind: Kind::Number { min: 1, max: 1000 },
        fallback: Fallback::Required,
        because: "how many browsers to start is the one thing that nobody can guess",
        meaning: "instances that are started at once and kept",
        effect: Effect::Now,
    },
    Row {
        key: Key::IsDefault,
        name: "IS_DEFAULT",
        levels: Levels::Pool,
        kind: Kind::Bool,
        fallback: Fallback::Is("false"),
        because: "exactly one pool must say true, so that a call without a pool has one meaning",
        meaning: "the pool of calls that name none",
        effect: Effect::Now,
    },
    Row {
        key: Key::Description,
        name: "DESCRIPTION",
        levels: Levels::Pool,
        kind: Kind::Prose,
        fallback: Fallback::Is(""),
        because: "a name often says enough",
        meaning: "what the pool is for, shown in its status",
        effect: Effect::Now,
    },
    Row {
        key: Key::Alias,
        name: "ALIAS",
        levels: Levels::Instance,
        kind: Kind::Alias,
        fallback: Fallback::Nothing("none"),
        because: "the id always works",
        meaning: "a second name of the instance: not all digits, unique in its pool, case-sensitive",
        effect: Effect::Now,
    },
    Row {
        key: Key::MinIdle,
        name: "MIN_IDLE",
        levels: Levels::Pool,
        kind: Kind::Number { min: 0, max: 1000 },
        fallback: Fallback::Is("0"),
        because: "a pool that is not elastic keeps what it starts",
        meaning: "free, warm instances that the pool keeps ready",
        effect: Effect::NotYet,
    },
    Row {
        key: Key::MaxInstances,
        name: "MAX_INSTANCES",
        levels: Levels::Pool,
        kind: Kind::Number { min: 1, max: 1000 },
        fallback: Fallback::Computed("= INSTANCES"),
        because: "a pool grows only when it is told to",
        meaning: "most instances that an elastic pool may have",
        effect: Effect::NotYet,
    },
    Row {
        key: Key::ContextsPerBrowser,
        name: "CONTEXTS_PER_BROWSER",
        levels: Levels::Pool,
        kind: Kind::Number { min: 1, max: 1000 },
        fallback: Fallback::Is("16"),
        because: "one crash then costs at most 16 worlds",
        meaning: "worlds in one shared Chromium before another is started",
        effect: Effect::Now,
    },
    Row {
        key: Key::Sticky,
        name: "STICKY",
        levels: Levels::Pool,
        kind: Kind::Choice {
            words: Sticky::WORDS,
            synonyms: &[],
        },
        fallback: Fallback::Is("connection"),
        because: "two chats that know nothing of each other never share a page",
        meaning: "connection: a caller without session_id keeps its own world; call: each call leases any free instance",
        effect: Effect::Now,
    },
    Row {
        key: Key::LeaseTimeout,
        name: "LEASE_TIMEOUT",
        levels: Levels::Pool,
        kind: Kind::Time {
            unit: Unit::Milliseconds,
            min_ms: 1,
            max_ms: HOUR_MS,
        },
        fallback: Fallback::Is("30000"),
        because: "clients give up at about that time",
        meaning: "longest wait for a lease",
        effect: Effect::Now,
    },
    Row {
        key: Key::MaxQueue,
        name: "MAX_QUEUE",
        levels: Levels::Pool,
        kind: Kind::Number {
            min: 0,
            max: 100_000,
        },
        fallback: Fallback::Is("256"),
        because: "a longer queue is an overload that waiting does not cure",
        meaning: "waiters beyond this are refused at once",
        effect: Effect::Now,
    },
    Row {
        key: Key::MinHold,
        name: "MIN_HOLD",
        levels: Levels::Pool,
        kind: Kind::Time {
            unit: Unit::Seconds,
            min_ms: 0,
            max_ms: DAY_MS,
        },
        fallback: Fallback::Is("10"),
        because: "an agent often thinks for some seconds between two calls",
        meaning: "an idle session is not parked for a waiter before this",
        effect: Effect::Now,
    },
    Row {
        key: Key::IdleTimeout,
        name: "IDLE_TIMEOUT",
        levels: Levels::Pool,
        kind: Kind::Time {
            unit: Unit::Seconds,
            min_ms: 1,
            max_ms: DAY_MS,
        },
        fallback: Fallback::Is("300"),
        because: "bursts come in minutes",
        meaning: "a surplus free instance of an elastic pool is stopped after this",
        effect: Effect::NotYet,
    },
];
