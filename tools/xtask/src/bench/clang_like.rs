//! Modules of LLVM IR like those that clang -O2 writes for CUDA, of any size, for benchmarks.
//!
//! A kernel is a prologue (index of the thread), segments until it has as many instructions as were asked for, and an epilogue
//! that stores what was computed if the index is within bounds. Segments are what kernels consist of: arithmetic of integers and floats, accesses
//! of global memory through `getelementptr`, exchange over shared memory with barriers, branches that meet in phis, loops,
//! atomics, shuffles, conversions. Values have no names, as in a release build of clang: text is made with marks where a
//! number will stand, because a phi names values that come after it. The same arguments give the same text.

use std::collections::VecDeque;
use std::fmt::Write;
use warpc_testkit::random::Random;

/// What stands in the text before and after the identity of a value or block until it is numbered.
const MARK: char = '\u{1}';

/// The text of a module of so many kernels, of about so many instructions each.
pub(super) fn module(kernels: usize, instructions: usize) -> String {
    let mut out = String::from(
        "; ModuleID = 'like.cu'
source_filename = \"like.cu\"
target datalayout = \"e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64\"
target triple = \"nvptx64-nvidia-cuda\"

",
    );
    let bodies: Vec<Kernel> = (0..kernels)
        .map(|number| Kernel::new(number, instructions))
        .collect();
    for (number, _) in bodies.iter().enumerate().filter(|(_, body)| body.shared) {
        let _ = writeln!(
            out,
            "@_ZZ4like{number}E4tile = internal unnamed_addr addrspace(3) global [1024 x float] undef, align 4"
        );
    }
    bodies
        .iter()
        .for_each(|body| out.push_str(&body.numbered()));
    for line in END.split_inclusive("\n\n") {
        // clang declares what is called.
        let name = line
            .split_once('@')
            .and_then(|(_, rest)| rest.split_once('('));
        if name
            .is_none_or(|(name, _)| !line.contains("declare") || out.contains(&format!("@{name}(")))
        {
            out.push_str(line);
        }
    }
    out
}

/// What stands after the functions: declarations, attributes, metadata.
const END: &str = include_str!("clang_like.ll");

/// What a value is called until it gets its number.
type Value = usize;

/// The parameters: pointers to floats that are read and written, one to integers, a count, a factor.
const SOURCE: Value = 0;
const RESULT: Value = 1;
const WORDS: Value = 2;
const COUNT: Value = 3;
const FACTOR: Value = 4;
/// The identity of the first block; it comes after the parameters, as its number does.
const ENTRY: Value = 5;

/// A kernel under construction.
struct Kernel {
    random: Random,
    number: usize,
    text: String,
    instructions: usize,
    /// The next identity.
    next: usize,
    /// The block that is being written.
    block: Value,
    /// The index of the thread in 32 and in 64 bits.
    index: [Value; 2],
    /// Values that dominate what is being written.
    integers: Vec<Value>,
    floats: Vec<Value>,
    /// Those that nothing uses yet: an optimised module has no others.
    fresh_integers: VecDeque<Value>,
    fresh_floats: VecDeque<Value>,
    /// Whether it uses shared memory.
    shared: bool,
}

/// What was known before a part of a kernel.
struct Outside {
    integers: usize,
    floats: usize,
    fresh_integers: VecDeque<Value>,
    fresh_floats: VecDeque<Value>,
}

/// A mention of a value or block.
fn at(value: Value) -> String {
    format!("%{MARK}{value}{MARK}")
}

/// How often a segment of a kernel comes, and what writes it.
type Segment = (usize, fn(&mut Kernel));

/// The segments of kernels.
const SEGMENTS: [Segment; 9] = [
    (6, Kernel::integers),
    (6, Kernel::floats),
    (5, Kernel::load),
    (3, Kernel::store),
    (2, Kernel::branch),
    (2, Kernel::turn),
    (1, Kernel::exchange),
    (1, Kernel::shuffle),
    (1, Kernel::atomic),
];

impl Kernel {
    fn new(number: usize, instructions: usize) -> Kernel {
        let mut kernel = Kernel {
            random: Random::new((number * 7919 + instructions) as u64),
            number,
            text: String::new(),
            instructions: 0,
            next: ENTRY + 1,
            block: ENTRY,
            index: [0; 2],
            integers: vec![COUNT],
            floats: vec![FACTOR],
            fresh_integers: VecDeque::new(),
            fresh_floats: VecDeque::new(),
            shared: false,
        };
        kernel.write(instructions);
        kernel
    }

    fn write(&mut self, instructions: usize) {
        let tid = self.special("tid");
        let ctaid = self.special("ctaid");
        let ntid = self.special("ntid");
        let base = self.define(&format!("mul i32 {}, {}", at(ctaid), at(ntid)));
        let index = self.define(&format!("add i32 {}, {}", at(base), at(tid)));
        let wide = self.define(&format!("zext i32 {} to i64", at(index)));
        self.index = [index, wide];
        self.integers.extend([tid, index]);
        self.load();
        while self.instructions + 10 < instructions {
            // A segment of more instructions than are left would make small kernels much larger than they should be.
            match instructions - self.instructions < 20 {
                true => self.integers(),
                false => self.random.weighted(&SEGMENTS)(self),
            }
        }
        let [integer, float] = self.last();
        let converted = self.define(&format!("uitofp i32 {} to float", at(integer)));
        let sum = self.define(&format!(
            "fadd contract float {}, {}",
            at(float),
            at(converted)
        ));
        let inside = self.define(&format!("icmp ult i32 {}, {}", at(index), at(COUNT)));
        let [inner, done, last] = [self.identity(), self.identity(), self.block];
        self.part(inside, inner, done);
        self.open(inner, &[last]);
        let to = self.pointer("float", RESULT, wide);
        self.effect(&format!(
            "store float {}, ptr {}, align 4, !tbaa !11",
            at(sum),
            at(to)
        ));
        self.effect(&format!("br label {}", at(done)));
        self.open(done, &[inner, last]);
        self.effect("ret void");
    }

    fn identity(&mut self) -> Value {
        self.next += 1;
        self.next - 1
    }

    /// Writes an instruction with a result.
    fn define(&mut self, instruction: &str) -> Value {
        let value = self.identity();
        self.effect(&format!("{} = {instruction}", at(value)));
        value
    }

    /// Writes an instruction without one.
    fn effect(&mut self, instruction: &str) {
        let _ = writeln!(self.text, "  {instruction}");
        self.instructions += 1;
    }

    /// Begins a block.
    fn open(&mut self, block: Value, from: &[Value]) {
        let from: Vec<String> = from.iter().map(|from| at(*from)).collect();
        let blanks = " ".repeat(46);
        let _ = writeln!(
            self.text,
            "\n{MARK}{block}{MARK}:{blanks}; preds = {}",
            from.join(", ")
        );
        self.block = block;
    }

    fn part(&mut self, condition: Value, yes: Value, no: Value) {
        self.effect(&format!(
            "br i1 {}, label {}, label {}",
            at(condition),
            at(yes),
            at(no)
        ));
    }

    fn special(&mut self, register: &str) -> Value {
        self.define(&format!(
            "tail call noundef i32 @llvm.nvvm.read.ptx.sreg.{register}.x()"
        ))
    }

    /// A value to compute with, mostly a recent one.
    fn integer(&mut self) -> Value {
        if self.random.chance(70)
            && let Some(fresh) = self.fresh_integers.pop_front()
        {
            return fresh;
        }
        let back = self.random.below(self.integers.len().min(12));
        self.integers[self.integers.len() - 1 - back]
    }

    fn float(&mut self) -> Value {
        if self.random.chance(70)
            && let Some(fresh) = self.fresh_floats.pop_front()
        {
            return fresh;
        }
        let back = self.random.below(self.floats.len().min(12));
        self.floats[self.floats.len() - 1 - back]
    }

    /// Makes an integer known that was computed.
    fn have_integer(&mut self, value: Value) {
        self.integers.push(value);
        self.fresh_integers.push_back(value);
    }

    fn have_float(&mut self, value: Value) {
        self.floats.push(value);
        self.fresh_floats.push_back(value);
    }

    /// An integer and a float that all values which nothing used went into.
    fn last(&mut self) -> [Value; 2] {
        let mut integer = self.integer();
        while let Some(other) = self.fresh_integers.pop_front() {
            integer = self.define(&format!("add i32 {}, {}", at(integer), at(other)));
        }
        let mut float = self.float();
        while let Some(other) = self.fresh_floats.pop_front() {
            float = self.define(&format!("fadd contract float {}, {}", at(float), at(other)));
        }
        [integer, float]
    }

    fn pointer(&mut self, element: &str, base: Value, index: Value) -> Value {
        self.define(&format!(
            "getelementptr inbounds nuw {element}, ptr {}, i64 {}",
            at(base),
            at(index)
        ))
    }

    /// Arithmetic of integers.
    fn integers(&mut self) {
        for _ in 0..2 + self.random.below(4) {
            let (a, b) = (at(self.integer()), at(self.integer()));
            let small = self.random.below(30) + 1;
            let made = match self.random.below(13) {
                0 | 1 => format!("add i32 {a}, {b}"),
                2 => format!("add nsw i32 {a}, {small}"),
                3 => format!("sub i32 {a}, {b}"),
                4 => format!("mul nsw i32 {a}, {b}"),
                5 => format!("shl nuw i32 {a}, {small}"),
                6 => format!("lshr i32 {a}, {small}"),
                7 => format!("and i32 {a}, {}", (1 << small) - 1),
                8 => format!("xor i32 {a}, {b}"),
                9 => format!("or disjoint i32 {a}, {b}"),
                10 => format!("tail call i32 @llvm.umin.i32(i32 {a}, i32 {b})"),
                11 => format!("tail call i32 @llvm.smax.i32(i32 {a}, i32 {small})"),
                _ => format!("tail call range(i32 0, 33) i32 @llvm.ctpop.i32(i32 {a})"),
            };
            let made = self.define(&made);
            self.have_integer(made);
        }
    }

    /// Arithmetic of floats, and what lies between them and integers.
    fn floats(&mut self) {
        for _ in 0..2 + self.random.below(4) {
            let (a, b, c) = (at(self.float()), at(self.float()), at(self.float()));
            let made = match self.random.below(9) {
                0 | 1 => format!("fmul contract float {a}, {b}"),
                2 | 3 => format!("fadd contract float {a}, {b}"),
                4 => format!("fsub contract float {a}, {b}"),
                5 => format!(
                    "tail call contract float @llvm.fma.f32(float {a}, float {b}, float {c})"
                ),
                6 => format!("tail call contract float @llvm.fabs.f32(float {a})"),
                7 => {
                    let greater =
                        self.define(&format!("fcmp contract ogt float {a}, 0x3FB99999A0000000"));
                    format!("select contract i1 {}, float {b}, float {c}", at(greater))
                }
                _ => format!("sitofp i32 {} to float", at(self.integer())),
            };
            let made = self.define(&made);
            self.have_float(made);
        }
    }

    /// An index in 64 bits: that of the thread with a distance.
    fn near(&mut self) -> Value {
        if self.random.chance(50) {
            let distance = self.random.below(64);
            let wide = at(self.index[1]);
            return self.define(&format!("add nuw nsw i64 {wide}, {distance}"));
        }
        let integer = at(self.integer());
        self.define(&format!("sext i32 {integer} to i64"))
    }

    fn load(&mut self) {
        let near = self.near();
        if self.random.chance(60) {
            let from = self.pointer("float", SOURCE, near);
            let value = self.define(&format!("load float, ptr {}, align 4, !tbaa !11", at(from)));
            self.have_float(value);
        } else {
            let from = self.pointer("i32", WORDS, near);
            let value = self.define(&format!("load i32, ptr {}, align 4, !tbaa !6", at(from)));
            self.have_integer(value);
        }
    }

    fn store(&mut self) {
        let near = self.near();
        let to = self.pointer("float", RESULT, near);
        let value = self.float();
        self.effect(&format!(
            "store float {}, ptr {}, align 4, !tbaa !11",
            at(value),
            at(to)
        ));
    }

    /// Begins a part whose values are not known after it.
    fn enter(&mut self) -> Outside {
        Outside {
            integers: self.integers.len(),
            floats: self.floats.len(),
            fresh_integers: std::mem::take(&mut self.fresh_integers),
            fresh_floats: std::mem::take(&mut self.fresh_floats),
        }
    }

    fn leave(&mut self, outside: Outside) {
        self.integers.truncate(outside.integers);
        self.floats.truncate(outside.floats);
        self.fresh_integers = outside.fresh_integers;
        self.fresh_floats = outside.fresh_floats;
    }

    /// A part that some threads execute, with a phi where they meet the others.
    fn branch(&mut self) {
        let (value, float) = (self.integer(), self.float());
        let limit = self.random.below(100);
        let condition = self.define(&format!("icmp sgt i32 {}, {limit}", at(value)));
        let [then, join] = [self.identity(), self.identity()];
        let from = self.block;
        self.part(condition, then, join);
        let outside = self.enter();
        self.open(then, &[from]);
        self.integers();
        self.floats();
        let [changed, scaled] = self.last();
        self.effect(&format!("br label {}", at(join)));
        self.leave(outside);
        self.open(join, &[then, from]);
        let phi = |ty: &str, a: Value, b: Value| {
            let (a, b, then, from) = (at(a), at(b), at(then), at(from));
            format!("phi {ty} [ {a}, {then} ], [ {b}, {from} ]")
        };
        let made = self.define(&phi("i32", changed, value));
        self.have_integer(made);
        let made = self.define(&phi("float", scaled, float));
        self.have_float(made);
    }

    /// A loop over elements with a sum.
    fn turn(&mut self) {
        let (start, sum) = (self.integer(), self.float());
        let [turn, after, counted, summed] = [(); 4].map(|()| self.identity());
        let from = self.block;
        self.effect(&format!("br label {}", at(turn)));
        self.open(turn, &[from, turn]);
        let turns = |ty: &str, first: Value, next: Value| {
            let (first, next, from, turn) = (at(first), at(next), at(from), at(turn));
            format!("phi {ty} [ {first}, {from} ], [ {next}, {turn} ]")
        };
        let count = self.define(&turns("i32", start, counted));
        let total = self.define(&turns("float", sum, summed));
        let outside = self.enter();
        self.integers.push(count);
        self.floats.push(total);
        let wide = self.define(&format!("zext i32 {} to i64", at(count)));
        let element = self.pointer("float", SOURCE, wide);
        let value = self.define(&format!(
            "load float, ptr {}, align 4, !tbaa !11",
            at(element)
        ));
        self.have_float(value);
        self.integers();
        self.floats();
        let [integer, float] = self.last();
        self.effect(&format!(
            "{} = fadd contract float {}, {}",
            at(summed),
            at(total),
            at(float)
        ));
        let step = self.define(&format!("or i32 {}, 1", at(integer)));
        self.effect(&format!(
            "{} = add i32 {}, {}",
            at(counted),
            at(count),
            at(step)
        ));
        let more = self.define(&format!("icmp ult i32 {}, {}", at(counted), at(COUNT)));
        self.effect(&format!(
            "br i1 {}, label {}, label {}, !llvm.loop !13",
            at(more),
            at(turn),
            at(after)
        ));
        self.leave(outside);
        self.open(after, &[turn]);
        self.have_float(summed);
        self.have_integer(counted);
    }

    /// An element handed to another thread through shared memory.
    fn exchange(&mut self) {
        self.shared = true;
        let number = self.number;
        let tile = format!("ptr addrspacecast (ptr addrspace(3) @_ZZ4like{number}E4tile to ptr)");
        let integer = self.integer();
        let value = self.float();
        let mine = self.define(&format!("and i32 {}, 1023", at(integer)));
        let mine = self.define(&format!("zext nneg i32 {} to i64", at(mine)));
        let to = self.define(&format!(
            "getelementptr inbounds nuw float, {tile}, i64 {}",
            at(mine)
        ));
        self.effect(&format!(
            "store float {}, ptr {}, align 4, !tbaa !11",
            at(value),
            at(to)
        ));
        let barrier = "tail call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0) #4";
        self.effect(barrier);
        let other = self.define(&format!("xor i64 {}, 1", at(mine)));
        let from = self.define(&format!(
            "getelementptr inbounds nuw float, {tile}, i64 {}",
            at(other)
        ));
        let value = self.define(&format!("load float, ptr {}, align 4, !tbaa !11", at(from)));
        self.have_float(value);
        self.effect(barrier);
    }

    /// A sum over lanes.
    fn shuffle(&mut self) {
        for distance in [16, 8, 4] {
            let value = at(self.integer());
            let other = self.define(&format!(
                "tail call noundef i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 {value}, i32 {distance}, i32 31) #4"
            ));
            let sum = self.define(&format!("add i32 {value}, {}", at(other)));
            self.have_integer(sum);
        }
    }

    fn atomic(&mut self) {
        let near = self.near();
        let to = self.pointer("i32", WORDS, near);
        let value = self.integer();
        let op = self.random.pick(&["add", "umax", "or", "xchg"]);
        let old = self.define(&format!(
            "atomicrmw {op} ptr {}, i32 {} syncscope(\"device\") monotonic, align 4",
            at(to),
            at(value)
        ));
        self.have_integer(old);
    }

    /// The function with its values numbered in the order of their definitions, as LLVM numbers them.
    fn numbered(&self) -> String {
        // Parameters and the first block have their numbers already.
        let mut numbers: Vec<usize> = (0..self.next).collect();
        let mut count = ENTRY + 1;
        for line in self.text.lines() {
            let definition = line.strip_prefix("  %").unwrap_or(line);
            let Some((value, rest)) = definition
                .strip_prefix(MARK)
                .and_then(|rest| rest.split_once(MARK))
            else {
                continue;
            };
            if rest.starts_with(" = ") || rest.starts_with(':') {
                numbers[value.parse::<usize>().expect("marks enclose identities")] = count;
                count += 1;
            }
        }
        let mut out = format!(
            "
; Function Attrs: convergent mustprogress noinline norecurse nounwind
define dso_local ptx_kernel void @_Z4like{}PKfPfPijf(ptr noundef readonly captures(none) %0, ptr noundef writeonly captures(none) %1, ptr noundef captures(none) %2, i32 noundef %3, float noundef %4) local_unnamed_addr #0 {{
",
            self.number
        );
        for (place, part) in self.text.split(MARK).enumerate() {
            match place % 2 {
                0 => out.push_str(part),
                _ => {
                    let value: usize = part.parse().expect("marks enclose identities");
                    let _ = write!(out, "{}", numbers[value]);
                }
            }
        }
        out.push_str("}\n");
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_have_the_size_that_was_asked_for() {
        for (kernels, instructions) in [(1, 20), (1, 100), (40, 500), (1, 20_000)] {
            let text = module(kernels, instructions);
            let lines = text.lines().filter(|line| line.starts_with("  ")).count();
            let wanted = kernels * instructions;
            assert!(
                lines * 10 >= wanted * 9 && lines * 10 <= wanted * 12,
                "{kernels} x {instructions}: {lines}"
            );
            assert!(!text.contains(MARK));
            assert_eq!(text, module(kernels, instructions));
        }
    }
}
