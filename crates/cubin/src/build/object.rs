//! A relocatable object: what `ptxas -c` writes, and a linker makes a cubin of.
//!
//! ```text
//!   Object ──check──► Layout: sections and symbols ──► records, relocations, call graph ──► Cubin of type ET_REL
//! ```
//!
//! Each function has a section of its own. Variables have symbols of CUDA's type, and sections of types of their own;
//! symbols of shared memory say alignments where others say places, because a linker lays it out kernel by kernel. The call
//! graph says who calls whom, whose address is taken and which prototypes are called by address: by it a linker counts
//! registers, barriers and stack. Found by observing ptxas and nvlink 13.4 ([cubin.md](../../../../docs/cubin.md)).

mod layout;
mod tables;

use super::{Kernel, Lines, Opaque, Producer, Program, Reference, check_kernel, chip, fault};
use crate::model::Cubin;
use crate::read::Fault;
use std::collections::HashSet;
use warpc_target::Sm;

/// What an object is made of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Object {
    /// The chip.
    pub target: Sm,
    /// Who made it.
    pub producer: Producer,
    /// The version of the toolkit whose rules the file follows.
    pub toolkit: u16,
    /// The kernels and functions.
    pub functions: Vec<Function>,
    /// The functions that others define, and that code or variables name.
    pub declared: Vec<Declared>,
    /// The variables, also those that others define.
    pub variables: Vec<Variable>,
    /// The textures, samplers and surfaces, also those that others define. A linker gives their handles places in bank 0 of
    /// each kernel.
    pub opaque: Vec<Opaque>,
    /// Whether samplers are apart from textures (`texmode_independent`).
    pub independent: bool,
    /// Names of numbers of four bytes that the loader knows.
    pub sizes: Vec<String>,
    /// Where code comes from, if that is said.
    pub lines: Option<Lines>,
}

/// A function that another object defines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Declared {
    /// Its name.
    pub name: String,
    /// What it takes and gives, as [`Function::prototype`] says it.
    pub prototype: String,
}

/// Who sees something, and who defines it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Definition {
    /// Defined here, for this object.
    Local,
    /// Defined here, for all.
    Global,
    /// The same, unless another object has a better one.
    Weak,
    /// One is made of all of the same name.
    Common,
    /// Defined in another object.
    Elsewhere,
}

/// A kernel or function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Function {
    /// Its code and what is said of it. A function has no parameters here; shared memory is in [`Object::variables`].
    pub code: Kernel,
    /// Whether it is a kernel.
    pub is_kernel: bool,
    /// Who sees it.
    pub definition: Definition,
    /// What a function takes and gives: `#`, its results (`v` for none) and its parameters, each by a letter (`i`, `l`, `f`,
    /// `d`, `b` for bytes) and, of an array, a count.
    pub prototype: String,
    /// The functions that it calls by name.
    pub calls: Vec<String>,
    /// The prototypes of functions that it calls by address.
    pub called_prototypes: Vec<String>,
}

/// Where a variable lives.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum VariableSpace {
    /// Global memory.
    Global,
    /// Bank 3 of constants.
    Constant,
    /// Shared memory: of all who name it, or of one kernel.
    Shared(Option<String>),
}

/// A variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Where it lives.
    pub space: VariableSpace,
    /// What its place is a multiple of.
    pub align: u32,
    /// Its bytes; 0 for what another object or the launch says.
    pub size: u32,
    /// What it starts with; nothing for zeros.
    pub initial: Option<Vec<u8>>,
    /// What a linker or the loader writes into that.
    pub references: Vec<Reference>,
    /// Who defines it, and who sees it.
    pub definition: Definition,
    /// Whether the host has it at the same address.
    pub managed: bool,
    /// The numbers by which several programs know it as the same variable, if they share it: `.attribute(.unified)`.
    pub unified: Option<(u64, u64)>,
}

impl Object {
    /// An object without anything in it.
    pub fn new(target: Sm) -> Object {
        let Program {
            mut producer,
            toolkit,
            ..
        } = Program::new(target);
        producer.options.push_str("-c ");
        Object {
            target,
            producer,
            toolkit,
            functions: Vec::new(),
            declared: Vec::new(),
            variables: Vec::new(),
            opaque: Vec::new(),
            independent: false,
            sizes: Vec::new(),
            lines: None,
        }
    }
}

/// Makes the file.
pub fn build(object: &Object) -> Result<Cubin, Fault> {
    let chip = chip::Chip::of(object.target).filter(|chip| chip.order == chip::Order::New);
    let chip = chip.ok_or_else(|| {
        fault(
            format!("no relocatable objects are made for {}", object.target),
            "their format is known from sm_90 on",
        )
    })?;
    check(object)?;
    layout::Layout::new(object, chip).cubin()
}

fn check(object: &Object) -> Result<(), Fault> {
    let mut names = HashSet::new();
    let functions = object.functions.iter().map(|one| &one.code.name);
    let declared = object.declared.iter().map(|one| &one.name);
    let variables = object.variables.iter().map(|one| &one.name);
    let opaque = object.opaque.iter().map(|one| &one.name);
    for name in (functions.chain(declared))
        .chain(variables)
        .chain(opaque)
        .chain(&object.sizes)
    {
        if name.is_empty() || name.contains('\0') {
            let message = "a function or variable has no name, or a zero byte in it";
            return Err(fault(message.to_owned(), ""));
        }
        if !names.insert(name.as_str()) {
            return Err(fault(
                format!("there are two things called `{name}`"),
                "functions and variables of an object have different names",
            ));
        }
    }
    let codes = object.functions.iter().map(|one| &one.code);
    codes.clone().try_for_each(check_kernel)?;
    for variable in &object.variables {
        let known = variable.initial.as_ref().map_or(0, Vec::len);
        let mut places = variable.references.iter().map(|one| one.offset);
        if variable.unified.is_some() && variable.space != VariableSpace::Global {
            let message = format!("`{}` is not in global memory", variable.name);
            return Err(fault(
                message,
                "only variables there are shared by programs",
            ));
        }
        if known > variable.size as usize
            || !variable.align.is_power_of_two()
            || places.any(|place| place >= known as u64)
        {
            let message = format!(
                "`{}` starts with more than it has, or its alignment is not a power of two",
                variable.name
            );
            return Err(fault(message, ""));
        }
    }
    let of_code = codes.flat_map(|code| &code.relocations);
    let of_variables = object.variables.iter().flat_map(|one| &one.references);
    let named = of_code.chain(of_variables).map(|one| &one.symbol);
    let called = object.functions.iter().flat_map(|one| &one.calls);
    let is_made = |name: &str| layout::MADE.iter().any(|made| made.name == name);
    for name in named.chain(called) {
        if !names.contains(name.as_str()) && !is_made(name) {
            return Err(fault(
                format!("`{name}`, whose address is wanted, is not there"),
                "declare it",
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::Content;
    use crate::model::kind;
    use crate::verify::verify;

    fn function(name: &str, is_kernel: bool) -> Function {
        Function {
            code: Kernel {
                name: name.to_owned(),
                code: vec![0; 128],
                exits: if is_kernel { vec![16] } else { Vec::new() },
                registers: 24,
                ..Kernel::default()
            },
            is_kernel,
            definition: Definition::Global,
            prototype: "#ii".to_owned(),
            calls: Vec::new(),
            called_prototypes: Vec::new(),
        }
    }

    fn object() -> Object {
        let mut object = Object::new("sm_90".parse().expect("a chip"));
        let mut kernel = function("k", true);
        kernel.calls.push("other".to_owned());
        kernel.code.externs.push("other".to_owned());
        for (offset, kind, symbol) in [(16, 0x4b, "other"), (32, 0x70, "f"), (48, 0x37, "s")] {
            kernel.code.relocations.push(Reference {
                offset,
                kind,
                symbol: symbol.to_owned(),
                addend: 0,
            });
        }
        object.functions = vec![function("f", false), kernel];
        object.declared.push(Declared {
            name: "other".to_owned(),
            prototype: "#v".to_owned(),
        });
        let variable = |name: &str, space, definition| Variable {
            name: name.to_owned(),
            space,
            align: 8,
            size: 8,
            initial: None,
            references: Vec::new(),
            definition,
            managed: false,
            unified: None,
        };
        let kernel = Some("k".to_owned());
        object.variables = vec![
            variable("s", VariableSpace::Shared(kernel), Definition::Local),
            variable("g", VariableSpace::Global, Definition::Common),
            variable("c", VariableSpace::Constant, Definition::Weak),
            variable("e", VariableSpace::Global, Definition::Elsewhere),
        ];
        object
    }

    #[test]
    fn objects_are_clean_and_come_back() {
        let cubin = build(&object()).expect("an object");
        assert_eq!(verify(&cubin), []);
        assert_eq!(Cubin::read(&cubin.write()).as_ref(), Ok(&cubin));
        let (_, shared) = cubin.section(".nv.shared.k").expect("shared memory");
        assert_eq!((shared.kind, shared.size()), (kind::SHARED, 8));
        let (_, symbols) = cubin.symbols();
        let named = |name: &str| {
            let mut all = symbols.iter();
            *all.find(|one| cubin.symbol_name(one) == name)
                .expect("a symbol")
        };
        // In shared memory and of common variables the value is the alignment.
        assert_eq!(named("s").value, 8);
        assert_eq!((named("g").value, named("g").section), (8, 0xfff2));
        assert_eq!((named("c").value, named("c").binding()), (0, 2));
        assert_eq!(named("e").section, 0);
        let (_, graph) = cubin.section(".nv.callgraph").expect("a call graph");
        let Content::CallGraph(edges) = &graph.content else {
            panic!("a call graph");
        };
        let number = |name: &str| {
            let mut all = symbols.iter();
            all.position(|one| cubin.symbol_name(one) == name)
                .map(|at| at as u32)
        };
        let at = |mark: u32| {
            edges
                .iter()
                .position(|one| one.callee == mark.wrapping_neg())
        };
        let [calls, taken, by_address, takers] = [1, 2, 3, 4].map(|mark| at(mark).expect("a mark"));
        let (kernel, other, f) = (number("k"), number("other"), number("f"));
        let callee = &edges[calls + 1];
        assert_eq!((Some(callee.caller), Some(callee.callee)), (kernel, other));
        assert_eq!(Some(edges[taken + 1].caller), f);
        assert_eq!(by_address + 1, takers);
        let taker = &edges[takers + 1];
        assert_eq!((Some(taker.caller), Some(taker.callee)), (kernel, f));
    }

    #[test]
    fn descriptions_that_cannot_be_are_refused() {
        let changes: [fn(&mut Object); 6] = [
            |object| object.target = "sm_80".parse().expect("a chip"),
            |object| object.declared.clear(),
            |object| object.variables[1].name = "f".to_owned(),
            |object| object.variables[2].align = 3,
            |object| object.functions[1].code.relocations[0].offset = 128,
            |object| object.functions[0].calls.push("nowhere".to_owned()),
        ];
        for (number, change) in changes.iter().enumerate() {
            let mut object = object();
            change(&mut object);
            assert!(build(&object).is_err(), "change {number}");
        }
    }
}
