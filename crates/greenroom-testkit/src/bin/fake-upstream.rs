//! A fake `@playwright/mcp` for tests; see `greenroom_testkit::upstream`.

use std::process::ExitCode;

fn main() -> ExitCode {
    greenroom_testkit::upstream::main()
}
