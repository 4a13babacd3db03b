//! Lists of features in arguments.
//!
//! Of an argument that is given twice Chromium takes the last one, so a list of the user's would
//! silently replace ours. They are joined into one.

/// An argument that holds a list.
#[derive(Debug)]
pub(super) struct FeatureList {
    name: &'static str,
    features: Vec<String>,
}

impl FeatureList {
    pub(super) fn new(name: &'static str, features: &[&str]) -> Self {
        Self {
            name,
            features: features.iter().map(|&feature| feature.to_owned()).collect(),
        }
    }

    /// Takes an argument in if it is a list of the same name.
    pub(super) fn take(&mut self, argument: &str) -> bool {
        let value = argument.strip_prefix(self.name);
        let Some(list) = value.and_then(|value| value.strip_prefix('=')) else {
            return false;
        };
        let new = list.split(',').filter(|feature| !feature.is_empty());
        self.features.extend(new.map(str::to_owned));
        true
    }

    /// Leaves a feature out that is named in another list: the user's word counts.
    pub(super) fn without(&mut self, other: &Self) {
        self.features
            .retain(|feature| !other.features.contains(feature));
    }

    pub(super) fn into_argument(self) -> Option<String> {
        let list = self.features.join(",");
        (!list.is_empty()).then(|| format!("{}={list}", self.name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_one_name_are_joined_and_others_are_left_alone() {
        let mut list = FeatureList::new("--disable-features", &["A"]);
        assert!(list.take("--disable-features=B,C"));
        assert!(!list.take("--disable-features-x=D") && !list.take("--enable-features=E"));
        let wanted = FeatureList::new("--enable-features", &["A"]);
        list.without(&wanted);
        assert_eq!(list.into_argument().unwrap(), "--disable-features=B,C");
        let none = FeatureList::new("--enable-features", &[]);
        assert_eq!(none.into_argument(), None);
    }
}
