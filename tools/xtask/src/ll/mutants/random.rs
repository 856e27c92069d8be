//! Faults by chance: tokens and lines deleted, doubled, exchanged or replaced by others of their kind.
//!
//! The edits of [`super::edits`] and of the rule files try what somebody thought of. These try the rest: where a
//! reader is too liberal or too strict in a place that nobody had in mind. The same seed gives the same edits.

use super::archive::{Base, Mutant};
use std::ops::Range;
use warpc_testkit::Random;

/// The generator of a seed, for lists that may be empty.
pub struct Chance(Random);

impl Chance {
    /// The generator of a seed.
    pub fn new(seed: u64) -> Chance {
        Chance(Random::new(seed))
    }

    /// A number below a limit, or zero.
    pub fn below(&mut self, limit: usize) -> usize {
        self.0.below(limit.max(1))
    }

    fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        items.get(self.below(items.len()))
    }
}

/// What a token is, as far as one may stand for another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Class {
    Word,
    Local,
    Global,
    Metadata,
    Group,
    Number,
    Text,
    Punct,
}

#[derive(Clone, Debug)]
struct Token {
    class: Class,
    range: Range<usize>,
}

/// Words of the language by family: one may come to stand where another of its family stood.
const FAMILIES: &[&str] = &[
    "i1 i8 i16 i32 i64 i128 half bfloat float double fp128 ptr void label token metadata",
    "add sub mul udiv sdiv urem srem shl lshr ashr and or xor fadd fsub fmul fdiv frem",
    "trunc zext sext fptrunc fpext fptoui fptosi uitofp sitofp ptrtoint inttoptr bitcast addrspacecast ptrtoaddr",
    "eq ne ugt uge ult ule sgt sge slt sle oeq ogt oge olt ole one ord ueq une uno true false",
    "true false null undef poison zeroinitializer none",
    "br ret switch indirectbr unreachable resume invoke callbr",
    "phi select call freeze load store alloca fence cmpxchg atomicrmw getelementptr extractvalue insertvalue \
     extractelement insertelement shufflevector va_arg landingpad icmp fcmp fneg",
    "tail musttail notail",
    "monotonic acquire release acq_rel seq_cst unordered",
    "xchg add sub and nand or xor max min umax umin fadd fsub fmax fmin uinc_wrap udec_wrap usub_cond usub_sat",
    "nuw nsw exact nneg disjoint samesign inbounds nusw",
    "fast nnan ninf nsz arcp contract afn reassoc",
    "external internal private linkonce linkonce_odr weak weak_odr common appending extern_weak available_externally",
    "default hidden protected",
    "dllimport dllexport dso_local dso_preemptable",
    "unnamed_addr local_unnamed_addr",
    "global constant alias ifunc",
    "any exactmatch largest nodeduplicate samesize",
    "ptx_kernel ptx_device fastcc ccc coldcc spir_kernel amdgpu_kernel swiftcc tailcc preserve_mostcc x86_stdcallcc",
    "noalias nocapture nonnull noundef readonly readnone writeonly byval sret zeroext signext inreg returned nest \
     swiftself swifterror swiftasync immarg noext writable dead_on_unwind dead_on_return allocptr allocalign",
    "nounwind noinline alwaysinline convergent willreturn mustprogress optnone optsize minsize noreturn norecurse \
     nosync nofree nocallback speculatable cold hot naked inlinehint nobuiltin builtin noduplicate strictfp uwtable \
     returns_twice ssp sspreq jumptable safestack noimplicitfloat noredzone sanitize_address presplitcoroutine \
     readonly readnone writeonly argmemonly inaccessiblememonly null_pointer_is_valid nomerge optdebug",
    "read write readwrite none argmem inaccessiblemem errnomem",
    "DW_TAG_member DW_TAG_pointer_type DW_TAG_structure_type DW_TAG_typedef DW_TAG_array_type DW_TAG_base_type \
     DW_TAG_enumeration_type DW_TAG_const_type DW_TAG_inheritance DW_TAG_union_type DW_TAG_class_type",
    "DW_OP_deref DW_OP_plus_uconst DW_OP_constu DW_OP_stack_value DW_OP_LLVM_fragment DW_OP_swap DW_OP_LLVM_arg \
     DW_OP_plus DW_OP_lit0 DW_OP_lit5 DW_OP_bra DW_OP_LLVM_entry_value",
    "FullDebug LineTablesOnly NoDebug DebugDirectivesOnly",
    "DIFlagPublic DIFlagPrototyped DIFlagVector DIFlagArtificial DIFlagStaticMember DIFlagBitField",
    "name scope file line column type types baseType size align offset flags unit elements tag encoding linkageName",
    "define declare",
    "align addrspace section comdat gc prefix personality partition",
    "to from within unwind label",
    "asm sideeffect alignstack inteldialect unwind",
    "distinct type opaque x vscale splat asm volatile atomic syncscope cleanup catch filter thread_local \
     externally_initialized inrange attributes source_filename target module",
];

/// One edit by chance: the kind, the bytes it replaces and what stands there instead.
fn edit(
    text: &str,
    tokens: &[Token],
    chance: &mut Chance,
) -> Option<(&'static str, Range<usize>, String)> {
    let at = chance.below(tokens.len());
    let token = tokens.get(at)?;
    let here = &text[token.range.clone()];
    let whole_line = |at: usize| {
        let start = text[..at].rfind('\n').map_or(0, |n| n + 1);
        let end = text[at..].find('\n').map_or(text.len(), |n| at + n + 1);
        start..end
    };
    let known: Vec<&Token> = tokens.iter().filter(|t| t.class == Class::Word).collect();
    let family = |chance: &mut Chance| {
        let family: Vec<&str> = chance.pick(FAMILIES)?.split_whitespace().collect();
        chance.pick(&family).copied()
    };
    Some(match chance.below(22) {
        0 => ("token-deleted", token.range.clone(), String::new()),
        1 => (
            "token-doubled",
            token.range.clone(),
            format!("{here} {here}"),
        ),
        2 => {
            let next = tokens.get(at + 1)?;
            let between = &text[token.range.end..next.range.start];
            let other = &text[next.range.clone()];
            let range = token.range.start..next.range.end;
            ("tokens-exchanged", range, format!("{other}{between}{here}"))
        }
        3..=5 => {
            let same: Vec<&Token> = tokens.iter().filter(|t| t.class == token.class).collect();
            let other = &text[chance.pick(&same)?.range.clone()];
            let kind = match token.class {
                Class::Word => "word-for-word",
                Class::Local | Class::Global => "name-for-name",
                Class::Metadata => "metadata-for-metadata",
                Class::Group => "group-for-group",
                Class::Number => "number-for-number",
                Class::Text => "text-for-text",
                Class::Punct => "punctuation-for-punctuation",
            };
            (kind, token.range.clone(), other.to_string())
        }
        6 => {
            let place = chance.pick(&known)?.range.clone();
            ("word-of-the-language", place, family(chance)?.to_string())
        }
        7 => {
            let place = token.range.start..token.range.start;
            ("word-inserted", place, format!("{} ", family(chance)?))
        }
        8 => {
            // Another word of a family in front of one or after it.
            let place = chance.pick(&known)?.range.clone();
            let relative = relative(&text[place.clone()], chance)?;
            let word = &text[place.clone()];
            let both = match chance.below(2) {
                0 => format!("{relative} {word}"),
                _ => format!("{word} {relative}"),
            };
            ("relative-beside-word", place, both)
        }
        14..=21 => {
            let place = chance.pick(&known)?.range.clone();
            let relative = relative(&text[place.clone()], chance)?;
            ("relative-for-word", place, relative.to_string())
        }
        9 => {
            let numbers: Vec<&Token> = tokens.iter().filter(|t| t.class == Class::Number).collect();
            let place = chance.pick(&numbers)?.range.clone();
            const NUMBERS: [&str; 9] = [
                "0",
                "1",
                "-1",
                "3",
                "7",
                "64",
                "4294967296",
                "18446744073709551616",
                "1.5",
            ];
            ("number-changed", place, chance.pick(&NUMBERS)?.to_string())
        }
        10 => ("line-deleted", whole_line(token.range.start), String::new()),
        11 => {
            let range = whole_line(token.range.start);
            let line = &text[range.clone()];
            ("line-doubled", range, format!("{line}{line}"))
        }
        12 => {
            let first = whole_line(token.range.start);
            let second = (first.end < text.len()).then(|| whole_line(first.end))?;
            let both = format!("{}{}", &text[second.clone()], &text[first.clone()]);
            ("lines-exchanged", first.start..second.end, both)
        }
        _ => {
            let other = tokens.get(chance.below(tokens.len()))?;
            let text = text[other.range.clone()].to_string();
            ("token-for-token", token.range.clone(), text)
        }
    })
}

/// Another word of a family that a word belongs to.
fn relative(word: &str, chance: &mut Chance) -> Option<&'static str> {
    let families: Vec<Vec<&str>> = FAMILIES
        .iter()
        .map(|family| family.split_whitespace().collect::<Vec<_>>())
        .filter(|family| family.contains(&word))
        .collect();
    let others: Vec<&str> = chance
        .pick(&families)?
        .iter()
        .copied()
        .filter(|other| *other != word)
        .collect();
    chance.pick(&others).copied()
}

/// Adds so many mutants of bases by chance.
pub fn collect(bases: &[Base], from: usize, count: usize, seed: u64, mutants: &mut Vec<Mutant>) {
    let mut chance = Chance::new(seed);
    let tokens: Vec<Vec<Token>> = bases[from..].iter().map(|b| tokens(&b.text)).collect();
    let mut made = 0;
    // Some tries give nothing: a word that has no family.
    for _ in 0..count * 10 {
        let at = chance.below(tokens.len());
        let Some(found) = tokens.get(at).filter(|_| made < count) else {
            return;
        };
        let base = &bases[from + at];
        if let Some((kind, range, replacement)) = edit(&base.text, found, &mut chance) {
            mutants.push(Mutant::new(from + at, kind, range, replacement));
            made += 1;
        }
    }
}

/// The tokens of a module, comments left out.
fn tokens(text: &str) -> Vec<Token> {
    let bytes = text.as_bytes();
    let mut tokens = Vec::new();
    let mut at = 0;
    let is_name = |c: u8| c.is_ascii_alphanumeric() || b"._$-".contains(&c);
    let quoted = |from: usize| {
        let close = text[from + 1..].find('"');
        close.map_or(text.len(), |n| from + n + 2)
    };
    let name = |from: usize| {
        let len = bytes[from..].iter().take_while(|c| is_name(**c)).count();
        from + len
    };
    while at < bytes.len() {
        let start = at;
        let (class, end) = match bytes[at] {
            b';' => {
                at = text[at..].find('\n').map_or(text.len(), |n| at + n);
                continue;
            }
            c if c.is_ascii_whitespace() => {
                at += 1;
                continue;
            }
            b'"' => (Class::Text, quoted(at)),
            c @ (b'%' | b'@' | b'!' | b'#') => {
                let class = match c {
                    b'%' => Class::Local,
                    b'@' => Class::Global,
                    b'!' => Class::Metadata,
                    _ => Class::Group,
                };
                match bytes.get(at + 1) {
                    Some(b'"') => (class, quoted(at + 1)),
                    Some(c) if is_name(*c) => (class, name(at + 1)),
                    _ => (Class::Punct, at + 1),
                }
            }
            c if c.is_ascii_digit() || c == b'-' => (Class::Number, name(at).max(at + 1)),
            c if is_name(c) => (Class::Word, name(at)),
            _ => (Class::Punct, at + 1),
        };
        at = end;
        tokens.push(Token {
            class,
            range: start..end,
        });
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_edits() {
        let text = "define i32 @f(i32 %a) { ; c\n  %b = add i32 %a, -1\n  ret i32 %b, !dbg !5\n}\n";
        let bases = [Base::new(0, "x.ll", text)];
        let make = |seed| {
            let mut mutants = Vec::new();
            collect(&bases, 0, 50, seed, &mut mutants);
            mutants.iter().map(|m| m.text(&bases)).collect::<Vec<_>>()
        };
        assert_eq!(make(1), make(1));
        assert_ne!(make(1), make(2));
        assert!(make(1).iter().filter(|made| *made != text).count() > 30);
    }

    #[test]
    fn tokens_have_classes() {
        let text = "call void @\"a b\"(i32 %x, ptr null), !dbg !5 #0 \"s\" -1.5 ; no\n";
        let found: Vec<&str> = tokens(text)
            .iter()
            .map(|t| &text[t.range.clone()])
            .collect();
        let wanted = [
            "call", "void", "@\"a b\"", "(", "i32", "%x", ",", "ptr", "null", ")", ",", "!dbg",
            "!5", "#0", "\"s\"", "-1.5",
        ];
        assert_eq!(found, wanted);
    }
}
