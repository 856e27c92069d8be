//! A module of PTX to a relocatable object: each kernel and function for itself, with what a linker fills in.

use super::part::{self, Callees};
use super::{
    Context, Frame, Watch, bug, finish, is_of_texture_unit, judge, register_limit, size_reference,
};
use crate::build::linked::{self, CALL, prototype, prototype_of};
use crate::build::{self, object_data};
use crate::check::{Assembled, Part};
use crate::emit::{LinkedPlace, link, take_links};
use crate::ir::Changed;
use crate::learned::Pool;
use crate::line_table::LineTable;
use crate::observe::{After, Left};
use crate::options::Options;
use crate::usage::{FunctionUsage, Usage};
use crate::version::Version;
use rustc_hash::FxHashSet;
use std::time::Instant;
use warpc_cubin::attribute::info;
use warpc_cubin::build::Reference;
use warpc_cubin::build::object::{self as object_file, Declared, Definition, Object};
use warpc_cubin::{Cubin, build::object::Variable};
use warpc_diag::{Diagnostic, Diagnostics, Output};
use warpc_launch::functions::Functions;
use warpc_launch::reach::Reached;
use warpc_launch::shared::Shared;
use warpc_ptx::Module;
use warpc_ptx::inst::Operand;
use warpc_ptx::module::{
    self as ptx_module, Function, FunctionKind, Linkage, Space, Statement, TargetOption,
};
use warpc_ptx::symbol::Symbol;

/// Makes the object.
pub(super) fn assembled(module: &Module, options: &Options, mut watch: Watch) -> Output<Cubin> {
    let mut diagnostics = Diagnostics::new();
    let at = module.header.target.0;
    let functions = Functions::of(module);
    let (data, variables) = match object_data::of(module, &functions) {
        Ok(made) => made,
        Err(refused) => {
            diagnostics.push(*build::refuse(refused.at, refused.what).0);
            return Output::failed(diagnostics);
        }
    };
    let mut object = Object::new(module.sm);
    let lines = (options.lines).then(|| LineTable::of(module, &options.text));
    let shared = Shared::default();
    let learned = Pool::default();
    let handles = build::handle::Handles::of(&data.opaque, &[], 0);
    for function in module.functions().filter(|one| one.body.is_some()) {
        let name = module.name(function.name);
        if !options.entries.is_empty()
            && function.kind == FunctionKind::Entry
            && !options.entries.iter().any(|one| one == name)
        {
            continue;
        }
        let context = Context {
            module,
            functions: &functions,
            data: &data,
            shared: &shared,
            handles: &handles,
            options,
            registers: register_limit(function, options, options.spill),
            most_registers: register_limit(function, options, false),
            is_kept: options.verify || watch.kept.is_some(),
            version: Version::default(),
            learned: &learned,
            // Who calls, and what is called, may not be known.
            barriers_are_left: true,
        };
        let mut found = Vec::new();
        match one(&context, function, lines.as_ref(), &mut found, &mut watch) {
            Ok(made) => {
                super::say(found, &mut diagnostics);
                object.functions.push(made);
            }
            Err(errors) => diagnostics.append(errors),
        }
    }
    if diagnostics.has_errors() {
        return Output::failed(diagnostics);
    }
    object.lines = lines.map(|lines| lines.lines);
    object.variables = with_definitions(variables);
    object.opaque = data.described;
    let options = &module.options;
    object.independent = options.contains(&TargetOption::TexmodeIndependent);
    declare(module, &mut object);
    match object_file::build(&object) {
        Ok(cubin) => Output::new(cubin, diagnostics),
        Err(fault) => {
            diagnostics.push(Diagnostic::error(fault.code, at, fault.message).help(fault.help));
            Output::failed(diagnostics)
        }
    }
}

/// Leaves out declarations of variables that the module defines, too.
fn with_definitions(mut variables: Vec<Variable>) -> Vec<Variable> {
    let is_here = |one: &&Variable| one.definition != Definition::Elsewhere;
    let here = variables.iter().filter(is_here);
    let mut known: FxHashSet<String> = here.map(|one| one.name.clone()).collect();
    variables
        .retain(|one| one.definition != Definition::Elsewhere || known.insert(one.name.clone()));
    variables
}

/// Declares what code and variables name and the object does not have.
fn declare(module: &Module, object: &mut Object) {
    let functions = object.functions.iter().map(|one| one.code.name.clone());
    let variables = object.variables.iter().map(|one| one.name.clone());
    let opaque = object.opaque.iter().map(|one| one.name.clone());
    let mut known: FxHashSet<String> = functions.chain(variables).chain(opaque).collect();
    let codes = object.functions.iter();
    let of_code = codes.flat_map(|one| &one.code.relocations);
    let of_variables = object.variables.iter().flat_map(|one| &one.references);
    let named: Vec<Reference> = of_code.chain(of_variables).cloned().collect();
    for reference in named {
        let name = reference.symbol;
        if name == linked::TABLE || name == linked::CONSTANT_BYTES || !known.insert(name.clone()) {
            continue;
        }
        let declared = module.functions().find(|one| module.name(one.name) == name);
        match declared {
            Some(function) => object.declared.push(Declared {
                prototype: prototype_of(function),
                name,
            }),
            // What the assembler calls for itself; what takes no part in the matching of calls.
            None if reference.kind == CALL => object.declared.push(Declared {
                prototype: "#v".to_owned(),
                name,
            }),
            None => object.sizes.push(name),
        }
    }
    let outside: FxHashSet<&String> = object.declared.iter().map(|one| &one.name).collect();
    for function in &mut object.functions {
        let references = function.code.relocations.iter();
        let symbols = references.map(|one| &one.symbol);
        let mut seen = FxHashSet::default();
        let externs = symbols.filter(|name| outside.contains(name) && seen.insert(name.as_str()));
        function.code.externs = externs.cloned().collect();
    }
}

/// The functions that one of an object calls: the linker finds them, so that nothing is known of them.
struct Linked(Vec<Symbol>);

impl Callees for Linked {
    fn number(&mut self, name: Symbol) -> usize {
        super::numbered(&mut self.0, name)
    }

    fn changed_by(&mut self, _: Symbol, _: After) -> Result<Changed, Diagnostics> {
        Ok(Changed::by_convention())
    }
}

/// A kernel or function.
fn one<'m>(
    context: &Context,
    function: &'m ptx_module::Function,
    lines: Option<&LineTable<'m>>,
    found: &mut Vec<Diagnostic>,
    watch: &mut Watch,
) -> Result<object_file::Function, Diagnostics> {
    let begin = Instant::now();
    let (module, options) = (context.module, context.options);
    let span = function.name_at.0;
    let mut callees = Linked(vec![function.name]);
    let mut nobody = |_: &'static str, _: &dyn Left| {};
    let after: After = match &mut watch.after {
        Some(after) => &mut **after,
        None => &mut nobody,
    };
    let made = part::assemble(context, function, &mut callees, after)?;
    found.extend(made.found);
    let (mut code, frame, spills) = (made.code, made.frame, made.spills);
    let first_registers = made.first_registers;
    let links = take_links(&mut code);
    let parts = made.wanted.map(|ir| Part {
        wanted: ir,
        origins: code.origins.clone(),
        spans: code.spans.clone(),
        starts: code.starts.clone(),
        repeats: code.repeats.clone(),
        callees: Vec::new(),
        frame,
    });
    let spans = code.spans.clone();
    let (mut insts, sizes) = link(vec![code]);
    if context.is_kept {
        let assembled = Assembled {
            name: module.name(function.name).to_owned(),
            chip: module.sm,
            indirect: Vec::new(),
            insts,
            parts: parts.into_iter().collect(),
        };
        if options.verify {
            judge(&assembled, span)?;
        }
        insts = assembled.insts.clone();
        if let Some(kept) = &mut watch.kept {
            kept.push(assembled);
        }
    }
    let is_kernel = function.kind == FunctionKind::Entry;
    let frames = [Frame {
        name: function.name,
        insts: insts.len() as u32,
        bytes: frame,
        spills,
        first_registers,
        callees: Vec::new(),
    }];
    let mut made = finish(context, function, &insts, &frames).map_err(|what| bug(span, what))?;
    if !is_kernel {
        made.parameters.clear();
        made.registers = made.registers.max(crate::abi::LEAST_REGISTERS);
    }
    if let Some((lines, body)) = lines.zip(function.body.as_ref()) {
        (made.lines, made.ptx_lines) = lines.rows(&[(body, spans)]);
    }
    // Which calls by address are calls of the system is not known.
    let attributes = &mut made.attributes;
    attributes.retain(|one| one.attribute != info::SYSCALL_OFFSETS);
    made.uses_textures = insts.iter().any(is_of_texture_unit);
    let reached = Reached {
        bodies: vec![function],
        ..Reached::default()
    };
    let used = crate::used::attributes(module, &reached.bodies, &insts);
    made.attributes.extend(used);
    made.relocations = sizes.iter().map(|one| size_reference(*one)).collect();
    made.relocations.extend(links.iter().map(reference));
    made.relocations.sort_by_key(|one| one.offset);
    if let Some(used) = &mut watch.used {
        used.push(Usage {
            is_kernel,
            functions: vec![FunctionUsage {
                name: module.name(function.name).to_owned(),
                frame,
                spill_stores: spills.stores,
                spill_loads: spills.loads,
            }],
            registers: made.registers.into(),
            barriers: made.barriers,
            stack: 0,
            shared: own_shared_bytes(function),
            time: begin.elapsed(),
        });
    }
    let calls = links.iter().filter(|one| one.1.kind == CALL);
    let calls = calls.map(|one| one.1.symbol.clone()).collect();
    Ok(object_file::Function {
        code: made,
        is_kernel,
        definition: match function.linkage {
            Linkage::Internal => Definition::Local,
            Linkage::Weak | Linkage::Common => Definition::Weak,
            Linkage::Visible | Linkage::Extern => Definition::Global,
        },
        prototype: prototype_of(function),
        calls,
        called_prototypes: called_prototypes(context, function),
    })
}

/// The bytes of the variables in shared memory that a kernel or function declares.
fn own_shared_bytes(function: &Function) -> u32 {
    let body = function.body.iter();
    let mut end = 0u64;
    for statement in body.flat_map(|body| &body.statements) {
        if let Statement::Variable(variable) = statement
            && variable.space == Space::Shared
        {
            end = end.next_multiple_of(variable.alignment().max(1));
            end = end.saturating_add(variable.bytes().unwrap_or(0));
        }
    }
    u32::try_from(end).unwrap_or(u32::MAX)
}

fn reference((at, link): &LinkedPlace) -> Reference {
    Reference {
        offset: *at as u64 * u64::from(super::WORD),
        kind: link.kind,
        symbol: link.symbol.clone(),
        addend: 0,
    }
}

/// The prototypes of functions that a function calls by address.
fn called_prototypes(context: &Context, function: &Function) -> Vec<String> {
    let (module, functions) = (context.module, context.functions);
    let Some(body) = &function.body else {
        return Vec::new();
    };
    let mut labels = Vec::new();
    for statement in &body.statements {
        let Statement::Inst(inst) = statement else {
            continue;
        };
        let mnemonic = module.mnemonic(inst.mnemonic);
        let choice = mnemonic.choices.get(usize::from(inst.choice));
        if choice.is_none_or(|choice| choice.form.form().opcode != "call") {
            continue;
        }
        // The last name of a call by address is that of the description; calls by name have none.
        for operand in body.operands(inst.operands) {
            if let Operand::Name { symbol, .. } = operand
                && functions.number(*symbol).is_none()
            {
                labels.push(*symbol);
            }
        }
    }
    let mut all = Vec::new();
    for pair in body.statements.windows(2) {
        let Statement::Label(label, _) = &pair[0] else {
            continue;
        };
        if !labels.contains(label) {
            continue;
        }
        match &pair[1] {
            Statement::CallPrototype(one, _) => all.push(prototype(&one.params, &one.returns)),
            Statement::CallTargets(names, _) => {
                let named = names.first().map(|one| one.0);
                let mut declared = module.functions();
                let found = declared.find(|one| Some(one.name) == named);
                all.extend(found.map(prototype_of));
            }
            _ => {}
        }
    }
    all
}
