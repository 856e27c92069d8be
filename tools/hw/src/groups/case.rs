//! Cases of products of a warpgroup: the instruction, what is around it, its kernel and its input.

use std::fmt::Write;
use warpc_testkit::Random;

/// Bytes of shared memory that the factors are in.
const SHARED: usize = 32 * 1024;
/// Threads of a warpgroup.
const THREADS: usize = 128;
/// Words of a thread: the first factor, its metadata, and what the accumulator begins with.
const WORDS: usize = 4 + 1 + 128;

/// What stands around a product.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Around {
    /// Nothing: a group of one product.
    Alone,
    /// A loop that adds, with a predicate that says whether the first round does.
    Loop,
    /// Two accumulators, each in a group of its own; the first is used while the second is under way.
    Overlapped,
    /// The accumulator is copied, and the copy is multiplied on.
    Copied,
}

/// A product of a warpgroup.
#[derive(Clone, Debug)]
pub struct Case {
    mnemonic: String,
    /// Registers of the accumulator.
    registers: usize,
    /// Whether the first factor is in registers.
    in_registers: bool,
    /// The selector of sparse products.
    selector: Option<u8>,
    /// Bytes of an element of a factor, for the data; 0 for integers.
    float_bytes: usize,
    /// What follows the predicate: signs and transpositions.
    rest: String,
    /// The swizzle of descriptors.
    swizzle: u8,
    around: Around,
}

/// Kinds of factors: the type, its bytes if it is floating point, terms of a product.
const KINDS: [(&str, usize, usize); 3] = [("f16", 2, 16), ("bf16", 2, 16), ("tf32", 4, 8)];

/// All cases.
pub fn all() -> Vec<Case> {
    let mut all = Vec::new();
    for sparse in [false, true] {
        floats(&mut all, sparse);
        bytes(&mut all, sparse);
    }
    for in_registers in [false, true] {
        for columns in [8, 48, 256] {
            all.push(Case {
                mnemonic: format!("m64n{columns}k256.s32.b1.b1.and.popc"),
                registers: columns / 2,
                in_registers,
                selector: None,
                float_bytes: 0,
                rest: String::new(),
                swizzle: 0,
                around: Around::Alone,
            });
        }
    }
    around(&mut all);
    all
}

/// Halves and their relatives: all numbers of columns, signs, transpositions.
fn floats(all: &mut Vec<Case>, sparse: bool) {
    for (ty, bytes, terms) in KINDS {
        let terms = if sparse { 2 * terms } else { terms };
        let sums: &[&str] = if ty == "f16" {
            &["f16", "f32"]
        } else {
            &["f32"]
        };
        for (sum, in_registers) in sums.iter().flat_map(|sum| [(*sum, false), (*sum, true)]) {
            for columns in (8..=256).step_by(8) {
                let signs: &[(i8, i8)] = match columns {
                    32 => &[(1, 1), (-1, 1), (1, -1)],
                    _ => &[(1, 1)],
                };
                let turns: &[(u8, u8)] = match (ty, columns, in_registers) {
                    ("tf32", ..) => &[(0, 0)],
                    (_, 64, false) => &[(0, 0), (1, 0), (0, 1), (1, 1)],
                    (_, 64, true) => &[(0, 0), (0, 1)],
                    _ => &[(0, 0)],
                };
                for (sign, turn) in signs.iter().flat_map(|s| turns.iter().map(move |t| (s, t))) {
                    let turned = match (ty, in_registers) {
                        ("tf32", _) => String::new(),
                        (_, true) => format!(", {}", turn.1),
                        (_, false) => format!(", {}, {}", turn.0, turn.1),
                    };
                    all.push(Case {
                        mnemonic: format!("m64n{columns}k{terms}.{sum}.{ty}.{ty}"),
                        registers: if sum == "f16" {
                            columns / 4
                        } else {
                            columns / 2
                        },
                        in_registers,
                        selector: sparse.then_some((columns / 8 % 2) as u8),
                        float_bytes: bytes,
                        rest: format!(", {}, {}{turned}", sign.0, sign.1),
                        swizzle: (columns / 8 % 4) as u8,
                        around: Around::Alone,
                    });
                }
            }
        }
    }
}

/// Bytes: integers and floating point.
fn bytes(all: &mut Vec<Case>, sparse: bool) {
    let terms = if sparse { 64 } else { 32 };
    for in_registers in [false, true] {
        for (a, b) in [
            ("e4m3", "e4m3"),
            ("e4m3", "e5m2"),
            ("e5m2", "e4m3"),
            ("e5m2", "e5m2"),
        ] {
            for (sum, columns) in [("f16", 16), ("f32", 24), ("f32", 128), ("f16", 256)] {
                all.push(Case {
                    mnemonic: format!("m64n{columns}k{terms}.{sum}.{a}.{b}"),
                    registers: if sum == "f16" {
                        columns / 4
                    } else {
                        columns / 2
                    },
                    in_registers,
                    selector: sparse.then_some(0),
                    float_bytes: 1,
                    rest: ", 1, -1".to_owned(),
                    swizzle: 0,
                    around: Around::Alone,
                });
            }
        }
        for (a, b) in [("s8", "s8"), ("s8", "u8"), ("u8", "s8"), ("u8", "u8")] {
            for (columns, limited) in [(8, ""), (24, ".satfinite"), (96, ""), (256, ".satfinite")] {
                all.push(Case {
                    mnemonic: format!("m64n{columns}k{terms}{limited}.s32.{a}.{b}"),
                    registers: columns / 2,
                    in_registers,
                    selector: sparse.then_some(0),
                    float_bytes: 0,
                    rest: String::new(),
                    swizzle: 0,
                    around: Around::Alone,
                });
            }
        }
    }
}

/// Loops, overlapping groups, copies.
fn around(all: &mut Vec<Case>) {
    for around in [Around::Loop, Around::Overlapped, Around::Copied] {
        for (columns, in_registers) in [
            (8, false),
            (64, false),
            (64, true),
            (128, false),
            (128, true),
        ] {
            let rest = if in_registers {
                ", 1, 1, 0"
            } else {
                ", 1, 1, 0, 1"
            };
            all.push(Case {
                mnemonic: format!("m64n{columns}k16.f32.bf16.bf16"),
                registers: columns / 2,
                in_registers,
                selector: None,
                float_bytes: 2,
                rest: rest.to_owned(),
                swizzle: 1,
                around,
            });
        }
    }
}

impl Case {
    /// The instruction and what is around it; no other case has the same.
    pub fn text(&self) -> String {
        let from = if self.in_registers {
            "registers"
        } else {
            "memory"
        };
        let selector = self
            .selector
            .map_or(String::new(), |one| format!(" sp {one}"));
        format!(
            "{} {from}{selector}{} {:?}",
            self.mnemonic, self.rest, self.around
        )
    }

    /// Bytes that a block reads.
    fn input_bytes(&self) -> usize {
        SHARED + THREADS * WORDS * 4
    }

    /// Bytes that a block writes.
    pub fn output_bytes(&self) -> usize {
        THREADS
            * self.registers
            * 4
            * if self.around == Around::Overlapped {
                2
            } else {
                1
            }
    }

    /// What a block reads: shared memory, then the words of each thread.
    pub fn input(&self, random: &mut Random) -> Vec<u8> {
        let mut bytes: Vec<u8> = (0..self.input_bytes())
            .map(|_| random.bits() as u8)
            .collect();
        // Without the upper bit of its exponent a number is below 2.
        if self.float_bytes > 0 {
            let last = self.float_bytes - 1;
            let elements = bytes.chunks_exact_mut(self.float_bytes);
            elements.for_each(|element| element[last] &= 0xbf);
        }
        for thread in 0..THREADS {
            let at = SHARED + thread * WORDS * 4;
            let sums = &mut bytes[at + 5 * 4..at + WORDS * 4];
            if self.mnemonic.contains(".f32.") {
                sums.chunks_exact_mut(4).for_each(|word| word[3] &= 0xbf);
            } else if self.mnemonic.contains(".f16.") {
                sums.chunks_exact_mut(2).for_each(|half| half[1] &= 0xbf);
            }
            // Which of four elements (of tf32 of two) are there.
            let pairs: &[u8] = match self.mnemonic.contains("tf32") {
                true => &[0x4, 0xe],
                false => &[0x4, 0x8, 0xc, 0x9, 0xd, 0xe],
            };
            for byte in &mut bytes[at + 16..at + 20] {
                let mut pair = || pairs[random.below(pairs.len())];
                *byte = pair() | pair() << 4;
            }
        }
        bytes
    }

    fn vector(&self, letter: char) -> String {
        let names: Vec<String> = (0..self.registers)
            .map(|i| format!("%{letter}{i}"))
            .collect();
        format!("{{{}}}", names.join(", "))
    }

    /// The product with an accumulator.
    fn product(&self, letter: char, predicate: &str) -> String {
        let sparse = if self.selector.is_some() { ".sp" } else { "" };
        let first = if self.in_registers {
            "{%a0, %a1, %a2, %a3}"
        } else {
            "%da"
        };
        let metadata = self
            .selector
            .map_or(String::new(), |one| format!("%meta, {one}, "));
        format!(
            "\twgmma.mma_async{sparse}.sync.aligned.{} {}, {first}, %db, {metadata}{predicate}{};\n",
            self.mnemonic,
            self.vector(letter),
            self.rest
        )
    }

    /// The kernel.
    pub fn kernel(&self, name: &str) -> String {
        let count = self.registers;
        let mut out = String::new();
        let _ = write!(
            out,
            ".visible .entry {name}(.param .u64 input, .param .u64 output)\n.maxntid 128, 1, 1\n{{\n\
             \t.shared .align 1024 .b8 {name}_factors[{SHARED}];\n\
             \t.reg .b64 %in, %out, %far, %da, %db;\n\t.reg .b32 %block, %t, %at, %i, %w, %meta, %a<4>;\n\
             \t.reg .pred %more, %adds;\n\t.reg .b32 %d<{count}>, %e<{count}>;\n\
             \tld.param.u64 %in, [input];\n\tld.param.u64 %out, [output];\n\
             \tmov.u32 %block, %ctaid.x;\n\tmov.u32 %t, %tid.x;\n\
             \tmul.wide.u32 %far, %block, {};\n\tadd.u64 %in, %in, %far;\n\
             \tmul.wide.u32 %far, %block, {};\n\tadd.u64 %out, %out, %far;\n\
             \tmov.u32 %at, {name}_factors;\n\tshl.b32 %i, %t, 2;\n\
             FILL_{name}:\n\
             \tcvt.u64.u32 %far, %i;\n\tadd.u64 %far, %in, %far;\n\tld.global.b32 %w, [%far];\n\
             \tadd.u32 %a0, %at, %i;\n\tst.shared.b32 [%a0], %w;\n\
             \tadd.u32 %i, %i, {};\n\tsetp.lt.u32 %more, %i, {SHARED};\n\t@%more bra FILL_{name};\n\
             \tfence.proxy.async.shared::cta;\n\tbar.sync 0;\n",
            self.input_bytes(),
            self.output_bytes(),
            4 * THREADS,
        );
        // The words of the thread.
        let _ = write!(
            out,
            "\tmul.wide.u32 %far, %t, {};\n\tadd.u64 %in, %in, %far;\n",
            WORDS * 4
        );
        for i in 0..4 {
            let _ = writeln!(out, "\tld.global.b32 %a{i}, [%in+{}];", SHARED + 4 * i);
        }
        let _ = writeln!(out, "\tld.global.b32 %meta, [%in+{}];", SHARED + 16);
        for i in 0..count {
            let _ = writeln!(out, "\tld.global.b32 %d{i}, [%in+{}];", SHARED + 20 + 4 * i);
        }
        // The descriptors: A from the beginning, B after 4 KiB.
        let bits: u64 = 8 << 16 | 32 << 32 | u64::from(self.swizzle) << 62;
        let _ = write!(
            out,
            "\tand.b32 %at, %at, 262143;\n\tshr.u32 %at, %at, 4;\n\tcvt.u64.u32 %da, %at;\n\
             \tor.b64 %da, %da, {bits:#x};\n\tadd.u64 %db, %da, 256;\n\
             \tsetp.ne.u32 %adds, %block, 1;\n"
        );
        self.body(&mut out, name);
        let _ = write!(
            out,
            "\tmul.wide.u32 %far, %t, {};\n\tadd.u64 %out, %out, %far;\n",
            self.output_bytes() / THREADS
        );
        for i in 0..count {
            let _ = writeln!(out, "\tst.global.b32 [%out+{}], %d{i};", 4 * i);
        }
        if self.around == Around::Overlapped {
            for i in 0..count {
                let _ = writeln!(out, "\tst.global.b32 [%out+{}], %e{i};", 4 * (count + i));
            }
        }
        out.push_str("\tret;\n}\n\n");
        out
    }

    /// The products and the waits for them.
    fn body(&self, out: &mut String, name: &str) {
        let fence = "\twgmma.fence.sync.aligned;\n";
        let commit = "\twgmma.commit_group.sync.aligned;\n";
        let wait = |left: u32| format!("\twgmma.wait_group.sync.aligned {left};\n");
        let first = self.product('d', "%adds");
        match self.around {
            Around::Alone => *out += &format!("{fence}{first}{commit}{}", wait(0)),
            Around::Loop => {
                let _ = write!(
                    out,
                    "\tmov.u32 %i, 0;\nLOOP_{name}:\n{fence}{first}{first}{commit}{}\
                     \tsetp.ne.u32 %adds, %i, 2;\n\tadd.u64 %db, %db, 32;\n\tadd.u32 %i, %i, 1;\n\
                     \tsetp.lt.u32 %more, %i, 4;\n\t@%more bra LOOP_{name};\n",
                    wait(0)
                );
            }
            Around::Overlapped => {
                for i in 0..self.registers {
                    let _ = writeln!(out, "\tmov.b32 %e{i}, %d{i};");
                }
                let second = self.product('e', "1");
                *out += &format!("{fence}{first}{commit}{second}{commit}{}", wait(1));
                for i in 0..self.registers {
                    let _ = writeln!(out, "\txor.b32 %d{i}, %d{i}, 1;");
                }
                *out += &wait(0);
            }
            Around::Copied => {
                *out += &format!("{fence}{first}");
                for i in 0..self.registers {
                    let _ = writeln!(out, "\tmov.b32 %e{i}, %d{i};");
                }
                let second = self.product('e', "1");
                *out += &format!("{second}{commit}");
                for i in 0..self.registers {
                    let _ = writeln!(out, "\tmov.b32 %d{i}, %e{i};");
                }
                *out += &wait(0);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn cases_differ() {
        let all = all();
        let texts: HashSet<String> = all.iter().map(Case::text).collect();
        assert_eq!(texts.len(), all.len());
        let mut random = Random::new(1);
        for case in &all {
            assert_eq!(case.input(&mut random).len(), case.input_bytes());
        }
    }
}
