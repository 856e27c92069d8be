//! Compares what nvdisasm and we say of a word, and puts differences into classes.

use super::vary::Varied;
use std::collections::BTreeMap;
use std::fmt;

use warpc_sass::{Control, Forms, parse, print};
use warpc_target::Sm;

/// How a word is seen differently.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    /// Both have a text, and they differ.
    Misread,
    /// Ours does not come back to the word.
    Back,
    /// We have a text, nvdisasm has none, or one that says that there is no such instruction.
    Invented,
    /// nvdisasm has a text, we have none.
    Unknown,
    /// The same because bits are set that nvdisasm does not print; a text would lose them.
    Hidden,
}

impl Kind {
    /// All, the worst first.
    pub const ALL: [Kind; 5] = [
        Kind::Misread,
        Kind::Back,
        Kind::Invented,
        Kind::Unknown,
        Kind::Hidden,
    ];

    /// Its name in the list of known differences.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Misread => "misread",
            Kind::Back => "back",
            Kind::Invented => "invented",
            Kind::Unknown => "unknown",
            Kind::Hidden => "hidden",
        }
    }
}

/// Differences that have the same cause, as far as one can tell.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Class {
    /// What is different.
    pub kind: Kind,
    /// The name of the operation.
    pub name: &'static str,
    /// The opcode.
    pub opcode: u16,
    /// The fields that were changed, as `72.2`, joined by ` + `.
    pub fields: String,
}

impl Class {
    /// Whether both sides would have the same text.
    pub fn is_hidden(&self) -> bool {
        self.kind == Kind::Hidden
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Class {
            kind,
            name,
            opcode,
            fields,
        } = self;
        write!(f, "{:8} {name} {opcode:03x} {fields}", kind.name())
    }
}

/// The words of a class.
#[derive(Clone, Debug)]
pub struct Found {
    /// How many.
    pub count: usize,
    /// One of them.
    pub word: u128,
    /// What nvdisasm says of it.
    pub theirs: String,
    /// What we say of it.
    pub ours: String,
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Found {
            count,
            word,
            theirs,
            ours,
        } = self;
        write!(
            f,
            "({count})\n      {word:032x}\n      nvdisasm {theirs}\n      ours     {ours}"
        )
    }
}

/// How many words there were of each kind.
#[derive(Default)]
pub struct Counts {
    /// All.
    pub words: usize,
    /// Both sides have the same text, and the word comes back from ours.
    pub valid: usize,
    /// To both sides it is not an instruction.
    pub invalid: usize,
    /// Bits are set that nvdisasm does not print.
    pub hidden: usize,
    /// Other differences that are listed.
    pub known: usize,
    /// Differences that are not.
    pub new: usize,
}

impl Counts {
    /// Adds others.
    pub fn add(&mut self, other: &Counts) {
        self.words += other.words;
        self.valid += other.valid;
        self.invalid += other.invalid;
        self.hidden += other.hidden;
        self.known += other.known;
        self.new += other.new;
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Counts {
            words,
            valid,
            invalid,
            hidden,
            known,
            new,
        } = self;
        write!(
            f,
            "{words:7}      {valid:7}  {invalid:7}  {hidden:7}  {known:5}  {new:5}"
        )
    }
}

/// The differences by class.
#[derive(Default)]
pub struct Classes(BTreeMap<Class, Found>);

impl Classes {
    /// Classes of several fields are counted where one of them alone makes the same difference.
    pub fn merged(self) -> BTreeMap<Class, Found> {
        let mut merged: BTreeMap<Class, Found> = BTreeMap::new();
        let mut all: Vec<(Class, Found)> = self.0.into_iter().collect();
        all.sort_by_key(|(class, _)| class.fields.matches('+').count());
        for (class, found) in all {
            let words: Vec<&str> = class.fields.split(" + ").collect();
            let cause = merged.keys().find(|cause| {
                (cause.kind, cause.opcode) == (class.kind, class.opcode)
                    && cause
                        .fields
                        .split(" + ")
                        .all(|field| words.contains(&field))
            });
            let cause = cause.cloned().unwrap_or(class);
            merged
                .entry(cause)
                .and_modify(|have| have.count += found.count)
                .or_insert(found);
        }
        merged
    }
}

/// nvdisasm prints words like these for values that have no meaning.
fn is_marked(text: &str) -> bool {
    text.contains("INVALID") || text.contains("???")
}

/// Judges a word.
pub fn judge(
    sm: Sm,
    varied: &Varied,
    place: u64,
    theirs: Option<&str>,
    counts: &mut Counts,
    classes: &mut Classes,
) {
    let word = varied.word;
    let ours = print::text(sm, word, place);
    let ours = ours.as_deref().map(str::trim_end);
    counts.words += 1;
    let difference = match (theirs, ours) {
        (None, None) => None,
        (None, Some(text)) | (Some(text), None) if is_marked(text) => None,
        (None, Some(_)) => Some(Kind::Invented),
        (Some(text), None) => match is_hidden(sm, word, text, place) {
            true => Some(Kind::Hidden),
            false => Some(Kind::Unknown),
        },
        (Some(theirs), Some(ours)) if theirs != ours => match is_marked(theirs) {
            true => Some(Kind::Invented),
            false => Some(Kind::Misread),
        },
        (Some(_), Some(ours)) => (!comes_back(sm, word, ours, place)).then_some(Kind::Back),
    };
    let Some(kind) = difference else {
        match ours.is_some() && theirs.is_some() {
            true => counts.valid += 1,
            false => counts.invalid += 1,
        }
        return;
    };
    if kind == Kind::Hidden {
        counts.hidden += 1;
    }
    let form = Forms::get().of(sm, word);
    let class = Class {
        kind,
        name: form.map_or("-", |form| form.name()),
        opcode: (word & 0xfff) as u16,
        fields: varied.changed.join(" + "),
    };
    let found = classes.0.entry(class).or_insert_with(|| Found {
        count: 0,
        word,
        theirs: theirs.unwrap_or("-").to_owned(),
        ours: ours.unwrap_or("-").to_owned(),
    });
    found.count += 1;
}

/// Whether a text is that of another word for us: some bits of this one are not in it.
fn is_hidden(sm: Sm, word: u128, text: &str, place: u64) -> bool {
    let other = parse::word(sm, text, Control::of(word), place);
    let again = other.and_then(|other| print::text(sm, other, place));
    again.as_deref().map(str::trim_end) == Some(text)
}

/// Whether the full text gives the word again, and the usual text one that has the same text.
fn comes_back(sm: Sm, word: u128, text: &str, place: u64) -> bool {
    let control = Control::of(word);
    let full = print::full_text(sm, word, place);
    let back = full.and_then(|full| parse::word(sm, &full, control, place));
    let short = parse::word(sm, text, control, place).and_then(|word| print::text(sm, word, place));
    back == Some(word) && short.as_deref().map(str::trim_end) == Some(text)
}
