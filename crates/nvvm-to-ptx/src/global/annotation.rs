//! What `!nvvm.annotations` says about variables: managed memory, textures, surfaces, samplers.

use rustc_hash::FxHashMap;
use warpc_nvvm::Module;
use warpc_nvvm::constant::{ConstId, ConstKind, ExprOp};
use warpc_nvvm::metadata::{Field, FieldValue, Md};
use warpc_nvvm::module::GlobalId;
use warpc_ptx::inst::Int;
use warpc_ptx::module::{FieldValue as Value, InitField, InitItems};
use warpc_ptx::types::ScalarType;

/// What a variable is besides memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Annotation {
    /// `.attribute(.managed)`
    Managed,
    /// `.attribute(.unified(high, low))`
    Unified(u64, u64),
    /// `.texref`, `.surfref`, `.samplerref`
    Opaque(ScalarType),
}

/// The words of annotations.
const WORDS: [(&[u8], Annotation); 4] = [
    (b"managed", Annotation::Managed),
    (b"texture", Annotation::Opaque(ScalarType::TexRef)),
    (b"surface", Annotation::Opaque(ScalarType::SurfRef)),
    (b"sampler", Annotation::Opaque(ScalarType::SamplerRef)),
];

/// The variables that have annotations.
pub(super) fn annotations(module: &Module) -> FxHashMap<GlobalId, Annotation> {
    let mut found = FxHashMap::default();
    let name = module.names.find(b"nvvm.annotations");
    let Some(list) = name.and_then(|name| module.metadata.named(name)) else {
        return found;
    };
    let md = |field: &Field| match field.value {
        FieldValue::Md(md) => md.get(),
        _ => Md::Null,
    };
    for &node in &list.nodes {
        let fields = module.metadata.fields(node);
        let Some(Md::Const(first)) = fields.first().map(md) else {
            continue;
        };
        let Some(global) = variable_of(module, first) else {
            continue;
        };
        for pair in fields[1..].chunks_exact(2) {
            let (Md::String(key), Md::Const(value)) = (md(&pair[0]), md(&pair[1])) else {
                continue;
            };
            let word = module.names.bytes(key);
            let row = WORDS.iter().find(|row| row.0 == word);
            if word == b"unified"
                && let Some((high, low)) = halves(module, value)
            {
                found.insert(global, Annotation::Unified(high, low));
            }
            if let Some(&(_, annotation)) = row
                && module.constants.as_u64(value) != Some(0)
            {
                found.insert(global, annotation);
            }
        }
    }
    found
}

/// A number of up to 128 bits, as two words: the identifier of something that several modules share.
fn halves(module: &Module, value: ConstId) -> Option<(u64, u64)> {
    match module.constants.get(value).kind {
        ConstKind::WideInt(words) => match *module.constants.words(words) {
            [low, high] => Some((high, low)),
            _ => None,
        },
        _ => Some((0, module.constants.as_u64(value)?)),
    }
}

/// The variable whose address a constant is, in any space.
fn variable_of(module: &Module, mut constant: ConstId) -> Option<GlobalId> {
    while let ConstKind::Expr(expr) = module.constants.get(constant).kind {
        let expr = module.constants.expr(expr);
        let ExprOp::Cast(_) = expr.op else {
            return None;
        };
        constant = *module.constants.list(expr.operands).first()?;
    }
    module.global_of(constant)
}

/// The ways in which coordinates outside are treated, by the number in the lowest three bits of a sampler;
/// the numbers are OpenCL's.
const ADDRESS_MODES: [&str; 5] = ["wrap", "clamp_to_border", "clamp_to_edge", "wrap", "mirror"];

/// The initial value of a sampler: three bits say how coordinates outside are treated, one that they are
/// normalised, two how to filter.
pub(super) fn sampler(bits: u64) -> Option<InitItems> {
    let word = |name: &str, word: &str| field(name, Value::Word(word.to_owned()));
    let mode = ADDRESS_MODES.get((bits & 7) as usize)?;
    let filter = ["nearest", "linear"].get((bits >> 4 & 3) as usize)?;
    let mut items = InitItems::default();
    items.open();
    (0..3).for_each(|axis| items.field(word(&format!("addr_mode_{axis}"), mode)));
    items.field(word("filter_mode", filter));
    if bits >> 3 & 1 == 0 {
        let one = Value::Int(Int::signed(1));
        items.field(field("force_unnormalized_coords", one));
    }
    items.close();
    Some(items)
}

fn field(name: &str, value: Value) -> InitField {
    InitField {
        name: name.to_owned(),
        value,
    }
}
