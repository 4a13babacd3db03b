//! Finding lines of a text, with lines around them.

use std::collections::VecDeque;
use std::io::{self, BufRead};

use crate::calls::parts::{self, Part};
use crate::error::Result;
use crate::ids::{Principal, RefId};
use crate::store::Store;

/// A longer line is shown up to here: it would drown its neighbours.
const LINE_SHOWN: usize = 4096;

/// What to find in the text of a response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchRequest {
    /// What a line must contain, upper and lower case alike.
    pub needle: String,
    /// How many lines to show before each.
    pub before: usize,
    /// How many lines to show after each.
    pub after: usize,
    /// How many matching lines to show at most. Further ones are only counted.
    pub max_hits: usize,
}

/// Lines that were found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Matches {
    /// Lines that belong together, in order.
    pub blocks: Vec<Block>,
    /// How many lines match in all.
    pub hits: u64,
}

/// Consecutive lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Block {
    /// The lines.
    pub lines: Vec<Line>,
}

/// A line of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// How many lines come before it.
    pub number: u64,
    /// What it says.
    pub text: String,
    /// Whether it matches, or only surrounds one that does.
    pub is_hit: bool,
}

impl Store {
    /// The lines of a response's text that contain something.
    pub async fn search_in(
        &self,
        principal: Principal,
        ref_id: RefId,
        request: SearchRequest,
    ) -> Result<Matches> {
        self.read_with(move |view| {
            parts::require_response(view, &principal, ref_id)?;
            match parts::open(view, &principal, ref_id, Part::Content)? {
                Some(mut part) => find(&mut *part.bytes, &request).map_err(parts::unreadable),
                None => Ok(Matches::default()),
            }
        })
        .await
    }
}

fn find(text: &mut dyn BufRead, request: &SearchRequest) -> io::Result<Matches> {
    let needle = request.needle.to_lowercase();
    let mut finder = Finder::new(request);
    for_each_line(text, |number, line| {
        let is_hit = line.to_lowercase().contains(&needle);
        finder.line(number, line, is_hit);
    })?;
    Ok(finder.matches)
}

/// Calls back for every line, without its end. One line is in memory at a time.
pub(crate) fn for_each_line(
    text: &mut dyn BufRead,
    mut each: impl FnMut(u64, &str),
) -> io::Result<()> {
    let mut line = Vec::new();
    for number in 0.. {
        line.clear();
        if text.read_until(b'\n', &mut line)? == 0 {
            break;
        }
        let end = line.len() - usize::from(line.ends_with(b"\n"));
        each(
            number,
            std::str::from_utf8(&line[..end]).map_err(io::Error::other)?,
        );
    }
    Ok(())
}

/// Collects hits and what surrounds them; surroundings that touch become one block.
struct Finder<'r> {
    request: &'r SearchRequest,
    /// The last lines that are not shown yet, in case a hit follows.
    recent: VecDeque<Line>,
    /// How many lines after the last hit are still to be shown.
    trailing: usize,
    shown: usize,
    matches: Matches,
}

impl<'r> Finder<'r> {
    fn new(request: &'r SearchRequest) -> Self {
        let (recent, matches) = (VecDeque::new(), Matches::default());
        Self {
            request,
            recent,
            trailing: 0,
            shown: 0,
            matches,
        }
    }

    fn line(&mut self, number: u64, text: &str, is_hit: bool) {
        self.matches.hits += u64::from(is_hit);
        let is_hit = is_hit && self.shown < self.request.max_hits;
        let line = Line {
            number,
            text: shortened(text),
            is_hit,
        };
        if is_hit {
            self.shown += 1;
            self.trailing = self.request.after;
            for before in std::mem::take(&mut self.recent) {
                self.show(before);
            }
            self.show(line);
        } else if self.trailing > 0 {
            self.trailing -= 1;
            self.show(line);
        } else if self.request.before > 0 && self.shown < self.request.max_hits {
            if self.recent.len() == self.request.before {
                self.recent.pop_front();
            }
            self.recent.push_back(line);
        }
    }

    fn show(&mut self, line: Line) {
        let blocks = &mut self.matches.blocks;
        let last = blocks.last_mut().and_then(|block| {
            let follows = block
                .lines
                .last()
                .is_some_and(|last| last.number + 1 == line.number);
            follows.then_some(block)
        });
        match last {
            Some(block) => block.lines.push(line),
            None => blocks.push(Block { lines: vec![line] }),
        }
    }
}

pub(crate) fn shortened(text: &str) -> String {
    if text.len() <= LINE_SHOWN {
        return text.to_owned();
    }
    format!("{}…", &text[..text.floor_char_boundary(LINE_SHOWN)])
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "zero\none Save\ntwo\nthree\nfour SAVE\nfive\nsix\nseven\neight save";

    fn numbers(needle: &str, before: usize, after: usize, max_hits: usize) -> (Vec<Vec<u64>>, u64) {
        let request = SearchRequest {
            needle: needle.into(),
            before,
            after,
            max_hits,
        };
        let matches = find(&mut TEXT.as_bytes(), &request).unwrap();
        let blocks = matches.blocks.iter();
        let numbers = blocks
            .map(|b| b.lines.iter().map(|line| line.number).collect())
            .collect();
        (numbers, matches.hits)
    }

    #[test]
    fn hits_come_with_their_surroundings_and_touching_ones_are_joined() {
        let table = [
            (("save", 0, 0, 9), vec![vec![1], vec![4], vec![8]], 3),
            (
                ("save", 1, 0, 9),
                vec![vec![0, 1], vec![3, 4], vec![7, 8]],
                3,
            ),
            (
                ("save", 1, 1, 9),
                vec![vec![0, 1, 2, 3, 4, 5], vec![7, 8]],
                3,
            ),
            (("save", 9, 9, 9), vec![vec![0, 1, 2, 3, 4, 5, 6, 7, 8]], 3),
            (("save", 0, 1, 1), vec![vec![1, 2]], 3),
            (("nothing", 3, 3, 9), vec![], 0),
        ];
        for ((needle, before, after, max), blocks, hits) in table {
            let found = numbers(needle, before, after, max);
            assert_eq!(
                found,
                (blocks, hits),
                "{needle} -{before} +{after} max {max}"
            );
        }
    }

    #[test]
    fn a_very_long_line_is_shown_in_part() {
        let text = "é".repeat(LINE_SHOWN);
        let shown = shortened(&text);
        assert!(shown.ends_with('…') && shown.len() <= LINE_SHOWN + 3);
    }
}
