//! Our script, as it goes into a frame.

use std::sync::LazyLock;

/// The parts in their order, each after those that it relies on.
macro_rules! parts {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../../../page/", $name, ".js")))),*]
    };
}

const PARTS: &[(&str, &str)] = parts![
    "about",
    "text",
    "dom",
    "facts",
    "labels",
    "style",
    "pseudo",
    "roles",
    "states",
    "name-parts",
    "name-kinds",
    "name-content",
    "names",
    "refs",
    "nodes",
    "tree",
    "distil",
    "render",
    "errors",
    "matching",
    "query",
    "selectors",
    "locators",
    "print",
    "near",
    "resolve",
    "snapshot",
    "candidates",
    "describe",
    "frames",
    "hit",
    "ready",
    "through",
    "arrival",
    "fill",
    "controls",
    "wait",
    "find",
];

/// The function that runs an agent's code where it sees the page's own variables.
pub(super) const MAIN_WORLD: &str = include_str!("../../../page/main-world.js");

/// The whole script.
pub(super) static SCRIPT: LazyLock<String> = LazyLock::new(|| {
    let parts = PARTS.iter().map(|(_, source)| *source);
    parts.collect::<Vec<_>>().join("\n")
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_are_those_of_the_script_in_its_own_order() {
        let order: Vec<String> =
            serde_json::from_str(include_str!("../../../page/order.json")).unwrap();
        let parts: Vec<_> = PARTS.iter().map(|(name, _)| *name).collect();
        assert_eq!(parts, order);
    }
}
