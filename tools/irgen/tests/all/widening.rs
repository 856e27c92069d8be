//! Integers of every width up to 32, extended to 64 bits and used: each result beside one computed here.
//!
//! A factor of `mul.wide`, an index or an operand of a comparison that is extended by the wrong sign gives other
//! numbers, and so does a register that is trusted to be extended already and is not.

use std::fmt::Write;
use warpc_irgen::draft::{INPUT, OUTPUT, THREADS};
use warpc_irgen::{on_sim, ours};

/// How an integer of some bits becomes one of 64.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Extend {
    Zero,
    Sign,
}

use self::Extend::{Sign, Zero};

impl Extend {
    fn keyword(self) -> &'static str {
        match self {
            Zero => "zext",
            Sign => "sext",
        }
    }

    fn of(self, value: u64, bits: u32) -> i64 {
        let unused = 64 - bits;
        match self {
            Zero => ((value << unused) >> unused) as i64,
            Sign => ((value << unused) as i64) >> unused,
        }
    }
}

/// What is done at the short width before; `$` is the value, the result is known only in its low bits.
type Before = (&'static str, fn(u64, u32) -> u64);

const BEFORE: &[Before] = &[
    ("", |x, _| x),
    ("add $t $, -1", |x, _| x.wrapping_sub(1)),
    ("sub $t 1, $", |x, _| 1u64.wrapping_sub(x)),
    ("and $t -2, $", |x, _| x & !1),
    ("xor $t $, -1", |x, _| !x),
    ("shl $t $, 1", |x, _| x << 1),
    ("lshr $t $, 1", |x, bits| Zero.of(x, bits) as u64 >> 1),
    ("ashr $t $, 1", |x, bits| (Sign.of(x, bits) >> 1) as u64),
    ("freeze $t $", |x, _| x),
];

/// What is done with the widened value `$w`, another one `$x` of another width, and the input `$i` of 64 bits.
type After = (&'static str, fn(i64, i64, i64) -> i64);

macro_rules! compare {
    ($name:literal, $with:literal, $how:expr) => {
        (
            concat!(
                "%$n.b = icmp ",
                $name,
                " i64 $w, ",
                $with,
                "\n  %$n = zext i1 %$n.b to i64"
            ),
            $how,
        )
    };
}

const AFTER: &[After] = &[
    ("%$n = shl i64 $w, 0", |w, _, _| w),
    ("%$n = shl i64 $w, 3", |w, _, _| w << 3),
    ("%$n = shl i64 $w, 30", |w, _, _| w << 30),
    ("%$n = shl i64 $w, 31", |w, _, _| w << 31),
    ("%$n = shl i64 $w, 40", |w, _, _| w << 40),
    ("%$n = lshr i64 $w, 2", |w, _, _| (w as u64 >> 2) as i64),
    ("%$n = ashr i64 $w, 2", |w, _, _| w >> 2),
    ("%$n = mul i64 $w, 3", |w, _, _| w.wrapping_mul(3)),
    ("%$n = mul i64 $w, -3", |w, _, _| w.wrapping_mul(-3)),
    ("%$n = mul i64 $w, 200", |w, _, _| w.wrapping_mul(200)),
    ("%$n = mul i64 -200, $w", |w, _, _| w.wrapping_mul(-200)),
    ("%$n = mul i64 $w, 2147483647", |w, _, _| {
        w.wrapping_mul(0x7fff_ffff)
    }),
    ("%$n = mul i64 $w, 2147483648", |w, _, _| {
        w.wrapping_mul(0x8000_0000)
    }),
    ("%$n = mul i64 $w, 4294967295", |w, _, _| {
        w.wrapping_mul(0xffff_ffff)
    }),
    ("%$n = mul i64 $w, -2147483648", |w, _, _| {
        w.wrapping_mul(-0x8000_0000)
    }),
    ("%$n = mul i64 $w, -2147483649", |w, _, _| {
        w.wrapping_mul(-0x8000_0001)
    }),
    ("%$n = mul i64 $w, $x", |w, x, _| w.wrapping_mul(x)),
    ("%$n = mul i64 $x, $w", |w, x, _| w.wrapping_mul(x)),
    (
        "%$n.m = mul i64 $w, $x\n  %$n = add i64 %$n.m, $i",
        |w, x, i| w.wrapping_mul(x).wrapping_add(i),
    ),
    (
        "%$n.m = mul i64 $w, -5\n  %$n = sub i64 $i, %$n.m",
        |w, _, i| i.wrapping_sub(w.wrapping_mul(-5)),
    ),
    ("%$n = add i64 $w, $x", |w, x, _| w.wrapping_add(x)),
    ("%$n = sub i64 $x, $w", |w, x, _| x.wrapping_sub(w)),
    ("%$n = and i64 $w, $i", |w, _, i| w & i),
    ("%$n = or i64 $w, $i", |w, _, i| w | i),
    ("%$n = xor i64 $i, $w", |w, _, i| w ^ i),
    ("%$n = udiv i64 $w, 7", |w, _, _| (w as u64 / 7) as i64),
    ("%$n = urem i64 $w, 10", |w, _, _| (w as u64 % 10) as i64),
    ("%$n = sdiv i64 $w, -3", |w, _, _| w / -3),
    ("%$n = srem i64 $w, 8", |w, _, _| w % 8),
    (
        "%$n.s = and i64 $w, 63\n  %$n = shl i64 $i, %$n.s",
        |w, _, i| i << (w & 63),
    ),
    (
        "%$n.f = sitofp i64 $w to double\n  %$n = bitcast double %$n.f to i64",
        |w, _, _| (w as f64).to_bits() as i64,
    ),
    (
        "%$n.f = uitofp i64 $w to double\n  %$n = bitcast double %$n.f to i64",
        |w, _, _| (w as u64 as f64).to_bits() as i64,
    ),
    (
        "%$n.p = getelementptr [12 x i8], ptr null, i64 $w\n  %$n = ptrtoint ptr %$n.p to i64",
        |w, _, _| w.wrapping_mul(12),
    ),
    (
        "%$n.p = getelementptr i64, ptr null, i64 $w\n  %$n = ptrtoint ptr %$n.p to i64",
        |w, _, _| w << 3,
    ),
    compare!("eq", "200", |w, _, _| (w == 200).into()),
    compare!("ne", "-1", |w, _, _| (w != -1).into()),
    compare!("slt", "100", |w, _, _| (w < 100).into()),
    compare!("sgt", "-1", |w, _, _| (w > -1).into()),
    compare!("ult", "100", |w, _, _| ((w as u64) < 100).into()),
    compare!("ugt", "-100", |w, _, _| (w as u64 > -100i64 as u64).into()),
    compare!("sle", "$x", |w, x, _| (w <= x).into()),
    compare!("uge", "$x", |w, x, _| (w as u64 >= x as u64).into()),
];

/// A kernel that writes, for each operation, its result with the widened values used once, and all of them with the
/// values used by all.
fn program(bits: u32, extend: Extend, before: &str, other: (u32, Extend)) -> String {
    let mut text = format!(
        "target triple = \"nvptx64-nvidia-cuda\"\n\
         declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n\
         declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n\
         define ptx_kernel void @k(ptr %in, ptr %out) {{\n  \
         %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n  \
         %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n  \
         %base = mul i32 %block, {}\n  %number = add i32 %base, %tid\n  \
         %index = zext i32 %number to i64\n  \
         %from = getelementptr [{INPUT} x i8], ptr %in, i64 %index\n  \
         %to = getelementptr [{OUTPUT} x i8], ptr %out, i64 %index\n  \
         %second = getelementptr i8, ptr %from, i64 8\n  \
         %i = load i64, ptr %from, align 8\n",
        THREADS / 2
    );
    let ty = format!("i{bits}");
    // What memory holds is loaded as it is, so that what the load leaves above it is seen.
    let short = |text: &mut String, name: &str, bits: u32, from: &str| {
        let _ = match bits {
            8 | 16 | 32 => writeln!(text, "  %{name} = load i{bits}, ptr {from}, align 1"),
            _ => writeln!(
                text,
                "  %{name}.l = load i64, ptr {from}, align 8\n  %{name} = trunc i64 %{name}.l to i{bits}"
            ),
        };
    };
    let widened = |text: &mut String, number: &str| {
        short(text, &format!("s{number}"), bits, "%from");
        let value = match before {
            "" => format!("%s{number}"),
            before => {
                let line = before
                    .replace("$t", &ty)
                    .replace('$', &format!("%s{number}"));
                let _ = writeln!(text, "  %b{number} = {line}");
                format!("%b{number}")
            }
        };
        let (keyword, (width, with)) = (extend.keyword(), other);
        let _ = writeln!(text, "  %w{number} = {keyword} {ty} {value} to i64");
        short(text, &format!("t{number}"), width, "%second");
        let keyword = with.keyword();
        let _ = writeln!(text, "  %x{number} = {keyword} i{width} %t{number} to i64");
    };
    widened(&mut text, "all");
    for (at, (line, _)) in AFTER.iter().enumerate() {
        widened(&mut text, &at.to_string());
        for (form, values) in [("o", at.to_string()), ("a", "all".to_string())] {
            let line = line
                .replace("$n", &format!("{form}{at}"))
                .replace("$w", &format!("%w{values}"))
                .replace("$x", &format!("%x{values}"))
                .replace("$i", "%i");
            let place = 8 * (2 * at + usize::from(form == "a"));
            let _ = writeln!(
                text,
                "  {line}\n  %p{form}{at} = getelementptr i8, ptr %to, i64 {place}\n  \
                 store i64 %{form}{at}, ptr %p{form}{at}, align 8"
            );
        }
    }
    text + "  ret void\n}\n"
}

#[test]
fn widened_integers_keep_their_number() {
    const SEED: u64 = 17;
    assert!(16 * AFTER.len() <= OUTPUT as usize);
    let input = on_sim::input(SEED);
    let word = |at: usize| {
        let bytes = input[at..at + 8].try_into().expect("eight bytes");
        u64::from_le_bytes(bytes)
    };
    let widths = [2, 3, 5, 7, 8, 9, 13, 15, 16, 17, 24, 31, 32, 33, 48, 63];
    let mut checked = 0;
    for (round, bits) in widths.into_iter().enumerate() {
        for extend in [Zero, Sign] {
            for (at, (before, short)) in BEFORE.iter().enumerate() {
                let other = [
                    (8, Sign),
                    (32, Zero),
                    (16, Zero),
                    (32, Sign),
                    (5, Sign),
                    (8, Zero),
                ][(at + round) % 6];
                let text = program(bits, extend, before, other);
                let chip = ours::CHIPS[(at + round) % ours::CHIPS.len()];
                let name = format!(
                    "{} i{bits} after `{before}`, {other:?}, {chip}",
                    extend.keyword()
                );
                let ptx =
                    ours::compile(chip, &text).unwrap_or_else(|e| panic!("{name}: {e}\n{text}"));
                let output =
                    on_sim::run(&ptx, SEED).unwrap_or_else(|e| panic!("{name}: {e}\n{ptx}"));
                for thread in 0..THREADS as usize {
                    let from = thread * INPUT as usize;
                    let w = extend.of(short(word(from), bits), bits);
                    let x = other.1.of(word(from + 8), other.0);
                    let i = word(from) as i64;
                    for (at, (line, after)) in AFTER.iter().enumerate() {
                        let wanted = after(w, x, i);
                        for use_ in 0..2 {
                            let place = thread * OUTPUT as usize + 8 * (2 * at + use_);
                            let bytes = output[place..place + 8].try_into().expect("eight bytes");
                            let found = i64::from_le_bytes(bytes);
                            assert_eq!(
                                found, wanted,
                                "{name}: `{line}` of {w} and {x}, thread {thread}, use {use_}\n{ptx}"
                            );
                            checked += 1;
                        }
                    }
                }
            }
        }
    }
    println!("{checked} results");
    assert!(checked > 1_000_000);
}
