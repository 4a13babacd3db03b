//! What a query may cost, in figures.

/// The longest expression, in bytes.
pub(in super::super) const MAX_LENGTH: usize = 4096;
/// The most operators and brackets. Each may nest the syntax tree once more, and the parser, the
/// walk and the dropping of the tree take stack for each level. This many need 256 KiB of it at
/// most, of the 2 MiB that a thread has, and less than 1 MiB without optimisation.
pub(in super::super) const MAX_PARTS: usize = 128;
/// The longest snapshot that is turned into a tree, in bytes. As JSON values it takes about
/// thirty times as much memory as it does as text.
pub(in super::super) const MAX_SNAPSHOT: usize = 8 * 1024 * 1024;
/// The most lines, because short lines cost more than their bytes. Pages that people use have some
/// thousands.
pub(in super::super) const MAX_LINES: usize = 100_000;
/// The most steps: a few seconds of one core at worst.
pub(in super::super) const MAX_STEPS: usize = 50_000_000;
/// The most values made, each of about 64 bytes: a few hundred megabytes at worst.
pub(in super::super) const MAX_MADE: usize = 4_000_000;
