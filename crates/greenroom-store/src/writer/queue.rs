//! What waits to be written, bounded by number and by bytes.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::job::Job;
use crate::error::{Result, StoreError};

/// A chore gets its turn after this many batches of calls, if they leave no gap for it.
const BATCHES_BEFORE_A_CHORE: u32 = 16;

/// Which line a job stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lane {
    Calls,
    Chores,
}

/// The right to have one job of some size in the queue.
#[derive(Debug)]
pub(crate) struct Room {
    _place: OwnedSemaphorePermit,
    _bytes: OwnedSemaphorePermit,
}

#[derive(Debug)]
pub(crate) struct Queue {
    lines: Mutex<Lines>,
    filled: Condvar,
    places: Arc<Semaphore>,
    bytes: Arc<Semaphore>,
    max_places: usize,
    max_bytes: u32,
}

#[derive(Default)]
struct Lines {
    calls: VecDeque<Job>,
    chores: VecDeque<Job>,
    batches_since_chore: u32,
    closed: bool,
}

impl Queue {
    pub(crate) fn new(max_places: usize, max_bytes: u32) -> Self {
        let (max_places, max_bytes) = (max_places.max(1), max_bytes.max(1));
        Self {
            lines: Mutex::default(),
            filled: Condvar::new(),
            places: Arc::new(Semaphore::new(max_places)),
            bytes: Arc::new(Semaphore::new(max_bytes as usize)),
            max_places,
            max_bytes,
        }
    }

    /// Waits for room. One job that is larger than the whole queue gets it when it is empty.
    /// `None` says that the queue is closed.
    pub(crate) async fn room(&self, bytes: usize) -> Option<Room> {
        let place = self.places.clone().acquire_owned().await.ok()?;
        let bytes = self
            .bytes
            .clone()
            .acquire_many_owned(self.weight(bytes))
            .await
            .ok()?;
        Some(Room {
            _place: place,
            _bytes: bytes,
        })
    }

    /// Takes room if there is some now.
    pub(crate) fn try_room(&self, bytes: usize) -> Option<Room> {
        let place = self.places.clone().try_acquire_owned().ok()?;
        let bytes = self
            .bytes
            .clone()
            .try_acquire_many_owned(self.weight(bytes))
            .ok()?;
        Some(Room {
            _place: place,
            _bytes: bytes,
        })
    }

    pub(crate) fn push(&self, lane: Lane, job: Job) -> Result<()> {
        let mut lines = self.lines();
        if lines.closed {
            return Err(StoreError::Closed);
        }
        match lane {
            Lane::Calls => lines.calls.push_back(job),
            Lane::Chores => lines.chores.push_back(job),
        }
        drop(lines);
        self.filled.notify_one();
        Ok(())
    }

    /// Waits for jobs and takes them: all calls, or one chore. `None` after the last one of a
    /// closed queue.
    pub(crate) fn take(&self) -> Option<Vec<Job>> {
        let mut lines = self
            .filled
            .wait_while(self.lines(), |lines| lines.is_empty() && !lines.closed)
            .unwrap_or_else(PoisonError::into_inner);
        lines.next_batch()
    }

    /// Takes the calls that have come meanwhile, without waiting.
    pub(crate) fn take_more(&self) -> Vec<Job> {
        self.lines().calls.drain(..).collect()
    }

    pub(crate) fn depth(&self) -> (usize, usize) {
        let places = self
            .max_places
            .saturating_sub(self.places.available_permits());
        (
            places,
            (self.max_bytes as usize).saturating_sub(self.bytes.available_permits()),
        )
    }

    /// Nothing more goes in; waiters for room are sent away.
    pub(crate) fn close(&self) {
        self.lines().closed = true;
        self.places.close();
        self.bytes.close();
        self.filled.notify_all();
    }

    fn weight(&self, bytes: usize) -> u32 {
        u32::try_from(bytes)
            .unwrap_or(u32::MAX)
            .clamp(1, self.max_bytes)
    }

    fn lines(&self) -> MutexGuard<'_, Lines> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Lines {
    fn is_empty(&self) -> bool {
        self.calls.is_empty() && self.chores.is_empty()
    }

    fn next_batch(&mut self) -> Option<Vec<Job>> {
        let chore_is_due =
            self.calls.is_empty() || self.batches_since_chore >= BATCHES_BEFORE_A_CHORE;
        if chore_is_due && let Some(chore) = self.chores.pop_front() {
            self.batches_since_chore = 0;
            return Some(vec![chore]);
        }
        self.batches_since_chore += 1;
        (!self.calls.is_empty()).then(|| self.calls.drain(..).collect())
    }
}

impl std::fmt::Debug for Lines {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Lines")
            .field("calls", &self.calls.len())
            .field("chores", &self.chores.len())
            .field("closed", &self.closed)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::writer::job::Task;
    use tokio::time::Instant;

    fn job(room: Option<Room>) -> Job {
        Job::new(
            Task::unanswered(|_: &rusqlite::Connection| Ok(())),
            Instant::now(),
            room,
        )
    }

    fn taken(queue: &Queue) -> usize {
        queue.take().map_or(0, |jobs| jobs.len())
    }

    #[test]
    fn room_is_bounded_by_number_and_by_bytes_and_comes_back_with_the_job() {
        let queue = Queue::new(2, 100);
        let small = queue.try_room(10).unwrap();
        assert!(queue.try_room(95).is_none(), "too many bytes");
        let other = queue.try_room(10).unwrap();
        assert!(queue.try_room(1).is_none(), "too many jobs");
        assert_eq!(queue.depth(), (2, 20));
        queue.push(Lane::Calls, job(Some(small))).unwrap();
        queue.push(Lane::Calls, job(Some(other))).unwrap();
        assert_eq!(taken(&queue), 2);
        assert_eq!(queue.depth(), (0, 0));
        assert!(
            queue.try_room(5000).is_some(),
            "one that is larger than the queue passes alone"
        );
    }

    #[test]
    fn a_batch_is_everything_that_waits_and_chores_come_last() {
        let queue = Queue::new(10, 100);
        queue.push(Lane::Chores, job(None)).unwrap();
        for _ in 0..3 {
            queue.push(Lane::Calls, job(None)).unwrap();
        }
        assert_eq!(taken(&queue), 3);
        assert_eq!(taken(&queue), 1);
        assert!(queue.lines().is_empty());
    }

    #[test]
    fn a_chore_is_not_starved_by_calls() {
        let queue = Queue::new(10, 100);
        queue.push(Lane::Chores, job(None)).unwrap();
        let mut batches = 0;
        while !queue.lines().chores.is_empty() {
            queue.push(Lane::Calls, job(None)).unwrap();
            assert_eq!(taken(&queue), 1);
            batches += 1;
        }
        assert_eq!(batches, BATCHES_BEFORE_A_CHORE + 1);
    }

    #[test]
    fn a_closed_queue_gives_out_what_it_has_and_takes_no_more() {
        let queue = Queue::new(10, 100);
        queue.push(Lane::Calls, job(None)).unwrap();
        queue.close();
        assert!(matches!(
            queue.push(Lane::Calls, job(None)),
            Err(StoreError::Closed)
        ));
        assert_eq!(taken(&queue), 1);
        assert!(queue.take().is_none());
        assert!(queue.try_room(1).is_none());
    }
}
