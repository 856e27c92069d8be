//! Kernels: their parameters, launch and memory, what they begin with and how they leave what they computed.

use super::atomic::{CELL_BYTES, FLOATS};
use super::call;
use super::memory::{Region, SLOT};
use super::parameter::Parameter;
use super::{Choices, Context, Draft};
use crate::class::{ALL, COUNT, Class, INPUTS, integer};
use crate::program::{Function, Kernel, Node, Program, Run, Step};
use warpc_launch::{Argument, Launch};
use warpc_testkit::Random;

/// Bytes of the thread's own global memory before what it leaves at the end.
const SCRATCH: u32 = 64;
/// Bytes of local memory of a kernel.
const LOCAL: u32 = 64;
/// Bytes of the tables of the module.
const TABLE: u32 = 128;

/// Blocks of threads: one warp, part of one, several, the last in part, several dimensions.
const BLOCKS: [[u32; 3]; 12] = [
    [32, 1, 1],
    [32, 1, 1],
    [64, 1, 1],
    [64, 1, 1],
    [17, 1, 1],
    [1, 1, 1],
    [48, 1, 1],
    [8, 4, 1],
    [4, 4, 4],
    [96, 1, 1],
    [5, 3, 3],
    [128, 1, 1],
];
/// Grids.
const GRIDS: [[u32; 3]; 6] = [
    [1, 1, 1],
    [1, 1, 1],
    [1, 1, 1],
    [2, 1, 1],
    [3, 1, 1],
    [2, 2, 1],
];

/// The program of a seed.
pub(super) fn program(seed: u64, choices: Choices) -> Program {
    let mut random = Random::new(seed);
    let (mut functions, mut callees): (_, Vec<call::Callee>) = (Vec::new(), Vec::new());
    if choices.calls && random.chance(25) {
        let count = 1 + random.below(3);
        for number in 0..count {
            let like = match random.one_in(2) {
                true => callees.last(),
                false => None,
            };
            let (function, callee) = call::function(&mut random, number, &callees, like);
            functions.push(function);
            callees.push(callee);
        }
    }
    let kernels = match random.below(10) {
        0 => 3,
        1 | 2 => 2,
        _ => 1,
    };
    let kernels = (0..kernels).map(|number| {
        let random = Random::new(random.bits());
        kernel(random, number, choices, &callees)
    });
    let kernels = kernels.collect();
    let numbers = |random: &mut Random, count: u32, bits: u32| {
        let all: Vec<String> = (0..count)
            .map(|_| integer(random, bits).to_string())
            .collect();
        all.join(", ")
    };
    let variables = vec![
        format!(
            ".const .align 16 .b64 tab[{}] = {{{}}};",
            TABLE / 8,
            numbers(&mut random, TABLE / 8, 64)
        ),
        format!(
            ".global .align 16 .b32 gtab[{}] = {{{}}};",
            TABLE / 4,
            numbers(&mut random, TABLE / 4, 32)
        ),
    ];
    Program {
        seed,
        variables,
        functions,
        kernels,
    }
}

fn kernel(random: Random, number: usize, choices: Choices, callees: &[call::Callee]) -> Kernel {
    let mut draft = Draft::new(random);
    draft.callees = callees.to_vec();
    draft.has.tables = choices.tables && draft.random.one_in(8);
    let is_pressed = draft.random.one_in(12);
    let block = draft.random.pick(&BLOCKS);
    let block = if is_pressed { [32, 1, 1] } else { block };
    let grid = if is_pressed {
        [1, 1, 1]
    } else {
        draft.random.pick(&GRIDS)
    };
    let product = |of: [u32; 3]| of[0] * of[1] * of[2];
    let (threads, blocks) = (product(block), product(grid));
    draft.threads = threads;
    draft.whole_warps = threads.is_multiple_of(32);
    let parameters = draft.parameters();
    let mut prologue = Vec::new();
    let [input, out, cells, own] = [(); 4].map(|()| draft.fresh(Class::D));
    let [tid, gtid, lane, block_number] = [(); 4].map(|()| draft.fresh(Class::W));
    let [x, y] = [(); 2].map(|()| draft.fresh(Class::W));
    for (register, name) in [(&input, "p_in"), (&out, "p_out"), (&cells, "p_cells")] {
        prologue.push(format!("ld.param.u64 {register}, [{name}];"));
        prologue.push(format!("cvta.to.global.u64 {register}, {register};"));
    }
    for line in [
        format!("mov.u32 {tid}, %tid.z;"),
        format!("mov.u32 {x}, %ntid.y;"),
        format!("mov.u32 {y}, %tid.y;"),
        format!("mad.lo.u32 {tid}, {tid}, {x}, {y};"),
        format!("mov.u32 {x}, %ntid.x;"),
        format!("mov.u32 {y}, %tid.x;"),
        format!("mad.lo.u32 {tid}, {tid}, {x}, {y};"),
        format!("mov.u32 {block_number}, %ctaid.y;"),
        format!("mov.u32 {x}, %nctaid.x;"),
        format!("mov.u32 {y}, %ctaid.x;"),
        format!("mad.lo.u32 {block_number}, {block_number}, {x}, {y};"),
        format!("mad.lo.u32 {gtid}, {block_number}, {threads}, {tid};"),
        format!("mov.u32 {lane}, %laneid;"),
    ] {
        prologue.push(line);
    }
    (draft.lane, draft.tid) = (lane, tid.clone());
    draft.uniform.push(block_number.clone());
    if let Some(uniform) = parameters.iter().find(|one| one.ty == Some("u32")) {
        let register = draft.fresh(Class::W);
        prologue.push(format!("ld.param.u32 {register}, [{}];", uniform.name));
        draft.uniform.push(register);
    }
    let first = draft.fresh(Class::D);
    let (step, start) = (1 + 2 * draft.random.below(8), draft.random.below(16));
    for line in [
        format!("mad.lo.u32 {x}, {gtid}, {step}, {start};"),
        format!("and.b32 {x}, {x}, {};", INPUTS / 2 - 1),
        format!("mad.wide.u32 {first}, {x}, 8, {input};"),
    ] {
        prologue.push(line);
    }
    let counts = draft.variables(is_pressed);
    let dumped: u32 = counts.iter().map(|&count| count as u32).sum();
    let stride = (SCRATCH + 8 * dumped).next_multiple_of(64);
    prologue.push(format!("mad.wide.u32 {own}, {gtid}, {stride}, {out};"));
    let mut variables = Vec::new();
    draft.memory(&mut prologue, &mut variables, &own, &input);
    let has_shared_cells = draft.shared_cells(&mut prologue, &mut variables, &cells);
    let mut nodes = draft.inputs(&counts, &first, &gtid);
    for parameter in &parameters {
        nodes.push(Node::Step(draft.parameter(parameter)));
    }
    draft.whole(&mut nodes, is_pressed);
    nodes.extend(draft.outputs(&counts, &own));
    let mut epilogue = Vec::new();
    if has_shared_cells {
        epilogue = draft.shared_results(&tid, &block_number, &cells);
    }
    epilogue.push("ret;".to_owned());
    let name = format!("k{number}");
    let mut arguments: Vec<Argument> = (0..3).map(Argument::Buffer).collect();
    arguments.extend(
        parameters
            .iter()
            .map(|one| Argument::Value(one.bytes.clone())),
    );
    let launch = Launch {
        kernel: name.clone(),
        grid,
        block,
        cluster: None,
        dynamic_shared: 0,
        cooperative: false,
        arguments,
    };
    let random = &mut draft.random;
    let mut cell_bytes: Vec<u8> = (0..FLOATS).map(|_| random.bits() as u8).collect();
    cell_bytes.resize(CELL_BYTES as usize, 0);
    cell_bytes.resize((CELL_BYTES * (1 + blocks)) as usize, 0x5a);
    let buffers = vec![
        inputs(random),
        vec![0x5a; (stride * threads * blocks) as usize],
        cell_bytes,
    ];
    Kernel {
        function: Function {
            header: draft.header(&name, &parameters, block),
            variables,
            prologue,
            nodes,
            epilogue,
        },
        run: Run { launch, buffers },
        arguments: parameters.iter().map(Parameter::argument).collect(),
    }
}

/// Values of every class.
fn inputs(random: &mut Random) -> Vec<u8> {
    let mut bytes = Vec::new();
    for class in ALL {
        for _ in 0..INPUTS {
            bytes.extend(class.input(random).to_le_bytes());
        }
    }
    bytes
}

impl Draft {
    /// How many variables there are of each class.
    fn variables(&mut self, is_pressed: bool) -> [usize; COUNT] {
        let mut counts = [0; COUNT];
        for class in ALL {
            let most = match (class, is_pressed) {
                (Class::W | Class::D | Class::F, true) => 40 + self.random.below(50),
                (Class::P, true) => 12,
                (Class::P | Class::W, false) => 2 + self.random.below(5),
                _ => 1 + self.random.below(4),
            };
            counts[class.index()] = most;
        }
        counts
    }

    /// Gives the variables their first values.
    fn inputs(&mut self, counts: &[usize; COUNT], first: &str, gtid: &str) -> Vec<Node> {
        let mut nodes = Vec::new();
        for class in ALL {
            for k in 0..counts[class.index()] {
                let number = self.fresh_number(class);
                let register = class.reg(number);
                let at = (class.index() * INPUTS + k % (INPUTS / 2)) * 8;
                let mut lines = Vec::new();
                let constant = match self.random.chance(12) {
                    true => class.constant(&mut self.random),
                    false => None,
                };
                if let Some(constant) = constant {
                    lines.push(format!("mov.{} {register}, {constant};", class.declared()));
                } else if class == Class::P {
                    let word = self.fresh(Class::W);
                    lines.push(format!("ld.global.u32 {word}, [{first}+{at}];"));
                    lines.push(format!("setp.ne.u32 {register}, {word}, 0;"));
                } else if class == Class::W && k == 0 {
                    lines.push(format!("mov.u32 {register}, {gtid};"));
                } else {
                    let ty = class.stored();
                    lines.push(format!("ld.global.{ty} {register}, [{first}+{at}];"));
                }
                let step = Step {
                    lines,
                    defines: vec![(class, number)],
                };
                self.publish(&step);
                nodes.push(Node::Step(step));
            }
        }
        nodes
    }

    /// Stores the variables. Those are the first of the pool.
    fn outputs(&mut self, counts: &[usize; COUNT], own: &str) -> Vec<Node> {
        let (mut nodes, mut at) = (Vec::new(), SCRATCH);
        for class in ALL {
            for k in 0..counts[class.index()] {
                let register = class.reg(self.pool[class.index()][k]);
                let mut lines = Vec::new();
                if class == Class::P {
                    let word = self.fresh(Class::W);
                    lines.push(format!("selp.u32 {word}, 1, 0, {register};"));
                    lines.push(format!("st.global.u32 [{own}+{at}], {word};"));
                } else {
                    let ty = class.stored();
                    lines.push(format!("st.global.{ty} [{own}+{at}], {register};"));
                }
                nodes.push(Node::Step(Step {
                    lines,
                    defines: Vec::new(),
                }));
                at += 8;
            }
        }
        nodes
    }

    /// The memory that a thread may access.
    fn memory(
        &mut self,
        prologue: &mut Vec<String>,
        variables: &mut Vec<String>,
        own: &str,
        input: &str,
    ) {
        let region = |space, base: &str, size, is_written| Region {
            space,
            symbol: None,
            base: base.to_owned(),
            generic: None,
            size,
            is_written,
        };
        if self.has.memory {
            let regions = [
                region("global", input, 2048, false),
                region("global", own, SCRATCH, true),
            ];
            for region in regions {
                if self.random.chance(70) {
                    self.regions.push(region);
                }
            }
        }
        let mut lines = Vec::new();
        if self.has.memory && self.random.one_in(2) {
            variables.push(format!(".local .align 16 .b8 loc[{LOCAL}];"));
            let base = self.fresh(Class::W);
            lines.push(format!("mov.u32 {base}, loc;"));
            for at in 0..LOCAL / 8 {
                lines.push(format!(
                    "st.local.u64 [loc+{}], {};",
                    8 * at,
                    0x0123_4567_89ab_cdefu64.rotate_left(7 * at)
                ));
            }
            let mut local = region("local", &base, LOCAL, true);
            local.symbol = Some("loc".to_owned());
            self.regions.push(local);
        }
        if self.has.memory && self.random.chance(40) {
            let base = self.fresh(Class::D);
            lines.push(format!("mov.u64 {base}, tab;"));
            let mut table = region("const", &base, TABLE, false);
            table.symbol = Some("tab".to_owned());
            self.regions.push(table);
        }
        if self.has.memory && self.random.chance(40) {
            let base = self.fresh(Class::D);
            lines.push(format!("mov.u64 {base}, gtab;"));
            let mut table = region("global", &base, TABLE, false);
            table.symbol = Some("gtab".to_owned());
            self.regions.push(table);
        }
        if self.has.barriers || (self.has.memory && self.random.one_in(2)) {
            let (base, tid) = (self.fresh(Class::W), self.tid.clone());
            variables.push(format!(
                ".shared .align 16 .b8 sh[{}];",
                self.threads * SLOT
            ));
            lines.push(format!("mov.u32 {base}, sh;"));
            lines.push(format!("mad.lo.u32 {base}, {tid}, {SLOT}, {base};"));
            lines.push(format!(
                "st.shared.v2.u64 [{base}], {{0x1122334455667788, 0x99aabbccddeeff00}};"
            ));
            self.regions.push(region("shared", &base, SLOT, true));
            variables.extend(super::copy::variables());
        }
        prologue.extend(lines);
        let count = self.regions.len();
        for at in 0..count {
            let mut region = self.regions[at].clone();
            if region.space != "const" && self.random.one_in(2) {
                let wide = self.fresh(Class::D);
                let (space, base) = (region.space, &region.base);
                match base.starts_with("%w") {
                    true => prologue.push(format!("cvt.u64.u32 {wide}, {base};")),
                    false => prologue.push(format!("mov.u64 {wide}, {base};")),
                }
                prologue.push(format!("cvta.{space}.u64 {wide}, {wide};"));
                region.generic = Some(wide);
                self.regions[at] = region;
            }
        }
    }

    /// Cells that all threads of the grid or of the block change. Says whether there are some in shared memory.
    fn shared_cells(
        &mut self,
        prologue: &mut Vec<String>,
        variables: &mut Vec<String>,
        cells: &str,
    ) -> bool {
        if !self.has.atomics {
            return false;
        }
        self.cells.push(("global", cells.to_owned()));
        if !self.has.barriers || self.random.one_in(2) {
            return false;
        }
        let (base, is_first) = (self.fresh(Class::D), self.fresh(Class::P));
        variables.push(format!(".shared .align 16 .b8 shc[{CELL_BYTES}];"));
        prologue.push(format!("mov.u64 {base}, shc;"));
        prologue.push(format!("setp.eq.u32 {is_first}, {}, 0;", self.tid));
        for at in 0..CELL_BYTES / 8 {
            let value = match 8 * at < FLOATS {
                true => 0x0102_0304_0506_0708u64.rotate_left(at * 5),
                false => 0,
            };
            prologue.push(format!(
                "@{is_first} st.shared.u64 [{base}+{}], {value};",
                8 * at
            ));
        }
        prologue.push("bar.sync 0;".to_owned());
        self.cells.push(("shared", base));
        true
    }

    /// The first thread of a block stores the cells of its shared memory.
    fn shared_results(&mut self, tid: &str, block_number: &str, cells: &str) -> Vec<String> {
        let (is_first, place) = (self.fresh(Class::P), self.fresh(Class::D));
        let value = self.fresh(Class::D);
        let mut lines = vec![
            "bar.sync 0;".to_owned(),
            format!("setp.eq.u32 {is_first}, {tid}, 0;"),
            format!("@!{is_first} ret;"),
            format!("mad.wide.u32 {place}, {block_number}, {CELL_BYTES}, {cells};"),
        ];
        for at in 0..CELL_BYTES / 8 {
            lines.push(format!("ld.shared.u64 {value}, [shc+{}];", 8 * at));
            lines.push(format!(
                "st.global.u64 [{place}+{}], {value};",
                CELL_BYTES + 8 * at
            ));
        }
        lines
    }

    /// The body: first what threads do together, then, at times, a part in which they may end.
    fn whole(&mut self, nodes: &mut Vec<Node>, is_pressed: bool) {
        let steps = match self.random.below(6) {
            0 => 8,
            1..=3 => 30,
            4 => 60,
            _ => 110,
        };
        self.budget = if is_pressed { 150 } else { steps };
        let mask = match self.whole_warps {
            true => Some("0xffffffff".to_owned()),
            false if self.has.collectives => {
                let (mask, lines) = self.lanes();
                nodes.push(Node::Step(Step {
                    lines,
                    defines: Vec::new(),
                }));
                Some(mask)
            }
            false => None,
        };
        let mut context = Context {
            mask,
            is_uniform: true,
            ..Context::default()
        };
        let last = match !self.cells.iter().any(|one| one.0 == "shared") && self.random.one_in(5) {
            true => self.budget / 3,
            false => 0,
        };
        if !self.callees.is_empty() {
            nodes.push(Node::Step(self.call(&context)));
        }
        while self.budget > last {
            nodes.push(self.node(&mut context));
        }
        if last > 0 {
            let context = Context {
                may_exit: true,
                ..Context::default()
            };
            let mark = self.mark();
            nodes.extend(self.list(&context, last));
            self.restore(mark);
        }
    }

    /// The lanes that a warp has, where the last of a block is not whole.
    fn lanes(&mut self) -> (String, Vec<String>) {
        let [mask, first, left] = [(); 3].map(|()| self.fresh(Class::W));
        let tid = self.tid.clone();
        // A shift by 32 or more gives 0, so that a whole warp gets all ones.
        let lines = vec![
            format!("and.b32 {first}, {tid}, 0xffffffe0;"),
            format!("sub.u32 {left}, {}, {first};", self.threads),
            format!("mov.u32 {mask}, 1;"),
            format!("shl.b32 {mask}, {mask}, {left};"),
            format!("sub.u32 {mask}, {mask}, 1;"),
        ];
        (mask, lines)
    }
}
