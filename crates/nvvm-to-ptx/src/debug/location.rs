//! Where variables are, from the debug records of a function.
//!
//! ```text
//!   #dbg_declare(ptr %1, …)                      in memory, for the whole function
//!   #dbg_value(i32 %2, …), and no other          in a register, likewise
//!   #dbg_value(i32 %2, …), #dbg_value(i32 %7, …)     in registers that change: from a mark up to the next
//! ```
//!
//! What a variable is at the start of a block is what all blocks before it agree on. Registers of PTX are written once (or, for a
//! phi, at the ends of the blocks before it), so the value stays where it is.

use super::query::Query;
use super::tree::Bytes;
use rustc_hash::{FxHashMap, FxHashSet};
use warpc_nvvm::Module;
use warpc_nvvm::analysis::Cfg;
use warpc_nvvm::constant::ConstId;
use warpc_nvvm::function::{Body, RecordKind};
use warpc_nvvm::index::Id;
use warpc_nvvm::metadata::{Md, NodeId};
use warpc_nvvm::value::{Block, InstId, Local, Operand};

/// Where a variable is; registers are `R`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Place<R> {
    /// At an offset in a variable in local memory.
    Frame(String, u64),
    /// In a parameter.
    Param(String),
    /// In a variable of the module in an address space.
    Global(String, u32),
    /// In memory of an address space, at the address in a register plus an offset.
    At(R, u32, u64),
    /// In a register.
    Register(R),
    /// Nowhere: it is a number.
    Number(u64),
}

/// Numbers of operations.
mod operation {
    pub const ADDR: u8 = 0x03;
    pub const PLUS_UCONST: u8 = 0x23;
    pub const REGX: u8 = 0x90;
    pub const BREGX: u8 = 0x92;
}

/// What CUDA's debuggers call an address space, by LLVM's number of it.
pub fn class_of_space(space: u32) -> Option<u64> {
    match space {
        0 => Some(12),
        1 => Some(5),
        3 | 7 => Some(8),
        4 => Some(4),
        5 => Some(6),
        101 => Some(7),
        _ => None,
    }
}

/// The class of registers.
pub const REGISTERS: u64 = 2;

impl<R> Place<R> {
    /// The place this many bytes further on.
    pub fn further(self, more: u64) -> Option<Place<R>> {
        match self {
            Place::Frame(name, offset) => Some(Place::Frame(name, offset.checked_add(more)?)),
            Place::At(register, space, offset) => {
                Some(Place::At(register, space, offset.checked_add(more)?))
            }
            place if more == 0 => Some(place),
            _ => None,
        }
    }

    /// The same place with other registers.
    pub fn with<S>(self, register: impl Fn(R) -> Option<S>) -> Option<Place<S>> {
        Some(match self {
            Place::Frame(name, offset) => Place::Frame(name, offset),
            Place::Param(name) => Place::Param(name),
            Place::Global(name, space) => Place::Global(name, space),
            Place::At(base, space, offset) => Place::At(register(base)?, space, offset),
            Place::Register(holder) => Place::Register(register(holder)?),
            Place::Number(number) => Place::Number(number),
        })
    }
}

impl Place<String> {
    /// What CUDA's debuggers call the memory that it is in.
    pub fn class(&self) -> Option<u64> {
        match self {
            Place::Frame(..) => Some(6),
            Place::Param(_) => Some(7),
            Place::Global(_, space) => class_of_space((*space).max(1)),
            Place::At(_, space, _) => class_of_space(*space),
            Place::Register(_) => Some(REGISTERS),
            Place::Number(_) => None,
        }
    }

    /// The expression for it, this many bytes further on.
    pub fn bytes(&self, more: u64) -> Option<Bytes> {
        let addressed = |name: &str, offset: u64| {
            let bytes = Bytes::default().bytes(&[operation::ADDR]).address(name);
            match offset {
                0 => bytes,
                _ => bytes.bytes(&[operation::PLUS_UCONST]).unsigned(offset),
            }
        };
        match self {
            Place::Frame(name, offset) => Some(addressed(name, offset.checked_add(more)?)),
            Place::Param(name) | Place::Global(name, _) => Some(addressed(name, more)),
            Place::At(register, _, offset) => {
                let offset = i64::try_from(offset.checked_add(more)?).ok()?;
                let bytes = Bytes::default().bytes(&[operation::BREGX]);
                let bytes = bytes.unsigned(register_number(register)?);
                Some(bytes.bytes(&super::tree::signed(offset)))
            }
            Place::Register(register) => {
                let bytes = Bytes::default().bytes(&[operation::REGX]);
                Some(bytes.unsigned(register_number(register)?))
            }
            Place::Number(_) => None,
        }
    }
}

/// The number of a register: the bytes of its name, the first one highest. There are eight at most.
fn register_number(name: &str) -> Option<u64> {
    let fold = |number: u64, byte: u8| number << 8 | u64::from(byte);
    (name.len() <= 8).then(|| name.bytes().fold(0, fold))
}

/// What a `DIExpression` makes of a value, as far as it is known here.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Expression {
    /// The value is an address, and this is the place of the variable.
    pub deref: bool,
    /// How many bytes after the place the variable starts.
    pub offset: u64,
    /// The variable is this number.
    pub constant: Option<u64>,
}

impl Expression {
    /// Reads an expression; `None` for one that is not known here.
    pub fn read(query: Query, node: NodeId) -> Option<Expression> {
        let fields = query.0.metadata.fields(node).iter();
        let numbers = fields.map(|field| query.value(field.value));
        let numbers: Vec<u64> = numbers
            .map(|number| number.map(|number| number as u64))
            .collect::<Option<_>>()?;
        let mut expression = Expression::default();
        let mut rest = numbers.as_slice();
        loop {
            rest = match rest {
                [] => return Some(expression),
                // Clang names the address space, which the variable says, too.
                [0x10, _, 0x16, 0x18, rest @ ..] => rest,
                [0x10, value, 0x9f, rest @ ..] if !expression.deref => {
                    expression.constant = Some(*value);
                    rest
                }
                [0x06, rest @ ..] if !expression.deref && expression.offset == 0 => {
                    expression.deref = true;
                    rest
                }
                [0x23, offset, rest @ ..] => {
                    expression.offset = expression.offset.checked_add(*offset)?;
                    rest
                }
                // The value itself: what it is of any register.
                [0x9f] if !expression.deref && expression.offset == 0 => &[],
                _ => return None,
            };
        }
    }
}

/// A place in the code of a function where a label is needed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Mark {
    /// At the start of a block.
    Block(Block),
    /// Before an instruction.
    Before(InstId),
}

/// What a record says that a variable is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Known {
    /// A local value, with an expression.
    Local(Local, NodeId),
    /// A constant, with an expression.
    Const(ConstId, NodeId),
    /// Not known any more.
    Gone,
}

/// Where a variable is, in terms of the IR.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fact {
    /// In memory at this address.
    Memory(Known),
    /// It is this.
    Value(Known),
    /// From a mark up to another one or the end it is this.
    List(Vec<(Mark, Option<Mark>, Known)>),
}

/// A variable of a function.
#[derive(Clone, Debug)]
pub struct Tracked {
    /// Its node.
    pub node: NodeId,
    /// Where its function was inlined.
    pub inlined_at: Option<NodeId>,
    /// Where it is.
    pub fact: Fact,
}

/// The variables of a function, and the marks that their places need.
#[derive(Clone, Debug, Default)]
pub struct Variables {
    /// In the order in which records name them.
    pub tracked: Vec<Tracked>,
    /// What needs a label.
    pub marks: FxHashSet<Mark>,
}

/// A variable: its node, and where its function was inlined.
type Key = (NodeId, Option<NodeId>);

/// What a record says: whether it names memory, what it stands before, and what the variable is.
type Said = (bool, InstId, Known);

/// The work that is spent on variables with several values: blocks times variables.
const MAX_WORK: usize = 1 << 24;

impl Variables {
    /// Reads the records of a function.
    pub fn of(module: &Module, body: &Body, cfg: &Cfg) -> Variables {
        let query = Query(module);
        let mut order: Vec<Key> = Vec::new();
        let mut said: FxHashMap<Key, Vec<Said>> = FxHashMap::default();
        for record in &body.records {
            let operands = body.record_operands(record);
            let is_memory = match record.kind {
                RecordKind::Declare => true,
                RecordKind::Value | RecordKind::Assign => false,
                RecordKind::DeclareValue | RecordKind::Label => continue,
            };
            let node = |index: usize| match operands.get(index).map(|value| value.get()) {
                Some(Operand::Metadata(md)) => md.node(),
                _ => None,
            };
            let last = operands.len().wrapping_sub(1);
            let (Some(variable), Some(expression)) = (node(1), node(2)) else {
                continue;
            };
            let inlined_at = node(last).and_then(|place| query.node(place, b"inlinedAt"));
            let known = match operands[0].get() {
                Operand::LocalMetadata(local) => Known::Local(local, expression),
                Operand::Metadata(md) => match md.get() {
                    Md::Const(constant) => Known::Const(constant, expression),
                    _ => Known::Gone,
                },
                _ => Known::Gone,
            };
            let key = (variable, inlined_at);
            let all = said.entry(key).or_insert_with(|| {
                order.push(key);
                Vec::new()
            });
            all.push((is_memory, record.before, known));
        }
        let mut variables = Variables::default();
        let mut flow = None;
        let mut work = 0;
        for key in order {
            let records = said.remove(&key).unwrap_or_default();
            let memory = records.iter().find(|record| record.0);
            let (_, _, first) = records[0];
            let fact = match memory {
                Some(&(_, _, known)) => Fact::Memory(known),
                None if records.iter().all(|record| record.2 == first) => Fact::Value(first),
                None => {
                    work += cfg.block_count();
                    if work > MAX_WORK {
                        Fact::Value(Known::Gone)
                    } else {
                        let flow = flow.get_or_insert_with(|| Flow::new(body, cfg));
                        Fact::List(flow.spans(&records))
                    }
                }
            };
            if let Fact::List(spans) = &fact {
                for (from, to, _) in spans {
                    variables.marks.insert(*from);
                    variables.marks.extend(*to);
                }
            }
            variables.tracked.push(Tracked {
                node: key.0,
                inlined_at: key.1,
                fact,
            });
        }
        variables
    }
}

/// The blocks of a function, to follow values through them.
struct Flow<'b> {
    body: &'b Body,
    cfg: &'b Cfg,
    /// The block and the position of each instruction.
    places: FxHashMap<InstId, (Block, usize)>,
}

impl<'b> Flow<'b> {
    fn new(body: &'b Body, cfg: &'b Cfg) -> Flow<'b> {
        let mut places = FxHashMap::default();
        for &block in &body.order {
            for (position, &inst) in body.blocks[block].insts.iter().enumerate() {
                places.insert(inst, (block, position));
            }
        }
        Flow { body, cfg, places }
    }

    /// What a variable is from where to where, in the order of the blocks.
    fn spans(&self, records: &[Said]) -> Vec<(Mark, Option<Mark>, Known)> {
        let mut own: FxHashMap<Block, Vec<(usize, InstId, Known)>> = FxHashMap::default();
        for &(_, before, known) in records {
            if let Some(&(block, position)) = self.places.get(&before) {
                own.entry(block)
                    .or_default()
                    .push((position, before, known));
            }
        }
        for records in own.values_mut() {
            // The last of several before one instruction counts.
            records.sort_by_key(|record| record.0);
        }
        let ins = self.at_starts(&own);
        let mut spans: Vec<(Mark, Option<Mark>, Known)> = Vec::new();
        let mut now = Known::Gone;
        let mut change = |mark: Mark, known: Known, now: &mut Known| {
            if known == *now {
                return;
            }
            if *now != Known::Gone
                && let Some(last) = spans.last_mut()
            {
                last.1 = Some(mark);
            }
            if known != Known::Gone {
                spans.push((mark, None, known));
            }
            *now = known;
        };
        for &block in &self.body.order {
            if !self.cfg.is_reachable(block) {
                continue;
            }
            let start = ins[block.index()].unwrap_or(Known::Gone);
            change(Mark::Block(block), start, &mut now);
            let own = own.get(&block).map(Vec::as_slice).unwrap_or_default();
            for &(_, before, known) in own {
                change(Mark::Before(before), known, &mut now);
            }
        }
        // What starts and ends at one mark says nothing.
        spans.retain(|(from, to, _)| Some(*from) != *to);
        spans
    }

    /// What a variable is at the start of each block; `None` for blocks that are not reached.
    fn at_starts(&self, own: &FxHashMap<Block, Vec<(usize, InstId, Known)>>) -> Vec<Option<Known>> {
        let count = self.body.blocks.len();
        let mut ins: Vec<Option<Known>> = vec![None; count];
        let mut outs: Vec<Option<Known>> = vec![None; count];
        let order = self.cfg.reverse_post_order();
        let mut changed = true;
        while changed {
            changed = false;
            for (position, &block) in order.iter().enumerate() {
                let mut start = (position == 0).then_some(Known::Gone);
                for before in self.cfg.predecessors(block) {
                    // A block that was not reached yet agrees with everything.
                    start = match (start, outs[before.index()]) {
                        (known, None) => known,
                        (None, known) => known,
                        (Some(a), Some(b)) if a == b => Some(a),
                        _ => Some(Known::Gone),
                    };
                }
                let last = own.get(&block).and_then(|records| records.last());
                let end = last.map(|record| record.2).or(start);
                ins[block.index()] = start;
                if outs[block.index()] != end {
                    outs[block.index()] = end;
                    changed = true;
                }
            }
        }
        ins
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registers_are_numbered_by_their_names() {
        assert_eq!(register_number("%r1"), Some(0x25_72_31));
        assert_eq!(register_number("%rd47"), Some(0x25_72_64_34_37));
        assert_eq!(register_number("%rd123456"), None);
    }

    fn spans_of(text: &str) -> Vec<Fact> {
        let file = warpc_diag::SourceFile::new("m.ll", text).unwrap();
        let module = warpc_nvvm::read_text(&file).unwrap();
        let (_, _, function) = module.functions().next().unwrap();
        let body = function.body.as_ref().unwrap();
        let variables = Variables::of(&module, body, &Cfg::new(body));
        variables
            .tracked
            .into_iter()
            .map(|found| found.fact)
            .collect()
    }

    /// A value counts after a join only if both sides agree, and a loop does not lose what it does not change.
    #[test]
    fn values_are_followed_over_branches() {
        let text = "define void @f(i1 %c, i32 %a, i32 %b) !dbg !5 {\n\
            entry:\n  #dbg_value(i32 %a, !9, !DIExpression(), !10)\n  br i1 %c, label %x, label %y\n\
            x:\n  #dbg_value(i32 %b, !9, !DIExpression(), !10)\n  br label %z\n\
            y:\n  br i1 %c, label %y, label %z\n\
            z:\n  ret void\n}\n\
            !llvm.dbg.cu = !{!1}\n!llvm.module.flags = !{!3}\n\
            !1 = distinct !DICompileUnit(language: DW_LANG_C, file: !2, emissionKind: FullDebug)\n\
            !2 = !DIFile(filename: \"a.c\", directory: \"/\")\n\
            !3 = !{i32 2, !\"Debug Info Version\", i32 3}\n\
            !5 = distinct !DISubprogram(name: \"f\", scope: !2, file: !2, line: 1, type: !6, unit: !1, spFlags: DISPFlagDefinition)\n\
            !6 = !DISubroutineType(types: !7)\n!7 = !{null}\n\
            !8 = !DIBasicType(name: \"int\", size: 32, encoding: DW_ATE_signed)\n\
            !9 = !DILocalVariable(name: \"v\", scope: !5, file: !2, line: 1, type: !8)\n\
            !10 = !DILocation(line: 1, scope: !5)\n";
        let facts = spans_of(text);
        let [Fact::List(spans)] = &facts[..] else {
            panic!("{facts:?}");
        };
        let shown: Vec<String> = spans
            .iter()
            .map(|(from, to, known)| match known {
                Known::Local(local, _) => format!("{from:?}..{to:?} {}", local.index()),
                other => format!("{other:?}"),
            })
            .collect();
        assert_eq!(spans.len(), 3, "{shown:?}");
        assert!(
            shown[0].ends_with(" 1") && shown[1].ends_with(" 2") && shown[2].ends_with(" 1"),
            "{shown:?}"
        );
        // `%a` again in `y`, and nothing in `z`.
        assert!(
            matches!(spans[2], (Mark::Block(_), Some(Mark::Block(_)), _)),
            "{shown:?}"
        );
    }

    #[test]
    fn expressions_are_read_or_refused() {
        let read = |text: &str| {
            let text = format!("!named = !{{!0}}\n!0 = !{{!DIExpression({text})}}\n");
            let file = warpc_diag::SourceFile::new("m.ll", text).unwrap();
            let module = warpc_nvvm::read_text(&file).unwrap();
            let tuple = module.metadata.named[0].nodes[0];
            let node = module.metadata.operand(tuple, 0).unwrap().node().unwrap();
            Expression::read(Query(&module), node)
        };
        let plain = Expression::default();
        assert_eq!(read(""), Some(plain));
        assert_eq!(
            read("DW_OP_constu, 8, DW_OP_swap, DW_OP_xderef"),
            Some(plain)
        );
        assert_eq!(
            read("DW_OP_plus_uconst, 8"),
            Some(Expression { offset: 8, ..plain })
        );
        assert_eq!(
            read("DW_OP_deref"),
            Some(Expression {
                deref: true,
                ..plain
            })
        );
        assert_eq!(read("DW_OP_stack_value"), Some(plain));
        assert_eq!(
            read("DW_OP_constu, 5, DW_OP_stack_value"),
            Some(Expression {
                constant: Some(5),
                ..plain
            })
        );
        assert_eq!(read("DW_OP_LLVM_fragment, 0, 32"), None);
        assert_eq!(read("DW_OP_deref, DW_OP_deref"), None);
        assert_eq!(read("DW_OP_lit3, DW_OP_mul, DW_OP_stack_value"), None);
    }
}
