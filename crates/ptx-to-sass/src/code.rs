//! A sequence in the making.

use crate::Context;
use crate::chip::{Chip, membar_scope};
use crate::driver_table::Table;
use crate::opcode::{Opcode, Sequence, Unwired};
use crate::pattern;
use crate::wired::{Condition, File, Label, Marked, Operand, Part, Step, Temporary, Wired};
use warpc_model::Scope;
use warpc_sass::Value;
use warpc_sass::template::Kind;

/// A sequence in the making.
pub(crate) struct Code {
    pub chip: Chip,
    pub context: Context,
    opcodes: Vec<Opcode>,
    region: Vec<usize>,
    lost: Option<&'static str>,
    wired: Wired,
    unwired: Option<Unwired>,
    /// The regions that are open: the barrier and the end of each.
    open: Vec<(Temporary, Label, Label)>,
}

/// An operand of the PTX instruction.
pub(crate) const fn ptx(name: &'static str) -> Operand {
    Operand::Ptx(name, Part::Whole)
}

/// An address among them.
pub(crate) const fn address(name: &'static str) -> Operand {
    Operand::Base(name)
}

/// An element of one that is a vector of narrow elements.
pub(crate) const fn element(name: &'static str, number: u8) -> Operand {
    Operand::Ptx(name, Part::Element(number))
}

impl Code {
    pub fn new(chip: Chip, context: Context) -> Code {
        Code {
            chip,
            context,
            opcodes: Vec::new(),
            region: Vec::new(),
            lost: None,
            wired: Wired::default(),
            unwired: None,
            open: Vec::new(),
        }
    }

    /// Adds opcodes, parted by blanks, whose operands are not described.
    pub fn put(&mut self, text: impl AsRef<str>) {
        for opcode in text.as_ref().split_whitespace() {
            self.unwired.get_or_insert(Unwired(opcode.into()));
            self.opcodes.push(opcode.into());
        }
    }

    /// Says that something is missing that has no opcode of its own.
    pub fn misses(&mut self, opcode: &str) {
        self.unwired.get_or_insert(Unwired(opcode.into()));
    }

    /// Adds opcodes where something holds.
    pub fn put_if(&mut self, holds: bool, text: impl AsRef<str>) {
        if holds {
            self.put(text);
        }
    }

    /// Adds opcodes of the branch around.
    pub fn put_region(&mut self, text: &str) {
        let before = self.opcodes.len();
        self.needless(text);
        self.region.extend(before..self.opcodes.len());
    }

    /// Adds opcodes that ptxas emits and that nothing needs.
    pub fn needless(&mut self, text: &str) {
        let opcodes = text.split_whitespace();
        self.opcodes.extend(opcodes.map(Opcode::from));
    }

    /// A value that steps hand to each other.
    pub fn temporary(&mut self, file: File, registers: u8) -> Temporary {
        let number = self.wired.temporaries.len() as u16;
        let temporary = Temporary {
            number,
            file,
            registers,
        };
        self.wired.temporaries.push(temporary);
        temporary
    }

    /// Registers.
    pub fn registers(&mut self, count: u8) -> Temporary {
        self.temporary(File::Register, count)
    }

    /// Copies all registers of a temporary.
    pub fn copy_all(&mut self, to: Operand, from: Temporary) {
        let from_whole = Operand::from(from);
        if from.registers == 1 {
            return self.copy(to, from_whole);
        }
        for number in 0..from.registers {
            self.copy(to.register(number), from_whole.register(number));
        }
    }

    /// A predicate.
    pub fn predicate(&mut self) -> Temporary {
        self.temporary(File::Predicate, 1)
    }

    /// A label that is placed later.
    pub fn label(&mut self) -> Label {
        self.wired.labels.push(usize::MAX);
        Label(self.wired.labels.len() as u8 - 1)
    }

    /// Places a label before the next step.
    pub fn place(&mut self, label: Label) {
        self.wired.labels[usize::from(label.0)] = self.wired.steps.len();
    }

    /// A label before the next step.
    pub fn label_here(&mut self) -> Label {
        let label = self.label();
        self.place(label);
        label
    }

    /// Adds an instruction by the example of a text: its registers, predicates, barriers and labels are filled in, in
    /// the order of the text; `RZ`, `PT` and numbers stay.
    pub fn step(&mut self, text: impl AsRef<str>, operands: &[Operand]) {
        self.guarded(None, text, operands);
    }

    /// The same for some threads.
    pub fn guarded(
        &mut self,
        guard: Option<Condition>,
        text: impl AsRef<str>,
        operands: &[Operand],
    ) {
        let text = text.as_ref();
        self.opcodes.push(opcode(text));
        self.add(guard, text, operands);
    }

    /// A move between registers, which records of opcodes do not have.
    pub fn copy(&mut self, to: Operand, from: Operand) {
        self.copy_if(None, to, from);
    }

    /// The same for some threads.
    pub fn copy_if(&mut self, guard: Option<Condition>, to: Operand, from: Operand) {
        match from {
            Operand::Value(Value::Number(number)) => {
                self.add(guard, &format!("MOV R0, {:#x}", number as u32), &[to]);
            }
            Operand::Temporary(temporary, _) if temporary.file == File::Uniform => {
                self.add(guard, "MOV R0, UR0", &[to, from]);
            }
            from => self.add(guard, "MOV R0, R0", &[to, from]),
        }
    }

    fn add(&mut self, guard: Option<Condition>, text: &str, operands: &[Operand]) {
        if self.unwired.is_some() {
            return;
        }
        let pattern = match self.chip.is_wired() {
            true => pattern::find(self.chip.0, text),
            false => None,
        };
        let fitting = pattern.filter(|pattern| pattern.holes.len() == operands.len());
        let Some(pattern) = fitting else {
            self.unwired = Some(Unwired(opcode(text)));
            return;
        };
        let inst = &pattern.inst;
        let mut wired: smallvec::SmallVec<[Marked; 6]> = (inst.operands.iter())
            .map(|operand| Marked {
                operand: Operand::Value(operand.value),
                marks: operand.marks,
            })
            .collect();
        for (&slot, &operand) in pattern.holes.iter().zip(operands) {
            wired[slot].operand = operand;
        }
        // What an address adds to its register stands in the slot after it.
        for slot in 0..wired.len() {
            if let Operand::Base(name) = wired[slot].operand {
                match offset_of(inst, slot) {
                    Some(offset) => wired[offset].operand = Operand::Offset(name),
                    None => self.unwired = Some(Unwired(opcode(text))),
                }
            }
        }
        self.wired.steps.push(Step {
            shape: inst.shape,
            guard,
            operands: wired,
            acquires: false,
            is_cold: false,
        });
    }

    /// Adds steps for lanes for which something does not hold, which is seldom so. The others may execute them, too: they make
    /// the same of what they read as what was done before, or better.
    pub fn unless(&mut self, holds: Condition, add: impl FnOnce(&mut Code)) {
        let end = self.label();
        self.branch(Some(holds), end);
        let first = self.wired.steps.len();
        add(self);
        for step in self.wired.steps.iter_mut().skip(first) {
            step.is_cold = true;
        }
        self.place(end);
    }

    /// A register with the size of an entry of a table of the driver.
    pub fn size(&mut self, table: Table) -> Operand {
        let size = self.word();
        self.step("MOV R0, 0x10", &[size]);
        let operands = self.wired.steps.last_mut();
        let operands = operands.into_iter().flat_map(|step| &mut step.operands);
        for one in operands {
            if let Operand::Value(Value::Number(0x10)) = one.operand {
                one.operand = Operand::Size(table);
            }
        }
        size
    }

    /// Adds what ptxas leaves out: instructions whose opcodes it does not emit.
    pub fn restore(&mut self, add: impl FnOnce(&mut Code)) {
        let before = self.opcodes.len();
        add(self);
        self.opcodes.truncate(before);
    }

    /// Adds an instruction that ptxas emits as another one.
    pub fn instead(&mut self, emitted: &str, text: &str, operands: &[Operand]) {
        self.opcodes.push(opcode(emitted));
        self.add(None, text, operands);
    }

    /// What makes earlier accesses seen by a scope. The barrier proper is followed by a wait for its errors, and from
    /// sm_90 on by one for errors of the cluster.
    pub fn fence(&mut self, kind: &str, scope: Scope) {
        self.step(format!("MEMBAR.{kind}.{}", membar_scope(scope)), &[]);
        if !matches!(scope, Scope::Thread | Scope::Cta) {
            self.step("ERRBAR", &[]);
            if self.chip.since(90) {
                self.step("CGAERRBAR", &[]);
            }
        }
    }

    /// What orders later accesses after an acquiring one, which is the last step: beyond the block the first-level cache
    /// forgets everything, in the block they wait for its result.
    pub fn acquire(&mut self, scope: Scope) {
        self.acquire_if(None, scope);
    }

    /// The same for some threads.
    pub fn acquire_if(&mut self, guard: Option<Condition>, scope: Scope) {
        match scope {
            Scope::Thread => {}
            Scope::Cta => self.hold_accesses(),
            _ => self.guarded(guard, "CCTL.IVALL", &[]),
        }
    }

    /// Has later accesses wait for the result of the last step: a load that is under way may get what is there now, and a
    /// later one what was there before. Where that step ends a loop, its branch has waited.
    pub fn hold_accesses(&mut self) {
        if let Some(step) = self.wired.steps.last_mut()
            && !step.shape.memory().access.is_empty()
        {
            step.acquires = true;
        }
    }

    /// Notes what ptxas leaves out.
    pub fn loses(&mut self, what: &'static str) {
        self.lost = Some(what);
    }

    /// Opens a region whose threads meet again; none is needed where the kernel ends.
    pub fn open(&mut self) {
        let barrier = self.temporary(File::Barrier, 1);
        let (end, leave) = (self.label(), self.label());
        if self.context != Context::Last {
            for text in self.chip.open() {
                match text.starts_with("BSSY") {
                    true => self.step(text, &[barrier.into(), end.into()]),
                    false => self.put(text),
                }
            }
        }
        self.open.push((barrier, end, leave));
    }

    /// The end of such a region.
    pub fn close(&mut self) {
        let Some((barrier, end, leave)) = self.open.pop() else {
            return;
        };
        self.place(leave);
        if self.context != Context::Last {
            self.step(self.chip.close(), &[barrier.into()]);
        }
        self.place(end);
    }

    /// A branch to the end of the outermost region that is open.
    pub fn leave(&mut self, guard: Option<Condition>) {
        match (self.context, self.open.first()) {
            (Context::Last, _) => self.guarded(guard, "EXIT", &[]),
            (_, Some(&(_, _, leave))) => self.branch(guard, leave),
            (_, None) => self.put("BRA"),
        }
    }

    /// A branch to the end of the innermost region that is open.
    pub fn leave_inner(&mut self, guard: Option<Condition>) {
        match (self.context, self.open.last()) {
            (Context::Last, _) => self.guarded(guard, "EXIT", &[]),
            (_, Some(&(_, _, leave))) => self.branch(guard, leave),
            (_, None) => self.put("BRA"),
        }
    }

    /// A branch.
    pub fn branch(&mut self, guard: Option<Condition>, to: Label) {
        self.guarded(guard, "BRA `(x)", &[to.into()]);
    }

    pub fn done(self) -> Sequence {
        Sequence {
            opcodes: self.opcodes,
            region: self.region,
            lost: self.lost,
            wired: match self.unwired {
                Some(unwired) => Err(unwired),
                None => Ok(self.wired),
            },
        }
    }
}

/// The slot of the number that is added to the address in a slot.
fn offset_of(inst: &warpc_sass::Inst, address: usize) -> Option<usize> {
    let slots = inst.shape.slots().iter().enumerate();
    let mut after = slots.skip(address + 1);
    let (slot, found) = after.find(|(_, slot)| slot.kind() != Kind::Uniform)?;
    (found.kind() == Kind::Signed).then_some(slot)
}

/// The opcode of an example, with the special register that it reads.
fn opcode(text: &str) -> Opcode {
    let (name, operands) = text.split_once(' ').unwrap_or((text, ""));
    match operands
        .split(", ")
        .find(|operand| operand.starts_with("SR_"))
    {
        Some(special) => Opcode::from(format!("{name}({special})").as_str()),
        None => Opcode::from(name),
    }
}
