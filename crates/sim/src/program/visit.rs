//! The registers that an instruction reads and writes.

use super::{Callee, Dst, Op, Place, Precision, Slot, Src, StackOp};

/// Goes over the registers an instruction reads and writes.
pub trait Visitor {
    /// A value that is read.
    fn read(&mut self, source: &mut Src);
    /// A register that is written.
    fn write(&mut self, to: &mut Dst);
}

/// Visits a list of sources.
pub(crate) fn visit_reads<'a>(
    visitor: &mut dyn Visitor,
    sources: impl IntoIterator<Item = &'a mut Src>,
) {
    for source in sources {
        visitor.read(source);
    }
}

/// Visits a list of destinations.
pub(crate) fn visit_writes<'a>(
    visitor: &mut dyn Visitor,
    list: impl IntoIterator<Item = &'a mut Dst>,
) {
    for to in list {
        visitor.write(to);
    }
}

fn visit_word(visitor: &mut dyn Visitor, slot: &mut Slot) {
    let mut to = Dst::W(*slot, u32::MAX);
    visitor.write(&mut to);
    if let Dst::W(new, _) = to {
        *slot = new;
    }
}

fn visit_double(visitor: &mut dyn Visitor, slot: &mut Slot) {
    let mut to = Dst::D(*slot);
    visitor.write(&mut to);
    if let Dst::D(new) = to {
        *slot = new;
    }
}

fn visit_predicate(visitor: &mut dyn Visitor, slot: &mut Slot) {
    let mut to = Dst::P(*slot);
    visitor.write(&mut to);
    if let Dst::P(new) = to {
        *slot = new;
    }
}

impl Place {
    /// Visits what a call passes or takes.
    pub(crate) fn visit(&mut self, visitor: &mut dyn Visitor) {
        match self {
            Place::Memory(..) => {}
            Place::Value(source) => visitor.read(source),
            Place::Register(to) => visitor.write(to),
        }
    }
}

impl Op {
    /// Visits every register that is read and then every one that is written.
    pub(crate) fn visit(&mut self, visitor: &mut dyn Visitor) {
        match self {
            Op::Word(_, d, a, b, c) => {
                visit_reads(visitor, [a, b, c]);
                visit_word(visitor, d);
            }
            Op::Double(_, d, a, b, c) => {
                visit_reads(visitor, [a, b, c]);
                visit_double(visitor, d);
            }
            Op::Float(_, precision, d, a, b, c) => {
                visit_reads(visitor, [a, b, c]);
                match precision {
                    Precision::Double => visit_double(visitor, d),
                    Precision::Single | Precision::Flushed => visit_word(visitor, d),
                }
            }
            Op::CompareWord(_, d, a, b)
            | Op::CompareDouble(_, d, a, b)
            | Op::CompareFloat(_, d, a, b) => {
                visit_reads(visitor, [a, b]);
                visit_predicate(visitor, d);
            }
            Op::One(_, d, a) => {
                visitor.read(a);
                visitor.write(d);
            }
            Op::Two(_, d, a, b) | Op::Address(_, d, a, b) => {
                visit_reads(visitor, [a, b]);
                visitor.write(d);
            }
            Op::Three(_, d, a, b, c) => {
                visit_reads(visitor, [a, b, c]);
                visitor.write(d);
            }
            Op::General(general) => {
                visit_reads(visitor, &mut general.sources);
                visit_writes(visitor, &mut general.results);
            }
            Op::Move(list) => {
                for (_, from) in list.iter_mut() {
                    visitor.read(from);
                }
                for (to, _) in list.iter_mut() {
                    visitor.write(to);
                }
            }
            Op::Pack(pack) => {
                visit_reads(visitor, &mut pack.elements);
                visit_writes(visitor, &mut pack.to);
            }
            Op::Unpack(unpack) => {
                visit_reads(visitor, &mut unpack.from);
                visit_writes(visitor, &mut unpack.to);
            }
            Op::Load(load) => {
                visitor.read(&mut load.from.base);
                visit_writes(visitor, &mut load.to);
            }
            Op::Store(store) => {
                visitor.read(&mut store.to.base);
                visit_reads(visitor, &mut store.elements);
            }
            Op::Atomic(atomic) => {
                visitor.read(&mut atomic.at.base);
                visit_reads(visitor, atomic.b.iter_mut().chain(&mut atomic.c));
                visit_writes(visitor, &mut atomic.to);
            }
            Op::Stack(StackOp::Grow { to, size, .. }) => {
                visitor.read(size);
                visitor.write(to);
            }
            Op::Stack(StackOp::Save(to)) | Op::ActiveMask(to) => visitor.write(to),
            Op::Stack(StackOp::Restore(from)) => visitor.read(from),
            Op::BranchIndexed(source, _) | Op::Sleep(source) => visitor.read(source),
            Op::Call(call) => {
                if let Callee::Pointer(source) = &mut call.callee {
                    visitor.read(source);
                }
                let places = call.arguments.iter_mut().chain(&mut call.results);
                places.for_each(|place| place.visit(visitor));
            }
            Op::Barrier(barrier) => {
                visitor.read(&mut barrier.number);
                visit_reads(visitor, &mut barrier.threads);
                visitor.read(&mut barrier.value);
                visitor.write(&mut barrier.to);
            }
            Op::Collective(op) => {
                visit_reads(visitor, [&mut op.a, &mut op.b, &mut op.c]);
                visit_reads(visitor, &mut op.mask);
                visit_writes(visitor, [&mut op.to, &mut op.predicate]);
            }
            Op::Matrix(op) => op.visit(visitor),
            Op::Group(op) => op.visit(visitor),
            Op::Tensor(op) => op.visit(visitor),
            Op::Mbarrier(op) => op.visit(visitor),
            Op::Async(op) => op.visit(visitor),
            Op::TensorMap(op) => op.visit(visitor),
            Op::Texture(op) => op.visit(visitor),
            Op::Branch(_)
            | Op::Return
            | Op::Exit
            | Op::Trap
            | Op::Breakpoint
            | Op::ClusterArrive(..)
            | Op::ClusterWait(..)
            | Op::Fence(_)
            | Op::Nothing => {}
        }
    }

    /// Whether every source of a lane is read before any result of that lane is written, so that the
    /// two may share a place.
    pub(crate) fn reads_first(&self) -> bool {
        matches!(
            self,
            Op::Word(..)
                | Op::Double(..)
                | Op::CompareWord(..)
                | Op::CompareDouble(..)
                | Op::Float(..)
                | Op::CompareFloat(..)
                | Op::One(..)
                | Op::Two(..)
                | Op::Three(..)
                | Op::General(_)
                | Op::Move(_)
                | Op::Pack(_)
                | Op::Unpack(_)
                | Op::Load(_)
                | Op::Address(..)
        )
    }
}
