//! Nodes of debug information: that their fields are there and hold what they must.
//!
//! LLVM's reader refuses a module with a node that breaks one of these rules, so all are errors. The
//! table is in `debug_schema`.

use super::Verifier;
use super::debug_schema::{ENCODINGS, Field, Holds, NODES, OPERATIONS, Words};
use crate::index::Id;
use crate::metadata::{FieldValue, Md, NodeId, NodeKind};
use crate::module::Module;
use crate::name::Name;
use rustc_hash::{FxHashMap, FxHashSet};

/// The fields of a kind of node, each with its name if the module has it.
type Fields = Vec<(Option<Name>, &'static Field)>;

/// The table in the names of a module.
fn schema_of(module: &Module) -> FxHashMap<Name, Fields> {
    let find = |word: &str| module.names.find(word.as_bytes());
    let nodes = NODES.iter().filter_map(|(kind, fields)| {
        let fields = fields.iter().map(|field| (find(field.name), field));
        Some((find(kind)?, fields.collect()))
    });
    nodes.collect()
}

/// Words and flags that were found in their set; the same ones come again and again.
#[derive(Default)]
struct Known(FxHashSet<(Name, usize)>);

impl Known {
    /// Whether a word is in a set.
    fn has(&mut self, module: &Module, words: &'static Words, word: Name) -> bool {
        self.remember(word, words, || is_among(words, module.names.bytes(word)))
    }

    /// Whether words joined by `|` are in a set, or are numbers.
    fn has_all(&mut self, module: &Module, words: &'static Words, flags: Name) -> bool {
        self.remember(flags, words, || {
            let flags = module.names.bytes(flags).split(|&c| c == b'|');
            flags.map(<[u8]>::trim_ascii).all(|flag| {
                is_among(words, flag) || !flag.is_empty() && flag.iter().all(u8::is_ascii_digit)
            })
        })
    }

    fn remember(&mut self, word: Name, words: &'static Words, found: impl Fn() -> bool) -> bool {
        // The address tells the sets apart.
        let key = (word, std::ptr::from_ref(words) as usize);
        if self.0.contains(&key) {
            return true;
        }
        let found = found();
        if found {
            self.0.insert(key);
        }
        found
    }
}

/// Whether a text is a word of a set.
fn is_among(words: &Words, text: &[u8]) -> bool {
    text.strip_prefix(words.prefix.as_bytes())
        .is_some_and(|rest| words.words.iter().any(|word| word.as_bytes() == rest))
}

/// Words that say what a field holds, for messages.
fn described(holds: Holds) -> String {
    match holds {
        Holds::Metadata => "metadata".into(),
        Holds::Node => "metadata that is not `null`".into(),
        Holds::Text => "a text in quotes".into(),
        Holds::Name => "a text that is not empty".into(),
        Holds::Truth => "`true` or `false`".into(),
        Holds::Unsigned(limit) => format!("a number up to {limit}"),
        Holds::Signed(low, high) => format!("a number from {low} to {high}"),
        Holds::Number => "a number".into(),
        Holds::UnsignedOrMetadata => "an unsigned number or metadata".into(),
        Holds::SignedOrMetadata(low, _) => format!("a number from {low} on, or metadata"),
        Holds::List => "a list in braces".into(),
        Holds::Word(words) | Holds::Flags(words) if words.prefix.is_empty() => {
            format!("one of {}", words.words.join(", "))
        }
        Holds::Word(words) | Holds::Flags(words) => format!("a known `{}…`", words.prefix),
    }
}

impl<'m> Verifier<'m> {
    /// Checks the fields of all nodes but plain places.
    pub(super) fn debug_fields(&mut self, plain: &[bool]) {
        let module = self.module;
        let schema = schema_of(module);
        let mut known = Known::default();
        let find = |word: &str| module.names.find(word.as_bytes());
        let expression = find("DIExpression");
        for node in module.metadata.ids() {
            let NodeKind::Special(kind) = module.metadata.node(node).kind else {
                continue;
            };
            if plain[node.index()] {
                continue;
            }
            self.at = module.metadata.place(node);
            if Some(kind) == expression {
                self.expression_parts(node);
            } else if let Some(fields) = schema.get(&kind) {
                self.fields_of(fields, &mut known, node, kind);
            } else {
                let kind = module.names.text(kind);
                rule!(
                    self.metadata_rule,
                    false,
                    "there is no node of kind `!{kind}`"
                );
            }
        }
    }

    fn fields_of(&mut self, fields: &Fields, known: &mut Known, node: NodeId, kind: Name) {
        let module = self.module;
        let mut seen = 0u64;
        for field in module.metadata.fields(node) {
            let name = field.name.map(|name| name.name());
            let at = fields
                .iter()
                .position(|row| row.0.is_some() && row.0 == name);
            let Some(at) = at else {
                let shown = match name {
                    Some(name) => format!("no field `{}`", module.names.text(name)),
                    None => "no fields without names".into(),
                };
                let kind = module.names.text(kind);
                rule!(self.metadata_rule, false, "a `!{kind}` has {shown}");
                continue;
            };
            let row = fields[at].1;
            rule!(
                self.metadata_rule,
                seen >> at & 1 == 0,
                "a `!{}` has `{}` twice",
                module.names.text(kind),
                row.name
            );
            seen |= 1 << at;
            rule!(
                self.metadata_rule,
                holds(module, known, row.holds, field.value),
                "`{}` of a `!{}` must be {}",
                row.name,
                module.names.text(kind),
                described(row.holds)
            );
        }
        for (at, (_, row)) in fields.iter().enumerate() {
            rule!(
                self.metadata_rule,
                !row.required || seen >> at & 1 != 0,
                "a `!{}` must have `{}`",
                module.names.text(kind),
                row.name
            );
        }
        if let Some(rule) = self.wrong_together(node, kind) {
            let kind = module.names.text(kind);
            rule!(self.metadata_rule, false, "a `!{kind}` {rule}");
        }
    }

    /// The rule on several fields that a node breaks.
    fn wrong_together(&self, node: NodeId, kind: Name) -> Option<&'static str> {
        let has = |name: &'static str| self.node_field(node, name).is_some();
        let distinct = self.module.metadata.node(node).distinct;
        match self.module.names.bytes(kind) {
            b"DIFile" if has("checksum") != has("checksumkind") => {
                Some("has `checksum` and `checksumkind`, or none of both")
            }
            b"DICompileUnit" if has("language") == has("sourceLanguageName") => {
                Some("has either `language` or `sourceLanguageName`")
            }
            b"DICompileUnit" if has("sourceLanguageVersion") && !has("sourceLanguageName") => {
                Some("with `sourceLanguageVersion` has `sourceLanguageName`")
            }
            b"DICompileUnit" | b"DIAssignID" if !distinct => Some("must be `distinct`"),
            b"DISubprogram" if !distinct && self.is_definition(node) => {
                Some("that is a definition must be `distinct`")
            }
            b"DIEnumerator"
                if self.node_word(node, "isUnsigned") == Some(b"true")
                    && self
                        .node_number(node, "value")
                        .is_some_and(|value| value < 0) =>
            {
                Some("that is unsigned has no negative value")
            }
            _ => None,
        }
    }

    /// The parts of an expression are operations, encodings and unsigned numbers.
    fn expression_parts(&mut self, node: NodeId) {
        let module = self.module;
        for field in module.metadata.fields(node) {
            let fits = field.name.is_none()
                && match field.value {
                    FieldValue::Word(word) => {
                        let word = module.names.bytes(word);
                        is_among(&OPERATIONS, word) || is_among(&ENCODINGS, word)
                    }
                    value => module.metadata.number(value).is_some_and(|n| n >= 0),
                };
            if !self.metadata_rule(
                fits,
                "an expression is made of known operations `DW_OP_…` and unsigned numbers",
            ) {
                return;
            }
        }
    }

    /// The value of a field of a node.
    pub(super) fn node_field(&self, node: NodeId, name: &'static str) -> Option<FieldValue> {
        // A few fields are asked for at every node, so the text is looked up once.
        let key = (name.as_ptr().addr(), name.len());
        let find = || self.module.names.find(name.as_bytes());
        let name = *self.words.borrow_mut().entry(key).or_insert_with(find);
        self.module.metadata.field(node, name?)
    }

    /// The word or text of a field.
    pub(super) fn node_word(&self, node: NodeId, name: &'static str) -> Option<&'m [u8]> {
        match self.node_field(node, name)? {
            FieldValue::Word(word) | FieldValue::Text(word) => Some(self.module.names.bytes(word)),
            _ => None,
        }
    }

    /// The number of a field.
    pub(super) fn node_number(&self, node: NodeId, name: &'static str) -> Option<i128> {
        self.module.metadata.number(self.node_field(node, name)?)
    }

    /// Whether a subprogram says that it is defined; one that says nothing is.
    pub(super) fn is_definition(&self, node: NodeId) -> bool {
        match self.node_field(node, "spFlags") {
            Some(FieldValue::Word(flags)) => {
                let flags = self.module.names.bytes(flags).split(|&c| c == b'|');
                let mut flags = flags.map(<[u8]>::trim_ascii);
                flags.any(|flag| flag == b"DISPFlagDefinition")
            }
            Some(flags) => {
                // The fourth bit.
                let number = self.module.metadata.number(flags);
                number.is_some_and(|flags| flags & 8 != 0)
            }
            None => self.node_word(node, "isDefinition") != Some(b"false"),
        }
    }
}

/// Whether a value is what a field holds.
fn holds(module: &Module, known: &mut Known, holds: Holds, value: FieldValue) -> bool {
    let number = module.metadata.number(value);
    let metadata = match value {
        FieldValue::Md(md) => Some(md.get()),
        _ => None,
    };
    let text = match value {
        FieldValue::Text(text) => Some(module.names.bytes(text)),
        _ => None,
    };
    let word = match value {
        FieldValue::Word(word) => Some(word),
        _ => None,
    };
    match holds {
        Holds::Metadata => metadata.is_some(),
        Holds::Node => metadata.is_some_and(|md| md != Md::Null),
        Holds::Text => text.is_some(),
        Holds::Name => text.is_some_and(|text| !text.is_empty()),
        Holds::Truth => {
            word.is_some_and(|word| matches!(module.names.bytes(word), b"true" | b"false"))
        }
        Holds::Unsigned(limit) => {
            number.is_some_and(|number| (0..=i128::from(limit)).contains(&number))
        }
        Holds::Signed(low, high) => {
            number.is_some_and(|n| (i128::from(low)..=i128::from(high)).contains(&n))
        }
        // One that needs more than 64 bits is kept as the reader found it.
        Holds::Number => {
            let digits = |word| {
                module
                    .names
                    .bytes(word)
                    .iter()
                    .all(|c| c.is_ascii_digit() || *c == b'-')
            };
            number.is_some() || word.is_some_and(digits)
        }
        Holds::UnsignedOrMetadata => metadata.is_some() || number.is_some_and(|n| n >= 0),
        Holds::SignedOrMetadata(low, null) => {
            let limits = i128::from(low)..=i128::from(i64::MAX);
            metadata.is_some_and(|md| null || md != Md::Null)
                || number.is_some_and(|n| limits.contains(&n))
        }
        Holds::List => matches!(value, FieldValue::List(_)),
        Holds::Word(words) => {
            let limit = i128::from(words.limit.unwrap_or(0));
            word.is_some_and(|word| known.has(module, words, word))
                || words.limit.is_some() && number.is_some_and(|n| (0..=limit).contains(&n))
        }
        Holds::Flags(words) => {
            let limit = i128::from(words.limit.unwrap_or(0));
            number.is_some_and(|n| (0..=limit).contains(&n))
                || word.is_some_and(|word| known.has_all(module, words, word))
        }
    }
}
