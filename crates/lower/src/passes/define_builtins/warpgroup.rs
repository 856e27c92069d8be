//! Bodies of the builtins that multiply matrices by a whole warpgroup: `__wgmma_mma_async_*`.
//!
//! ```text
//!   __wgmma_mma_async_f16(m, n, k, …flags…, d, a, b, …)   load d; wgmma.mma_async… {d}, a, b, …; store d
//! ```
//!
//! Sizes and flags are constants; `d` points to the accumulators, `a` is a descriptor or points to four registers,
//! `b` is a descriptor. The flags were found by asking nvcc for the instruction with each of them changed.

use super::body::{Args, Found};
use std::fmt::Write;
use warpc_builtins::Builtin;

/// What a flag says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Flag {
    /// The first matrix is transposed.
    TransposeA,
    TransposeB,
    /// Its elements are taken negative.
    NegateA,
    NegateB,
    /// The accumulators are added to; otherwise they are only written.
    Accumulate,
    /// They have half precision.
    HalfAccumulators,
    /// The elements are e4m3; otherwise e5m2.
    E4m3A,
    E4m3B,
}

use Flag::*;

/// The end of the builtin's name, the depth of the product, and the flags in order.
static KINDS: [(&str, u64, &[Flag]); 4] = [
    (
        "_f16",
        16,
        &[
            TransposeA,
            NegateA,
            TransposeB,
            NegateB,
            Accumulate,
            HalfAccumulators,
        ],
    ),
    (
        "_bf16",
        16,
        &[TransposeA, NegateA, TransposeB, NegateB, Accumulate],
    ),
    ("_tf32", 8, &[NegateA, NegateB, Accumulate]),
    (
        "_f8",
        32,
        &[NegateA, NegateB, E4m3A, E4m3B, Accumulate, HalfAccumulators],
    ),
];

/// The body of a call, if the builtin is one of these.
pub(super) fn find(builtin: &Builtin, args: &Args) -> Option<Found> {
    let end = builtin.name.strip_prefix("__wgmma_mma_async")?;
    let &(_, depth, flags) = KINDS.iter().find(|kind| kind.0 == end)?;
    Some(match product(builtin, end, depth, flags, args) {
        Ok(found) => found,
        Err(message) => Found::Refused(
            format!("`{}` {message}", builtin.name),
            "call it as CUDA does: m, n, k and the flags as constants, then the accumulators, a and b"
                .to_owned(),
        ),
    })
}

fn product(
    builtin: &Builtin,
    end: &str,
    depth: u64,
    flags: &[Flag],
    args: &Args,
) -> Result<Found, String> {
    let constant = |index: usize| args.constants.get(index).copied().flatten();
    let is = |index: usize, ty: &str| args.types.get(index).is_some_and(|given| given == ty);
    let (Some(m), Some(n), Some(k)) = (constant(0), constant(1), constant(2)) else {
        return Err("takes m, n and k as constants".to_owned());
    };
    if m != 64 || k != depth || n % 8 != 0 || !(8..=256).contains(&n) {
        return Err(format!(
            "multiplies m64, n from 8 to 256 in steps of 8, k{depth}; not m{m}n{n}k{k}"
        ));
    }
    let mut set = Vec::new();
    for (index, &flag) in flags.iter().enumerate() {
        match constant(3 + index) {
            Some(0) => {}
            Some(_) => set.push(flag),
            None => return Err(format!("takes argument {} as a constant", 4 + index)),
        }
    }
    let first = 3 + flags.len();
    let registers = is(first + 1, "ptr");
    if !is(first, "ptr") || !registers && !is(first + 1, "i64") || !is(first + 2, "i64") {
        return Err(
            "takes a pointer, then a descriptor or a pointer, then a descriptor".to_owned(),
        );
    }
    if registers && set.contains(&TransposeA) {
        return Err("cannot transpose a matrix that lies in registers".to_owned());
    }
    Ok(body(builtin, end, n, depth, &set, args, first, registers))
}

#[allow(clippy::too_many_arguments)] // All of them are parts of one instruction.
fn body(
    builtin: &Builtin,
    end: &str,
    n: u64,
    k: u64,
    set: &[Flag],
    args: &Args,
    first: usize,
    registers: bool,
) -> Found {
    let has = |flag: Flag| set.contains(&flag);
    let half = has(HalfAccumulators);
    // 64 times n results lie in 128 threads, two of half precision in a register.
    let count = (if half { n / 4 } else { n / 2 }) as usize;
    let result = if half { "f16" } else { "f32" };
    let eight = |flag: Flag| if has(flag) { "e4m3" } else { "e5m2" };
    let (a, b) = match end {
        "_f8" => (eight(E4m3A), eight(E4m3B)),
        end => (&end[1..], &end[1..]),
    };
    let sign = |flag: Flag| if has(flag) { "-1" } else { "1" };
    let mut tail = format!(
        "{}, {}, {}",
        u8::from(has(Accumulate)),
        sign(NegateA),
        sign(NegateB)
    );
    if matches!(end, "_f16" | "_bf16") {
        if !registers {
            let _ = write!(tail, ", {}", u8::from(has(TransposeA)));
        }
        let _ = write!(tail, ", {}", u8::from(has(TransposeB)));
    }
    let outs: Vec<String> = (0..count).map(|at| format!("${at}")).collect();
    let mut next = 2 * count;
    let mut operand = || {
        next += 1;
        format!("${}", next - 1)
    };
    let (a_text, a_constraint) = match registers {
        true => {
            let four: Vec<String> = (0..4).map(|_| operand()).collect();
            (format!("{{{}}}", four.join(", ")), "r,r,r,r")
        }
        false => (operand(), "l"),
    };
    let asm = format!(
        "wgmma.mma_async.sync.aligned.m64n{n}k{k}.{result}.{a}.{b} {{{}}}, {a_text}, {}, {tail};",
        outs.join(", "),
        operand()
    );
    let mut constraints = vec!["=r".to_owned(); count];
    constraints.extend((0..count).map(|at| at.to_string()));
    constraints.extend([
        a_constraint.to_owned(),
        "l".to_owned(),
        "~{memory}".to_owned(),
    ]);
    let params: Vec<String> = args
        .types
        .iter()
        .enumerate()
        .map(|(index, ty)| format!("{ty} %{index}"))
        .collect();
    let name = format!("{}.{}", builtin.name, key(args));
    let mut text = format!("define void @\"{name}\"({}) {{\n", params.join(", "));
    let mut operands = Vec::new();
    for at in 0..count {
        let _ = writeln!(
            text,
            "  %p{at} = getelementptr i32, ptr %{first}, i64 {at}\n  %v{at} = load i32, ptr %p{at}"
        );
        operands.push(format!("i32 %v{at}"));
    }
    match registers {
        true => {
            for at in 0..4 {
                let _ = writeln!(
                    text,
                    "  %q{at} = getelementptr i32, ptr %{}, i64 {at}\n  %a{at} = load i32, ptr %q{at}",
                    first + 1
                );
                operands.push(format!("i32 %a{at}"));
            }
        }
        false => operands.push(format!("i64 %{}", first + 1)),
    }
    operands.push(format!("i64 %{}", first + 2));
    let whole = format!("{{ {} }}", vec!["i32"; count].join(", "));
    let _ = writeln!(
        text,
        "  %r = call {whole} asm sideeffect \"{asm}\", \"{}\"({})",
        constraints.join(","),
        operands.join(", ")
    );
    for at in 0..count {
        let _ = writeln!(
            text,
            "  %m{at} = extractvalue {whole} %r, {at}\n  store i32 %m{at}, ptr %p{at}"
        );
    }
    text.push_str("  ret void\n}\n");
    Found::Made { name, text }
}

/// The constants and types of a call in a name.
fn key(args: &Args) -> String {
    let each = args.constants.iter().zip(&args.types);
    let each = each.map(|(constant, ty)| match constant {
        Some(number) => number.to_string(),
        None => ty.replace(' ', "_"),
    });
    each.collect::<Vec<_>>().join("_")
}
