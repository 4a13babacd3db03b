//! How much there is of what.

use std::fmt;

/// How many elements of each kind a page has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Links.
    pub links: usize,
    /// Buttons.
    pub buttons: usize,
    /// Whatever takes input: text fields, choices, switches, sliders.
    pub fields: usize,
    /// Images.
    pub images: usize,
    /// Tables and grids.
    pub tables: usize,
    /// Rows of tables.
    pub rows: usize,
    /// Lists.
    pub lists: usize,
    /// Frames with documents of their own.
    pub iframes: usize,
}

impl Counts {
    /// Counts an element by its role.
    pub(super) fn add(&mut self, role: &str) {
        let count = match role {
            "link" => &mut self.links,
            "button" => &mut self.buttons,
            "textbox" | "searchbox" | "combobox" | "checkbox" | "radio" | "slider"
            | "spinbutton" | "switch" | "listbox" => &mut self.fields,
            "img" | "image" => &mut self.images,
            "table" | "grid" | "treegrid" => &mut self.tables,
            "row" => &mut self.rows,
            "list" => &mut self.lists,
            "iframe" => &mut self.iframes,
            _ => return,
        };
        *count += 1;
    }
}

/// The kinds that the page has, as in `3 links, 1 button`.
impl fmt::Display for Counts {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kinds = [
            (self.links, "link"),
            (self.buttons, "button"),
            (self.fields, "field"),
            (self.images, "image"),
            (self.tables, "table"),
            (self.rows, "row"),
            (self.lists, "list"),
            (self.iframes, "iframe"),
        ];
        let mut separator = "";
        for (count, kind) in kinds {
            if count > 0 {
                let plural = if count == 1 { "" } else { "s" };
                write!(out, "{separator}{count} {kind}{plural}")?;
                separator = ", ";
            }
        }
        if separator.is_empty() {
            out.write_str("nothing to act on")?;
        }
        Ok(())
    }
}
