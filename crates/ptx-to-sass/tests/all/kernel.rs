//! A kernel around an instruction: every thread loads its operands from memory of its own and stores its results there,
//! so that nothing is the same in all threads.

use crate::forms::REGISTERS;
use warpc_diag::SourceFile;
use warpc_ptx::form::{Role, map_operands};
use warpc_ptx::inst::Operand;
use warpc_ptx::module::Statement;

/// What a register of the instruction is to it.
#[derive(Clone, Debug)]
pub struct Value {
    /// The register; nothing for a number.
    pub register: String,
    /// The number.
    pub number: Option<i64>,
    /// The cells of a wired sequence that are its words, the lowest first.
    pub cells: Vec<String>,
    /// Whether it is a result.
    pub is_result: bool,
}

/// Where inputs begin, and where results do.
pub const RESULTS: i64 = 2048;
const EACH: i64 = 16;

/// The type of a register by its name, and how many words it has.
fn of_register(name: &str) -> (&'static str, usize) {
    match name
        .trim_start_matches('%')
        .trim_end_matches(|c: char| c.is_ascii_digit())
    {
        "rd" | "ga" | "ge" | "pol" => ("b64", 2),
        "fd" => ("f64", 2),
        "q" => ("b128", 4),
        "h" => ("b16", 1),
        "p" => ("pred", 1),
        "f" => ("f32", 1),
        _ => ("b32", 1),
    }
}

/// The registers of an instruction.
pub fn values(instruction: &str) -> Vec<Value> {
    let text = format!(
        ".version 9.4\n.target sm_90a\n.address_size 64\n.entry k() {{ {REGISTERS}\n{instruction}\n}}\n"
    );
    let file = SourceFile::new("record.ptx", text).expect("a text of tolerable length");
    let parsed = warpc_ptx::parse(&file);
    let module = parsed.value.as_ref().unwrap();
    let body = module
        .functions()
        .next()
        .and_then(|function| function.body.as_ref());
    let body = body.expect("a body");
    let mut all = Vec::new();
    for statement in &body.statements {
        let Statement::Inst(inst) = statement else {
            continue;
        };
        let choice = &module.mnemonic(inst.mnemonic).choices[usize::from(inst.choice)];
        let mapping = map_operands(choice, &body.operands, inst.operands).expect("its operands");
        for (spec, index) in choice.form.form().operands.iter().zip(mapping) {
            let Some(index) = index else { continue };
            let is_result = spec.role == Role::Def;
            let mut add = |operand: &Operand, cells: &dyn Fn(usize) -> Vec<String>| {
                if let Operand::Name { symbol, .. } = operand {
                    let register = module.name(*symbol).to_owned();
                    if warpc_ptx::sreg::find(&register, "").is_some() {
                        return 0;
                    }
                    let (_, words) = of_register(&register);
                    all.push(Value {
                        register,
                        number: None,
                        cells: cells(words),
                        is_result,
                    });
                    return words;
                }
                if let Operand::Int(number) = operand {
                    all.push(Value {
                        register: String::new(),
                        number: Some(number.bits as i64),
                        cells: cells(1),
                        is_result,
                    });
                    return 1;
                }
                0
            };
            let name = spec.name;
            let plain = |words: usize| (0..words).map(|word| format!("%{name}.{word}")).collect();
            match body.operands[index as usize] {
                Operand::Vector(range) => {
                    let mut first = 0;
                    for (lane, operand) in body.operands(range).iter().enumerate() {
                        let narrow = matches!(operand, Operand::Name { symbol, .. } if of_register(module.name(*symbol)).0 == "b16");
                        first += add(operand, &|words| match narrow {
                            true => vec![format!("%{name}[{lane}].0")],
                            false => (first..first + words)
                                .map(|word| format!("%{name}.{word}"))
                                .collect(),
                        });
                    }
                }
                Operand::Address { items, .. } => {
                    add(&body.operands(items)[0], &plain);
                }
                operand => {
                    add(&operand, &plain);
                }
            }
        }
    }
    all
}

/// A load of a register from the memory of inputs.
fn load(register: &str, at: i64) -> String {
    let ld = "ld.volatile.global";
    match of_register(register).0 {
        "pred" => format!("{ld}.b32 %word, [%own+{at}]; setp.ne.s32 {register}, %word, 0;"),
        "b128" => format!(
            "{ld}.b64 %wide1, [%own+{at}]; {ld}.b64 %wide2, [%own+{}]; mov.b128 {register}, {{%wide1, %wide2}};",
            at + 8
        ),
        ty => format!("{ld}.{ty} {register}, [%own+{at}];"),
    }
}

/// A store of a register to the memory of results.
fn store(register: &str, at: i64) -> String {
    let st = "st.volatile.global";
    match of_register(register).0 {
        "pred" => format!("selp.b32 %word, 7, 9, {register}; {st}.b32 [%own+{at}], %word;"),
        "b128" => format!(
            "mov.b128 {{%wide1, %wide2}}, {register}; {st}.b64 [%own+{at}], %wide1; {st}.b64 [%own+{}], %wide2;",
            at + 8
        ),
        ty => format!("{st}.{ty} [%own+{at}], {register};"),
    }
}

/// The kernel.
pub fn text(name: &str, instruction: &str, values: &[Value]) -> String {
    let registers = || values.iter().filter(|value| value.number.is_none());
    let inputs = registers().filter(|value| !value.is_result);
    let results = registers().filter(|value| value.is_result);
    let places = |from: i64| (from..).step_by(EACH as usize);
    let mut lines = vec![
        format!(".entry {name}(.param .b64 at) {{ {REGISTERS}"),
        ".reg .b64 %own, %wide<3>; .reg .b32 %id, %word;".to_owned(),
        "ld.param.b64 %own, [at]; mov.u32 %id, %tid.x; mul.wide.u32 %wide0, %id, 4096;".to_owned(),
        "add.s64 %own, %own, %wide0;".to_owned(),
    ];
    lines.extend(
        places(0)
            .zip(inputs)
            .map(|(at, value)| load(&value.register, at)),
    );
    lines.push(instruction.to_owned());
    lines.extend(
        places(RESULTS)
            .zip(results)
            .map(|(at, value)| store(&value.register, at)),
    );
    // Something follows in every case.
    lines.push("st.volatile.global.b32 [%own+4000], %id; ret; }\n".to_owned());
    lines.join("\n")
}

/// The cells that lie at an offset of the memory of inputs, or of results: predicates with a question mark.
pub fn cells_at(values: &[Value], results: bool, offset: i64, words: usize) -> Vec<String> {
    let start = if results { RESULTS } else { 0 };
    let place = offset - start;
    let registers = values.iter().filter(|value| value.number.is_none());
    let mut of_kind = registers.filter(|value| value.is_result == results);
    let Some(value) = usize::try_from(place / EACH)
        .ok()
        .and_then(|at| of_kind.nth(at))
    else {
        return Vec::new();
    };
    let first = usize::try_from(place % EACH).unwrap_or(0) / 4;
    let is_predicate = of_register(&value.register).0 == "pred" && !results;
    let mark = if is_predicate { "?" } else { "" };
    let cells = value.cells.iter().skip(first).take(words);
    cells.map(|cell| format!("{mark}{cell}")).collect()
}
