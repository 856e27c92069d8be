//! Kernels of any size for the assembler: random straight code with short branches, and a product of matrices that is
//! unrolled.

use std::fmt::Write as _;
use warpc_testkit::Random;

const HEADER: &str = ".version 8.0\n.target sm_90\n.address_size 64\n";

/// A module of so many kernels with so many instructions each.
pub fn module(kernels: usize, instructions: usize) -> String {
    let mut text = HEADER.to_owned();
    for number in 0..kernels {
        let seed = (kernels * instructions + number) as u64;
        Kernel::new(seed).write(&format!("k{number}"), instructions, &mut text);
    }
    text
}

/// Registers that are read again: so many of the last ones.
const NEAR: usize = 12;

/// A kernel being written. Registers of each type are numbered from zero.
struct Kernel {
    random: Random,
    lines: Vec<String>,
    /// Instructions so far: labels are not counted.
    count: usize,
    integers: Vec<usize>,
    floats: Vec<usize>,
    /// How many registers there are of each type: integers, floats, predicates, addresses.
    registers: [usize; 4],
    labels: usize,
}

impl Kernel {
    fn new(seed: u64) -> Kernel {
        Kernel {
            random: Random::new(seed),
            lines: Vec::new(),
            count: 0,
            integers: Vec::new(),
            floats: Vec::new(),
            registers: [0; 4],
            labels: 0,
        }
    }

    fn write(mut self, name: &str, instructions: usize, text: &mut String) {
        self.begin(name);
        // What follows the last random one.
        const END: usize = 3;
        while self.count + END < instructions {
            self.one(instructions - END - self.count);
        }
        let (integer, float) = (self.integer(), self.float());
        self.add(format!("st.global.u32 [%rd4], {integer};"));
        self.add(format!("st.global.f32 [%rd6], {float};"));
        self.lines.push("$end:".to_owned());
        self.add("ret;".to_owned());
        let [integers, floats, predicates, addresses] = self.registers;
        let parameter = |number: usize, ty: &str| format!("\t.param .{ty} {name}_param_{number}");
        let parameters = [
            parameter(0, "u64"),
            parameter(1, "u64"),
            parameter(2, "u32"),
        ];
        // Writing to a string does not fail.
        let _ = write!(
            text,
            "\n.visible .entry {name}(\n{}\n)\n{{\n\t.reg .pred \t%p<{predicates}>;\n\t.reg .f32 \t%f<{floats}>;\n\
             \t.reg .b32 \t%r<{integers}>;\n\t.reg .b64 \t%rd<{addresses}>;\n\n",
            parameters.join(",\n")
        );
        for line in &self.lines {
            let indent = if line.ends_with(':') { "" } else { "\t" };
            let _ = writeln!(text, "{indent}{line}");
        }
        text.push_str("}\n");
    }

    /// The place of the thread, and what it loads.
    fn begin(&mut self, name: &str) {
        for line in [
            format!("ld.param.u64 %rd0, [{name}_param_0];"),
            format!("ld.param.u64 %rd1, [{name}_param_1];"),
            format!("ld.param.u32 %r0, [{name}_param_2];"),
            "mov.u32 %r1, %ctaid.x;".to_owned(),
            "mov.u32 %r2, %ntid.x;".to_owned(),
            "mov.u32 %r3, %tid.x;".to_owned(),
            "mad.lo.s32 %r4, %r1, %r2, %r3;".to_owned(),
            "setp.ge.s32 %p0, %r4, %r0;".to_owned(),
            "@%p0 bra $end;".to_owned(),
            "cvta.to.global.u64 %rd2, %rd0;".to_owned(),
            "mul.wide.s32 %rd3, %r4, 4;".to_owned(),
            "add.s64 %rd4, %rd2, %rd3;".to_owned(),
            "ld.global.u32 %r5, [%rd4];".to_owned(),
            "cvta.to.global.u64 %rd5, %rd1;".to_owned(),
            "add.s64 %rd6, %rd5, %rd3;".to_owned(),
            "ld.global.f32 %f0, [%rd6];".to_owned(),
        ] {
            self.add(line);
        }
        self.integers = vec![0, 1, 3, 4, 5];
        self.floats = vec![0];
        self.registers = [6, 1, 1, 7];
    }

    fn add(&mut self, line: String) {
        self.lines.push(line);
        self.count += 1;
    }

    fn near(random: &mut Random, list: &[usize]) -> usize {
        list[list.len() - 1 - random.below(list.len().min(NEAR))]
    }

    fn integer(&mut self) -> String {
        format!("%r{}", Kernel::near(&mut self.random, &self.integers))
    }

    fn float(&mut self) -> String {
        format!("%f{}", Kernel::near(&mut self.random, &self.floats))
    }

    fn new_integer(&mut self) -> String {
        self.integers.push(self.registers[0]);
        self.registers[0] += 1;
        format!("%r{}", self.registers[0] - 1)
    }

    fn new_float(&mut self) -> String {
        self.floats.push(self.registers[1]);
        self.registers[1] += 1;
        format!("%f{}", self.registers[1] - 1)
    }

    fn new_predicate(&mut self) -> String {
        self.registers[2] += 1;
        format!("%p{}", self.registers[2] - 1)
    }

    fn new_address(&mut self) -> String {
        self.registers[3] += 1;
        format!("%rd{}", self.registers[3] - 1)
    }

    /// Something random that has at most so many instructions.
    fn one(&mut self, most: usize) {
        const INTEGER: [&str; 8] = [
            "add.s32",
            "sub.s32",
            "mul.lo.s32",
            "and.b32",
            "or.b32",
            "xor.b32",
            "min.s32",
            "max.u32",
        ];
        const FLOAT: [&str; 5] = ["add.f32", "sub.f32", "mul.f32", "min.f32", "max.f32"];
        let (a, b, c) = (self.integer(), self.integer(), self.integer());
        let (x, y, z) = (self.float(), self.float(), self.float());
        let offset = 4 * self.random.below(64);
        match self.random.below(16) {
            0..5 => {
                let (operation, to) = (self.random.pick(&INTEGER), self.new_integer());
                self.add(format!("{operation} {to}, {a}, {b};"));
            }
            5 => {
                let (to, count) = (self.new_integer(), 1 + self.random.below(31));
                self.add(format!("shl.b32 {to}, {a}, {count};"));
            }
            6 => {
                let (to, number) = (self.new_integer(), self.random.below(1000));
                self.add(format!("add.s32 {to}, {a}, {number};"));
            }
            7..9 => {
                let (operation, to) = (self.random.pick(&FLOAT), self.new_float());
                self.add(format!("{operation} {to}, {x}, {y};"));
            }
            9..11 => {
                let to = self.new_float();
                self.add(format!("fma.rn.f32 {to}, {x}, {y}, {z};"));
            }
            11 => {
                let to = self.new_float();
                self.add(format!("cvt.rn.f32.s32 {to}, {a};"));
            }
            12 if most >= 2 => {
                let (predicate, to) = (self.new_predicate(), self.new_integer());
                self.add(format!("setp.lt.s32 {predicate}, {a}, {b};"));
                self.add(format!("selp.b32 {to}, {b}, {c}, {predicate};"));
            }
            13 if most >= 3 => {
                let (wide, address) = (self.new_address(), self.new_address());
                let to = self.new_integer();
                self.add(format!("mul.wide.s32 {wide}, {a}, 4;"));
                self.add(format!("add.s64 {address}, %rd2, {wide};"));
                self.add(format!("ld.global.u32 {to}, [{address}+{offset}];"));
            }
            14 if most >= 3 => {
                let (predicate, number) = (self.new_predicate(), self.random.below(100));
                self.labels += 1;
                let label = format!("$skip{}", self.labels);
                self.add(format!("setp.gt.s32 {predicate}, {a}, {number};"));
                self.add(format!("@{predicate} bra {label};"));
                self.add(format!("st.global.f32 [%rd6+{offset}], {x};"));
                self.lines.push(format!("{label}:"));
            }
            _ => self.add(format!("st.global.u32 [%rd4+{offset}], {a};")),
        }
    }
}

/// Tiles of the product in each direction, and registers of a tile.
const TILES: usize = 4;
const WORDS: usize = 8;

/// A product of matrices by `wmma` that is unrolled to so many lines.
pub fn product(lines: usize) -> String {
    let mut count = 0;
    let mut tile = || {
        count += WORDS;
        let registers = (count - WORDS..count).map(|number| format!("%r{number}"));
        format!("{{{}}}", registers.collect::<Vec<_>>().join(", "))
    };
    let mut body: Vec<String> = Vec::new();
    for (number, pointer) in [(0, 3), (1, 4), (2, 5)] {
        body.push(format!(
            "ld.param.u64 %rd{number}, [product_param_{number}];"
        ));
        body.push(format!("cvta.to.global.u64 %rd{pointer}, %rd{number};"));
    }
    body.push("mov.u32 %n, 1024;".to_owned());
    let place = |row: usize, column: usize| 64 * (row * TILES + column);
    let mut sums = vec![vec![String::new(); TILES]; TILES];
    for (row, own) in sums.iter_mut().enumerate() {
        for (column, sum) in own.iter_mut().enumerate() {
            *sum = tile();
            let at = place(row, column);
            body.push(format!(
                "wmma.load.c.sync.aligned.row.m16n16k16.global.f32 {sum}, [%rd5+{at}], %n;"
            ));
        }
    }
    let mut step = 0;
    while body.len() + TILES * TILES < lines {
        let mut load = |name: &str, order: &str, pointer: &str| -> Vec<String> {
            let each = (0..TILES).map(|number| {
                let (to, at) = (tile(), 32 * step + 4096 * number);
                body.push(format!(
                    "wmma.load.{name}.sync.aligned.{order}.m16n16k16.global.f16 {to}, [{pointer}+{at}], %n;"
                ));
                to
            });
            each.collect()
        };
        let (a, b) = (load("a", "row", "%rd3"), load("b", "col", "%rd4"));
        for (own, a) in sums.iter_mut().zip(&a) {
            for (sum, b) in own.iter_mut().zip(&b) {
                let to = tile();
                body.push(format!(
                    "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 {to}, {a}, {b}, {sum};"
                ));
                *sum = to;
            }
        }
        step += 1;
    }
    for (row, own) in sums.iter().enumerate() {
        for (column, sum) in own.iter().enumerate() {
            let at = place(row, column);
            body.push(format!(
                "wmma.store.d.sync.aligned.row.m16n16k16.global.f32 [%rd5+{at}], {sum}, %n;"
            ));
        }
    }
    body.push("ret;".to_owned());
    format!(
        "{HEADER}\n.visible .entry product(\n\t.param .u64 product_param_0,\n\t.param .u64 product_param_1,\n\
         \t.param .u64 product_param_2\n)\n{{\n\t.reg .b32 \t%r<{count}>;\n\t.reg .b32 \t%n;\n\t.reg .b64 \t%rd<6>;\n\n\t{}\n}}\n",
        body.join("\n\t")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn instructions(text: &str) -> usize {
        let lines = text.lines().map(str::trim);
        lines
            .filter(|line| line.ends_with(';') && !line.starts_with('.'))
            .count()
    }

    #[test]
    fn modules_have_as_many_instructions_as_asked_for() {
        for (kernels, each) in [(1, 20), (1, 500), (40, 500)] {
            assert_eq!(instructions(&module(kernels, each)), kernels * each);
        }
        let text = product(36_000);
        assert!((36_000..36_100).contains(&instructions(&text)));
    }
}
