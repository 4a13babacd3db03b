//! Prints docs/tools.md: `make docs` writes it, a test compares it.

use std::io::Write as _;

fn main() -> std::io::Result<()> {
    let page = greenroom_server::tools::reference::render();
    std::io::stdout().lock().write_all(page.as_bytes())
}
