//! A kernel or function of PTX to machine code: the passes in order.
//!
//! ```text
//!   build ─► optimise ─► converge ─► order ─► coalesce ─► registers ─► frame ─► emit ─► schedule
//!                                      ▲                        │
//!                                      └────────────────────────┘  another way, where registers do not last
//! ```

use super::{Context, bug};
use crate::analysis::divergence::Divergence;
use crate::build::{self, Refusal, Start, register_count};
use crate::check;
use crate::emit::Code;
use crate::ir::{self, Changed, File, Function, Reg, Spills};
use crate::observe::After;
use crate::options::{Level, Options};
use crate::passes::assign_registers::{self, Assignment, Limits};
use crate::passes::{
    self, Pass, assign_reuse, balance_pipes, coalesce, converge, enter_frame, errors_at_exit,
    group_waits, opt_sync, opt_zero_pairs, order_fences, schedule, schedule_latency, spill,
};
use warpc_diag::{Diagnostic, Diagnostics, Span};
use warpc_ptx::module as ptx_module;
use warpc_ptx::symbol::Symbol;
use warpc_sass::latency::Facts;

/// What became of a kernel or function.
pub(super) struct Made {
    /// The code.
    pub(super) code: Code,
    /// The bytes of its frame.
    pub(super) frame: u32,
    /// What values without a register cost.
    pub(super) spills: Spills,
    /// The registers of a thread where it begins, if it changes how many there are.
    pub(super) first_registers: Option<u8>,
    /// The IR before registers were assigned, if it is kept.
    pub(super) wanted: Option<Function>,
    /// What a call of it may change.
    pub(super) changed: Changed,
    /// What there is to say about it.
    pub(super) found: Vec<Diagnostic>,
}

/// Who knows the functions that a kernel or function calls.
pub(super) trait Callees {
    /// The number of a function in the section; one that has none yet gets one.
    fn number(&mut self, name: Symbol) -> usize;

    /// What a call of a function may change; it may be assembled for that.
    fn changed_by(&mut self, name: Symbol, after: After) -> Result<Changed, Diagnostics>;
}

/// With so many registers a multiprocessor has all the warps that it can have.
const LEAST_STEP: i32 = 32;

/// The registers that values got, or those that got none.
type Tried = Result<Assignment, Vec<Reg>>;

/// How a function is arranged before it gets registers.
#[derive(Clone, Copy)]
struct Arrangement {
    /// Whether instructions are put in order; else they stay as they are in the source.
    is_ordered: bool,
    /// Whether elements are lanes of tuples.
    is_coalesced: bool,
}

impl Arrangement {
    /// The one that makes the fastest code.
    const BEST: Arrangement = Arrangement {
        is_ordered: true,
        is_coalesced: true,
    };
    /// Those that may need fewer registers: a tuple that is one value for longer may be one too many.
    const OTHERS: [Arrangement; 3] = [
        Arrangement {
            is_ordered: true,
            is_coalesced: false,
        },
        Arrangement {
            is_ordered: false,
            is_coalesced: true,
        },
        Arrangement {
            is_ordered: false,
            is_coalesced: false,
        },
    ];
}

/// How many registers of the register file are missing. Predicates without a place go to registers, which costs little.
fn short_of(ir: &Function, tried: &Tried) -> u32 {
    let without = tried.as_ref().err().into_iter().flatten();
    let data = without.map(|reg| ir.data(*reg));
    let lanes = data.filter(|data| data.file != File::Predicate);
    lanes.map(|data| u32::from(data.lanes)).sum()
}

/// What values without a register cost, and elements that are copied into tuples and out of them: accesses and copies.
fn cost(ir: &Function, tried: &Tried) -> usize {
    /// A store and about two loads, which take more than a copy.
    const WITHOUT: usize = 4;
    let insts = ir.blocks.iter().flat_map(|block| &block.insts);
    let copies = insts.filter(|inst| inst.shape.opcode() == "MOV" && inst.reads().next().is_some());
    WITHOUT * short_of(ir, tried) as usize + copies.count()
}

/// One function on its way.
#[derive(Clone)]
struct Way<'a> {
    options: &'a Options,
    /// How many registers it may have.
    limits: Limits,
    /// Its name in the text.
    span: Span,
}

/// The code of a kernel or function.
pub(super) fn assemble(
    context: &Context,
    function: &ptx_module::Function,
    callees: &mut dyn Callees,
    after: After,
) -> Result<Made, Diagnostics> {
    let mut short = false;
    let first = register_count::first(context.module, function, context.options);
    if first.is_some() {
        // Else a part of it has fewer registers than its instructions need: it keeps all of them instead.
        if let Ok(made) = assemble_with(context, function, first, callees, after, &mut short) {
            return Ok(made);
        }
    }
    short = false;
    let made = assemble_with(context, function, None, callees, after, &mut short);
    match (made, context.version.without("opt_uniform")) {
        // Uniform registers are not spilled: where there are too few of them, others take their place.
        (Err(_), Some(version)) if short && version != context.version => {
            let own = Context {
                version,
                ..*context
            };
            assemble_with(&own, function, None, callees, after, &mut short)
        }
        (made, _) => made,
    }
}

/// The same, with a number of registers that it begins with, if that is to change. `short` is set if there are too few
/// registers of a kind that is not spilled.
fn assemble_with(
    context: &Context,
    function: &ptx_module::Function,
    first_registers: Option<u8>,
    callees: &mut dyn Callees,
    after: After,
    short: &mut bool,
) -> Result<Made, Diagnostics> {
    let (module, options) = (context.module, context.options);
    let span = function.name_at.0;
    let Some(body) = &function.body else {
        return Err(refused(build::refuse(span, "kernels without code")));
    };
    let (data, of_kernel) = (context.data, (context.shared, context.handles));
    let (mut ir, found) = build::build(
        module,
        (
            function,
            Start {
                first_registers,
                barriers_are_left: context.barriers_are_left,
            },
        ),
        body,
        data,
        of_kernel,
        context.functions,
        (options, context.learned),
    )?;
    let mut limit = match context.version.registers {
        Some(most) => context
            .registers
            .min(most.saturating_sub(super::MORE as u8)),
        None => context.registers,
    };
    if ir.calls() || !ir.is_kernel {
        limit = limit.max(crate::abi::LEAST_REGISTERS);
    }
    let way = Way {
        options,
        limits: Limits {
            registers: limit,
            version: context.version,
        },
        span,
    };
    way.verify("build", &ir)?;
    after("build", &ir);
    order_fences::order_fences(&mut ir).ok_or_else(|| bug(span, "no fence"))?;
    after("order_fences", &ir);
    coalesce::coalesce_accumulators(&mut ir);
    way.passed("coalesce", &ir, after)?;
    way.optimise(&mut ir, after)?;
    for callee in ir.callees.clone() {
        ir.changed.push(callees.changed_by(callee, &mut *after)?);
    }
    let arranged = way.arrange(&mut ir, after)?;
    if way.is_optimised() && !options.serial {
        let assignment = arranged.as_ref().and_then(|tried| tried.as_ref().ok());
        balance_pipes::balance_pipes(&mut ir, assignment);
        way.passed("balance_pipes", &ir, after)?;
    }
    if way.is_optimised() {
        way.run(passes::PLACE, &mut ir, after)?;
    }
    ir.number();
    let wanted = context.is_kept.then(|| ir.clone());
    // What is encoded must be right whatever the passes did; between them it is looked at in tests and if asked for.
    if let Some(fault) = ir::verify(&ir).first() {
        return Err(bug(span, fault));
    }
    let most = limit.max(context.most_registers);
    let assignment = spill::assign(&mut ir, limit, most, arranged).ok_or_else(|| {
        *short = true;
        refused(build::refuse(
            span,
            "kernels that need so many registers of this kind",
        ))
    })?;
    after("assign_registers", &ir);
    enter_frame::enter_frame(&mut ir, &assignment).ok_or_else(|| bug(span, "no frame"))?;
    after("enter_frame", &ir);
    if options.errors_at_exit && ir.is_kernel {
        errors_at_exit::errors_at_exit(&mut ir);
    }
    after("errors_at_exit", &ir);
    let numbers = ir.callees.iter().map(|callee| callees.number(*callee));
    let numbers = numbers.collect();
    let code = Code::of(&ir, &assignment, numbers);
    let mut code = code.ok_or_else(|| bug(span, "no register"))?;
    match options.serial || options.level == Level::O0 {
        true => schedule::serial(&mut code),
        false => {
            let facts = Facts::of(module.sm).ok_or_else(|| bug(span, "no latencies"))?;
            schedule::schedule(&mut code, facts).ok_or_else(|| bug(span, "no pipe"))?;
        }
    }
    after("schedule", &code);
    if !options.serial && way.is_optimised() {
        assign_reuse::assign_reuse(&mut code);
    }
    after("assign_reuse", &code);
    let mut changed = match ir.calls_system || ir.calls_taken {
        true => Changed::by_convention(),
        false => Changed::by(&code.insts),
    };
    ir.changed.iter().for_each(|callee| changed.join(callee));
    Ok(Made {
        code,
        changed,
        found,
        frame: ir.frame,
        spills: ir.spills,
        first_registers: ir.first_registers,
        wanted,
    })
}

impl Way<'_> {
    fn is_optimised(&self) -> bool {
        self.options.level > Level::O0
    }

    /// Makes the code smaller, and brings lanes together where they part.
    fn optimise(&self, ir: &mut Function, after: After) -> Result<(), Diagnostics> {
        if self.is_optimised() {
            self.run(passes::OPTIMISE, ir, after)?;
        }
        let looks = self.is_optimised() && self.options.knobs.sync_optimisation;
        let divergence = looks.then(|| Divergence::of(ir));
        converge::converge(ir, divergence.as_ref());
        if self.is_optimised() {
            opt_sync::mark(ir);
        }
        self.passed("converge", ir, after)
    }

    /// Puts instructions in order and elements into tuples, and tries to give registers. Where there are too few for that,
    /// the order of the source, or elements by themselves, may need fewer: the way counts that costs least.
    fn arrange(&self, ir: &mut Function, after: After) -> Result<Option<Tried>, Diagnostics> {
        if !self.is_optimised() {
            ir.drop_moves_to_themselves();
            self.wait_for_groups(ir, after)?;
            return Ok(None);
        }
        let source = ir.clone();
        let mut tried = self.arrange_as(ir, &source, Arrangement::BEST, after)?;
        self.leave_room(ir, &source, &mut tried, after)?;
        for other in Arrangement::OTHERS {
            if short_of(ir, &tried) == 0 {
                break;
            }
            let mut copy = source.clone();
            let new = self.arrange_as(&mut copy, &source, other, &mut |_, _| {})?;
            if cost(&copy, &new) < cost(ir, &tried) {
                (*ir, tried) = (copy, new);
                after("group_waits", ir);
            }
        }
        Ok(Some(tried))
    }

    /// Where pairs leave gaps, a kernel may need more registers than it has values, and has fewer warps than its order was
    /// chosen for. One that leaves room for as many may be faster then.
    fn leave_room(
        &self,
        ir: &mut Function,
        source: &Function,
        tried: &mut Tried,
        after: After,
    ) -> Result<(), Diagnostics> {
        let (true, Ok(assignment)) = (ir.is_kernel && !self.options.serial, &*tried) else {
            return Ok(());
        };
        let counted =
            |assignment: &Assignment| i32::from(assignment.registers()) + super::MORE as i32;
        let used = counted(assignment);
        if schedule_latency::in_steps(used) <= LEAST_STEP {
            return Ok(());
        }
        let needed = schedule_latency::needed(ir);
        let Ok(gaps) = u8::try_from(used - needed) else {
            return Ok(());
        };
        if schedule_latency::in_steps(used) <= schedule_latency::in_steps(needed) {
            return Ok(());
        }
        let now = schedule_latency::time(ir, used);
        let mut limits = self.limits.clone();
        limits.version.gaps = gaps;
        let room = Way { limits, ..*self };
        let mut copy = source.clone();
        room.order(&mut copy, source, &mut |_, _| {})?;
        let new = self.arrange_ordered(&mut copy, Arrangement::BEST, &mut |_, _| {})?;
        if let Ok(assignment) = &new
            && schedule_latency::time(&copy, counted(assignment)) < now
        {
            (*ir, *tried) = (copy, new);
            after("group_waits", ir);
        }
        Ok(())
    }

    fn arrange_as(
        &self,
        ir: &mut Function,
        source: &Function,
        how: Arrangement,
        after: After,
    ) -> Result<Tried, Diagnostics> {
        if how.is_ordered {
            self.order(ir, source, after)?;
        }
        self.arrange_ordered(ir, how, after)
    }

    /// The same once the order is fixed.
    fn arrange_ordered(
        &self,
        ir: &mut Function,
        how: Arrangement,
        after: After,
    ) -> Result<Tried, Diagnostics> {
        // Once the order is fixed: what was before a `WARPSYNC` stays before it, also where the warp needs none.
        self.run(passes::SYNC, ir, after)?;
        ir.drop_moves_to_themselves();
        if how.is_coalesced {
            coalesce::coalesce_all(ir);
            self.passed("coalesce", ir, after)?;
        }
        self.run(passes::TUPLES, ir, after)?;
        self.wait_for_groups(ir, after)?;
        let tried = assign_registers::assign(ir, &self.limits, &spill::kept(ir));
        // What has no register is spilled: zeros of pairs would be made again in two registers for each of their lanes.
        if tried.is_err() && opt_zero_pairs::part(ir) {
            self.passed("opt_zero_pairs", ir, after)?;
            return Ok(assign_registers::assign(ir, &self.limits, &spill::kept(ir)));
        }
        Ok(tried)
    }

    /// Chooses the order of instructions in blocks.
    fn order(&self, ir: &mut Function, source: &Function, after: After) -> Result<(), Diagnostics> {
        if self.options.serial {
            return Ok(());
        }
        self.run(passes::ORDER, ir, after)?;
        let findings = match self.options.verify {
            true => check::order::check(source, ir),
            false => Vec::new(),
        };
        match findings.first() {
            Some(finding) => {
                let what = format_args!("after the order was chosen: {finding}");
                Err(bug(self.span, what))
            }
            None => Ok(()),
        }
    }

    fn wait_for_groups(&self, ir: &mut Function, after: After) -> Result<(), Diagnostics> {
        group_waits::wait_for_groups(ir).ok_or_else(|| bug(self.span, "no wait"))?;
        after("group_waits", ir);
        Ok(())
    }

    /// Runs passes one after the other: those that were not left out.
    fn run(&self, passes: &[Pass], ir: &mut Function, after: After) -> Result<(), Diagnostics> {
        let chosen = &self.options.passes;
        let version = &self.limits.version;
        let is_run = |pass: &&Pass| chosen.runs(pass.name) && version.runs(pass.name);
        for pass in passes.iter().filter(is_run) {
            (pass.run)(ir, &self.limits);
            self.passed(pass.name, ir, after)?;
        }
        Ok(())
    }

    fn passed(&self, pass: &'static str, ir: &Function, after: After) -> Result<(), Diagnostics> {
        self.verify(pass, ir)?;
        after(pass, ir);
        Ok(())
    }

    /// Verifies what a pass made, in tests and under `--verify`: it would take a twentieth of the time.
    fn verify(&self, pass: &str, ir: &Function) -> Result<(), Diagnostics> {
        if !cfg!(debug_assertions) && !self.options.verify {
            return Ok(());
        }
        match ir::verify(ir).first() {
            Some(fault) => Err(bug(self.span, format_args!("after {pass}: {fault}"))),
            None => Ok(()),
        }
    }
}

fn refused(Refusal(diagnostic): Refusal) -> Diagnostics {
    let mut diagnostics = Diagnostics::new();
    diagnostics.push(*diagnostic);
    diagnostics
}
