//! Text to IR: what [`print`](super::print) writes, with comments (`//`) and empty lines anywhere.
//!
//! An instruction is read by `warpc_sass`, which does not know virtual registers: each is replaced by a register of the
//! machine that the line does not name, and put back into the slot where that one is found.
//!
//! A text has one function or more. What is wrong in a line is reported with its position, and reading goes on at the next
//! line. What is read is not verified: [`verify`](super::verify()) does that.

use super::print::letters;
use super::{
    Block, BlockId, Changed, Function, Guard, Inst, Link, Op, Operand, Pointer, Reg, RegData,
    Spills,
};
use crate::Repeats;
use crate::driver_table::Table;
use crate::knobs::Knobs;
use crate::wired::File;
use warpc_diag::{Code, Diagnostic, Diagnostics, Output, SourceFile, Span, codes};
use warpc_ptx::symbol::Symbol;
use warpc_sass::{Control, Value, parse, refusal};
use warpc_target::Sm;

/// More registers than any function of a program has.
const MOST_REGISTERS: usize = 1 << 22;

/// More lanes than any value has.
const MOST_LANES: u8 = 128;

/// Reads functions.
///
/// ```
/// use warpc_diag::SourceFile;
/// use warpc_ptx_to_sass::ir;
/// let text = ".kernel k on sm_90\n.frame 0, align 16, base R1\n.regs %r0\n.L0:\n    MOV %r0, 0x5\n    EXIT\n";
/// let file = SourceFile::new("k.mir", text).unwrap();
/// let functions = ir::parse(&file).unwrap();
/// assert_eq!(functions[0].to_string(), text);
/// ```
pub fn parse(file: &SourceFile) -> Output<Vec<Function>> {
    let mut diagnostics = Diagnostics::new();
    let Ok(text) = std::str::from_utf8(file.bytes()) else {
        let span = Span { start: 0, end: 1 };
        diagnostics.push(Diagnostic::error(
            codes::SASS_SYNTAX,
            span,
            "the text is not UTF-8",
        ));
        return Output::failed(diagnostics);
    };
    let mut functions: Vec<Function> = Vec::new();
    let mut at = 0;
    for whole in text.split_inclusive('\n') {
        let line = whole.split("//").next().unwrap_or_default();
        let lead = line.len() - line.trim_start().len();
        let line = Line {
            text: line.trim(),
            at: at + lead,
        };
        at += whole.len();
        if line.text.is_empty() {
            continue;
        }
        if let Err(Fault { code, span, what }) = read_line(&mut functions, line) {
            diagnostics.push(Diagnostic::error(code, span, what));
        }
        if diagnostics.is_full() {
            break;
        }
    }
    if functions.is_empty() && !diagnostics.has_errors() {
        let span = Span { start: 0, end: 0 };
        let what = "there is no function; `.kernel NAME on CHIP` begins one";
        diagnostics.push(Diagnostic::error(codes::SASS_SYNTAX, span, what));
    }
    match diagnostics.has_errors() {
        true => Output::failed(diagnostics),
        false => Output::new(functions, diagnostics),
    }
}

/// What is wrong, and where.
struct Fault {
    code: Code,
    span: Span,
    what: String,
}

type Read<T> = Result<T, Fault>;

/// A part of a line, and where it begins in the text.
#[derive(Clone, Copy)]
struct Line<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Line<'t> {
    /// From a byte on, without blanks before it.
    fn from(self, byte: usize) -> Line<'t> {
        let rest = &self.text[byte..];
        let text = rest.trim_start();
        let at = self.at + byte + rest.len() - text.len();
        Line { text, at }
    }

    fn span(self) -> Span {
        Span {
            start: self.at as u32,
            end: (self.at + self.text.len().max(1)) as u32,
        }
    }

    fn fault<T>(self, what: impl Into<String>) -> Read<T> {
        Err(Fault {
            code: codes::SASS_SYNTAX,
            span: self.span(),
            what: what.into(),
        })
    }

    /// The first word, and what follows.
    fn word(self) -> (Line<'t>, Line<'t>) {
        let end = self.text.find(char::is_whitespace);
        let end = end.unwrap_or(self.text.len());
        let text = &self.text[..end];
        (Line { text, at: self.at }, self.from(end))
    }

    /// The parts between commas.
    fn parts(self) -> impl Iterator<Item = Line<'t>> {
        let mut at = self.at;
        self.text.split(',').map(move |part| {
            let lead = part.len() - part.trim_start().len();
            let found = Line {
                text: part.trim(),
                at: at + lead,
            };
            at += part.len() + 1;
            found
        })
    }

    /// A number after a word that must stand there; no word where that is empty.
    fn number<T: std::str::FromStr>(self, word: &str) -> Read<T> {
        let rest = self.text.strip_prefix(word).map(str::trim_start);
        let number = rest.and_then(|rest| rest.parse().ok());
        match (number, word) {
            (Some(number), _) => Ok(number),
            (None, "") => self.fault(format!("`{}` is not a number that fits here", self.text)),
            (None, word) => self.fault(format!("`{word}` and a number is expected here")),
        }
    }
}

fn read_line(functions: &mut Vec<Function>, line: Line) -> Read<()> {
    let (word, rest) = line.word();
    if let ".kernel" | ".function" = word.text {
        functions.push(header(word.text == ".kernel", rest)?);
        return Ok(());
    }
    let Some(function) = functions.last_mut() else {
        return line.fault("`.kernel NAME on CHIP` or `.function NAME on CHIP` is expected here");
    };
    if let Some(label) = line.text.strip_suffix(':') {
        let wanted = function.blocks.len();
        if label != format!(".L{wanted}") {
            return line.fault(format!("blocks are in order: `.L{wanted}:` is expected"));
        }
        function.blocks.push(Block::default());
        return Ok(());
    }
    if line.text == ".nounroll"
        && let Some(block) = function.blocks.last_mut()
    {
        block.keeps_rounds = true;
        return Ok(());
    }
    if line.text == ".cold"
        && let Some(block) = function.blocks.last_mut()
    {
        block.is_cold = true;
        return Ok(());
    }
    let repeats: Option<fn(u32) -> Repeats> = match word.text {
        ".rounds" => Some(Repeats::Rounds),
        ".copies" => Some(Repeats::Copies),
        ".rest" => Some(Repeats::Rest),
        _ => None,
    };
    if let (Some(repeats), Some(block)) = (repeats, function.blocks.last_mut()) {
        let Ok(count) = rest.text.parse::<u32>() else {
            return rest.fault("a number is expected here");
        };
        block.repeats = repeats(count);
        return Ok(());
    }
    if word.text.starts_with('.') {
        return directive(function, word, rest);
    }
    let inst = instruction(function, line)?;
    match function.blocks.last_mut() {
        Some(block) => block.insts.push(inst),
        None => return line.fault("`.L0:` is expected before the first instruction"),
    }
    Ok(())
}

/// `NAME on CHIP`
fn header(is_kernel: bool, rest: Line) -> Read<Function> {
    let (name, rest) = rest.word();
    let (on, chip) = rest.word();
    if name.text.is_empty() || on.text != "on" {
        return on.fault("`NAME on CHIP` is expected here");
    }
    let Ok(sm) = chip.text.parse::<Sm>() else {
        return chip.fault(format!("`{}` is not a chip", chip.text));
    };
    Ok(Function {
        name: name.text.to_owned(),
        sm,
        regs: Vec::new(),
        blocks: Vec::new(),
        frame: 0,
        frame_align: 16,
        frame_base: 1,
        is_kernel,
        listens_in_shared: false,
        pointers: Vec::new(),
        callees: Vec::new(),
        changed: Vec::new(),
        spills: Spills::default(),
        knobs: Knobs::default(),
        calls_system: false,
        calls_taken: false,
        quiet_calls: false,
        barriers_are_left: false,
        links: Vec::new(),
        first_registers: None,
    })
}

fn directive(function: &mut Function, word: Line, rest: Line) -> Read<()> {
    let flag = match word.text {
        ".listens_in_shared" => Some(&mut function.listens_in_shared),
        ".calls_system" => Some(&mut function.calls_system),
        ".calls_taken" => Some(&mut function.calls_taken),
        ".quiet_calls" => Some(&mut function.quiet_calls),
        ".barriers_are_left" => Some(&mut function.barriers_are_left),
        _ => None,
    };
    if let Some(flag) = flag {
        *flag = true;
        return match rest.text {
            "" => Ok(()),
            _ => rest.fault(format!("nothing follows `{}`", word.text)),
        };
    }
    let mut parts = rest.parts();
    let mut next = || parts.next().unwrap_or(rest.from(rest.text.len()));
    match word.text {
        ".frame" => {
            function.frame = next().number("")?;
            function.frame_align = next().number("align")?;
            let base = next();
            let (_, register) = base.word();
            function.frame_base = register.number("R")?;
            if !base.text.starts_with("base ") {
                return base.fault("`base` and a register is expected here");
            }
        }
        ".registers" => function.first_registers = Some(next().number("")?),
        ".spills" => {
            function.spills.stores = next().number("stores")?;
            function.spills.loads = next().number("loads")?;
        }
        ".calls" => {
            for part in parts.by_ref() {
                let number: u32 = part.number("")?;
                function.callees.push(Symbol::from_index(number as usize));
            }
        }
        ".changes" => {
            let Some(changed) = Changed::parse(rest.text) else {
                return rest.fault("registers and predicates are expected here, as `R0 R3-R15 P0`");
            };
            function.changed.push(changed);
            return Ok(());
        }
        ".link" => {
            let (kind, symbol) = rest.word();
            let number = kind.text.strip_prefix("0x");
            let number = number.and_then(|one| u32::from_str_radix(one, 16).ok());
            let Some(number) = number.filter(|_| !symbol.text.is_empty()) else {
                return rest.fault("a number of a relocation and a symbol is expected here");
            };
            function.links.push(Link {
                kind: number,
                symbol: symbol.text.to_owned(),
            });
            return Ok(());
        }
        ".pointer" => {
            let place = next();
            let at = place.text.strip_prefix("0x");
            let at = at.and_then(|at| u32::from_str_radix(at, 16).ok());
            let number = next();
            let align: u32 = number.number("align")?;
            let Some(at) = at.filter(|_| align.is_power_of_two()) else {
                return place.fault("a place in bank 0 and a power of two are expected here");
            };
            function.pointers.push(Pointer { at, align });
        }
        ".knob" => {
            if let Err(bad) = function.knobs.set(rest.text) {
                return rest.fault(bad.to_string());
            }
            return Ok(());
        }
        ".regs" => {
            for part in parts.by_ref() {
                registers(&mut function.regs, part)?;
            }
        }
        other => return word.fault(format!("there is no directive `{other}`")),
    }
    match parts.next() {
        Some(more) => more.fault(format!("`{}` has no more operands", word.text)),
        None => Ok(()),
    }
}

/// The file of a name that begins with `%`, and what follows its letters.
fn file(text: &str) -> Option<(File, &str)> {
    let text = text.strip_prefix('%')?;
    // `up` is one, and `u` another.
    let files = [
        File::UniformPredicate,
        File::Uniform,
        File::Register,
        File::Predicate,
        File::Barrier,
    ];
    files.into_iter().find_map(|file| {
        let rest = text.strip_prefix(letters(file))?;
        rest.starts_with(|c: char| c.is_ascii_digit())
            .then_some((file, rest))
    })
}

/// `%r0`, `%r0-5`, `%r6:2`, `%r6-7:2`
fn registers(regs: &mut Vec<RegData>, part: Line) -> Read<()> {
    let Some((file, rest)) = file(part.text) else {
        return part.fault("`%r`, `%p`, `%u`, `%up` or `%b` and a number is expected here");
    };
    let (numbers, lanes) = rest.split_once(':').unwrap_or((rest, "1"));
    let (first, last) = numbers.split_once('-').unwrap_or((numbers, numbers));
    let numbers = (first.parse::<usize>().ok(), last.parse::<usize>().ok());
    let lanes = lanes.parse::<u8>().ok();
    let lanes = lanes.filter(|lanes| (1..=MOST_LANES).contains(lanes));
    let (Some(lanes), (Some(first), Some(last))) = (lanes, numbers) else {
        return part.fault("`%r0`, `%r0-5`, `%r6:2` or `%r6-7:2` is expected here");
    };
    if first != regs.len() || last < first || last >= MOST_REGISTERS {
        return part.fault(format!(
            "registers are in order and at most {MOST_REGISTERS}: the next one has number {}",
            regs.len()
        ));
    }
    regs.resize(last + 1, RegData { file, lanes });
    Ok(())
}

/// The virtual register at the beginning of a text, and the length of its name.
fn register(function: &Function, text: Line) -> Read<((Reg, u8), usize)> {
    let Some((file, digits)) = file(text.text) else {
        return text.fault("`%r`, `%p`, `%u`, `%up` or `%b` and a number is expected here");
    };
    let count = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let end = count(digits);
    let number: Option<u32> = digits[..end].parse().ok();
    let data = number.and_then(|number| function.regs.get(number as usize));
    let mut length = text.text.len() - digits.len() + end;
    let name = &text.text[..length];
    let (Some(number), Some(data)) = (number, data.filter(|data| data.file == file)) else {
        return text.fault(format!("`.regs` does not name `{name}`"));
    };
    let mut lane = 0;
    // What follows a register of one lane is a modifier.
    if data.lanes > 1 {
        let rest = digits[end..].strip_prefix('.').unwrap_or_default();
        let digits = count(rest);
        let found = rest[..digits].parse::<u8>().ok();
        let Some(found) = found.filter(|found| *found < data.lanes) else {
            return text.fault(format!(
                "`{name}` has lanes 0 to {}: `{name}.0` is the first",
                data.lanes - 1
            ));
        };
        lane = found;
        length += 1 + digits;
    }
    Ok(((Reg(number), lane), length))
}

/// What a line has in place of what `warpc_sass` reads.
struct StandIns {
    text: String,
    /// For each piece of the new text where it begins, and where it did in the line.
    pieces: Vec<(usize, usize)>,
    all: Vec<(Value, Op)>,
}

impl StandIns {
    /// A value that stands for an operand: none that the line or another operand has.
    fn of(&mut self, line: Line, op: Op, candidates: impl Iterator<Item = Value>) -> Read<String> {
        if let Some((value, _)) = self.all.iter().find(|one| one.1 == op) {
            return Ok(written(*value));
        }
        let mut candidates = candidates.filter(|value| {
            let name = written(*value);
            !line.text.contains(&name) && self.all.iter().all(|one| one.0 != *value)
        });
        match candidates.next() {
            Some(value) => {
                self.all.push((value, op));
                Ok(written(value))
            }
            None => line.fault("too many operands"),
        }
    }
}

/// A value as instructions have it.
fn written(value: Value) -> String {
    match value {
        Value::Register(number) => format!("R{number}"),
        Value::Uniform(number) => format!("UR{number}"),
        Value::Predicate(number) => format!("P{number}"),
        Value::UniformPredicate(number) => format!("UP{number}"),
        Value::Barrier(number) => format!("B{number}"),
        Value::Number(number) => format!("{number:#x}"),
        _ => String::new(),
    }
}

/// Registers of the machine that may stand for one of a file. Multiples of eight are aligned for every value.
fn candidates(file: File) -> Box<dyn Iterator<Item = Value>> {
    match file {
        File::Register => Box::new((8..248).step_by(8).map(Value::Register)),
        File::Uniform => Box::new((8..63).step_by(8).chain([4, 12]).map(Value::Uniform)),
        File::Predicate => Box::new((0..7).map(Value::Predicate)),
        File::UniformPredicate => Box::new((0..7).map(Value::UniformPredicate)),
        File::Barrier => Box::new((0..16).map(Value::Barrier)),
    }
}

/// The number in `name(NUMBER)` at the beginning of a text, and the length of the whole.
fn call(text: &str, name: &str, prefix: &str, radix: u32) -> Option<(u32, usize)> {
    let rest = text.strip_prefix(name)?.strip_prefix('(')?;
    let (inner, _) = rest.split_once(')')?;
    let number = u32::from_str_radix(inner.strip_prefix(prefix)?, radix).ok()?;
    Some((number, name.len() + inner.len() + 2))
}

fn stand_ins(function: &Function, line: Line) -> Read<StandIns> {
    let mut made = StandIns {
        text: String::with_capacity(line.text.len()),
        pieces: Vec::new(),
        all: Vec::new(),
    };
    let mut at = 0;
    while at < line.text.len() {
        let rest = &line.text[at..];
        made.pieces.push((made.text.len(), at));
        let numbers = || (1..64).map(|number| Value::Number(0x10 * number));
        let (text, length) = if rest.starts_with('%') {
            let ((reg, lane), length) = register(function, line.from(at))?;
            let candidates = candidates(function.data(reg).file);
            (made.of(line, Op::Reg(reg, lane), candidates)?, length)
        } else if let Some((block, length)) = call(rest, "offset", ".L", 10) {
            let op = Op::Block(BlockId(block));
            (made.of(line, op, numbers())?, length)
        } else if let Some((place, length)) = call(rest, "caller", "0x", 16) {
            (made.of(line, Op::OfCaller(place), numbers())?, length)
        } else if let Some((number, length)) = call(rest, "linked", "0x", 16) {
            (made.of(line, Op::Linked(number), numbers())?, length)
        } else if let Some((table, length)) = call(rest, "size", "0x", 16)
            && let Some(table) = Table::ALL.get(table as usize)
        {
            (made.of(line, Op::Size(*table), numbers())?, length)
        } else {
            let end = rest.char_indices().skip(1);
            let mut end = end.filter(|(_, c)| matches!(c, '%' | 'o' | 'c' | 's' | 'l'));
            let end = end.next().map_or(rest.len(), |(end, _)| end);
            (rest[..end].to_owned(), end)
        };
        made.text.push_str(&text);
        at += length;
    }
    Ok(made)
}

fn instruction(function: &Function, line: Line) -> Read<Inst> {
    let (mut origin, mut guard, mut rest) = (None, None, line);
    if let (word, after) = rest.word()
        && word.text.starts_with('#')
    {
        origin = Some(word.from(1).number("")?);
        rest = after;
    }
    if let (word, after) = rest.word()
        && word.text.starts_with('@')
    {
        let not = word.text.starts_with("@!");
        let name = word.from(1 + usize::from(not));
        let ((reg, _), length) = register(function, name)?;
        if length != name.text.len() {
            return name.fault("a guard is `@%p0` or `@!%p0` and a blank");
        }
        guard = Some(Guard { reg, not });
        rest = after;
    }
    let mut is_next = |wanted: &str| {
        let (word, after) = rest.word();
        let is_there = word.text == wanted;
        if is_there {
            rest = after;
        }
        is_there
    };
    let contracts = is_next("contract");
    let acquires = is_next("acquire");
    let weak = is_next("weak");
    let stand_ins = stand_ins(function, rest)?;
    let read = parse::inst(function.sm, &stand_ins.text, Control::UNSCHEDULED, 0);
    let Some((read, label)) = read else {
        return Err(refused(function.sm, rest, &stand_ins));
    };
    let mut operands = smallvec::SmallVec::new();
    for operand in &read.operands {
        let known = stand_ins.all.iter().find(|one| one.0 == operand.value);
        let op = match (known, operand.value) {
            (Some((_, op)), _) => *op,
            (None, Value::Label(_)) => target(rest, label.unwrap_or_default())?,
            (None, value) => Op::Value(value),
        };
        let marks = operand.marks;
        operands.push(Operand { op, marks });
    }
    Ok(Inst {
        shape: read.shape,
        guard,
        operands,
        span: line.span(),
        origin,
        acquires,
        contracts,
        weak,
    })
}

/// What a label names.
fn target(line: Line, label: &str) -> Read<Op> {
    let number = |prefix: &str| label.strip_prefix(prefix)?.parse::<u32>().ok();
    match (number(".L"), number("function.")) {
        (Some(block), _) => Ok(Op::Block(BlockId(block))),
        (None, Some(number)) => Ok(Op::Function(number)),
        (None, None) => line.fault(format!(
            "`{label}` is neither a block (`.L0`) nor a function (`function.0`)"
        )),
    }
}

/// Why a line is not an instruction, and where in the line that shows.
fn refused(sm: Sm, line: Line, stand_ins: &StandIns) -> Fault {
    let refusal = refusal::refusal(sm, &stand_ins.text);
    let mut pieces = stand_ins.pieces.iter().rev();
    let piece = pieces.find(|(made, _)| *made <= refusal.at);
    let at = piece.map_or(0, |(made, was)| was + (refusal.at - made));
    let at = line.from(at.min(line.text.len()));
    Fault {
        code: codes::SASS_INSTRUCTION,
        span: at.span(),
        what: refusal.to_string(),
    }
}
