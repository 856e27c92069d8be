//! `wmma`: matrix products with opaque fragments.

use crate::code::Args;
use crate::select::Selector;
use crate::select::intrinsic::row::{Row, effect, effect_by};
use crate::unit::Refused;
use warpc_nvvm::value::InstId;

pub(in crate::select::intrinsic) static ROWS: &[Row] = &[
    effect(
        "wmma.{m16n16k16,m8n32k16,m32n8k16,m16n16k8,m8n8k4,m8n8k32,m8n8k128}.load.{a,b,c}.{row,col}.stride.\
         {f16,bf16,tf32,f32,f64,s8,u8,s4,u4,b1,s32}*",
        "wmma.load.$2.sync.aligned.$3.$1$S.$4 {%d}, [%0], %1",
    ),
    effect(
        "wmma.{m16n16k16,m8n32k16,m32n8k16,m16n16k8,m8n8k4,m8n8k32,m8n8k128}.load.{a,b,c}.{row,col}.\
         {f16,bf16,tf32,f32,f64,s8,u8,s4,u4,b1,s32}*",
        "wmma.load.$2.sync.aligned.$3.$1$S.$4 {%d}, [%0]",
    ),
    effect(
        "wmma.{m16n16k16,m8n32k16,m32n8k16,m16n16k8,m8n8k4,m8n8k32,m8n8k128}.store.d.{row,col}.stride.\
         {f16,f32,f64,s32}*",
        "wmma.store.d.sync.aligned.$2.$1$S.$3 [%0], {%1-^}, %^",
    ),
    effect(
        "wmma.{m16n16k16,m8n32k16,m32n8k16,m16n16k8,m8n8k4,m8n8k32,m8n8k128}.store.d.{row,col}.\
         {f16,f32,f64,s32}*",
        "wmma.store.d.sync.aligned.$2.$1$S.$3 [%0], {%1-}",
    ),
    effect_by(
        "wmma.m{16,8,32}n{16,32,8}k{16,8,4,32,128}.mma{.and.popc,.xor.popc,}.{row,col}.{row,col}{.rn,.rz,.rm,.rp,}\
         {.f16.f16,.f16.f32,.f32.f16,.f32.f32,.bf16,.tf32,.f64,.s8,.u8,.s4,.u4,.b1}{.satfinite,}",
        product,
    ),
];

fn product(
    selector: &mut Selector,
    inst: InstId,
    _: &str,
    captures: &[&str],
) -> Result<(), Refused> {
    let &[m, n, k, bits, row, column, rounding, types, saturate] = captures else {
        return Err(selector.unsupported(inst));
    };
    let number = |text: &str| text.parse::<usize>().unwrap_or(0);
    let (rows, columns, sums) = (number(m), number(n), number(k));
    let count = |elements: usize| match types {
        ".bf16" => elements * 16 / 1024,
        ".tf32" => elements * 32 / 1024,
        ".s8" | ".u8" => elements * 8 / 1024,
        ".s4" | ".u4" => elements * 4 / 1024,
        ".b1" => elements / 1024,
        ".f64" => elements / 32,
        // Every element twice.
        _ => 8,
    };
    let (a, b) = (count(rows * sums), count(sums * columns));
    let mut parts = Args::new();
    for arg in selector.call_args(inst) {
        parts.extend(selector.argument(arg)?);
    }
    if parts.len() < a + b {
        return Err(selector.unsupported(inst));
    }
    let types = match types {
        ".bf16" | ".tf32" => format!(".f32{types}{types}.f32"),
        ".f64" => ".f64.f64.f64.f64".to_owned(),
        ".s8" | ".u8" | ".s4" | ".u4" | ".b1" => format!(".s32{types}{types}.s32"),
        both => both.to_owned(),
    };
    let results: Args = selector
        .results(inst)?
        .iter()
        .map(|&reg| reg.into())
        .collect();
    let mut operands = Args::new();
    operands.push(selector.code.vector(&results));
    for range in [0..a, a..a + b, a + b..parts.len()] {
        operands.push(selector.code.vector(&parts[range]));
    }
    let mnemonic = format!(
        "wmma.mma{bits}.sync.aligned.{row}.{column}.m{m}n{n}k{k}{rounding}{types}{saturate}"
    );
    selector.emit(&mnemonic, &operands)
}
