//! The judge of registers: code by hand, one rule at a time, and kernels as the assembler makes them.
//!
//! IR is written with the names of the machine: `R0` to `R3` are the four lanes of the first virtual register, `R4` to `R7`
//! those of the second, and so on; `P0` and `B0` are virtual, too. Registers of a line that begins with `!` are those of the
//! machine. Finished code has the number of the IR's instruction in front, or `+` for what was put in.

use warpc_diag::{SourceFile, Span};
use warpc_ptx_to_sass::check::registers::{self, Finding, What};
use warpc_ptx_to_sass::check::{Assembled, Judged, order};
use warpc_ptx_to_sass::ir::{Block, BlockId, File, Function, Guard, Inst, Op, Operand, Reg};
use warpc_ptx_to_sass::{Options, assemble_and_keep};
use warpc_sass::{Control, Guard as SassGuard, Value, parse};
use warpc_target::Sm;
use warpc_testkit::{gzip, project};

/// Virtual registers of four lanes, and of one in other files.
const REGISTERS: u32 = 12;
const OTHERS: u32 = 7;

fn chip() -> Sm {
    "sm_90".parse().expect("a chip")
}

fn parsed(text: &str) -> (warpc_sass::Inst, Option<u32>) {
    let (inst, label) = parse::inst(chip(), text, Control::UNSCHEDULED, 0)
        .unwrap_or_else(|| panic!("`{text}` is not an instruction"));
    let label = label.map(|label| label.trim_start_matches(".L").parse().expect("a block"));
    (inst, label)
}

/// An instruction of the IR.
fn wanted(text: &str) -> Inst {
    let is_named = text.starts_with('!');
    let text = text.trim_start_matches('!');
    let (inst, label) = parsed(text);
    let other = |file: u32, number: u8| Reg(REGISTERS + file * OTHERS + u32::from(number));
    let operands = inst.operands.iter().map(|operand| {
        let op = match operand.value {
            Value::Register(number @ 0..=254) if !is_named => {
                Op::Reg(Reg(u32::from(number) / 4), number % 4)
            }
            Value::Predicate(number @ 0..=6) => Op::Reg(other(0, number), 0),
            Value::Barrier(number @ 0..=6) => Op::Reg(other(1, number), 0),
            Value::Label(_) if inst.shape.opcode() == "CALL" => Op::Function(1),
            Value::Label(_) => Op::Block(BlockId(label.expect("a block"))),
            value => Op::Value(value),
        };
        Operand {
            op,
            marks: operand.marks,
        }
    });
    let operands = operands.collect();
    let guard = (inst.guard != SassGuard::ALWAYS).then_some(Guard {
        reg: other(0, inst.guard.predicate),
        not: inst.guard.not,
    });
    Inst {
        shape: inst.shape,
        guard,
        operands,
        span: Span::default(),
        origin: None,
        acquires: false,
        contracts: false,
        weak: false,
    }
}

/// IR with blocks, each with lines.
fn function(blocks: &[&[&str]], frame: u32, is_kernel: bool) -> Function {
    let mut function = Function {
        name: "k".to_owned(),
        sm: chip(),
        regs: Vec::new(),
        blocks: Vec::new(),
        frame,
        frame_align: 16,
        frame_base: 1,
        is_kernel,
        listens_in_shared: false,
        pointers: Vec::new(),
        callees: Vec::new(),
        changed: Vec::new(),
        spills: Default::default(),
        knobs: Default::default(),
        calls_system: false,
        calls_taken: false,
        quiet_calls: false,
        barriers_are_left: false,
        links: Vec::new(),
        first_registers: None,
    };
    (0..REGISTERS).for_each(|_| {
        function.reg(File::Register, 4);
    });
    for file in [File::Predicate, File::Barrier] {
        (0..OTHERS).for_each(|_| {
            function.reg(file, 1);
        });
    }
    for lines in blocks {
        let insts = lines.iter().map(|text| wanted(text)).collect();
        function.blocks.push(Block {
            is_cold: false,
            insts,
            keeps_rounds: false,
            repeats: warpc_ptx_to_sass::Repeats::Unknown,
        });
    }
    function.number();
    function
}

/// Judges finished code against IR.
fn judged(ir: &Function, frame: u32, finished: &[&[&str]]) -> Vec<Finding> {
    let (mut insts, mut origins, mut starts) = (Vec::new(), Vec::new(), Vec::new());
    let mut labels = Vec::new();
    for lines in finished {
        starts.push(insts.len() as u32);
        for line in *lines {
            let (origin, text) = line.split_once(' ').expect("an origin");
            let (inst, label) = parsed(text);
            origins.push(origin.trim_end_matches(':').parse().ok());
            labels.push(label);
            insts.push(inst);
        }
    }
    let end = insts.len();
    for (at, (inst, label)) in insts.iter_mut().zip(&labels).enumerate() {
        let calls = inst.shape.opcode() == "CALL";
        for operand in &mut inst.operands {
            if let (Value::Label(_), Some(label)) = (operand.value, label) {
                let to = if calls {
                    end as u32
                } else {
                    starts[*label as usize]
                };
                operand.value = Value::Place((i64::from(to) - at as i64 - 1) * 16);
            }
        }
    }
    registers::check(&registers::Code {
        wanted: ir,
        insts: &insts,
        first: 0,
        callees: &[end],
        changed: &[],
        origins: &origins,
        starts: &starts,
        frame,
    })
}

/// Judges a kernel without a frame.
fn kernel(ir: &[&[&str]], finished: &[&[&str]]) -> Vec<Finding> {
    judged(&function(ir, 0, true), 0, finished)
}

#[track_caller]
fn right(found: &[Finding]) {
    let first = found.first().map(Finding::to_string);
    assert_eq!(first, None);
}

/// There is one finding, about a value, at an instruction.
#[track_caller]
fn wrong_value(found: &[Finding], at: usize) {
    let all: Vec<String> = found.iter().map(Finding::to_string).collect();
    assert_eq!(found.len(), 1, "{all:?}");
    assert_eq!(found[0].at, at, "{all:?}");
    assert!(matches!(found[0].what, What::Value { .. }), "{all:?}");
}

const STORE: &str = "STS [R4], R0";

#[test]
fn another_register_is_found() {
    let ir: &[&[&str]] = &[&["S2R R0, SR_TID.X", "S2R R4, SR_TID.Y", STORE, "EXIT"]];
    let good = [
        "0: S2R R7, SR_TID.X",
        "1: S2R R3, SR_TID.Y",
        "2: STS [R3], R7",
        "3: EXIT",
    ];
    right(&kernel(ir, &[&good]));
    let swapped = [
        "0: S2R R7, SR_TID.X",
        "1: S2R R3, SR_TID.Y",
        "2: STS [R7], R7",
        "3: EXIT",
    ];
    let found = kernel(ir, &[&swapped]);
    wrong_value(&found, 2);
    let text = found[0].to_string();
    assert!(text.contains("%r1.0") && text.contains("R7"), "{text}");
    let clobbered = [
        "0: S2R R7, SR_TID.X",
        "1: S2R R7, SR_TID.Y",
        "2: STS [R7], R7",
        "3: EXIT",
    ];
    wrong_value(&kernel(ir, &[&clobbered]), 2);
}

#[test]
fn lanes_are_followed_one_by_one() {
    let ir: &[&[&str]] = &[&["LDS.64 R0, [RZ]", "STS [R0], R1", "EXIT"]];
    right(&kernel(
        ir,
        &[&["0: LDS.64 R8, [RZ]", "1: STS [R8], R9", "2: EXIT"]],
    ));
    let other = ["0: LDS.64 R8, [RZ]", "1: STS [R9], R8", "2: EXIT"];
    assert_eq!(kernel(ir, &[&other]).len(), 2);
    let unaligned = ["0: LDS.64 R9, [RZ]", "1: STS [R9], R10", "2: EXIT"];
    let found = kernel(ir, &[&unaligned]);
    assert!(
        matches!(found[0].what, What::Unaligned { lanes: 2, .. }),
        "{found:?}"
    );
}

#[test]
fn a_write_under_a_guard_keeps_the_old_value() {
    let ir: &[&[&str]] = &[&[
        "S2R R0, SR_LANEID",
        "S2R R4, SR_TID.Y",
        "ISETP.EQ.AND P0, PT, R4, RZ, PT",
        "@P0 IADD3 R0, R4, 0x5, RZ",
        STORE,
        "EXIT",
    ]];
    let head = [
        "0: S2R R2, SR_LANEID",
        "1: S2R R3, SR_TID.Y",
        "2: ISETP.EQ.AND P1, PT, R3, RZ, PT",
    ];
    let with = |rest: &[&'static str]| [&head[..], rest].concat();
    let good = with(&["3: @P1 IADD3 R2, R3, 0x5, RZ", "4: STS [R3], R2", "5: EXIT"]);
    right(&kernel(ir, &[&good]));
    let lost = with(&["3: @P1 IADD3 R5, R3, 0x5, RZ", "4: STS [R3], R5", "5: EXIT"]);
    wrong_value(&kernel(ir, &[&lost]), 4);
    let other = with(&["3: @P2 IADD3 R2, R3, 0x5, RZ", "4: STS [R3], R2", "5: EXIT"]);
    wrong_value(&kernel(ir, &[&other]), 3);
    let turned = with(&[
        "3: @!P1 IADD3 R2, R3, 0x5, RZ",
        "4: STS [R3], R2",
        "5: EXIT",
    ]);
    let found = kernel(ir, &[&turned]);
    assert!(matches!(found[0].what, What::Operand { .. }), "{found:?}");
}

/// A move under a guard to where nothing was written before, and a block after it: what it moves will do for all lanes, so
/// that both may be in one register. What it writes does not do for what it moves.
#[test]
fn a_first_move_under_a_guard_may_be_left_out() {
    let ir: &[&[&str]] = &[
        &[
            "S2R R8, SR_LANEID",
            "S2R R4, SR_TID.Y",
            "ISETP.EQ.AND P0, PT, R4, RZ, PT",
            "@P0 MOV R0, R8",
            "@!P0 EXIT",
        ],
        &[STORE, "STS [R4], R8", "EXIT"],
    ];
    let head = [
        "0: S2R R2, SR_LANEID",
        "1: S2R R3, SR_TID.Y",
        "2: ISETP.EQ.AND P1, PT, R3, RZ, PT",
    ];
    let with = |rest: &[&'static str]| [&head[..], rest].concat();
    let left_out = with(&["4: @!P1 EXIT"]);
    let both = ["5: STS [R3], R2", "6: STS [R3], R2", "7: EXIT"];
    right(&kernel(ir, &[&left_out, &both]));
    let made = with(&["3: @P1 MOV R6, R2", "4: @!P1 EXIT"]);
    let apart = ["5: STS [R3], R6", "6: STS [R3], R2", "7: EXIT"];
    right(&kernel(ir, &[&made, &apart]));
    let wrong = ["5: STS [R3], R6", "6: STS [R3], R6", "7: EXIT"];
    wrong_value(&kernel(ir, &[&made, &wrong]), 6);
    let neither = ["5: STS [R3], R7", "6: STS [R3], R2", "7: EXIT"];
    wrong_value(&kernel(ir, &[&left_out, &neither]), 4);
}

/// A move under a guard may be left out where what it moves was made in its register, and then another guard may decide.
#[test]
fn a_move_under_a_guard_is_made_whole_by_what_it_moves() {
    let of = |moves: &'static str| -> [&'static str; 9] {
        [
            "S2R R0, SR_LANEID",
            "S2R R4, SR_TID.Y",
            "ISETP.EQ.AND P0, PT, R4, RZ, PT",
            "ISETP.EQ.AND P1, PT, R0, RZ, PT",
            "@P0 IADD3 R8, R4, 0x5, RZ",
            moves,
            "@P1 IADD3 R0, R4, 0x6, RZ",
            STORE,
            "EXIT",
        ]
    };
    let head = [
        "0: S2R R2, SR_LANEID",
        "1: S2R R3, SR_TID.Y",
        "2: ISETP.EQ.AND P2, PT, R3, RZ, PT",
        "3: ISETP.EQ.AND P1, PT, R2, RZ, PT",
    ];
    let with = |rest: &[&'static str]| [&head[..], rest].concat();
    let shared = with(&[
        "4: @P2 IADD3 R2, R3, 0x5, RZ",
        "6: @P1 IADD3 R2, R3, 0x6, RZ",
        "7: STS [R3], R2",
        "8: EXIT",
    ]);
    right(&kernel(&[&of("@P0 MOV R0, R8")], &[&shared]));
    // Where the first guard does not hold, the other register has nothing.
    let apart = with(&[
        "4: @P2 IADD3 R6, R3, 0x5, RZ",
        "6: @P1 IADD3 R6, R3, 0x6, RZ",
        "7: STS [R3], R6",
        "8: EXIT",
    ]);
    wrong_value(&kernel(&[&of("@P0 MOV R0, R8")], &[&apart]), 6);
    // The move is for the other lanes.
    wrong_value(&kernel(&[&of("@!P0 MOV R0, R8")], &[&shared]), 6);
}

#[test]
fn what_is_written_under_a_guard_is_there_for_who_has_the_same() {
    let ir: &[&[&str]] = &[&[
        "S2R R0, SR_LANEID",
        "S2R R4, SR_TID.Y",
        "ISETP.EQ.AND P0, PT, R4, RZ, PT",
        "@P0 IADD3 R0, R4, 0x5, RZ",
        "@P0 STS [R4], R0",
        "@!P0 IADD3 R0, R4, 0x6, RZ",
        STORE,
        "EXIT",
    ]];
    // The old value of R0 is needed nowhere: another register may have the new one.
    let head = [
        "0: S2R R2, SR_LANEID",
        "1: S2R R3, SR_TID.Y",
        "2: ISETP.EQ.AND P1, PT, R3, RZ, PT",
        "3: @P1 IADD3 R5, R3, 0x5, RZ",
    ];
    let with = |rest: &[&'static str]| [&head[..], rest].concat();
    let good = with(&[
        "4: @P1 STS [R3], R5",
        "5: @!P1 IADD3 R5, R3, 0x6, RZ",
        "6: STS [R3], R5",
        "7: EXIT",
    ]);
    right(&kernel(ir, &[&good]));
    // Before the second write it is not whole.
    let early = with(&[
        "4: @P1 STS [R3], R5",
        "6: STS [R3], R5",
        "5: @!P1 IADD3 R5, R3, 0x6, RZ",
        "7: EXIT",
    ]);
    wrong_value(&kernel(ir, &[&early]), 5);
    // Another register is not made whole by the second write.
    let apart = with(&[
        "4: @P1 STS [R3], R5",
        "5: @!P1 IADD3 R6, R3, 0x6, RZ",
        "6: STS [R3], R6",
        "7: EXIT",
    ]);
    wrong_value(&kernel(ir, &[&apart]), 6);
    // What a move takes along is not known.
    let copied = with(&[
        "+ MOV R6, R5",
        "4: @P1 STS [R3], R6",
        "5: @!P1 IADD3 R5, R3, 0x6, RZ",
        "6: STS [R3], R5",
        "7: EXIT",
    ]);
    wrong_value(&kernel(ir, &[&copied]), 5);
    // The predicate has another value where it is read.
    let ir: &[&[&str]] = &[&[
        "S2R R0, SR_LANEID",
        "S2R R4, SR_TID.Y",
        "ISETP.EQ.AND P0, PT, R4, RZ, PT",
        "@P0 IADD3 R0, R4, 0x5, RZ",
        "ISETP.NE.AND P0, PT, R4, RZ, PT",
        "@P0 STS [R4], R0",
        "EXIT",
    ]];
    let lost = with(&[
        "4: ISETP.NE.AND P1, PT, R3, RZ, PT",
        "5: @P1 STS [R3], R5",
        "6: EXIT",
    ]);
    wrong_value(&kernel(ir, &[&lost]), 5);
}

#[test]
fn moves_may_be_shared_and_put_in() {
    let ir: &[&[&str]] = &[&["S2R R0, SR_TID.X", "MOV R4, R0", STORE, "EXIT"]];
    right(&kernel(
        ir,
        &[&["0: S2R R7, SR_TID.X", "2: STS [R7], R7", "3: EXIT"]],
    ));
    let moved = [
        "0: S2R R7, SR_TID.X",
        "+ MOV R9, R7",
        "+ MOV R7, RZ",
        "2: STS [R9], R9",
        "3: EXIT",
    ];
    right(&kernel(ir, &[&moved]));
    let late = [
        "0: S2R R7, SR_TID.X",
        "+ MOV R7, RZ",
        "+ MOV R9, R7",
        "2: STS [R9], R9",
        "3: EXIT",
    ];
    assert_eq!(kernel(ir, &[&late]).len(), 2);
}

#[test]
fn what_the_code_lacks_is_found() {
    let ir: &[&[&str]] = &[&[
        "S2R R0, SR_TID.X",
        "STS [R0], R0",
        "BAR.SYNC.DEFER_BLOCKING 0x0",
        "EXIT",
    ]];
    let found = kernel(
        ir,
        &[&["0: S2R R7, SR_TID.X", "1: STS [R7], R7", "3: EXIT"]],
    );
    assert!(matches!(found[0].what, What::Missing { .. }), "{found:?}");
    let other = [
        "0: S2R R7, SR_TID.Z",
        "1: STS [R7], R7",
        "2: BAR.SYNC.DEFER_BLOCKING 0x0",
        "3: EXIT",
    ];
    let found = kernel(ir, &[&other]);
    assert!(matches!(found[0].what, What::Operand { .. }), "{found:?}");
}

const LOOP: &[&[&str]] = &[
    &["S2R R0, SR_TID.X", "S2R R4, SR_LANEID"],
    &[
        "IADD3 R0, R0, R4, RZ",
        "ISETP.LT.AND P0, PT, R0, 0x64, PT",
        "@P0 BRA `(.L1)",
    ],
    &[STORE, "EXIT"],
];

#[test]
fn values_come_along_on_every_way() {
    let good: &[&[&str]] = &[
        &["0: S2R R2, SR_TID.X", "1: S2R R3, SR_LANEID"],
        &[
            "2: IADD3 R2, R2, R3, RZ",
            "3: ISETP.LT.AND P0, PT, R2, 0x64, PT",
            "4: @P0 BRA `(.L1)",
        ],
        &["5: STS [R3], R2", "6: EXIT"],
    ];
    right(&kernel(LOOP, good));
    // The sum is in another register when the loop begins again.
    let moved: &[&[&str]] = &[
        good[0],
        &[
            "2: IADD3 R5, R2, R3, RZ",
            "3: ISETP.LT.AND P0, PT, R5, 0x64, PT",
            "4: @P0 BRA `(.L1)",
        ],
        &["5: STS [R3], R5", "6: EXIT"],
    ];
    wrong_value(&kernel(LOOP, moved), 2);
    let back: &[&[&str]] = &[
        good[0],
        &[
            "2: IADD3 R5, R2, R3, RZ",
            "3: ISETP.LT.AND P0, PT, R5, 0x64, PT",
            "+ MOV R2, R5",
            "4: @P0 BRA `(.L1)",
        ],
        &["5: STS [R3], R5", "6: EXIT"],
    ];
    right(&kernel(LOOP, back));
    let elsewhere: &[&[&str]] = &[
        good[0],
        &[
            "2: IADD3 R2, R2, R3, RZ",
            "3: ISETP.LT.AND P0, PT, R2, 0x64, PT",
            "4: @P0 BRA `(.L0)",
        ],
        good[2],
    ];
    let found = kernel(LOOP, elsewhere);
    assert!(
        found
            .iter()
            .any(|one| matches!(one.what, What::Target { place: 2 })),
        "{found:?}"
    );
}

#[test]
fn instructions_of_a_block_may_change_places_if_values_stay() {
    let ir: &[&[&str]] = &[&[
        "S2R R0, SR_TID.X",
        "IADD3 R4, R0, 0x1, RZ",
        "S2R R0, SR_LANEID",
        STORE,
        "EXIT",
    ]];
    let good = [
        "2: S2R R5, SR_LANEID",
        "0: S2R R2, SR_TID.X",
        "1: IADD3 R3, R2, 0x1, RZ",
    ];
    let rest = ["3: STS [R3], R5", "4: EXIT"];
    right(&kernel(ir, &[&[&good[..], &rest].concat()]));
    let early = [
        "0: S2R R2, SR_TID.X",
        "2: S2R R2, SR_LANEID",
        "1: IADD3 R3, R2, 0x1, RZ",
    ];
    let rest = ["3: STS [R3], R2", "4: EXIT"];
    wrong_value(&kernel(ir, &[&[&early[..], &rest].concat()]), 2);
}

#[test]
fn spilled_values_come_back() {
    let lines: &[&str] = &[
        "S2R R0, SR_LANEID",
        "LDS.64 R4, [RZ]",
        "STS.64 [R0], R4",
        "EXIT",
    ];
    let ir = function(&[lines], 8, true);
    let top = ["+ LDC R1, c[0x0][0x28]", "+ IADD3 R1, R1, -0x20, RZ"];
    let judge = |rest: &[&'static str]| judged(&ir, 32, &[&[&top[..], rest].concat()]);
    let good = [
        "0: S2R R2, SR_LANEID",
        "+ STL [R1+0x8], R2",
        "1: LDS.64 R2, [RZ]",
        "+ STL.64 [R1+0x10], R2",
        "+ LDL R4, [R1+0x8]",
        "+ LDL.64 R6, [R1+0x10]",
        "2: STS.64 [R4], R6",
        "3: EXIT",
    ];
    right(&judge(&good));
    let mut other = good;
    other[4] = "+ LDL R4, [R1+0xc]";
    wrong_value(&judge(&other), 8);
    // Two values share a word.
    other = good;
    (other[3], other[5]) = ("+ STL.64 [R1+0x8], R2", "+ LDL.64 R6, [R1+0x8]");
    wrong_value(&judge(&other), 8);
    // The first bytes of the frame are the program's.
    other = good;
    (other[1], other[4]) = ("+ STL [R1+0x4], R2", "+ LDL R4, [R1+0x4]");
    let found = judge(&other);
    assert!(matches!(found[0].what, What::Frame), "{found:?}");
}

#[test]
fn spilled_predicates_come_back() {
    let ir: &[&[&str]] = &[&[
        "S2R R0, SR_LANEID",
        "ISETP.EQ.AND P0, PT, R0, RZ, PT",
        "@P0 EXIT",
        "EXIT",
    ]];
    let head = ["0: S2R R2, SR_LANEID", "1: ISETP.EQ.AND P1, PT, R2, RZ, PT"];
    let with = |rest: &[&'static str]| kernel(ir, &[&[&head[..], rest].concat()]);
    let (to, back) = (
        "+ SEL R9, RZ, 0x1, !P1",
        "+ ISETP.NE.AND P3, PT, R9, RZ, PT",
    );
    right(&with(&[to, back, "2: @P3 EXIT", "3: EXIT"]));
    wrong_value(&with(&[back, "2: @P3 EXIT", "3: EXIT"]), 3);
    let turned = "+ SEL R9, RZ, 0x1, P1";
    wrong_value(&with(&[turned, back, "2: @P3 EXIT", "3: EXIT"]), 4);
}

#[test]
fn what_one_lane_has_is_not_the_same_for_the_warp() {
    // Computed again for the lanes that are there then, which may be others.
    let again = |name: &str| {
        let made = format!("S2UR UR8, {name}");
        let ir: &[&[&str]] = &[
            &[&format!("!{made}"), "NOP"],
            &["!R2UR UR9, R3", "!MOV R4, UR8", "EXIT"],
        ];
        let ir = function(ir, 0, true);
        let left_out = format!("+ {made}");
        judged(
            &ir,
            0,
            &[
                &["1: NOP"],
                &["2: R2UR UR9, R3", &left_out, "3: MOV R4, UR8", "4: EXIT"],
            ],
        )
    };
    right(&again("SR_CTAID.X"));
    right(&again("SR_CgaCtaId"));
    for name in ["SR_TID.X", "SR_LANEID", "SR_LTMASK"] {
        assert!(!again(name).is_empty(), "{name}");
    }
}

#[test]
fn calls_change_what_their_callee_may() {
    let ir: &[&[&str]] = &[
        &["S2R R0, SR_LANEID", "!MOV R4, 0x7", "CALL.REL.NOINC `(.L9)"],
        &["STS [R0], R0", "EXIT"],
    ];
    let ir = function(ir, 0, true);
    let code = |register: u8, argument: &'static str| {
        let first = format!("0: S2R R{register}, SR_LANEID");
        let last = format!("3: STS [R{register}], R{register}");
        let head = [
            "+ LDC R1, c[0x0][0x28]",
            &first,
            argument,
            "2: CALL.REL.NOINC `(.L0)",
        ];
        judged(&ir, 0, &[&head, &[&last, "4: EXIT"]])
    };
    right(&code(16, "1: MOV R4, 0x7"));
    right(&code(36, "1: MOV R4, 0x7"));
    // Both operands of the store are lost.
    assert_eq!(code(5, "1: MOV R4, 0x7").len(), 2);
    assert_eq!(code(40, "1: MOV R4, 0x7").len(), 2);
    // The argument is in another register: that of the move, and what is passed.
    let found = code(16, "1: MOV R6, 0x7");
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found.iter().any(|one| one.at == 3), "{found:?}");
}

#[test]
fn functions_give_back_what_they_must() {
    let ir = function(&[&["!RET.REL.NODEC R20 `(.L0)"]], 0, false);
    let run = |frame: u32, lines: &[&'static str]| {
        let lines = [lines, &["0: RET.REL.NODEC R20 `(.L0)"]].concat();
        judged(&ir, frame, &[&lines])
    };
    right(&run(0, &[]));
    right(&run(0, &["+ MOV R5, RZ"]));
    wrong_value(&run(0, &["+ MOV R17, RZ"]), 1);
    let saved = [
        "+ IADD3 R1, R1, -0x10, RZ",
        "+ STL [R1+0x4], R17",
        "+ MOV R17, RZ",
        "+ LDL R17, [R1+0x4]",
        "+ IADD3 R1, R1, 0x10, RZ",
    ];
    right(&run(16, &saved));
    wrong_value(&run(16, &saved[..4]), 4);
    let mut other = saved;
    other[3] = "+ LDL R17, [R1+0x8]";
    wrong_value(&run(16, &other), 5);
}

#[test]
fn what_was_never_written_may_be_anything() {
    // On the way through the loop the register is written under a guard, before it nothing is there.
    let ir: &[&[&str]] = &[
        &["S2R R4, SR_LANEID", "ISETP.EQ.AND P0, PT, R4, RZ, PT"],
        &["@P0 IADD3 R0, R4, 0x1, RZ", "@!P0 BRA `(.L1)"],
        &[STORE, "EXIT"],
    ];
    let finished: &[&[&str]] = &[
        &[
            "0: S2R R5, SR_LANEID",
            "+ MOV R2, R5",
            "1: ISETP.EQ.AND P0, PT, R5, RZ, PT",
        ],
        &["2: @P0 IADD3 R2, R5, 0x1, RZ", "3: @!P0 BRA `(.L1)"],
        &["4: STS [R5], R2", "5: EXIT"],
    ];
    right(&kernel(ir, finished));
}

/// A kernel with a loop, pairs, predicates, a guarded write, and more values than few registers hold.
const PTX: &str = "\
.version 8.3
.target sm_90
.address_size 64
.visible .entry many(.param .u64 out)
{
    .reg .pred %p<4>;
    .reg .b32 %r<40>;
    .reg .b64 %rd<8>;
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd2, %r1, 4;
    add.s64 %rd3, %rd1, %rd2;
    ld.global.v4.u32 {%r2, %r3, %r4, %r5}, [%rd1];
    ld.global.v4.u32 {%r6, %r7, %r8, %r9}, [%rd1+16];
    ld.global.v4.u32 {%r10, %r11, %r12, %r13}, [%rd1+32];
    ld.global.v4.u32 {%r14, %r15, %r16, %r17}, [%rd1+48];
    ld.global.v4.u32 {%r18, %r19, %r20, %r21}, [%rd1+64];
    mov.u32 %r30, 0;
loop:
    setp.lt.u32 %p1, %r30, %r2;
    setp.gt.s32 %p2, %r3, %r30;
    @%p1 add.u32 %r4, %r4, %r6;
    @!%p2 xor.b32 %r5, %r5, %r7;
    mad.lo.u32 %r8, %r9, %r10, %r11;
    add.u32 %r12, %r13, %r14;
    add.u32 %r15, %r16, %r17;
    sub.u32 %r18, %r19, %r20;
    add.u32 %r30, %r30, 1;
    setp.lt.u32 %p3, %r30, %r21;
    @%p3 bra loop;
    add.u32 %r31, %r4, %r5;
    add.u32 %r31, %r31, %r8;
    add.u32 %r31, %r31, %r12;
    add.u32 %r31, %r31, %r15;
    add.u32 %r31, %r31, %r18;
    selp.u32 %r32, %r31, %r3, %p1;
    selp.u32 %r33, %r32, %r2, %p2;
    st.global.u32 [%rd3], %r33;
    ret;
}
";

fn assembled(options: &Options) -> Vec<Assembled> {
    assembled_from(PTX, options)
}

fn assembled_from(text: &str, options: &Options) -> Vec<Assembled> {
    let source = SourceFile::new("many.ptx", text).expect("a short text");
    let module = warpc_ptx::check(&source).value.expect("a module");
    let mut kept = Vec::new();
    let made = assemble_and_keep(&module, options, &mut kept);
    assert!(made.value.is_some(), "{:?}", made.diagnostics);
    kept
}

#[test]
fn damages_of_assembled_kernels_are_found() {
    let mut few = Options::default();
    few.spill = true;
    let mut plain = Options::default();
    plain.level = warpc_ptx_to_sass::Level::O0;
    let (mut damages, mut noticed) = (0, 0);
    for options in [Options::default(), few, plain] {
        for mut kernel in assembled(&options) {
            let found = kernel.check();
            assert_eq!(found.first().map(Judged::to_string), None);
            for at in 0..kernel.insts.len() {
                let own = kernel.insts[at].clone();
                for slot in 0..own.operands.len() {
                    let Value::Register(number @ 0..=253) = own.operands[slot].value else {
                        continue;
                    };
                    // What nobody reads may be anywhere.
                    if own.shape.slots()[slot].is_written() {
                        continue;
                    }
                    kernel.insts[at].operands[slot].value = Value::Register(number + 1);
                    damages += 1;
                    noticed += usize::from(!kernel.check_registers().is_empty());
                    kernel.insts[at] = own.clone();
                }
            }
        }
    }
    // The rest are moves of values that are not used again.
    assert!(damages > 100, "{damages}");
    assert!(noticed * 100 >= damages * 90, "{noticed} of {damages}");
}

/// What is wrong if the instructions of a block are put in another order.
fn moved(lines: &[&str], to: &[usize]) -> Vec<(usize, order::What)> {
    let mut before = function(&[lines], 0, true);
    before.blocks[0]
        .insts
        .iter_mut()
        .for_each(|inst| inst.origin = None);
    let mut after = before.clone();
    after.blocks[0].insts = to
        .iter()
        .map(|at| before.blocks[0].insts[*at].clone())
        .collect();
    let found = order::check(&before, &after);
    found.into_iter().map(|one| (one.at, one.what)).collect()
}

#[test]
fn moved_instructions_see_what_they_saw() {
    use order::What::{Order, Others, Value};
    let lines = [
        "IADD3 R0, R4, 0x1, RZ",
        "IADD3 R8, R0, 0x2, RZ",
        "@P0 IADD3 R0, R4, 0x3, RZ",
        "IADD3 R12, R16, 0x4, RZ",
        "IADD3 R16, R20, 0x5, RZ",
        "EXIT",
    ];
    assert_eq!(moved(&lines, &[0, 3, 1, 4, 2, 5]), []);
    // A read before its write, after the next one, and a register that a later write has.
    assert_eq!(moved(&lines, &[1, 0, 2, 3, 4, 5]), [(1, Value)]);
    assert_eq!(moved(&lines, &[0, 2, 1, 3, 4, 5]), [(1, Value)]);
    assert_eq!(moved(&lines, &[0, 1, 2, 4, 3, 5]), [(3, Value)]);
    assert!(moved(&lines, &[2, 0, 1, 3, 4, 5]).contains(&(2, Value)));
    assert_eq!(moved(&lines, &[0, 1, 2, 3, 5]), [(4, Others)]);
    // An acquire, what comes after it, and a release.
    let lines = [
        "LDG.E R40, desc[UR4][R4.64]",
        "LDG.E.STRONG.GPU R0, desc[UR4][R4.64]",
        "CCTL.IVALL",
        "LDG.E R8, desc[UR4][R4.64+0x10]",
        "STG.E desc[UR4][R4.64+0x14], R16",
        "LDG.E R20, desc[UR4][R4.64+0x18]",
        "LDG.E.CONSTANT R24, desc[UR4][R28.64]",
        "LDG.E R32, desc[UR4][R28.64]",
        "MEMBAR.ALL.GPU",
    ];
    assert_eq!(moved(&lines, &[0, 1, 2, 5, 6, 3, 4, 7, 8]), []);
    let with = |with: usize| Order { with };
    assert_eq!(moved(&lines, &[0, 1, 3, 2, 4, 5, 6, 7, 8]), [(3, with(2))]);
    assert_eq!(moved(&lines, &[1, 0, 2, 3, 4, 5, 6, 7, 8]), [(1, with(0))]);
    assert_eq!(moved(&lines, &[0, 1, 2, 3, 5, 6, 7, 8, 4]).len(), 2);
    // It may be the place that is stored to.
    assert_eq!(moved(&lines, &[0, 1, 2, 3, 7, 4, 5, 6, 8]), [(7, with(4))]);
    // What was stored may change before another place of the frame is stored to; its address may not.
    let lines = [
        "!STL.U16 [R1+0xe], R4",
        "!IADD3 R4, R8, 0x1, RZ",
        "!STL.U8 [R1+0x24], R8",
        "!STL.U8 [R1+0xf], R8",
    ];
    assert_eq!(moved(&lines, &[2, 0, 1, 3]), []);
    assert_eq!(moved(&lines, &[3, 0, 1, 2]), [(3, with(0))]);
}

/// A kernel whose lanes part; each side has the address of a barrier in a uniform register while some of its lanes wait
/// for the others.
const SIDES: &str = "\
.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 p)
{
    .reg .b64 %rd<3>;
    .reg .b32 %r<8>;
    .reg .pred %p<2>;
    .shared .align 8 .b64 bars[128];
    ld.param.u64 %rd1, [p];
    mov.u32 %r0, %tid.x;
    mov.u32 %r1, bars;
    shl.b32 %r2, %r0, 3;
    add.u32 %r2, %r1, %r2;
    add.u32 %r3, %r2, 512;
    and.b32 %r4, %r0, 16;
    setp.eq.u32 %p1, %r4, 0;
    @%p1 bra OTHER;
    cp.async.ca.shared.global [%r3], [%rd1], 4;
    cp.async.mbarrier.arrive.noinc.shared.b64 [%r2];
    bra JOIN;
OTHER:
    cp.async.ca.shared.global [%r3], [%rd1+4], 4;
    cp.async.mbarrier.arrive.noinc.shared.b64 [%r2+256];
JOIN:
    st.global.u32 [%rd1+8], %r0;
    ret;
}
";

#[test]
fn sides_of_a_branch_have_uniform_registers_of_their_own() {
    let mut plain = Options::default();
    plain.level = warpc_ptx_to_sass::Level::O0;
    for options in [Options::default(), plain] {
        for kernel in assembled_from(SIDES, &options) {
            let found = kernel.check();
            assert_eq!(found.first().map(Judged::to_string), None);
        }
    }
}

/// Uniform registers are not spilled: a kernel that has values in too many of them over waits is made without.
#[test]
fn kernels_do_without_uniform_registers_where_those_are_too_few() {
    let file = project::tests().join("corpus/ptx/clang-sm_80-math_double.ptx.gz");
    let text = gzip::read_text(file).replace(".target sm_80", ".target sm_90");
    let kernels = assembled_from(&text, &Options::default());
    assert_eq!(kernels.len(), text.matches(".entry").count());
}

/// Where registers do not last, zeros of pairs of lanes are written one by one again; this kernel of Triton was refused without that.
#[test]
fn zeros_of_pairs_are_parted_where_registers_do_not_last() {
    let name = "corpus/ptx/triton-sm_90-kernels-attention_bf16_causal.ptx.gz";
    let text = gzip::read_text(project::tests().join(name));
    for kernel in assembled_from(&text, &Options::default()) {
        let opcodes = kernel.insts.iter().map(|inst| inst.shape.opcode());
        assert_eq!(opcodes.filter(|opcode| *opcode == "STL").count(), 0);
    }
}
