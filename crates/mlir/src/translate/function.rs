//! Functions: heads, blocks and the values that blocks are given.
//!
//! Blocks of MLIR take arguments where LLVM IR has phis: each argument becomes a phi with an entry for every edge
//! into its block. An edge that leaves a block twice with different values gets a block of its own.

use super::constant::Constant;
use super::mbarrier::splits;
use super::operands::Groups;
use super::{Outcome, Output, Problem, attribute};
use crate::table;
use crate::tree::{Attr, Block, Op, Successor, Use, Value};
use crate::types::{Type, quoted};
use rustc_hash::FxHashMap;
use std::fmt::Write;
use warpc_diag::{Diagnostic, Span, codes};

/// A value: its type and how it is written.
#[derive(Clone, Debug)]
pub(super) struct Known {
    pub ty: Type,
    pub text: String,
}

/// A function while its body is written.
pub(super) struct Writer<'o, 't> {
    pub out: &'o mut Output<'t>,
    values: FxHashMap<Value<'t>, Known>,
    body: &'t [Block<'t>],
    /// Blocks by name.
    blocks: FxHashMap<&'t str, usize>,
    /// How many values were named.
    count: usize,
    /// Where the operation stands that is written now.
    pub pos: u32,
    /// What the function gives.
    pub result: Type,
    /// For each block, what comes in: from which label, which values.
    incoming: Vec<Vec<(String, Vec<Use<'t>>)>>,
    /// Blocks for edges: their label and where they go.
    split: Vec<(String, usize)>,
    /// The block that is written now, and how many operations have split it.
    block: usize,
    parts: usize,
}

/// Linkage, visibility and what else stands before the type of a global, each with a blank after it.
pub(super) fn words_of_global(op: &Op<'_>, definition: bool) -> String {
    let mut words = String::new();
    let linkage = op.attrs.word("linkage").unwrap_or("external");
    if linkage != "external" {
        words.push_str(linkage);
        words.push(' ');
    } else if !definition {
        words.push_str("external ");
    }
    if op.attrs.flag("dso_local") {
        words.push_str("dso_local ");
    }
    if let Some(visibility @ ("hidden" | "protected")) = op.attrs.word("visibility_") {
        words.push_str(visibility);
        words.push(' ');
    }
    words
}

/// `unnamed_addr ` and its kin.
pub(super) fn unnamed_address(op: &Op<'_>) -> &'static str {
    match op.attrs.word("unnamed_addr") {
        Some("local_unnamed_addr") => "local_unnamed_addr ",
        Some("unnamed_addr") => "unnamed_addr ",
        _ => "",
    }
}

impl<'t> Output<'t> {
    pub(super) fn function(&mut self, op: &'t Op<'t>) -> Outcome<()> {
        let Some(name) = op.attrs.string("sym_name") else {
            return Err(Problem::wrong("the function has no name"));
        };
        let Some(Type::Function(signature)) = op.attrs.get("function_type").and_then(Attr::ty)
        else {
            return Err(Problem::wrong("the function has no type"));
        };
        let blocks = op.regions.first().map_or(&[][..], |region| &region.blocks);
        let definition = !blocks.is_empty();
        let dicts = |name: &str| match op.attrs.get(name) {
            Some(Attr::Array(values)) => values.clone(),
            _ => Vec::new(),
        };
        let (of_params, of_result) = (dicts("arg_attrs"), dicts("res_attrs"));
        let attributes = |list: &[Attr<'_>], index: usize| match list.get(index) {
            Some(Attr::Dict(attrs)) => attribute::of_parameter(attrs),
            _ => Ok(String::new()),
        };
        let mut params = Vec::new();
        for (i, ty) in signature.params.iter().enumerate() {
            let mut text = format!("{ty}{}", attributes(&of_params, i)?);
            if let Some((_, _)) = blocks.first().and_then(|block| block.args.get(i)) {
                let _ = write!(text, " %a{i}");
            }
            params.push(text);
        }
        if signature.variadic {
            params.push("...".to_owned());
        }
        let words = words_of_global(op, true);
        let result = attributes(&of_result, 0)?;
        let kernel = op.attrs.flag("nvvm.kernel");
        let convention = attribute::convention(&op.attrs, "CConv", kernel)?;
        let comdat = match op.attrs.get("comdat").and_then(Attr::symbol) {
            Some(name) => format!(" comdat(${})", quoted(name)),
            None => String::new(),
        };
        let after = attribute::of_function(&op.attrs)?;
        let line = self.line(op.pos);
        let _ = write!(
            line,
            "{} {words}{convention}{}{} @{}({}) {}{}{comdat}",
            if definition { "define" } else { "declare" },
            result.trim_start(),
            match result.is_empty() {
                true => signature.result.to_string(),
                false => format!(" {}", signature.result),
            },
            quoted(name),
            params.join(", "),
            unnamed_address(op),
            after.before_section,
        );
        if let Some(section) = op.attrs.string("section") {
            let section = quoted(section);
            let _ = write!(self.text, " section {section}");
        }
        self.text.push_str(&after.behind_section);
        if !definition {
            self.text.push('\n');
            return Ok(());
        }
        self.text.push_str(" {\n");
        Writer::body(self, op, blocks, signature.result.clone())?;
        self.text.push_str("}\n");
        Ok(())
    }
}

impl<'o, 't> Writer<'o, 't> {
    /// Writes the blocks of a function.
    fn body(
        out: &'o mut Output<'t>,
        op: &'t Op<'t>,
        blocks: &'t [Block<'t>],
        result: Type,
    ) -> Outcome<()> {
        let mut writer = Writer {
            out,
            values: FxHashMap::default(),
            body: blocks,
            blocks: FxHashMap::default(),
            count: 0,
            pos: op.pos,
            result,
            incoming: blocks.iter().map(|_| Vec::new()).collect(),
            split: Vec::new(),
            block: 0,
            parts: 0,
        };
        if !writer.define_all(blocks) || !writer.find_edges(blocks) {
            return Ok(());
        }
        for (index, block) in blocks.iter().enumerate() {
            writer.pos = block.pos;
            writer.label(&label(index));
            (writer.block, writer.parts) = (index, 0);
            if index > 0
                && let Err(problem) = writer.phis(index, block)
            {
                writer.say(block.pos, problem.message);
            }
            for op in &block.ops {
                if writer.out.diagnostics.is_full() {
                    return Ok(());
                }
                writer.pos = op.pos;
                if let Err(problem) = writer.operation(op) {
                    writer.out.report(op, problem);
                }
            }
        }
        for (name, target) in std::mem::take(&mut writer.split) {
            let line = writer.out.line(op.pos);
            let _ = writeln!(line, "{name}:\n  br label %{}", label(target));
        }
        Ok(())
    }

    /// Gives every value a type and a text, so that it may be used before its block is written.
    fn define_all(&mut self, blocks: &'t [Block<'t>]) -> bool {
        let errors = self.out.diagnostics.error_count();
        for (index, block) in blocks.iter().enumerate() {
            if let Some(name) = block.name
                && self.blocks.insert(name, index).is_some()
            {
                self.say(block.pos, format!("the block `^{name}` is defined twice"));
            }
            for (i, (value, ty)) in block.args.iter().enumerate() {
                let text = match index {
                    0 => format!("%a{i}"),
                    _ => self.fresh(),
                };
                self.define(*value, ty.clone(), text, block.pos);
            }
            for op in &block.ops {
                let constant = match Constant::of_operation(op, self.out) {
                    Ok(constant) => constant,
                    Err(problem) => {
                        self.out.report(op, problem);
                        continue;
                    }
                };
                if let (Some(constant), Some(value)) = (constant, op.results.first()) {
                    let text = constant.text();
                    self.define(*value, constant.ty, text, op.pos);
                    continue;
                }
                for (value, ty) in op.results.iter().zip(&op.result_types) {
                    let text = self.fresh();
                    self.define(*value, ty.clone(), text, op.pos);
                }
            }
        }
        self.out.diagnostics.error_count() == errors
    }

    fn say(&mut self, pos: u32, message: String) {
        let span = Span::new(pos, pos + 1);
        let diagnostic = Diagnostic::error(codes::MLIR_OPERATION, span, message);
        self.out.diagnostics.push(diagnostic);
    }

    fn define(&mut self, value: Value<'t>, ty: Type, text: String, pos: u32) {
        if self.values.insert(value, Known { ty, text }).is_some() {
            self.say(pos, format!("the value `%{}` is defined twice", value.name));
        }
    }

    /// A name that no value has.
    pub fn fresh(&mut self) -> String {
        self.count += 1;
        format!("%v{}", self.count)
    }

    /// What a use stands for.
    pub fn known(&self, operand: &Use<'t>) -> Outcome<&Known> {
        let Some(known) = self.values.get(&operand.value) else {
            let name = operand.value.name;
            let problem = Problem::wrong(format!("the value `%{name}` is not defined"));
            return Err(problem.at(operand.pos, name));
        };
        match &operand.ty {
            Some(ty) if *ty != known.ty => Err(Problem::wrong(format!(
                "the value `%{}` is {}, not {ty}",
                operand.value.name, known.ty
            ))
            .at(operand.pos, operand.value.name)),
            _ => Ok(known),
        }
    }

    /// A value with its type before it.
    pub fn typed(&self, operand: &Use<'t>) -> Outcome<String> {
        let known = self.known(operand)?;
        Ok(format!("{} {}", known.ty, known.text))
    }

    /// The name of the result of an operation; one is made if the text has none.
    pub fn result_name(&mut self, op: &Op<'t>) -> String {
        let known = op.results.first().and_then(|value| self.values.get(value));
        match known {
            Some(known) => known.text.clone(),
            None => self.fresh(),
        }
    }

    /// The name of one of several results.
    pub fn result_name_of(&self, op: &Op<'t>, index: usize) -> Option<String> {
        let value = op.results.get(index)?;
        Some(self.values.get(value)?.text.clone())
    }

    /// Gives a value another name from here on: inline PTX has changed it. That is a thing of one block, because
    /// other blocks may have been written already.
    pub fn change(&mut self, op: &Op<'t>, operand: &Use<'t>, text: String) -> Outcome<()> {
        if self.used_elsewhere(op, operand.value) {
            let name = operand.value.name;
            let message = format!("`%{name}` is changed here and used in another block");
            return Err(Problem::unsupported(message).at(operand.pos, name));
        }
        if let Some(known) = self.values.get_mut(&operand.value) {
            known.text = text;
        }
        Ok(())
    }

    /// Whether another block than that of an operation uses a value, or gives it on.
    fn used_elsewhere(&self, op: &Op<'t>, value: Value<'t>) -> bool {
        let here = |block: &Block<'t>| block.ops.iter().any(|other| other.pos == op.pos);
        self.body.iter().any(|block| {
            let in_ops = |ops: &[Op<'t>]| {
                let mut uses = ops.iter().flat_map(|op| &op.operands);
                uses.any(|operand| operand.value == value)
            };
            match here(block) {
                true => in_ops(&block.ops[block.ops.len().saturating_sub(1)..]),
                false => in_ops(&block.ops),
            }
        })
    }

    /// Writes an instruction.
    pub fn write(&mut self, text: &str) {
        let line = self.out.line(self.pos);
        let _ = writeln!(line, "  {text}");
    }

    /// Starts a block of LLVM IR.
    pub fn label(&mut self, label: &str) {
        let line = self.out.line(self.pos);
        let _ = writeln!(line, "{label}:");
    }

    /// Labels for a loop in the middle of a block and for what follows it.
    pub fn split(&mut self) -> (String, String) {
        self.parts += 1;
        let (block, part) = (self.block, self.parts);
        (format!("w{block}.{part}"), part_label(block, part))
    }

    /// The block with a name.
    fn block_of(&self, successor: &Successor<'_>) -> Outcome<usize> {
        let name = successor.block;
        let problem = match self.blocks.get(name) {
            Some(&index) if index > 0 => return Ok(index),
            Some(_) => Problem::wrong("nothing can go to the first block"),
            None => Problem::wrong(format!("there is no block `^{name}`")),
        };
        Err(problem.at(successor.pos, name))
    }

    /// The label that a terminator has for one of its successors.
    pub fn target(&self, op: &Op<'_>, index: usize) -> Outcome<String> {
        let Some(successor) = op.successors.get(index) else {
            return Err(Problem::wrong("a block is missing"));
        };
        let block = self.block_of(successor)?;
        let mut labels = self.incoming[block].iter().map(|(label, _)| label);
        let own = edge_label(op, index);
        Ok(match labels.any(|label| *label == own) {
            true => format!("%{own}"),
            false => format!("%{}", label(block)),
        })
    }

    /// Finds what every block is given, and by whom.
    fn find_edges(&mut self, blocks: &'t [Block<'t>]) -> bool {
        let errors = self.out.diagnostics.error_count();
        for (from, block) in blocks.iter().enumerate() {
            let Some(op) = block.ops.last() else {
                self.say(block.pos, "the block is empty".to_owned());
                continue;
            };
            let given = match given(op) {
                Ok(given) => given,
                Err(problem) => {
                    self.out.report(op, problem);
                    continue;
                }
            };
            for (i, successor) in op.successors.iter().enumerate() {
                let target = match self.block_of(successor) {
                    Ok(target) => target,
                    Err(problem) => {
                        self.out.report(op, problem);
                        continue;
                    }
                };
                let values = given.get(i).copied().unwrap_or_default();
                // The first edge to a block is its own; others get a block that tells them apart.
                let before = &op.successors[..i];
                let again = before.iter().any(|other| other.block == successor.block);
                let mut name = exit_label(from, block);
                if again && !values.is_empty() {
                    name = edge_label(op, i);
                    self.split.push((name.clone(), target));
                }
                self.incoming[target].push((name, values.to_vec()));
            }
        }
        self.out.diagnostics.error_count() == errors
    }

    /// The arguments of a block.
    fn phis(&mut self, index: usize, block: &Block<'t>) -> Outcome<()> {
        for (i, (value, ty)) in block.args.iter().enumerate() {
            let mut entries = Vec::new();
            for (from, values) in &self.incoming[index] {
                let Some(operand) = values.get(i) else {
                    return Err(Problem::wrong("a branch gives this block too few values"));
                };
                let known = self.known(operand)?;
                if known.ty != *ty {
                    return Err(Problem::wrong(format!(
                        "a branch gives this block {} where it takes {ty}",
                        known.ty
                    )));
                }
                entries.push(format!("[ {}, %{from} ]", known.text));
            }
            let name = self.values[value].text.clone();
            let line = self.out.line(block.pos);
            // A block that nothing goes to has arguments without values.
            let _ = match entries.is_empty() {
                true => writeln!(line, "  {name} = freeze {ty} poison"),
                false => writeln!(line, "  {name} = phi {ty} {}", entries.join(", ")),
            };
        }
        Ok(())
    }

    fn operation(&mut self, op: &'t Op<'t>) -> Outcome<()> {
        if Constant::of_operation(op, self.out)?.is_some() {
            return Ok(());
        }
        if let Some(result) = self.special(op) {
            return result;
        }
        match table::row_of(op.name) {
            Some(row) if !row.llvm.is_empty() => {
                let groups = Groups::of(op, row)?;
                self.template(op, row.llvm, &groups)
            }
            _ => Err(Problem::unsupported("warpc does not know this operation")
                .help("it reads the operations of the `llvm` and `nvvm` dialects of MLIR 22")),
        }
    }
}

/// The label of a block.
fn label(index: usize) -> String {
    format!("b{index}")
}

/// The label of a part of a block, after the operation that split it.
fn part_label(index: usize, part: usize) -> String {
    format!("b{index}.{part}")
}

/// The label of the last part of a block, which the edges leave.
fn exit_label(index: usize, block: &Block<'_>) -> String {
    match block.ops.iter().filter(|op| splits(op)).count() {
        0 => label(index),
        parts => part_label(index, parts),
    }
}

/// The label of the block for an edge.
fn edge_label(op: &Op<'_>, index: usize) -> String {
    format!("e{}.{index}", op.pos)
}

/// What a terminator gives to each of its successors.
fn given<'t>(op: &'t Op<'t>) -> Outcome<Vec<&'t [Use<'t>]>> {
    if op.successors.is_empty() {
        return Ok(Vec::new());
    }
    let uses: &'t [Use<'t>] = &op.operands;
    let wrong = || Problem::wrong("the numbers of its operands do not add up");
    let segments = op.attrs.get("operandSegmentSizes").and_then(Attr::numbers);
    let (own, mut sizes) = match (op.name, segments) {
        ("llvm.br", _) => (0, vec![uses.len() as i128]),
        ("llvm.cond_br", Some(sizes)) if sizes.len() == 3 => (1, sizes[1..].to_vec()),
        ("llvm.cond_br", None) => (1, vec![0, 0]),
        ("llvm.switch", segments) => {
            let default = segments
                .and_then(|sizes| sizes.get(1).copied())
                .unwrap_or(0);
            let cases = op.attrs.get("case_operand_segments");
            let mut sizes = vec![default];
            sizes.extend(cases.and_then(Attr::numbers).unwrap_or_default());
            (1, sizes)
        }
        _ => return Err(Problem::unsupported("this does not end a block")),
    };
    sizes.resize(op.successors.len(), 0);
    let mut rest = uses.get(own..).ok_or_else(wrong)?;
    let mut groups = Vec::new();
    for size in sizes {
        let size = usize::try_from(size).map_err(|_| wrong())?;
        if size > rest.len() {
            return Err(wrong());
        }
        let (group, more) = rest.split_at(size);
        groups.push(group);
        rest = more;
    }
    match rest.is_empty() {
        true => Ok(groups),
        false => Err(wrong()),
    }
}
