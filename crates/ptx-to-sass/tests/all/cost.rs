//! The cost model ranks versions of a kernel where the answer is plain, and finds loops and what bounds them.

use warpc_diag::SourceFile;
use warpc_ptx_to_sass::check::flow::Flow;
use warpc_ptx_to_sass::check::{Assembled, Code};
use warpc_ptx_to_sass::cost::{Cost, Limit, Resource, TRIPS, Wait, live};
use warpc_ptx_to_sass::{Options, assemble_and_keep};

/// A kernel as it is assembled.
fn assembled(body: &str, change: impl FnOnce(&mut Options)) -> Assembled {
    let text = format!(
        ".version 8.4\n.target sm_90a\n.address_size 64\n\
         .visible .entry k(.param .u64 in, .param .u64 out, .param .u32 count) {{\n\
         .reg .b64 %rd<20>; .reg .b32 %r<40>; .reg .f32 %f<80>; .reg .pred %p<4>;\n\
         ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out]; ld.param.u32 %r1, [count];\n{body}\n ret;\n}}\n"
    );
    let file = SourceFile::new("k.ptx", text).expect("a short text");
    let checked = warpc_ptx::check(&file);
    let first = checked.diagnostics.as_slice().first();
    assert!(!checked.diagnostics.has_errors(), "{first:?}");
    let mut options = Options::default();
    // Loops stay as they are written.
    let known = options.passes.leave_out("opt_unroll");
    assert!(known.is_ok(), "{known:?}");
    change(&mut options);
    let mut kept = Vec::new();
    let made = assemble_and_keep(&checked.value.expect("a module"), &options, &mut kept);
    assert!(made.value.is_some());
    kept.remove(0)
}

/// A judge's view of it.
fn code(kernel: &Assembled) -> Code<'_> {
    Code {
        chip: kernel.chip,
        insts: &kernel.insts,
        entries: &[0],
        indirect: &kernel.indirect,
        spills: &[],
    }
}

fn cost(kernel: &Assembled) -> Cost {
    let code = code(kernel);
    Cost::of(&code, &Flow::of(&code)).expect("a chip that is known")
}

fn cycles(cost: &Cost) -> f64 {
    cost.cycles(|_| TRIPS)
}

/// A loop that loads `step` numbers and adds their products, in one or several sums.
fn sum(step: usize) -> String {
    let mut text = String::from("mov.b32 %r2, 0; mov.f32 %f1, 0f00000000;\nLOOP:\n");
    for k in 0..step {
        text += &format!("ld.global.f32 %f{}, [%rd1+{}];\n", 10 + k, 4 * k);
    }
    for k in 0..step {
        text += &format!("fma.rn.f32 %f1, %f{0}, %f{0}, %f1;\n", 10 + k);
    }
    text += &format!(
        "add.s64 %rd1, %rd1, {};\nadd.s32 %r2, %r2, {step};\nsetp.lt.u32 %p1, %r2, %r1;\n@%p1 bra LOOP;\n\
         st.global.f32 [%rd2], %f1;\n",
        4 * step
    );
    text
}

/// Many values that are all live across a loop.
fn wide() -> String {
    let mut text = String::new();
    for k in 0..40 {
        text += &format!("ld.global.f32 %f{k}, [%rd1+{}];\n", 4 * k);
    }
    text += "mov.b32 %r2, 0;\nLOOP:\n";
    for k in 0..40 {
        text += &format!(
            "fma.rn.f32 %f{k}, %f{k}, %f{}, %f{};\n",
            (k + 1) % 40,
            (k + 7) % 40
        );
    }
    text += "add.s32 %r2, %r2, 1;\nsetp.lt.u32 %p1, %r2, %r1;\n@%p1 bra LOOP;\n";
    for k in 0..40 {
        text += &format!("st.global.f32 [%rd2+{}], %f{k};\n", 4 * k);
    }
    text
}

#[test]
fn what_is_scheduled_is_better_than_one_instruction_at_a_time() {
    let fast = cost(&assembled(&wide(), |_| {}));
    let slow = cost(&assembled(&wide(), |options| options.serial = true));
    assert!(
        cycles(&fast) < 0.8 * cycles(&slow),
        "{} {}",
        cycles(&fast),
        cycles(&slow)
    );
}

#[test]
fn spilled_values_cost() {
    let free = cost(&assembled(&wide(), |_| {}));
    let few = cost(&assembled(&wide(), |options| options.spill = true));
    assert!(few.registers < free.registers);
    assert!(
        cycles(&free) < 0.8 * cycles(&few),
        "{} {}",
        cycles(&free),
        cycles(&few)
    );
}

#[test]
fn what_is_unrolled_does_the_same_work_sooner() {
    let of = |step| {
        let cost = cost(&assembled(&sum(step), |_| {}));
        assert_eq!(cost.loops.len(), 1);
        cost.loops[0].clone()
    };
    let (one, four) = (of(1), of(4));
    assert_eq!(one.demand.work * 4.0, four.demand.work);
    assert!(four.cycles > one.cycles);
    assert!(
        four.work() < 0.8 * one.work(),
        "{} {}",
        four.work(),
        one.work()
    );
}

#[test]
fn loads_that_are_waited_for_are_found() {
    let kernel = assembled(&sum(1), |_| {});
    let cost = cost(&kernel);
    let alone = cost.loops[0].alone;
    assert!(alone > 150.0, "{alone}");
    let waits = kernel.insts.iter().zip(&cost.insts);
    let longest = waits
        .max_by_key(|(_, cost)| cost.waited)
        .expect("instructions");
    let Wait::Scoreboard { from, .. } = longest.1.on else {
        panic!("{} waits for {:?}", longest.0, longest.1);
    };
    assert_eq!(kernel.insts[from].shape.opcode(), "LDG");
}

#[test]
fn a_full_resource_bounds_a_loop() {
    let mut text = String::from("mov.b32 %r2, 0; ld.global.f32 %f0, [%rd1];\nLOOP:\n");
    for k in 0..8 {
        text += &format!("ex2.approx.ftz.f32 %f{}, %f{k};\n", k + 1);
    }
    text += "mov.f32 %f0, %f8;\nadd.s32 %r2, %r2, 1;\nsetp.lt.u32 %p1, %r2, %r1;\n@%p1 bra LOOP;\nst.global.f32 [%rd2], %f0;\n";
    let cost = cost(&assembled(&text, |_| {}));
    let one = &cost.loops[0];
    assert_eq!(one.limit, Limit::Resource(Resource::Functions));
    assert!((64.0..80.0).contains(&one.cycles), "{}", one.cycles);
}

#[test]
fn loops_within_loops() {
    let text = "mov.b32 %r2, 0;\nOUTER:\nmov.b32 %r3, 0;\nINNER:\n\
        ld.global.f32 %f1, [%rd1];\nst.global.f32 [%rd2], %f1;\nadd.s32 %r3, %r3, 1;\nsetp.lt.u32 %p1, %r3, %r1;\n@%p1 bra INNER;\n\
        add.s32 %r2, %r2, 1;\nsetp.lt.u32 %p2, %r2, %r1;\n@%p2 bra OUTER;\n";
    let cost = cost(&assembled(text, |_| {}));
    assert_eq!(cost.loops.len(), 2);
    assert_eq!((cost.loops[0].depth, cost.loops[0].outer), (1, Some(1)));
    assert_eq!((cost.loops[1].depth, cost.loops[1].outer), (0, None));
    assert!(cost.loops[0].alone > cost.loops[1].alone);
    assert_eq!(cost.hottest(), Some(0));
    // Twice as many iterations of the inner one, and little else, take nearly twice as long.
    let with = |inner: f64| cost.cycles(|one| if one.depth == 1 { inner } else { 10.0 });
    let ratio = with(200.0) / with(100.0);
    assert!((1.9..2.0).contains(&ratio), "{ratio}");
}

#[test]
fn counts_of_a_run_compare_what_is_unrolled() {
    // 32 numbers: each instruction of a loop is executed as often as there are iterations.
    let of = |step: usize| {
        let kernel = assembled(&sum(step), |_| {});
        let code = code(&kernel);
        let flow = Flow::of(&code);
        let cost = cost(&kernel);
        let mut executed = vec![1; kernel.insts.len()];
        for block in &cost.loops[0].blocks {
            let block = &flow.blocks[*block];
            executed[block.start..block.end].fill(32 / step as u64);
        }
        cost.counted(&flow, &executed)
    };
    assert!(of(4) < 0.8 * of(1), "{} {}", of(4), of(1));
}

#[test]
fn live_registers_are_counted() {
    let kernel = assembled(&wide(), |_| {});
    let code = code(&kernel);
    let live = live::live(&code, &Flow::of(&code));
    let most = live.iter().max().copied().unwrap_or(0);
    let cost = cost(&kernel);
    assert!(
        (40..=cost.registers as u16).contains(&most),
        "{most} of {}",
        cost.registers
    );
    assert_eq!(live.first().copied(), Some(0));
}
