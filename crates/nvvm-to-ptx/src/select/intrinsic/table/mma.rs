//! Matrix products: `mma`, `mma.sp`, and the loads and stores of their fragments.
//!
//! The name of an `mma` intrinsic says shape, layouts and element types; how many registers a fragment has
//! follows from them: a warp holds rows x columns elements, packed into registers of 32 bits (or one `f64` in
//! one of 64).

use crate::code::Args;
use crate::select::Selector;
use crate::select::intrinsic::row::{Row, effect, effect_by};
use crate::unit::Refused;
use warpc_diag::codes;
use warpc_nvvm::value::InstId;

pub(in crate::select::intrinsic) static ROWS: &[Row] = &[
    effect_by("mma~", mma),
    effect(
        "ldmatrix.sync.aligned.{m8n8,m8n16,m16n16}.{x1,x2,x4}[.trans].{b16,b8}*",
        "ldmatrix.sync.aligned.$1.$2$3$S.$4 {%d}, [%0]",
    ),
    effect(
        "ldmatrix.sync.aligned.{m8n16,m16n16}.{x1,x2,x4}[.trans].b8x16.{b6x16_p32,b4x16_p64}*",
        "ldmatrix.sync.aligned.$1.$2$3$S.b8x16.$4 {%d}, [%0]",
    ),
    effect(
        "stmatrix.sync.aligned.{m8n8,m16n8}.x1[.trans].{b16,b8}*",
        "stmatrix.sync.aligned.$1.x1$2$S.$3 [%0], {%1}",
    ),
    effect(
        "stmatrix.sync.aligned.{m8n8,m16n8}.x2[.trans].{b16,b8}*",
        "stmatrix.sync.aligned.$1.x2$2$S.$3 [%0], {%1-2}",
    ),
    effect(
        "stmatrix.sync.aligned.{m8n8,m16n8}.x4[.trans].{b16,b8}*",
        "stmatrix.sync.aligned.$1.x4$2$S.$3 [%0], {%1-4}",
    ),
];

/// What the name of an `mma` intrinsic says.
struct Product<'a> {
    sparse: bool,
    scaled: bool,
    mnemonic: String,
    /// Rows, columns, and the length of the sums.
    shape: [u32; 3],
    /// The element types of A and B.
    factors: [&'a str; 2],
    /// Whether small formats take a byte each.
    byte_formats: bool,
}

fn mma(selector: &mut Selector, inst: InstId, name: &str, _: &[&str]) -> Result<(), Refused> {
    let Some(product) = parse(name) else {
        let message = format!("the intrinsic `llvm.nvvm.{name}` is not supported");
        return Err(selector.refuse(codes::UNKNOWN_INTRINSIC, message));
    };
    let args = selector.call_args(inst);
    let [a, b] = fragments(&product);
    let scales = if product.scaled { 6 } else { 0 };
    let extra = scales + if product.sparse { 2 } else { 0 };
    let mut parts = Args::new();
    for (index, &arg) in args.iter().enumerate() {
        // Which threads give the metadata of a sparse product: a constant.
        let constant = product.sparse && index + 1 + scales == args.len();
        parts.extend(match constant {
            true => selector.plain_argument(arg)?,
            false => selector.argument(arg)?,
        });
    }
    if parts.len() < a + b + extra {
        return Err(selector.unsupported(inst));
    }
    let c_end = parts.len() - extra;
    let results: Args = selector
        .results(inst)?
        .iter()
        .map(|&reg| reg.into())
        .collect();
    let mut operands = Args::new();
    operands.push(selector.code.vector(&results));
    for range in [0..a, a..a + b, a + b..c_end] {
        operands.push(selector.code.vector(&parts[range]));
    }
    let mut rest = &parts[c_end..];
    if product.sparse {
        operands.extend_from_slice(&rest[..2]);
        rest = &rest[2..];
    }
    for scale in rest.chunks(3) {
        operands.push(scale[0]);
        operands.push(selector.code.vector(&scale[1..]));
    }
    selector.emit(&product.mnemonic, &operands)
}

/// How many registers the fragments of A and B have.
fn fragments(product: &Product) -> [usize; 2] {
    let [m, n, k] = product.shape;
    if product.shape == [8, 8, 4] && product.factors[0] == "f16" {
        // Four products side by side, a quarter of the warp each.
        return [2, 2];
    }
    let count = |elements: u32, ty: &str| match element_bits(ty, product.byte_formats) {
        64 => (elements / 32) as usize,
        bits => (elements * bits / 1024) as usize,
    };
    let stored = if product.sparse { k / 2 } else { k };
    [
        count(m * stored, product.factors[0]),
        count(k * n, product.factors[1]),
    ]
}

fn element_bits(ty: &str, byte_formats: bool) -> u32 {
    match ty {
        "f64" => 64,
        "tf32" => 32,
        "f16" | "bf16" => 16,
        "s4" | "u4" => 4,
        "b1" => 1,
        "e2m1" if !byte_formats => 4,
        _ => 8,
    }
}

fn parse(name: &str) -> Option<Product<'_>> {
    let rest = name.strip_prefix("mma.")?;
    let (rest, variety) = if let Some(rest) = rest.strip_prefix("sp.ordered.metadata.") {
        (rest, "mma.sp::ordered_metadata")
    } else if let Some(rest) = rest.strip_prefix("sp.") {
        (rest, "mma.sp")
    } else {
        (rest, "mma")
    };
    let (rest, scaled) = match rest.strip_prefix("block.scale.") {
        Some(rest) => (rest, true),
        None => (rest, false),
    };
    let mut words = rest.split('.').peekable();
    let mut bits = String::new();
    if let Some(op @ ("and" | "xor")) = words.peek().copied() {
        words.next();
        words.next().filter(|&word| word == "popc")?;
        bits = format!(".{op}.popc");
    }
    let shape_text = words.next()?;
    let shape = parse_shape(shape_text)?;
    let (row, column) = (words.next()?, words.next()?);
    let mut modifiers = String::new();
    let mut byte_formats = false;
    if scaled {
        let kind = words.next()?;
        byte_formats = kind == "mxf8f6f4";
        modifiers = format!(".kind::{kind}.block_scale");
        if words.peek() == Some(&"scale") {
            words.next();
            let vectors = words.next()?.to_ascii_uppercase();
            modifiers += &format!(".scale_vec::{vectors}");
        }
    }
    if words.peek() == Some(&"satfinite") {
        words.next();
        modifiers += ".satfinite";
    }
    if words.peek() == Some(&"kind") {
        words.next();
        modifiers += &format!(".kind::{}", words.next()?);
        byte_formats = true;
    }
    let types: Vec<&str> = words.collect();
    let is_integer = |ty: &str| ty.starts_with(['s', 'u', 'b']) && ty != "bf16";
    let (d, a, b, c, scale) = match types[..] {
        [t @ ("bf16" | "tf32")] => ("f32", t, t, "f32", ""),
        ["f64"] => ("f64", "f64", "f64", "f64", ""),
        [t] if is_integer(t) => ("s32", t, t, "s32", ""),
        [a, b] if is_integer(a) => ("s32", a, b, "s32", ""),
        [d, c] => (d, "f16", "f16", c, ""),
        [d, a, b, c] => (d, a, b, c, ""),
        [d, a, b, c, scale] => (d, a, b, c, scale),
        _ => return None,
    };
    let scale = if scale.is_empty() {
        String::new()
    } else {
        format!(".{scale}")
    };
    Some(Product {
        sparse: variety != "mma",
        scaled,
        mnemonic: format!(
            "{variety}.sync.aligned.{shape_text}.{row}.{column}{modifiers}.{d}.{a}.{b}.{c}{scale}{bits}"
        ),
        shape,
        factors: [a, b],
        byte_formats,
    })
}

/// `m16n8k32`
fn parse_shape(text: &str) -> Option<[u32; 3]> {
    let (m, rest) = text.strip_prefix('m')?.split_once('n')?;
    let (n, k) = rest.split_once('k')?;
    Some([m.parse().ok()?, n.parse().ok()?, k.parse().ok()?])
}
