//! A module of PTX to a cubin, kernel by kernel; [`part`] has the passes in order.

mod in_parallel;
mod leaving;
mod object;
mod part;
mod section;

use crate::build;
use crate::build::data::{self, Data};
use crate::build::handle::Handles;
use crate::check::{Assembled, Indirect, Part};
use crate::driver_table::Table;
use crate::emit::{LoadedSize, link};
use crate::ir::Spills;
use crate::learned::Pool;
use crate::line_table::LineTable;
use crate::observe::After;
use crate::options::{Level, Options};
use crate::tune::{self, Trial};
use crate::usage::{FunctionUsage, Usage};
use crate::version::Version;
use part::Callees;
use section::Section;
use std::time::Instant;
use warpc_cubin::Cubin;
use warpc_cubin::attribute::info;
use warpc_cubin::build::{
    Kernel, LocalFunction, Opaque, Program, Reference, handles_at, parameters_at,
};
use warpc_cubin::{Parameter, Record};
use warpc_diag::{Diagnostic, Diagnostics, Output, Span, codes};
use warpc_launch::functions::Functions;
use warpc_launch::reach::reach;
use warpc_launch::shared::{Shared, shared, shared_begin};
use warpc_ptx::Module;
use warpc_ptx::module::{self as ptx_module, FunctionKind, TargetOption};
use warpc_ptx::symbol::Symbol;
use warpc_sass::decode::decode;
use warpc_sass::encode::encode;
use warpc_sass::facts::facts_of_insts;
use warpc_sass::{Inst, Value};
use warpc_target::features;

/// The registers that are left to a kernel that spills nearly everything.
const FEW: u8 = 24;

/// A kernel has at least so many registers in its file: what the highest one is followed by. Source: ptxas, which counts
/// two more than it uses and rounds up.
pub(crate) const MORE: u32 = 2;

/// Bytes of an instruction.
const WORD: u32 = 16;

/// Assembles a checked module.
pub fn assemble(module: &Module, options: &Options) -> Output<Cubin> {
    let watch = Watch::default();
    assembled(module, options, watch)
}

/// The same, with an observer that is told about each pass ([`crate::passes::names`]).
pub fn assemble_observed(module: &Module, options: &Options, after: After) -> Output<Cubin> {
    let watch = Watch {
        after: Some(after),
        ..Watch::default()
    };
    assembled(module, options, watch)
}

/// Assembles a checked module, and keeps each kernel with what it was made from: what judges need.
pub fn assemble_and_keep(
    module: &Module,
    options: &Options,
    kept: &mut Vec<Assembled>,
) -> Output<Cubin> {
    let watch = Watch {
        kept: Some(kept),
        ..Watch::default()
    };
    assembled(module, options, watch)
}

/// Assembles a checked module, and says what its kernels use. With an observer kernels are assembled one after the other,
/// else on as many threads as the options say.
pub fn assemble_and_count<'a>(
    module: &Module,
    options: &Options,
    after: Option<After<'a>>,
    used: &'a mut Vec<Usage>,
) -> Output<Cubin> {
    let watch = Watch {
        after,
        kept: None,
        used: Some(used),
    };
    assembled(module, options, watch)
}

fn assembled(module: &Module, options: &Options, mut watch: Watch) -> Output<Cubin> {
    let mut diagnostics = Diagnostics::new();
    let at = module.header.target.0;
    if !module.sm.has(features::CUBINS_OF_HOPPER) || module.address_size == Some(32) {
        let what = match module.address_size {
            Some(32) => "addresses of 32 bits".to_owned(),
            _ => format!("{} (it knows sm_90 and sm_90a)", module.sm),
        };
        diagnostics.push(*build::refuse(at, what).0);
        return Output::failed(diagnostics);
    }
    if options.relocatable {
        return object::assembled(module, options, watch);
    }
    let functions = Functions::of(module);
    let data = match Data::of(module, &functions) {
        Ok(data) => data,
        Err(refused) => {
            diagnostics.push(*build::refuse(refused.at, refused.what).0);
            return Output::failed(diagnostics);
        }
    };
    for at in &data.outside {
        let message = "another module has to define the variable; in a finished cubin it is defined here, as zeros";
        diagnostics.push(Diagnostic::warning(codes::BAD_DECLARATION, *at, message));
    }
    let mut program = Program::new(module.sm);
    let lines = (options.lines).then(|| LineTable::of(module, &options.text));
    let is_wanted = |one: &&ptx_module::Function| {
        let mut entries = options.entries.iter();
        let is_named =
            options.entries.is_empty() || entries.any(|name| name == module.name(one.name));
        one.kind == FunctionKind::Entry && is_named
    };
    let wanted: Vec<&ptx_module::Function> = module.functions().filter(is_wanted).collect();
    let is_kept = watch.kept.is_some();
    let learned = Pool::default();
    let make = |function, after: After| {
        kernel(
            module,
            function,
            &data,
            &functions,
            (options, &learned),
            is_kept,
            after,
        )
    };
    let made: Vec<_> = match watch.after {
        Some(after) => wanted.iter().map(|one| make(*one, &mut *after)).collect(),
        None => in_parallel::map(&wanted, threads(options, &wanted), |one| {
            make(*one, &mut |_, _| {})
        }),
    };
    let mut used: Vec<Symbol> = Vec::new();
    for made in made {
        match made {
            Ok(mut made) => {
                // The sections of the last kernel come first.
                used.splice(0..0, made.handles);
                if let Some(lines) = &lines {
                    (made.kernel.lines, made.kernel.ptx_lines) = lines.rows(&made.spans);
                }
                say(made.found, &mut diagnostics);
                program.kernels.push(made.kernel);
                if let Some(kept) = &mut watch.kept {
                    kept.extend(made.assembled);
                }
                if let Some(used) = &mut watch.used {
                    used.push(made.usage);
                }
            }
            Err(errors) => diagnostics.append(errors),
        }
    }
    if diagnostics.has_errors() {
        return Output::failed(diagnostics);
    }
    program.addresses = data.addresses(module).collect();
    program.externs = data.system.clone();
    program.variables = data.variables;
    let mut opaque: Vec<(Opaque, Symbol)> = Vec::new();
    for (described, (symbol, _)) in data.described.into_iter().zip(&data.opaque) {
        opaque.push((described, *symbol));
    }
    opaque.sort_by_key(|one| {
        let place = used.iter().position(|symbol| *symbol == one.1);
        place.unwrap_or(usize::MAX)
    });
    program.opaque = opaque.into_iter().map(|one| one.0).collect();
    let options = &module.options;
    program.independent = options.contains(&TargetOption::TexmodeIndependent);
    for table in Table::ALL.map(Table::size_symbol) {
        let kernels = program.kernels.iter();
        let mut references = kernels.flat_map(|kernel| &kernel.relocations);
        if references.any(|one| one.symbol == table) {
            program.sizes.push(table.to_owned());
        }
    }
    program.lines = lines.map(|lines| lines.lines);
    match warpc_cubin::build::build(&program) {
        Ok(cubin) => Output::new(cubin, diagnostics),
        Err(fault) => {
            diagnostics.push(Diagnostic::error(fault.code, at, fault.message).help(fault.help));
            Output::failed(diagnostics)
        }
    }
}

/// Adds what was found, but once for a function that several kernels call.
fn say(found: Vec<Diagnostic>, diagnostics: &mut Diagnostics) {
    for one in found {
        let mut said = diagnostics.as_slice().iter();
        if !said.any(|other| other.code == one.code && other.span == one.span) {
            diagnostics.push(one);
        }
    }
}

fn bug(span: Span, what: impl std::fmt::Display) -> Diagnostics {
    let mut diagnostics = Diagnostics::new();
    let message = format!("the assembler made code that is not right: {what}");
    diagnostics.push(Diagnostic::error(codes::INTERNAL, span, message));
    diagnostics
}

/// The code of a function, and for each instruction that was made of it where it comes from.
type Spans<'m> = (&'m ptx_module::Body, Vec<Span>);

/// Who wants to know how a module is assembled.
#[derive(Default)]
struct Watch<'a> {
    after: Option<After<'a>>,
    /// Who gets the kernels as they were assembled.
    kept: Option<&'a mut Vec<Assembled>>,
    /// Who is told what they use.
    used: Option<&'a mut Vec<Usage>>,
}

/// Statements that are assembled sooner than a thread starts.
const FEW_STATEMENTS: usize = 300;

/// How many threads assemble these kernels.
fn threads(options: &Options, kernels: &[&ptx_module::Function]) -> usize {
    let bodies = kernels.iter().filter_map(|kernel| kernel.body.as_ref());
    let statements: usize = bodies.map(|body| body.statements.len()).sum();
    match statements < FEW_STATEMENTS {
        true => 1,
        false => options.threads,
    }
}

/// What became of a kernel.
struct Made<'m> {
    kernel: Kernel,
    /// For each of its functions where its instructions come from.
    spans: Vec<Spans<'m>>,
    /// The textures that its code names.
    handles: Vec<Symbol>,
    /// The kernel as it was assembled, if it is kept.
    assembled: Option<Assembled>,
    usage: Usage,
    /// What there is to say about it.
    found: Vec<Diagnostic>,
}

/// What is the same for all functions of a kernel.
struct Context<'a> {
    module: &'a Module,
    functions: &'a Functions,
    data: &'a Data,
    shared: &'a Shared,
    handles: &'a Handles,
    options: &'a Options,
    /// How many registers a thread may have.
    registers: u8,
    /// How many it may have where it cannot do with as many.
    most_registers: u8,
    /// Whether the IR before registers are assigned is kept.
    is_kept: bool,
    /// What passes are asked to do otherwise than usual.
    version: Version,
    /// What other functions of the module have learned.
    learned: &'a Pool,
    /// Whether lanes may leave convergence barriers early in the kernel.
    barriers_are_left: bool,
}

fn kernel<'m>(
    module: &'m Module,
    kernel: &'m ptx_module::Function,
    data: &Data,
    functions: &Functions,
    (options, learned): (&Options, &Pool),
    is_kept: bool,
    after: After,
) -> Result<Made<'m>, Diagnostics> {
    let begin = Instant::now();
    let reached = reach(module, functions, kernel);
    let shared = shared(module, &reached);
    let parameters = data::parameters(module.sm, kernel).unwrap_or_default();
    let ends = parameters.iter().map(|(_, offset, size)| offset + size);
    let first = parameters_at(module.sm).unwrap_or(0);
    let first = handles_at(first, ends.max().unwrap_or(0));
    let handles = Handles::of(&data.opaque, &reached.bodies, first);
    let mut context = Context {
        module,
        functions,
        data,
        shared: &shared,
        handles: &handles,
        options,
        registers: register_limit(kernel, options, options.spill),
        most_registers: register_limit(kernel, options, false),
        is_kept: false,
        version: Version::default(),
        learned,
        barriers_are_left: leaving::may_happen(module, functions, &reached),
    };
    let barriers_are_left = context.barriers_are_left;
    let is_plain = !options.serial && !options.spill && options.level > Level::O0;
    if options.tune && is_plain {
        context.version = tune::best(module.sm, |version| {
            context.version = *version;
            // Each version has code of its own to ask.
            context.barriers_are_left = barriers_are_left;
            trial(&mut context, kernel)
        });
        context.barriers_are_left = barriers_are_left;
    }
    context.is_kept = options.verify || is_kept;
    let Code {
        parts,
        frames,
        wanted,
        calls_taken,
        spans,
        found,
    } = code(&mut context, (module, kernel), after)?;
    let span = kernel.name_at.0;
    let (mut insts, sizes) = link(parts);
    let places = match calls_taken {
        true => taken_places(data, &frames),
        false => Vec::new(),
    };
    let mut assembled = None;
    if context.is_kept {
        let one = Assembled {
            name: module.name(kernel.name).to_owned(),
            chip: module.sm,
            indirect: indirect_calls(&insts, &places),
            insts,
            parts: wanted,
        };
        if options.verify {
            judge(&one, span)?;
        }
        insts = one.insts.clone();
        assembled = Some(one);
    }
    let mut made = finish(&context, kernel, &insts, &frames).map_err(|what| bug(span, what))?;
    made.constants = function_table(&places);
    let names = handles.names.iter();
    made.handles = names.map(|one| module.name(*one).to_owned()).collect();
    made.relocations = sizes.iter().map(|one| size_reference(*one)).collect();
    made.uses_textures = insts.iter().any(is_of_texture_unit);
    made.externs = data.system_of(module, &reached);
    let used = crate::used::attributes(module, &reached.bodies, &insts);
    made.attributes.extend(used);
    let functions = frames.iter().map(|frame| FunctionUsage {
        name: module.name(frame.name).to_owned(),
        frame: frame.bytes,
        spill_stores: frame.spills.stores,
        spill_loads: frame.spills.loads,
    });
    let usage = Usage {
        is_kernel: true,
        functions: functions.collect(),
        registers: made.registers.into(),
        barriers: made.barriers,
        stack: made.stack,
        shared: made.shared,
        time: begin.elapsed(),
    };
    Ok(Made {
        kernel: made,
        spans,
        handles: handles.used,
        assembled,
        usage,
        found,
    })
}

/// A kernel and the functions that it calls, one after the other.
struct Code<'m> {
    parts: Vec<crate::emit::Code>,
    frames: Vec<Frame>,
    /// The IR of each before registers were assigned, if it is kept.
    wanted: Vec<Part>,
    calls_taken: bool,
    /// For each where its instructions come from, if lines are wanted.
    spans: Vec<Spans<'m>>,
    /// What there is to say about them.
    found: Vec<Diagnostic>,
}

/// Assembles a kernel and the functions that it calls, each once.
fn each_function<'m>(
    context: &Context,
    (module, kernel): (&'m Module, &'m ptx_module::Function),
    after: After,
) -> Result<Code<'m>, Diagnostics> {
    let Context { data, options, .. } = *context;
    let mut section = Section::of(context, module, kernel);
    let mut parts = Vec::new();
    let mut frames = Vec::new();
    let mut wanted = Vec::new();
    let mut calls_taken = false;
    let mut spans = Vec::new();
    let mut found = Vec::new();
    while parts.len() < section.names.len() {
        let (function, made) = section.take(parts.len(), &mut *after)?;
        found.extend(made.found);
        let (code, frame, spills) = (made.code, made.frame, made.spills);
        let first_registers = made.first_registers;
        wanted.extend(made.wanted.map(|ir| Part {
            wanted: ir,
            origins: code.origins.clone(),
            spans: code.spans.clone(),
            starts: code.starts.clone(),
            repeats: code.repeats.clone(),
            callees: code.callees.clone(),
            frame,
        }));
        let mut callees = code.callees.clone();
        if code.calls_taken {
            callees.extend(data.taken.iter().map(|one| section.number(*one)));
        }
        frames.push(Frame {
            name: function.name,
            insts: code.insts.len() as u32,
            bytes: frame,
            spills,
            first_registers,
            callees,
        });
        calls_taken |= code.calls_taken;
        if let Some(body) = function.body.as_ref().filter(|_| options.lines) {
            spans.push((body, code.spans.clone()));
        }
        parts.push(code);
    }
    Ok(Code {
        parts,
        frames,
        wanted,
        calls_taken,
        spans,
        found,
    })
}

/// The same, with barriers of callers left alone where that turns out to be needed.
fn code<'m>(
    context: &mut Context,
    of: (&'m Module, &'m ptx_module::Function),
    after: After,
) -> Result<Code<'m>, Diagnostics> {
    let made = each_function(context, of, &mut *after)?;
    if context.barriers_are_left || !leaving::happens(&made.parts) {
        return Ok(made);
    }
    context.barriers_are_left = true;
    each_function(context, of, after)
}

/// A version of a kernel, to be compared with others.
fn trial(context: &mut Context, kernel: &ptx_module::Function) -> Option<Trial> {
    let made = code(context, (context.module, kernel), &mut |_, _| {}).ok()?;
    let parts = made.parts.iter();
    let functions = parts.map(|part| (part.insts.len(), &part.starts[..], &part.repeats[..]));
    let repeats = tune::repeats_of(functions);
    let places = match made.calls_taken {
        true => taken_places(context.data, &made.frames),
        false => Vec::new(),
    };
    let mut changing = made.frames.iter().map(|frame| frame.first_registers);
    let changes_registers = changing.any(|first| first.is_some());
    let spills = made.frames.iter().map(|frame| frame.spills);
    let spills = spills.map(|spills| spills.stores + spills.loads).sum();
    let (insts, _) = link(made.parts);
    Some(Trial {
        indirect: indirect_calls(&insts, &places),
        insts,
        repeats,
        changes_registers,
        spills,
    })
}

/// `R_CUDA_ABS32_32`: the number of an instruction.
const NUMBER: u32 = 0x37;

fn size_reference(size: LoadedSize) -> Reference {
    Reference {
        offset: size.at as u64 * u64::from(WORD),
        kind: NUMBER,
        symbol: size.table.size_symbol().to_owned(),
        addend: 0,
    }
}

/// Whether an instruction is of the unit of textures and surfaces.
fn is_of_texture_unit(inst: &Inst) -> bool {
    matches!(
        inst.shape.opcode(),
        "TEX" | "TLD" | "TLD4" | "TXD" | "TXQ" | "SULD" | "SUST" | "SURED"
    )
}

/// The number of a function in the section; one that has none yet gets one.
fn numbered(names: &mut Vec<Symbol>, name: Symbol) -> usize {
    let known = names.iter().position(|one| *one == name);
    known.unwrap_or_else(|| {
        names.push(name);
        names.len() - 1
    })
}

/// For each function whose address is taken the number of its first instruction in the section.
fn taken_places(data: &Data, frames: &[Frame]) -> Vec<usize> {
    let of = |name: &Symbol| {
        let at = frames.iter().position(|frame| frame.name == *name)?;
        Some(frames[..at].iter().map(|frame| frame.insts as usize).sum())
    };
    data.taken.iter().filter_map(of).collect()
}

/// Where the calls by address go.
fn indirect_calls(insts: &[Inst], places: &[usize]) -> Vec<Indirect> {
    let is_indirect = |inst: &Inst| {
        let mut values = inst.values();
        let by_register = values.any(|value| matches!(value, Value::Register(_)));
        by_register && inst.shape.opcode() == "CALL" && inst.shape.has("REL")
    };
    let all = insts
        .iter()
        .enumerate()
        .filter(|(_, inst)| is_indirect(inst));
    let all = all.map(|(at, _)| Indirect {
        at,
        targets: places.to_vec(),
    });
    all.collect()
}

/// The table that calls by address look in: an entry for no function, and one for each.
fn function_table(places: &[usize]) -> Vec<u8> {
    let distance = |place: &usize| *place as u64 * u64::from(WORD);
    let entries = places.iter().map(distance).flat_map(u64::to_le_bytes);
    match places {
        [] => Vec::new(),
        _ => 0u64.to_le_bytes().into_iter().chain(entries).collect(),
    }
}

/// The frame of a function and the functions that it calls.
struct Frame {
    name: Symbol,
    /// How many instructions it has.
    insts: u32,
    bytes: u32,
    spills: Spills,
    /// The registers of a thread where it begins, if it changes how many there are.
    first_registers: Option<u8>,
    callees: Vec<usize>,
}

/// The bytes of stack that a kernel needs with all that it calls. Where functions call themselves, each is counted once:
/// how deep they go is not known, and the host's limit decides.
fn stack_bytes(frames: &[Frame]) -> u32 {
    // A function is done when all its callees are; what is on the way to itself counts as done.
    let mut depths = vec![None; frames.len()];
    let mut work = vec![(0usize, false)];
    let mut opened = vec![false; frames.len()];
    while let Some((number, is_done)) = work.pop() {
        let frame = &frames[number];
        if is_done {
            let callees = frame.callees.iter().filter_map(|one| depths[*one]);
            let below: u32 = callees.max().unwrap_or(0);
            depths[number] = Some(frame.bytes.saturating_add(below));
        } else if !std::mem::replace(&mut opened[number], true) {
            work.push((number, true));
            work.extend(frame.callees.iter().map(|one| (*one, false)));
        }
    }
    depths.first().copied().flatten().unwrap_or(0)
}

/// Has the code of a kernel judged.
fn judge(assembled: &Assembled, span: Span) -> Result<(), Diagnostics> {
    match assembled.check().first() {
        Some(finding) => Err(bug(span, finding)),
        None => Ok(()),
    }
}

/// How many registers a thread may have.
fn register_limit(function: &ptx_module::Function, options: &Options, spills: bool) -> u8 {
    /// The most registers of a thread.
    const MOST: u64 = 255;
    let mut limit = options.bounds.registers_of(function).unwrap_or(MOST);
    if spills {
        limit = limit.min(FEW.into());
    }
    // Some are counted that are not used.
    limit.min(MOST).saturating_sub(MORE.into()).max(16) as u8
}

/// The functions after a kernel in its code.
fn local_functions(module: &Module, frames: &[Frame]) -> Vec<LocalFunction> {
    let mut at = 0;
    let mut all = Vec::new();
    let kernel = frames.first().map_or("", |kernel| module.name(kernel.name));
    for (number, frame) in frames.iter().enumerate() {
        let (offset, size) = (at, frame.insts * WORD);
        at += size;
        if number > 0 {
            all.push(LocalFunction {
                name: format!("${kernel}${}", module.name(frame.name)),
                offset,
                size,
                frame: frame.bytes,
            });
        }
    }
    all
}

/// The kernel as the cubin gets it.
fn finish(
    context: &Context,
    function: &ptx_module::Function,
    insts: &[Inst],
    frames: &[Frame],
) -> Result<Kernel, String> {
    let (module, sm) = (context.module, context.module.sm);
    let mut words = Vec::with_capacity(insts.len() + 8);
    for inst in insts {
        words.push(encode(inst).map_err(|misfit| format!("`{}`: {misfit}", inst.shape))?);
    }
    words.extend(warpc_sass_text::padding(sm, &words));
    let padding = words[insts.len()..].iter();
    let padding: Vec<Inst> = padding.filter_map(|word| decode(sm, *word)).collect();
    let mut facts = facts_of_insts(sm, insts.iter().chain(&padding));
    // All of them are the program's own, also where the warp is together without a wait.
    let shuffles = (0..).step_by(WORD as usize).zip(insts);
    let shuffles = shuffles.filter(|(_, inst)| inst.shape.opcode() == "SHFL");
    facts
        .together
        .groups
        .extend(shuffles.map(|(place, _)| place));
    facts.together.groups.sort_unstable();
    facts.together.groups.dedup();
    let parameters = data::parameters(sm, function).unwrap_or_default();
    let parameters = (0u16..).zip(parameters.iter().zip(&function.params)).map(
        |(ordinal, ((_, offset, size), param))| {
            let (space, log_alignment) = data::pointee(param);
            Parameter {
                ordinal,
                offset: *offset as u16,
                size: *size,
                log_alignment,
                space,
            }
        },
    );
    let mut attributes = warpc_sass_text::attributes_of(sm, &facts);
    attributes.extend(crate::launch_bounds::attributes(
        function,
        &context.options.bounds,
    ));
    if context.options.errors_at_exit {
        attributes.push(Record::flag(info::GEN_ERRBAR_AT_EXIT));
    }
    let shared_bytes = context.shared.end.saturating_sub(shared_begin(sm));
    Ok(Kernel {
        name: module.name(function.name).to_owned(),
        code: words.iter().flat_map(|word| word.to_le_bytes()).collect(),
        parameters: parameters.collect(),
        registers: match frames.first().and_then(|frame| frame.first_registers) {
            Some(first) => first,
            None => (facts.registers + MORE).clamp(8, 255) as u8,
        },
        shared: shared_bytes,
        shared_align: 16,
        barriers: facts.barriers,
        frame: frames.first().map_or(0, |frame| frame.bytes),
        stack: stack_bytes(frames),
        functions: local_functions(module, frames),
        exits: facts.exits.clone(),
        attributes,
        ..Kernel::default()
    })
}
