//! Steps over the operands of a PTX instruction become instructions over virtual registers.
//!
//! - A vector of PTX is a register for each element; in the machine it is one value. Its registers are put together
//!   before, and taken apart after.
//! - Where a result is also an operand and a step writes it before another reads the operand, the result is made in
//!   another register and moved at the end.
//! - A guard goes to every step of a straight line; other sequences are branched around.

use super::operand::Given;
use super::{Builder, Outcome};
use crate::ir::{self, BlockId, File, Guard, Op, Reg};
use crate::learned::Steps;
use crate::location::is_own;
use crate::source::{Source, is_same};
use crate::wired::{Marked, Operand, Part, Step, Wired};
use smallvec::{SmallVec, smallvec};
use warpc_ptx::types::ScalarType;
use warpc_sass::{Marks, Value};

/// What the parts of one instruction stand for.
struct Wiring {
    given: SmallVec<[(&'static str, Given); 4]>,
    temporaries: SmallVec<[Option<Reg>; 8]>,
    labels: Vec<u32>,
    /// Operands in other registers than those of PTX: vectors in one piece, and results that are moved at the end.
    instead: SmallVec<[(&'static str, Reg); 4]>,
    /// Whether addresses have 32 bits.
    own: bool,
    /// Whether addresses are of several spaces, or of shared memory by the instruction's nature.
    mixed: bool,
    /// Addresses whose second register steps read: these have 64 bits, whatever the instruction's space is.
    wide: SmallVec<[&'static str; 1]>,
    /// Addresses that are worked out: registers and what is added.
    addresses: SmallVec<[(&'static str, (Op, i64)); 2]>,
    /// Words of an element in memory, if the instruction accesses it: its register may be wider.
    in_memory: Option<u8>,
    /// Bits of the registers that the elements of a vector are loaded into; 0 for `_`.
    loaded: SmallVec<[u32; 4]>,
}

impl Wiring {
    fn given(&self, name: &str) -> Option<&Given> {
        self.given
            .iter()
            .find(|one| is_same(one.0, name))
            .map(|one| &one.1)
    }

    /// Whether an address has 32 bits: by the instruction's space, or, where it has several, because it is in one
    /// register or of a variable in shared memory.
    fn is_short(&self, name: &str) -> bool {
        use super::operand::Base;
        let short = |base: &Base| {
            matches!(
                base,
                Base::Reg(_, _, 1) | Base::Shared | Base::LinkedShared(_)
            )
        };
        if self.wide.contains(&name) {
            return false;
        }
        self.own
            || self.mixed
                && match self.given(name) {
                    Some(Given::Address(base, _)) => short(base),
                    Some(Given::Reg { lanes, .. }) => *lanes == 1,
                    _ => false,
                }
    }

    /// How many registers of a tuple each element of a vector has. Numbers and `_` have as many as the others.
    fn element_lanes(&self, items: &[Given]) -> u8 {
        let registers = items
            .iter()
            .filter(|item| matches!(item, Given::Reg { .. }));
        let widest = registers.map(Given::lanes).max();
        self.in_memory.or(widest).unwrap_or(1)
    }

    /// How many registers a tuple for all elements of a vector has.
    fn tuple_lanes(&self, items: &[Given]) -> u8 {
        self.element_lanes(items) * items.len() as u8
    }
}

/// What placing steps asks of the instruction and the steps: the same for all instructions with these steps.
pub(crate) struct Asked {
    /// Whether addresses have 32 bits.
    own: bool,
    /// Whether addresses are of several spaces, or of shared memory by the instruction's nature.
    mixed: bool,
    /// Addresses whose second register steps read.
    wide: SmallVec<[&'static str; 1]>,
    /// Words of an element in memory, if the instruction accesses it.
    in_memory: Option<u8>,
    /// Whether it is a load into registers that may be wider than what is loaded.
    loads: bool,
    /// The type of at most 32 bits that is loaded into registers that may be wider.
    extends: Option<ScalarType>,
    /// Whether the steps are a straight line without guards.
    straight: bool,
    /// Whether it is a video instruction.
    is_video: bool,
    /// Whether its one step may become part of another one with one rounding.
    may_contract: bool,
}

impl Asked {
    /// What is asked of an instruction with these steps.
    pub(crate) fn of(source: &Source, wired: &Wired) -> Asked {
        let operands = wired.steps.iter().flat_map(|step| &step.operands);
        let second = operands.filter_map(|one| match one.operand {
            Operand::Ptx(name, Part::Register(1)) => Some(name),
            _ => None,
        });
        let space = source.choice().space();
        let opcode = source.opcode();
        Asked {
            own: space
                .is_some_and(|space| is_own(space) || space == warpc_model::StateSpace::Local),
            mixed: matches!(
                opcode,
                "cp" | "mbarrier" | "ldmatrix" | "stmatrix" | "tensormap"
            ) || source.has_word("async")
                || space == Some(warpc_model::StateSpace::SharedCluster),
            wide: second.collect(),
            in_memory: match opcode {
                "ld" | "ldu" | "st" => source
                    .ty_of(&["type"])
                    .map(|ty| ty.bits().div_ceil(32) as u8),
                _ => None,
            },
            loads: matches!(opcode, "ld" | "ldu"),
            extends: match opcode {
                "ld" | "ldu" | "suld" => source.ty_of(&["type"]).filter(|ty| ty.bits() <= 32),
                _ => None,
            },
            straight: wired.labels.is_empty()
                && wired
                    .steps
                    .iter()
                    .all(|step| step.guard.is_none() && !step.shape.has_uniform_guard()),
            is_video: crate::compute::is_video(opcode),
            may_contract: wired.steps.len() == 1 && crate::compute::may_contract(source),
        }
    }
}

impl Builder<'_> {
    /// Places the steps of an instruction.
    pub(super) fn place(
        &mut self,
        source: &Source,
        guard: Option<Guard>,
        steps: &Steps,
    ) -> Outcome<()> {
        let (wired, asked) = (&steps.wired, &steps.asked);
        let mut given = self.given_to(source, asked.is_video)?;
        // Variables whose addresses are values.
        for (name, one) in &mut given {
            if let Given::Address(base, added) = *one
                && !matches!(base, super::operand::Base::Reg(..))
                && !wired.steps.iter().any(|step| step.addresses(name))
            {
                let lanes = if self.wants_pair(wired, name) { 2 } else { 1 };
                *one = self.address_value(base, added, lanes)?;
            }
        }
        let straight = asked.straight;
        let around = match guard {
            Some(guard) if !straight => {
                let label = self.new_label();
                let opposite = Guard {
                    not: !guard.not,
                    ..guard
                };
                self.go(label, Some(opposite))?;
                Some(label)
            }
            _ => None,
        };
        let guard = guard.filter(|_| straight);
        let mut wiring = Wiring {
            wide: asked.wide.clone(),
            given,
            temporaries: smallvec![None; wired.temporaries.len()],
            labels: Vec::new(),
            instead: SmallVec::new(),
            own: asked.own,
            mixed: asked.mixed,
            addresses: SmallVec::new(),
            in_memory: asked.in_memory,
            loaded: match asked.loads {
                true => self.element_bits(source, "d"),
                false => SmallVec::new(),
            },
        };
        for _ in &wired.labels {
            let label = self.new_label();
            wiring.labels.push(label);
        }
        self.prepare(source, wired, guard, &mut wiring)?;
        for at in 0..=wired.steps.len() {
            for (number, place) in wired.labels.iter().enumerate() {
                if *place == at {
                    self.put_label(wiring.labels[number]);
                }
            }
            if let Some(step) = wired.steps.get(at) {
                self.one_step(step, guard, &mut wiring)?;
            }
        }
        if self.options.contract
            && asked.may_contract
            && let Some(last) = self.current.insts.last_mut()
        {
            last.contracts = true;
        }
        self.deliver(source, asked, guard, &wiring)?;
        if let Some(label) = around {
            self.put_label(label);
        }
        Ok(())
    }

    /// Places steps that are a straight line over these operands.
    pub(super) fn straight(
        &mut self,
        wired: &Wired,
        given: SmallVec<[(&'static str, Given); 4]>,
    ) -> Outcome<()> {
        let mut wiring = Wiring {
            wide: SmallVec::new(),
            given,
            temporaries: smallvec![None; wired.temporaries.len()],
            labels: Vec::new(),
            instead: SmallVec::new(),
            own: false,
            mixed: false,
            addresses: SmallVec::new(),
            in_memory: None,
            loaded: SmallVec::new(),
        };
        for step in &wired.steps {
            self.one_step(step, None, &mut wiring)?;
        }
        Ok(())
    }

    /// Whether steps use more than the low register of an operand.
    fn wants_pair(&self, wired: &Wired, name: &str) -> bool {
        let mut operands = wired.steps.iter().flat_map(|step| {
            let slots = step.shape.slots().iter();
            slots.zip(&step.operands)
        });
        operands.any(|(slot, one)| match one.operand {
            Operand::Ptx(other, Part::Register(1)) => other == name,
            Operand::Ptx(other, Part::Whole) => {
                other == name && slot.width.registers(u128::MAX) == 2
            }
            _ => false,
        })
    }

    /// Puts vectors together, and finds results that must not be written early.
    fn prepare(
        &mut self,
        source: &Source,
        wired: &Wired,
        guard: Option<Guard>,
        wiring: &mut Wiring,
    ) -> Outcome<()> {
        let specs = &source.choice().form.form().operands;
        for index in 0..wiring.given.len() {
            let (name, Given::Vector(items)) = &wiring.given[index] else {
                continue;
            };
            let (name, items) = (*name, items.clone());
            if wired.steps.iter().any(|step| step.has_whole(name)) {
                let items = &items[..];
                let lanes = wiring.tuple_lanes(items);
                let whole = self.ir.reg(File::Register, lanes.max(1));
                wiring.instead.push((name, whole));
                if is_source(specs, name) {
                    let each = wiring.element_lanes(items);
                    for (item, first) in items.iter().zip((0..).step_by(each.into())) {
                        for lane in 0..each {
                            let from = self.part(item, lane)?;
                            self.copy(Op::Reg(whole, first + lane), from, None)?;
                        }
                    }
                }
            }
        }
        // One step reads all before it writes.
        if wired.steps.len() < 2 {
            return Ok(());
        }
        for index in 0..wiring.given.len() {
            let (name, one) = wiring.given[index].clone();
            if is_source(specs, name) || !self.is_written_early(wired, guard, wiring, name, &one) {
                continue;
            }
            if let Given::Reg { reg, lanes, .. } = one {
                let file = self.ir.data(reg).file;
                let other = self.ir.reg(file, lanes);
                wiring.instead.push((name, other));
            } else if let Given::Vector(items) = one
                && !wiring.instead.iter().any(|other| other.0 == name)
            {
                // Each element has its own register; a tuple stands for all of them.
                let lanes = wiring.tuple_lanes(&items);
                let whole = self.ir.reg(File::Register, lanes.max(1));
                wiring.instead.push((name, whole));
            }
        }
        Ok(())
    }

    /// Whether a step writes a result before another one reads an operand that is in the same register.
    fn is_written_early(
        &self,
        wired: &Wired,
        guard: Option<Guard>,
        wiring: &Wiring,
        name: &str,
        result: &Given,
    ) -> bool {
        let registers = result.registers();
        let shares = |other: &Given| other.registers().iter().any(|reg| registers.contains(reg));
        let is_operand = |operand: Operand| match operand {
            Operand::Ptx(other, _) | Operand::Base(other) | Operand::Offset(other) => {
                other != name && wiring.given(other).is_some_and(shares)
            }
            _ => false,
        };
        let writes = |step: &Step| {
            let slots = step.shape.slots().iter().zip(&step.operands);
            slots
                .into_iter()
                .any(|(slot, one)| slot.is_written() && is_named(one.operand, name))
        };
        let Some(first) = wired.steps.iter().position(writes) else {
            return false;
        };
        // The guard is needed by all steps, and by the moves of other results after them.
        if guard.is_some_and(|guard| registers.contains(&guard.reg)) {
            return true;
        }
        let later = match wired.labels.is_empty() {
            true => &wired.steps[first + 1..],
            false => &wired.steps[..],
        };
        let reads = |step: &Step| {
            let slots = step.shape.slots().iter().zip(&step.operands);
            slots
                .into_iter()
                .any(|(slot, one)| !slot.is_written() && is_operand(one.operand))
        };
        later.iter().any(reads)
    }

    /// Moves results to where PTX has them.
    fn deliver(
        &mut self,
        source: &Source,
        asked: &Asked,
        guard: Option<Guard>,
        wiring: &Wiring,
    ) -> Outcome<()> {
        let specs = &source.choice().form.form().operands;
        // The guard itself last.
        let mut instead = wiring.instead.clone();
        instead.sort_by_key(|(name, _)| {
            let registers = wiring.given(name).map(Given::registers).unwrap_or_default();
            guard.is_some_and(|guard| registers.contains(&guard.reg))
        });
        for (name, whole) in &instead {
            if is_source(specs, name) {
                continue;
            }
            let Some(given) = wiring.given(name).cloned() else {
                continue;
            };
            if self.ir.data(*whole).file == File::Predicate {
                if let Given::Reg { reg, .. } = given {
                    let ops = [Op::Reg(reg, 0), Op::Reg(*whole, 0)];
                    self.step("PLOP3.LUT P0, PT, P0, PT, PT, 0x80, 0x0", guard, &ops)?;
                }
                continue;
            }
            let (items, each) = match &given {
                Given::Vector(items) => (items.clone(), wiring.element_lanes(items)),
                other => (vec![other.clone()], other.lanes()),
            };
            for (item, at) in items.into_iter().zip((0..).step_by(each.into())) {
                if let Given::Reg {
                    reg, lane: first, ..
                } = item
                {
                    for lane in 0..each {
                        let to = Op::Reg(reg, first + lane);
                        self.copy(to, Op::Reg(*whole, at + lane), guard)?;
                    }
                }
            }
        }
        self.extend_loads(asked, guard, wiring)
    }

    /// A load into a register that is wider than what is loaded fills it with the sign or zeros.
    fn extend_loads(
        &mut self,
        asked: &Asked,
        guard: Option<Guard>,
        wiring: &Wiring,
    ) -> Outcome<()> {
        let Some(ty) = asked.extends else {
            return Ok(());
        };
        let items = match wiring.given("d") {
            Some(Given::Vector(items)) => items.clone(),
            Some(other) => vec![other.clone()],
            None => Vec::new(),
        };
        for (number, item) in items.into_iter().enumerate() {
            let Given::Reg {
                reg, lane, lanes, ..
            } = item
            else {
                continue;
            };
            // Elements of a vector that are narrower than a register were taken out of one without regard to what is above.
            let signed = crate::compute::is_signed(ty);
            let choice = match (ty.bits(), signed) {
                (8, true) => Some("0x8880"),
                (16, true) => Some("0x9910"),
                (16, false) => Some("0x7710"),
                _ => None,
            };
            let is_wider = wiring
                .loaded
                .get(number)
                .is_some_and(|bits| *bits > ty.bits());
            if let (Some(choice), true) = (choice, is_wider) {
                let low = Op::Reg(reg, lane);
                self.step(&format!("PRMT R0, R0, {choice}, RZ"), guard, &[low, low])?;
            }
            if lanes == 2 {
                self.extend(reg, lane, signed, guard)?;
            }
        }
        Ok(())
    }

    /// Fills the upper register of a pair.
    pub(super) fn extend(
        &mut self,
        reg: Reg,
        lane: u8,
        signed: bool,
        guard: Option<Guard>,
    ) -> Outcome<()> {
        let (high, low) = (Op::Reg(reg, lane + 1), Op::Reg(reg, lane));
        match signed {
            true => self.step("SHF.R.S32.HI R0, RZ, 0x1f, R0", guard, &[high, low]),
            false => self.step("MOV R0, RZ", guard, &[high]),
        }
    }

    pub(super) fn copy(&mut self, to: Op, from: Op, guard: Option<Guard>) -> Outcome<()> {
        self.step("MOV R0, R0", guard, &[to, from])
    }

    /// A register of an operand.
    pub(super) fn part(&self, given: &Given, lane: u8) -> Outcome<Op> {
        Ok(match given {
            Given::Reg {
                reg,
                lane: first,
                lanes,
                ..
            } if lane < *lanes => Op::Reg(*reg, first + lane),
            Given::Number(bits) => {
                let word = (bits >> (32 * u32::from(lane.min(1)))) as u32;
                Op::Value(Value::Number(word.into()))
            }
            Given::Sink => Op::Value(Value::ZERO),
            _ => return Err(self.refuse("this operand")),
        })
    }

    fn one_step(&mut self, step: &Step, guard: Option<Guard>, wiring: &mut Wiring) -> Outcome<()> {
        let mut operands: SmallVec<[ir::Operand; 6]> = SmallVec::new();
        for (slot, marked) in step.shape.slots().iter().zip(&step.operands) {
            let mut op = self.op(*marked, slot.is_written(), slot.file, wiring)?;
            if let (Operand::Ptx(name, Part::Whole), Op::Value(Value::Number(_))) =
                (marked.operand, op.op)
                && let Some(Given::Number(bits)) = wiring.given(name)
            {
                op.op = self.constant_in(*bits, slot, &mut op.marks)?;
            }
            operands.push(op);
        }
        let guard = match step.guard {
            Some((condition, not)) => {
                let marked = Marked {
                    operand: condition,
                    marks: Marks::NONE,
                };
                let file = Some(warpc_sass::latency::File::Predicate);
                let operand = self.op(marked, false, file, wiring)?;
                let Op::Reg(reg, _) = operand.op else {
                    return Err(self.refuse("this guard"));
                };
                let not = not != (operand.marks == Marks::NOT);
                Some(Guard { reg, not })
            }
            None => guard,
        };
        let mut inst = ir::Inst {
            shape: step.shape,
            guard,
            operands,
            span: self.span,
            origin: None,
            acquires: step.acquires,
            contracts: false,
            weak: false,
        };
        self.legalize_numbers(&mut inst)?;
        self.current.is_cold |= step.is_cold;
        self.push(inst);
        Ok(())
    }

    /// A number in a slot that wants more than a word of it: two registers, or a predicate.
    fn constant_in(
        &mut self,
        bits: u64,
        slot: &warpc_sass::shape::Slot,
        marks: &mut Marks,
    ) -> Outcome<Op> {
        use warpc_sass::latency::File as SassFile;
        if slot.file == Some(SassFile::Predicate) {
            if bits == 0 {
                *marks = Marks(marks.0 ^ Marks::NOT.0);
            }
            return Ok(Op::Value(Value::TRUE));
        }
        let lanes = slot.width.registers(u128::MAX);
        if lanes < 2 || bits == 0 {
            return Ok(Op::Value(Value::Number((bits as u32).into())));
        }
        let whole = self.ir.reg(File::Register, lanes);
        for lane in 0..lanes {
            let word = if lane < 2 {
                (bits >> (32 * u32::from(lane))) as u32
            } else {
                0
            };
            self.step(&format!("MOV R0, {word:#x}"), None, &[Op::Reg(whole, lane)])?;
        }
        Ok(Op::Reg(whole, 0))
    }

    /// An operand of a step.
    fn op(
        &mut self,
        marked: Marked,
        written: bool,
        file: Option<warpc_sass::latency::File>,
        wiring: &mut Wiring,
    ) -> Outcome<ir::Operand> {
        use warpc_sass::latency::File as SassFile;
        let mut marks = marked.marks;
        let op = match marked.operand {
            Operand::Value(value) => Op::Value(value),
            Operand::Descriptor => {
                self.uses_descriptor = true;
                Op::Value(Value::Uniform(super::DESCRIPTOR))
            }
            Operand::Carry => {
                let ir = &mut self.ir;
                let carry = *self.carry.get_or_insert_with(|| ir.reg(File::Predicate, 1));
                Op::Reg(carry, 0)
            }
            Operand::Size(table) => Op::Size(table),
            Operand::Label(label) => Op::Block(BlockId(wiring.labels[usize::from(label.0)])),
            Operand::Temporary(temporary, part) => {
                let known = wiring.temporaries[usize::from(temporary.number)];
                let reg = known.unwrap_or_else(|| self.ir.reg(temporary.file, temporary.registers));
                wiring.temporaries[usize::from(temporary.number)] = Some(reg);
                Op::Reg(reg, lane_of(part))
            }
            Operand::Base(name) => self.wired_address(name, wiring)?.0,
            Operand::Offset(name) => {
                let (_, added) = self.wired_address(name, wiring)?;
                Op::Value(Value::Number(added))
            }
            Operand::Ptx(name, part) => {
                // Most are registers and numbers.
                if wiring.instead.is_empty()
                    && let Some(given @ (Given::Reg { .. } | Given::Number(_))) = wiring.given(name)
                {
                    if let Given::Reg { not: true, .. } = given {
                        marks = Marks(marks.0 ^ Marks::NOT.0);
                    }
                    self.part(given, lane_of(part))?
                } else if let Some((_, reg)) = wiring.instead.iter().find(|one| one.0 == name) {
                    let lane = match (part, wiring.given(name)) {
                        (
                            Part::Element(element) | Part::Word(element, _),
                            Some(Given::Vector(items)),
                        ) => {
                            element * wiring.element_lanes(items)
                                + if let Part::Word(_, word) = part {
                                    word
                                } else {
                                    0
                                }
                        }
                        _ => lane_of(part),
                    };
                    Op::Reg(*reg, lane)
                } else {
                    let given = wiring.given(name).cloned();
                    match (given, part) {
                        (None, _) if written => match file {
                            Some(SassFile::Predicate) => Op::Value(Value::TRUE),
                            _ => Op::Value(Value::ZERO),
                        },
                        (None, _) => return Err(self.refuse("an operand that is left out")),
                        (Some(Given::Sink), _) => match file {
                            Some(SassFile::Predicate) => Op::Value(Value::TRUE),
                            _ => Op::Value(Value::ZERO),
                        },
                        (Some(Given::Vector(items)), Part::Element(element)) => {
                            let item = items.get(usize::from(element));
                            let item = item.ok_or_else(|| self.refuse("this vector"))?;
                            self.part(item, 0)?
                        }
                        (Some(Given::Vector(items)), Part::Word(element, word)) => {
                            let item = items.get(usize::from(element));
                            let item = item.ok_or_else(|| self.refuse("this vector"))?;
                            self.part(item, word)?
                        }
                        (Some(Given::Address(..)), _) => {
                            let (base, added) = self.wired_address(name, wiring)?;
                            // The whole sum.
                            let own = wiring.is_short(name);
                            self.sum(base, added, own, lane_of(part))?
                        }
                        (Some(given), part) => {
                            if let Given::Reg { not: true, .. } = given {
                                marks = Marks(marks.0 ^ Marks::NOT.0);
                            }
                            self.part(&given, lane_of(part))?
                        }
                    }
                }
            }
        };
        Ok(ir::Operand { op, marks })
    }

    /// The register and the number of an address among the operands, worked out once.
    fn wired_address(&mut self, name: &'static str, wiring: &mut Wiring) -> Outcome<(Op, i64)> {
        if let Some(known) = wiring.addresses.iter().find(|one| one.0 == name) {
            return Ok(known.1);
        }
        let (base, added) = match wiring.given(name) {
            Some(Given::Address(base, added)) => (*base, *added),
            Some(Given::Reg {
                reg, lane, lanes, ..
            }) => (super::operand::Base::Reg(*reg, *lane, *lanes), 0),
            _ => return Err(self.refuse("this address")),
        };
        let found = self.address(base, added, wiring.is_short(name))?;
        wiring.addresses.push((name, found));
        Ok(found)
    }

    /// A register of the sum of an address.
    fn sum(&mut self, base: Op, added: i64, own: bool, lane: u8) -> Outcome<Op> {
        if added == 0 {
            return Ok(match base {
                Op::Reg(reg, first) => Op::Reg(reg, first + lane),
                other => other,
            });
        }
        if !own {
            let Op::Reg(reg, first) = base else {
                return Err(self.refuse("this address"));
            };
            let (sum, carry) = (
                self.ir.reg(File::Register, 2),
                self.ir.reg(File::Predicate, 1),
            );
            let (low, high) = (
                self.number(added as u32)?,
                self.number((added >> 32) as u32)?,
            );
            let ops = [Op::Reg(sum, 0), Op::Reg(carry, 0), base, Op::Reg(low, 0)];
            self.step("IADD3 R0, P0, R0, R0, RZ", None, &ops)?;
            let ops = [
                Op::Reg(sum, 1),
                Op::Reg(reg, first + 1),
                Op::Reg(high, 0),
                Op::Reg(carry, 0),
            ];
            self.step("IADD3.X R0, R0, R0, RZ, P0, !PT", None, &ops)?;
            return Ok(Op::Reg(sum, lane));
        }
        let (sum, low) = (self.ir.reg(File::Register, 1), self.number(added as u32)?);
        self.step(
            "IADD3 R0, R0, R0, RZ",
            None,
            &[Op::Reg(sum, 0), base, Op::Reg(low, 0)],
        )?;
        Ok(Op::Reg(sum, 0))
    }
}

/// The first lane of a part.
fn lane_of(part: Part) -> u8 {
    match part {
        Part::Whole => 0,
        Part::Register(number) => number,
        Part::Quad(number) => 4 * number,
        Part::Element(number) => number,
        Part::Word(_, word) => word,
    }
}

/// Whether an operand is this one of the PTX instruction.
fn is_named(operand: Operand, name: &str) -> bool {
    matches!(operand, Operand::Ptx(other, _) if is_same(other, name))
}

/// Whether an operand of a form is not written.
fn is_source(specs: &[warpc_ptx::form::OperandSpec], name: &str) -> bool {
    let spec = specs.iter().find(|spec| is_same(spec.name, name));
    spec.is_none_or(|spec| spec.role != warpc_ptx::form::Role::Def)
}

impl Step {
    /// Whether an operand stands in the brackets of an address.
    fn addresses(&self, name: &str) -> bool {
        let mut operands = self.operands.iter();
        operands.any(|one| matches!(one.operand, Operand::Base(other) if other == name))
    }

    /// Whether an operand stands in one piece, or by its registers.
    fn has_whole(&self, name: &str) -> bool {
        let mut operands = self.operands.iter();
        operands.any(|one| match one.operand {
            Operand::Ptx(other, Part::Whole | Part::Register(_) | Part::Quad(_)) => other == name,
            _ => false,
        })
    }
}

impl Given {
    /// How many registers it has.
    pub(super) fn lanes(&self) -> u8 {
        match self {
            Given::Reg { lanes, .. } => *lanes,
            Given::Vector(items) => items.iter().map(Given::lanes).sum(),
            Given::Number(_) | Given::Sink | Given::Address(..) => 1,
        }
    }

    /// Its virtual registers.
    fn registers(&self) -> SmallVec<[Reg; 4]> {
        match self {
            Given::Reg { reg, .. } => [*reg].into_iter().collect(),
            Given::Vector(items) => items.iter().flat_map(Given::registers).collect(),
            Given::Address(super::operand::Base::Reg(reg, ..), _) => [*reg].into_iter().collect(),
            _ => SmallVec::new(),
        }
    }
}
