//! Attributes that are strings.

use super::Verifier;
use crate::attribute::AttrSet;

impl Verifier<'_> {
    /// String attributes with few values.
    pub(super) fn text_attributes(&mut self, set: AttrSet) {
        const BOOLEAN: &[&str] = &[
            "less-precise-fpmad",
            "no-infs-fp-math",
            "no-nans-fp-math",
            "no-signed-zeros-fp-math",
            "no-jump-tables",
            "no-inline-line-tables",
            "profile-sample-accurate",
            "use-sample-profile",
            "loader-replaceable",
        ];
        for key in BOOLEAN {
            if let Some(value) = self.text_attribute(set, key) {
                rule!(
                    self.attr,
                    matches!(value.as_str(), "" | "true" | "false"),
                    "`{key}` is true or false, not `{value}`"
                );
            }
        }
    }

    pub(super) fn function_text_attributes(&mut self, set: AttrSet) {
        /// String attributes of functions and the values they may have.
        const VALUES: &[(&str, &[&str])] = &[
            (
                "frame-pointer",
                &["all", "non-leaf", "none", "reserved", "non-leaf-no-reserve"],
            ),
            ("sign-return-address", &["none", "all", "non-leaf"]),
            ("sign-return-address-key", &["a_key", "b_key"]),
            ("branch-target-enforcement", &["", "true", "false"]),
            ("branch-protection-pauth-lr", &["", "true", "false"]),
            ("guarded-control-stack", &["", "true", "false"]),
        ];
        const NUMBERS: &[&str] = &[
            "patchable-function-prefix",
            "patchable-function-entry",
            "warn-stack-size",
        ];
        const DENORMAL: &[&str] = &["ieee", "preserve-sign", "positive-zero", "dynamic"];
        for (key, values) in VALUES {
            if let Some(value) = self.text_attribute(set, key) {
                rule!(
                    self.attr,
                    values.contains(&value.as_str()),
                    "`{key}` cannot be `{value}`"
                );
            }
        }
        if self
            .text_attribute(set, "sign-return-address-key")
            .is_some()
        {
            self.attr(
                self.text_attribute(set, "sign-return-address").is_some(),
                "`sign-return-address-key` needs `sign-return-address`",
            );
        }
        if let Some(value) = self.text_attribute(set, "alloc-variant-zeroed") {
            self.attr(!value.is_empty(), "`alloc-variant-zeroed` names a function");
        }
        for key in NUMBERS {
            if let Some(value) = self.text_attribute(set, key) {
                rule!(
                    self.attr,
                    value.parse::<u32>().is_ok(),
                    "`{key}` is a number, not `{value}`"
                );
            }
        }
        for key in ["denormal-fp-math", "denormal-fp-math-f32"] {
            if let Some(value) = self.text_attribute(set, key) {
                let parts: Vec<&str> = value.split(',').collect();
                rule!(
                    self.attr,
                    parts.len() <= 2
                        && parts
                            .iter()
                            .all(|part| part.is_empty() || DENORMAL.contains(part)),
                    "`{key}` cannot be `{value}`"
                );
            }
        }
    }

    /// `target-features` is a list of features, each switched on or off.
    pub(super) fn target_features(&mut self, set: AttrSet) {
        let Some(value) = self.text_attribute(set, "target-features") else {
            return;
        };
        for feature in value.split(',').filter(|_| !value.is_empty()) {
            rule!(
                self.attr,
                feature.starts_with(['+', '-']),
                "a feature in `target-features` starts with `+` or `-`, not `{feature}`"
            );
        }
    }

    /// `modular-format` has a fixed number of parts.
    pub(super) fn format_attribute(&mut self, set: AttrSet) {
        let Some(value) = self.text_attribute(set, "modular-format") else {
            return;
        };
        self.attr(
            value.split(',').count() >= 5,
            "`modular-format` holds at least five parts",
        );
    }
}
