//! Divisions by numbers, which the assembler knows other instructions for: all divisors of few bits, and some others, by
//! the emulator of PTX.

use crate::regressions::is_right;
use std::fmt::Write;

/// Quotients and remainders of the words of a buffer by numbers, one after the other summed up.
fn sums(bits: u32, sign: char, divisors: &[i128]) -> String {
    let mut body = String::new();
    let (reg, at) = match bits {
        64 => ("d", [0, 8, 16, 24]),
        32 => ("w", [0, 4, 8, 12]),
        _ => ("h", [0, 2, 4, 6]),
    };
    let mut line = |text: String| writeln!(body, "{text}").expect("a string takes all");
    for (index, at) in at.into_iter().enumerate() {
        line(format!("ld.global.b{bits} %{reg}{}, [%a+{at}];", index + 4));
    }
    // Small ones and those at the ends of the range, too.
    line(format!("shr.{sign}{bits} %{reg}5, %{reg}5, {};", bits / 2));
    line(format!("shr.{sign}{bits} %{reg}6, %{reg}6, {};", bits - 2));
    line(format!("mov.b{bits} %{reg}10, 0;"));
    for divisor in divisors {
        for operation in ["div", "rem"] {
            for from in 4..8 {
                line(format!(
                    "{operation}.{sign}{bits} %{reg}8, %{reg}{from}, {divisor};"
                ));
                // So that none is lost: 33 times what there was, and this.
                line(format!(
                    "mad.lo.{sign}{bits} %{reg}10, %{reg}10, 33, %{reg}8;"
                ));
            }
        }
    }
    line(format!("st.global.b{bits} [%a+32], %{reg}10;"));
    body
}

fn are_right(bits: u32, sign: char, divisors: &[i128]) {
    for some in divisors.chunks(48) {
        is_right("", &sums(bits, sign, some));
    }
}

#[test]
fn quotients_by_numbers_are_exact() {
    for bits in [16u32, 32, 64] {
        let most = (1i128 << bits) - 1;
        let mut all: Vec<i128> = (1..40).collect();
        all.extend([100, 125, 255, 256, 641, 1000, 4096, 10_007].map(|one: i128| one & most));
        all.extend((0..bits).step_by(7).map(|by| 1 << by));
        all.extend([
            most,
            most - 1,
            most / 2,
            most / 2 + 1,
            most / 2 + 2,
            most / 3,
            most / 7 * 4,
        ]);
        are_right(bits, 'u', &all);
        let half = most / 2;
        let mut all: Vec<i128> = (1..24).flat_map(|one| [one, -one]).collect();
        all.extend([100, -125, 1000, -4096, 10_007, -10_007]);
        all.extend(
            (0..bits - 1)
                .step_by(7)
                .flat_map(|by| [1 << by, -(1 << by)]),
        );
        all.extend([half, -half, -half - 1, half - 1, half / 3, -half / 5]);
        are_right(bits, 's', &all);
    }
}

#[test]
fn a_divisor_may_come_from_a_move() {
    is_right(
        "",
        "ld.global.u32 %w4, [%a];
         mov.u32 %w5, 10;
         div.u32 %w6, %w4, %w5;
         mov.u32 %w7, 7;
         setp.gt.u32 %p1, %w4, 1000;
         @%p1 mov.u32 %w7, 3;
         rem.u32 %w8, %w4, %w7;
         st.global.u32 [%a], %w6;
         st.global.u32 [%a+4], %w8;",
    );
}

#[test]
fn division_by_zero_is_as_it_was() {
    is_right(
        "",
        "ld.global.u32 %w4, [%a];
         ld.global.u64 %d4, [%a+8];
         div.u32 %w5, %w4, 0;
         div.s64 %d5, %d4, 0;
         st.global.u32 [%a], %w5;
         st.global.u64 [%a+8], %d5;",
    );
}
