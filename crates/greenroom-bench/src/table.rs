//! A table for a terminal: one row per figure, one column per peer.

use std::io::{self, Write};

pub(crate) struct Table {
    columns: Vec<String>,
    rows: Vec<(String, Vec<String>)>,
}

impl Table {
    pub(crate) fn new(columns: impl IntoIterator<Item = &'static str>) -> Self {
        let columns = columns.into_iter().map(str::to_owned).collect();
        Self {
            columns,
            rows: Vec::new(),
        }
    }

    pub(crate) fn row(&mut self, name: &str, cells: Vec<String>) {
        self.rows.push((name.to_owned(), cells));
    }

    pub(crate) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let widest = self.rows.iter().map(|(name, _)| name.len()).max();
        let margin = widest.unwrap_or(0);
        line(out, margin, "", &self.columns)?;
        for (name, cells) in &self.rows {
            line(out, margin, name, cells)?;
        }
        Ok(())
    }
}

fn line(out: &mut impl Write, margin: usize, name: &str, cells: &[String]) -> io::Result<()> {
    write!(out, "{name:<margin$}")?;
    for cell in cells {
        write!(out, "  {cell:>12}")?;
    }
    writeln!(out)
}
