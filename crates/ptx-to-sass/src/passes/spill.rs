//! Values that find no register: those of the register file go to local memory, predicates to registers; what gives the
//! same wherever it is computed (`analysis/constants.rs`) is computed again before who reads it, and nowhere else.
//!
//! Everywhere: each instruction that reads one loads it first, each that writes one stores it after. A write of some
//! lanes, or under a guard, loads it first, too, so that the rest is stored back as it was. The guard of a `BREAK` is loaded once
//! for that and the branch after it: that both have the same tells who has left the barrier.

use crate::analysis::constants::constants;
use crate::build::group::is_product;
use crate::build::special::offset;
use crate::ir::{Block, File, Function, Inst, Op, Reg, lane_mask};
use crate::passes::assign_registers::{self, Assignment, Limits};
use crate::pattern;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use warpc_sass::Value;

/// How often values are spilled before that is given up.
const ROUNDS: usize = 40;

/// Gives registers to all values, with as few as `limit`, or some more where an instruction needs them all at once. What
/// was tried with that limit before need not be tried again.
pub fn assign(
    ir: &mut Function,
    limit: u8,
    most: u8,
    tried: Option<Result<Assignment, Vec<Reg>>>,
) -> Option<Assignment> {
    let (mut limit, mut tried) = (limit, tried);
    while limit < most {
        let mut copy = ir.clone();
        if let Some(assignment) = assign_or_spill(&mut copy, limit, tried.take()) {
            *ir = copy;
            return Some(assignment);
        }
        limit = limit.saturating_add(8).min(most);
    }
    assign_or_spill(ir, limit, tried)
}

/// The registers that cannot be spilled: what a product of a warpgroup uses is under way, and not to be stored after it.
pub fn kept(ir: &Function) -> Vec<bool> {
    let mut kept = vec![false; ir.regs.len()];
    for inst in ir.blocks.iter().flat_map(|block| &block.insts) {
        if is_product(inst) {
            for (reg, ..) in inst.reads().chain(inst.writes()) {
                kept[reg.0 as usize] = true;
            }
        }
    }
    kept
}

/// Gives registers to all values, and spills until there are enough.
fn assign_or_spill(
    ir: &mut Function,
    registers: u8,
    tried: Option<Result<Assignment, Vec<Reg>>>,
) -> Option<Assignment> {
    let limits = Limits::new(registers);
    let mut kept = kept(ir);
    let mut tried = tried.unwrap_or_else(|| assign_registers::assign(ir, &limits, &kept));
    for _ in 0..ROUNDS {
        match tried {
            Ok(assignment) => return Some(assignment),
            Err(without) => spill(ir, &without, &mut kept)?,
        }
        tried = assign_registers::assign(ir, &limits, &kept);
    }
    tried.ok()
}

/// Where a value is kept.
enum Home {
    /// In local memory, at an offset from the stack.
    Frame(u32),
    /// In a register.
    Register(Reg),
    /// Nowhere: these instructions make it again.
    Again(Vec<Inst>),
}

/// The instructions that make each of these registers, if they can do so anywhere.
fn makers(function: &Function, regs: &[Reg]) -> FxHashMap<Reg, Vec<Inst>> {
    let constant = constants(function);
    let wanted = regs.iter().filter(|reg| constant[reg.0 as usize]);
    let mut makers: FxHashMap<_, _> = wanted.map(|reg| (*reg, Vec::new())).collect();
    if !makers.is_empty() {
        for inst in function.blocks.iter().flat_map(|block| &block.insts) {
            for (reg, ..) in inst.writes() {
                if let Some(own) = makers.get_mut(&reg) {
                    own.push(inst.clone());
                }
            }
        }
    }
    makers
}

/// Spills registers; nothing if one of them cannot be: then there is nothing left to try.
pub fn spill(function: &mut Function, regs: &[Reg], kept: &mut Vec<bool>) -> Option<()> {
    let mut homes: FxHashMap<Reg, Home> = FxHashMap::default();
    kept.resize(function.regs.len(), false);
    let mut makers = makers(function, regs);
    for reg in regs {
        if kept[reg.0 as usize] {
            return None;
        }
        let data = function.data(*reg);
        let home = match data.file {
            File::Register | File::Uniform if makers.contains_key(reg) => {
                Home::Again(makers.remove(reg).unwrap_or_default())
            }
            File::Register => {
                let bytes = 4 * u32::from(data.lanes.next_power_of_two());
                function.frame = function.frame.next_multiple_of(bytes.min(16));
                let at = function.frame;
                function.frame += bytes;
                Home::Frame(at)
            }
            File::Predicate => Home::Register(function.reg(File::Register, 1)),
            File::Uniform | File::UniformPredicate | File::Barrier => return None,
        };
        homes.insert(*reg, home);
    }
    let blocks = std::mem::take(&mut function.blocks);
    for block in blocks {
        let mut insts = Vec::with_capacity(block.insts.len());
        let mut left = None;
        for inst in block.insts {
            rewrite(function, &homes, inst, &mut left, &mut insts)?;
        }
        function.blocks.push(Block { insts, ..block });
    }
    kept.resize(function.regs.len(), true);
    // The registers that values of predicates went to may be spilled themselves.
    for home in homes.values() {
        if let Home::Register(reg) = home {
            kept[reg.0 as usize] = false;
        }
    }
    Some(())
}

/// Rewrites an instruction for values that are elsewhere. `left` is the guard of the last `BREAK` of the block, and the register that
/// it was loaded into.
fn rewrite(
    function: &mut Function,
    homes: &FxHashMap<Reg, Home>,
    mut inst: Inst,
    left: &mut Option<(Reg, Reg)>,
    insts: &mut Vec<Inst>,
) -> Option<()> {
    let reads: SmallVec<[(Reg, u8, u8); 8]> = inst.reads().collect();
    let writes: SmallVec<[(Reg, u8, u8); 4]> = inst.writes().collect();
    let is_made_again = |reg: Reg| matches!(homes.get(&reg), Some(Home::Again(_)));
    if writes.iter().any(|one| is_made_again(one.0)) {
        return Some(());
    }
    let touched = reads.iter().chain(&writes).map(|one| one.0);
    let mut own: SmallVec<[(Reg, Reg); 4]> = SmallVec::new();
    *left = left.filter(|left| writes.iter().all(|one| one.0 != left.0));
    own.extend(left.filter(|left| reads.iter().any(|one| one.0 == left.0)));
    let loaded = own.len();
    for reg in touched {
        if homes.contains_key(&reg) && !own.iter().any(|one| one.0 == reg) {
            let data = function.data(reg);
            own.push((reg, function.reg(data.file, data.lanes)));
        }
    }
    if own.is_empty() {
        insts.push(inst);
        return Some(());
    }
    for (reg, temporary) in &own[loaded..] {
        let lanes = function.data(*reg).lanes;
        let is_read = reads.iter().any(|one| one.0 == *reg);
        let written = writes.iter().filter(|one| one.0 == *reg);
        let is_partly_written = written.clone().count() > 0
            && (inst.guard.is_some() || written.clone().all(|one| one.2 < lanes));
        if is_read || is_partly_written {
            load(function, (*reg, &homes[reg]), *temporary, &inst, insts)?;
        }
    }
    let find = |reg: Reg| own.iter().find(|one| one.0 == reg).map(|one| one.1);
    for operand in &mut inst.operands {
        if let Op::Reg(reg, _) = &mut operand.op
            && let Some(temporary) = find(*reg)
        {
            *reg = temporary;
        }
    }
    if let Some(guard) = &mut inst.guard
        && let Some(temporary) = find(guard.reg)
    {
        if inst.shape.opcode() == "BREAK" {
            *left = Some((guard.reg, temporary));
        }
        guard.reg = temporary;
    }
    let leaves = inst.is_branch() || inst.ends();
    let after = inst.clone();
    insts.push(inst);
    for (reg, temporary) in &own {
        if writes.iter().any(|one| one.0 == *reg) {
            if leaves {
                return None;
            }
            store(function, &homes[reg], *temporary, &after, insts)?;
        }
    }
    Some(())
}

/// An instruction by the example of a text, with these operands in its holes; the register of the stack is one of them.
fn make(function: &Function, text: &str, ops: &[Op], like: &Inst) -> Option<Inst> {
    let pattern = pattern::find(function.sm, text).filter(|one| one.holes.len() == ops.len())?;
    Some(pattern.filled(ops, None, like.span))
}

/// The parts of a value that one instruction can load or store: first lane, lanes, modifier.
fn parts(lanes: u8) -> impl Iterator<Item = (u8, &'static str)> {
    let mut lane = 0;
    std::iter::from_fn(move || {
        let (count, size) = match lanes - lane {
            0 => return None,
            1 => (1, ""),
            2 | 3 => (2, ".64"),
            _ => (4, ".128"),
        };
        let part = (lane, size);
        lane += count;
        Some(part)
    })
}

fn load(
    function: &mut Function,
    (reg, home): (Reg, &Home),
    to: Reg,
    like: &Inst,
    insts: &mut Vec<Inst>,
) -> Option<()> {
    match home {
        Home::Frame(at) => {
            let stack = Op::Value(Value::Register(function.frame_base));
            function.spills.loads += 4 * u32::from(function.data(to).lanes);
            for (lane, size) in parts(function.data(to).lanes) {
                let at = i64::from(*at) + 4 * i64::from(lane);
                let text = format!("LDL{size} R0, [R0{}]", offset(at));
                insts.push(make(function, &text, &[Op::Reg(to, lane), stack], like)?);
            }
        }
        Home::Register(from) => {
            let ops = [Op::Reg(to, 0), Op::Reg(*from, 0)];
            let text = "ISETP.NE.AND P0, PT, R0, RZ, PT";
            insts.push(make(function, text, &ops, like)?);
        }
        Home::Again(makers) => {
            let read: u128 = like
                .reads()
                .filter(|one| one.0 == reg)
                .fold(0, |mask, (_, lane, lanes)| mask | lane_mask(lane, lanes));
            for maker in makers {
                let mut made = maker.writes().map(|one| lane_mask(one.1, one.2));
                if made.any(|mask| mask & read != 0) {
                    insts.push(made_again(maker, reg, to, like));
                }
            }
        }
    }
    Some(())
}

/// The instruction that makes a value, with another register for it.
fn made_again(maker: &Inst, reg: Reg, to: Reg, like: &Inst) -> Inst {
    let mut inst = maker.clone();
    for operand in &mut inst.operands {
        if let Op::Reg(own, _) = &mut operand.op
            && *own == reg
        {
            *own = to;
        }
    }
    inst.span = like.span;
    inst.origin = None;
    inst
}

fn store(
    function: &mut Function,
    home: &Home,
    from: Reg,
    like: &Inst,
    insts: &mut Vec<Inst>,
) -> Option<()> {
    match home {
        Home::Frame(at) => {
            let stack = Op::Value(Value::Register(function.frame_base));
            function.spills.stores += 4 * u32::from(function.data(from).lanes);
            for (lane, size) in parts(function.data(from).lanes) {
                let at = i64::from(*at) + 4 * i64::from(lane);
                let text = format!("STL{size} [R0{}], R0", offset(at));
                insts.push(make(function, &text, &[stack, Op::Reg(from, lane)], like)?);
            }
        }
        Home::Register(to) => {
            let ops = [Op::Reg(*to, 0), Op::Reg(from, 0)];
            insts.push(make(function, "SEL R0, RZ, 0x1, !P0", &ops, like)?);
        }
        // Its writes are dropped before anything is stored.
        Home::Again(_) => {}
    }
    Some(())
}
