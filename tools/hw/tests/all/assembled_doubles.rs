//! Divisions and roots of doubles as warpc assembles them, on the emulator of machine code: with the host's operators to
//! the nearest, and with `ptx-eval`'s exact arithmetic in the other directions. Operands are chosen to be hard: subnormal
//! numbers, results out of range, quotients and roots next to the middle of two numbers, numbers that are not.

use warpc::{Options, Source};
use warpc_sim::{Argument, Launch};
use warpc_testkit::random::Random;

/// Operands of each instruction.
const TUPLES: usize = 4_096;
const THREADS: usize = 128;

/// The forms: what is computed, and how many operands it has.
const FORMS: [(&str, usize); 12] = [
    ("div.rn.f64", 2),
    ("div.rz.f64", 2),
    ("div.rm.f64", 2),
    ("div.rp.f64", 2),
    ("rcp.rn.f64", 1),
    ("rcp.rz.f64", 1),
    ("rcp.rm.f64", 1),
    ("rcp.rp.f64", 1),
    ("sqrt.rn.f64", 1),
    ("sqrt.rz.f64", 1),
    ("sqrt.rm.f64", 1),
    ("sqrt.rp.f64", 1),
];

/// A kernel that computes one operation of two doubles for each thread.
fn text(form: &str, operands: usize) -> String {
    let second = if operands == 2 { ", %b" } else { "" };
    format!(
        ".version 8.6\n.target sm_90a\n.address_size 64\n\
         .visible .entry k(.param .u64 in, .param .u64 out) {{\n\
         .reg .b32 %t<4>; .reg .b64 %p<4>; .reg .f64 %a, %b, %d;\n\
         ld.param.u64 %p1, [in]; ld.param.u64 %p2, [out];\n\
         mov.u32 %t1, %tid.x; mov.u32 %t2, %ctaid.x; mad.lo.u32 %t1, %t2, {THREADS}, %t1;\n\
         mul.wide.u32 %p3, %t1, 16; add.u64 %p1, %p1, %p3;\n\
         mul.wide.u32 %p3, %t1, 8; add.u64 %p2, %p2, %p3;\n\
         ld.global.f64 %a, [%p1]; ld.global.f64 %b, [%p1+8];\n\
         {form} %d, %a{second};\n\
         st.global.f64 [%p2], %d;\n\
         ret; }}\n"
    )
}

/// A double that is hard in one way or another.
fn hard(random: &mut Random) -> u64 {
    let bits = random.bits();
    let sign = bits & 1 << 63;
    let fraction = match random.below(6) {
        0 => 0,
        1 => (1 << 52) - 1,
        2 => 1 << random.below(52),
        3 => (1 << 52) - (1 << random.below(52)),
        _ => bits & ((1 << 52) - 1),
    };
    let exponent = match random.below(8) {
        0 => 0,
        1 => 0x7ff,
        2 => 1 + random.number_below(120),
        3 => 0x7fe - random.number_below(60),
        4 | 5 => 1023 - 3 + random.number_below(6),
        _ => random.number_below(0x800),
    };
    sign | exponent << 52 | fraction
}

/// The same without exponents at the ends of the range, so that all lanes of a warp take the short way.
fn moderate(random: &mut Random) -> u64 {
    let bits = hard(random);
    let exponent = 1023 - 200 + (bits >> 52 & 0x7ff) % 400;
    bits & !(0x7ff << 52) | exponent << 52
}

/// A dividend whose quotient by a number is at or next to the middle of two doubles, or to a double.
fn product(quotient: u64, random: &mut Random, b: u64) -> u64 {
    let quotient = f64::from_bits(quotient);
    let near = (quotient * f64::from_bits(b)).to_bits();
    near.wrapping_add(random.number_below(5)).wrapping_sub(2)
}

/// A number whose root is next to the middle of two doubles.
fn square(root: u64, random: &mut Random) -> u64 {
    let root = f64::from_bits(root & !(1 << 63));
    let near = (root * root).to_bits();
    near.wrapping_add(random.number_below(5)).wrapping_sub(2)
}

fn operands(random: &mut Random) -> Vec<[u64; 2]> {
    let special = [
        0,
        1,
        0x000f_ffff_ffff_ffff,
        0x0010_0000_0000_0000,
        0x3ff0_0000_0000_0000,
        0x3fff_ffff_ffff_ffff,
        0x7fef_ffff_ffff_ffff,
        0x7ff0_0000_0000_0000,
        0x7ff0_0000_0000_0001,
        0x7ff8_0000_0000_1234,
        0x7fff_ffff_ffff_ffff,
    ];
    let both = special
        .map(|bits| [bits, bits | 1 << 63])
        .into_iter()
        .flatten();
    let both: Vec<u64> = both.collect();
    let pairs = both.iter().flat_map(|a| both.iter().map(|b| [*a, *b]));
    let mut all: Vec<[u64; 2]> = pairs.collect();
    while all.len() < TUPLES {
        // Whole warps of each: one lane that cannot takes the others along.
        let number = match all.len() / 32 % 2 {
            0 => hard,
            _ => moderate,
        };
        let (a, b) = (number(random), number(random));
        all.push(match random.below(3) {
            0 => [product(a, random, b), b],
            1 => [square(a, random), b],
            _ => [a, b],
        });
    }
    all
}

/// What the operation gives.
fn expected(form: &str, [a, b]: [u64; 2]) -> u64 {
    let exact = || {
        let operation = warpc_ptx_eval::named(form).expect("an operation");
        let mut result = [0];
        operation.run(&[a, b], &mut result);
        result[0]
    };
    let (x, y) = (f64::from_bits(a), f64::from_bits(b));
    let host = match form {
        "div.rn.f64" => x / y,
        "rcp.rn.f64" => 1.0 / x,
        "sqrt.rn.f64" => x.sqrt(),
        _ => return exact(),
    };
    // Which of those that are not numbers comes out is the machine's.
    if host.is_nan() {
        exact()
    } else {
        host.to_bits()
    }
}

fn try_doubles(seed: u64, how: &dyn Fn(&mut Options)) {
    let mut random = Random::new(seed);
    let mut wrong = Vec::new();
    for (form, count) in FORMS {
        let mut options = Options::new("sm_90a".parse().expect("a chip"));
        options.assembler.verify = true;
        how(&mut options);
        let source = Source::new("k.ptx", text(form, count)).expect("a short text");
        let made = warpc::assemble(&source, &options);
        let message = made
            .diagnostics
            .first_error()
            .map(|one| one.message.clone());
        let cubin = made.value.unwrap_or_else(|| panic!("{form}: {message:?}"));
        let given = operands(&mut random);
        let bytes: Vec<u8> = given
            .iter()
            .flatten()
            .flat_map(|one| one.to_le_bytes())
            .collect();
        let device = warpc_sass_sim::Device::new(&cubin, warpc_sass_sim::Options::default());
        let mut device = device.unwrap_or_else(|_| panic!("{form}: no device"));
        let (input, output) = (device.buffer(&bytes), device.buffer(&vec![0; 8 * TUPLES]));
        let launch = Launch {
            kernel: "k".to_owned(),
            grid: [(TUPLES / THREADS) as u32, 1, 1],
            block: [THREADS as u32, 1, 1],
            cluster: None,
            dynamic_shared: 0,
            cooperative: false,
            arguments: vec![Argument::Buffer(input), Argument::Buffer(output)],
        };
        let report = device.launch(&launch);
        let report = report.unwrap_or_else(|_| panic!("{form}: no run"));
        if let Some(finding) = report.findings.first() {
            wrong.push(format!(
                "{form}: `{}`: {}",
                finding.text,
                finding.problem.message()
            ));
        }
        let results = device.read(output);
        let mut shown = 0;
        for (pair, result) in given.iter().zip(results.chunks_exact(8)) {
            let found = u64::from_le_bytes(result.try_into().expect("eight bytes"));
            let expected = expected(form, *pair);
            if found != expected && shown < 5 {
                shown += 1;
                wrong.push(format!("{form} {pair:x?}: {expected:x}, here {found:x}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn doubles_scheduled() {
    try_doubles(1, &|_| {});
}

#[test]
fn doubles_with_few_registers() {
    try_doubles(2, &|options| options.assembler.spill = true);
}
