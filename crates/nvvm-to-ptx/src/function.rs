//! One function: its blocks selected, ordered, and put together with its head.

use crate::code::{Code, Described, Label, Line, Section, Shown};
use crate::debug::location::Variables;
use crate::select::{Mode, Selector};
use crate::unit::{Refused, Unit};
use crate::{After, header, passes};
use warpc_nvvm::function::Body;
use warpc_nvvm::index::Id;
use warpc_nvvm::metadata::{FieldValue, Md, NodeId};
use warpc_nvvm::module::{Global, GlobalId, GlobalKind};
use warpc_nvvm::value::{Block, Operand};
use warpc_nvvm::{Effect, Module};
use warpc_ptx::inst::At;
use warpc_ptx::module::{Item, Statement};

/// Compiles a function that has a body. `after` is called after each pass.
pub fn compile(
    unit: &mut Unit,
    id: GlobalId,
    number: usize,
    after: &mut After,
) -> Result<Vec<Item>, Refused> {
    let global = &unit.module.globals[id];
    let GlobalKind::Function(function) = &global.kind else {
        return Ok(Vec::new());
    };
    if function.body.is_none() {
        return Ok(Vec::new());
    }
    let abi = unit.abi(id)?;
    let mut head = header::head(unit, id, &abi)?;
    let mut code = (passes::SELECT.run)(unit, id, number)?;
    after(passes::SELECT.name, &Shown::new(unit, &head, &code));
    for pass in passes::ON_CODE {
        (pass.run)(unit, &mut code)?;
        after(pass.name, &Shown::new(unit, &head, &code));
    }
    let mut draft = (passes::ASSEMBLE.run)(unit, code);
    after(passes::ASSEMBLE.name, &draft.shown(unit, &head));
    for pass in passes::ON_BODIES {
        (pass.run)(unit, &mut draft)?;
        after(pass.name, &draft.shown(unit, &head));
    }
    let bounds = draft.bounds;
    let mut body = draft.body;
    if unit.options.lineinfo
        && let Some(start) = crate::line::start(unit, global)
    {
        let declared = body.statements.iter();
        let declared = declared.take_while(|found| matches!(found, Statement::Variable(_)));
        body.statements.insert(declared.count(), start);
    }
    if let Some([begin, end]) = bounds {
        let declared = body.statements.iter();
        let declared = declared.take_while(|found| matches!(found, Statement::Variable(_)));
        let begin = Statement::Label(begin, At::default());
        body.statements.insert(declared.count(), begin);
        body.statements.push(Statement::Label(end, At::default()));
    }
    let own = crate::global::inside(unit, id)?;
    body.statements.splice(0..0, own);
    head.body = Some(body);
    let mut items = vec![Item::Function(head)];
    if is_coroutine(unit.module, global) {
        let pragma = Item::Pragma(vec!["coroutine".to_owned()], At::default());
        items.insert(0, pragma);
    }
    Ok(items)
}

/// Whether a function has the metadata `!coroutine`.
fn is_coroutine(module: &Module, global: &Global) -> bool {
    let kind = module.names.find(b"coroutine");
    kind.is_some_and(|kind| global.metadata.iter().any(|found| found.kind == kind))
}

/// The code of a function: instructions of PTX over registers without numbers.
pub fn select(unit: &mut Unit, id: GlobalId, number: usize) -> Result<Code, Refused> {
    let GlobalKind::Function(function) = &unit.module.globals[id].kind else {
        return Ok(Code::default());
    };
    let Some(body) = &function.body else {
        return Ok(Code::default());
    };
    let abi = unit.abi(id)?;
    let mode = Mode::of(unit, function);
    let mut selector = Selector::new(unit, body, abi, function.attrs);
    selector.mode = mode;
    selector.live = live_values(body);
    let program = match selector.unit.debug {
        true => crate::debug::program_of(selector.module, &selector.module.globals[id]),
        false => None,
    };
    if program.is_some() {
        selector.variables = Variables::of(selector.module, body, &selector.cfg);
    }
    selector.choose_slots();
    selector.choose_homes();
    let mut sections = select_blocks(&mut selector);
    selector.load_params()?;
    // Parameters may be copied into the frame, so its address comes first.
    let params = std::mem::take(&mut selector.lines);
    selector.open_frame(number)?;
    selector.load_shared_addresses()?;
    selector.lines.extend(params);
    if let Some(entry) = sections.first_mut() {
        entry.lines.splice(0..0, selector.lines.drain(..));
    }
    let described = program.map(|program| {
        Box::new(Described {
            program,
            variables: selector.locate_variables(number),
        })
    });
    let Selector {
        mut code, frame, ..
    } = selector;
    code.sections = sections;
    code.frame = frame;
    code.number = number;
    code.described = described;
    Ok(code)
}

/// The sections of all blocks that can be reached, in the order of the text.
fn select_blocks(selector: &mut Selector) -> Vec<Section> {
    let body = selector.body;
    let mut made: Vec<Option<Vec<Section>>> = vec![None; body.blocks.len()];
    let order: Vec<_> = selector.cfg.reverse_post_order().to_vec();
    let not_unrolled = not_unrolled(selector);
    for &block in order.iter().rev() {
        let (mut lines, end) = selector.block(block);
        if not_unrolled.contains(&block) {
            let text = Box::new(vec!["nounroll".to_owned()]);
            let pragma = Statement::Pragma(text, At::default());
            lines.insert(0, Line::Statement(Box::new(pragma)));
        }
        let mut sections = vec![Section {
            label: Label::Block(block),
            lines,
            end,
        }];
        sections.append(&mut selector.edges);
        made[block.index()] = Some(sections);
    }
    let sections = body
        .order
        .iter()
        .filter_map(|block| made[block.index()].take());
    sections.flatten().collect()
}

/// The first blocks of loops that the module wants as they are: ptxas unrolls others as it likes.
fn not_unrolled(selector: &Selector) -> Vec<Block> {
    let (module, body, cfg) = (selector.module, selector.body, &selector.cfg);
    let Some(kind) = module.names.find(b"llvm.loop") else {
        return Vec::new();
    };
    let mut headers = Vec::new();
    for attachment in body.attachments.iter().filter(|found| found.kind == kind) {
        if !is_kept(module, attachment.node) {
            continue;
        }
        for &block in cfg.reverse_post_order() {
            if body.terminator(block) != Some(attachment.inst) {
                continue;
            }
            let back = |next: &Block| cfg.position(*next) <= cfg.position(block);
            headers.extend(body.successors(block).filter(back));
        }
    }
    headers
}

/// Whether the properties of a loop forbid to unroll it.
fn is_kept(module: &Module, node: NodeId) -> bool {
    let md = |value| match value {
        FieldValue::Md(md) => md.get(),
        _ => Md::Null,
    };
    module.metadata.fields(node).iter().any(|field| {
        let Md::Node(property) = md(field.value) else {
            return false;
        };
        let fields = module.metadata.fields(property);
        let Some(Md::String(name)) = fields.first().map(|field| md(field.value)) else {
            return false;
        };
        let number = fields.get(1).map(|field| md(field.value));
        match module.names.bytes(name) {
            b"llvm.loop.unroll.disable" => true,
            b"llvm.loop.unroll.count" => {
                matches!(number, Some(Md::Const(one)) if module.constants.as_u64(one) == Some(1))
            }
            _ => false,
        }
    })
}

/// For each value whether an instruction with an effect depends on it. Phis that only keep each other alive
/// are dead.
fn live_values(body: &Body) -> Vec<bool> {
    let mut live = vec![false; body.locals.len()];
    let mut work = Vec::new();
    for &block in &body.order {
        for &inst in &body.blocks[block].insts {
            if body.insts[inst].op.effect() != Effect::None {
                work.push(inst);
            }
        }
    }
    while let Some(inst) = work.pop() {
        for &value in body.operands(inst) {
            if let Operand::Local(local) = value.get()
                && !live[local.index()]
            {
                live[local.index()] = true;
                if let warpc_nvvm::function::Def::Inst(inst) = body.locals[local].def {
                    work.push(inst);
                }
            }
        }
    }
    live
}
