//! Makes a program from a seed.
//!
//! ```text
//!   seed ──► variables, functions, kernel: steps until the budget is spent ──► Program
//!            a step is one of: int widen bits float convert vector aggregate memory atomic control call
//! ```
//!
//! Whatever the inputs are, a program does nothing undefined and gives the same bytes under every
//! correct compiler: amounts of shifts are masked, divisors are not zero, memory is written before
//! it is read, NaNs are made one quiet NaN wherever their bits could be seen, and addresses are
//! never shown.

mod aggregate;
mod atomic;
mod bits;
mod call;
mod constant;
mod control;
mod convert;
mod float;
mod int;
mod memory;
mod output;
mod place;
mod style;
mod variable;
mod vector;
mod widen;

use crate::program::{Function, Global, Id, KERNEL, Operand, Program, Stmt, Unit};
use crate::ty::{self, Ty};
use call::Signature;
use memory::Place;
use style::Style;
use warpc_testkit::Random;

/// Bytes of input of a thread.
pub const INPUT: u32 = 256;
/// Bytes of a thread's part of the output that the program uses as memory.
pub const SCRATCH: u32 = 256;
/// Bytes of output of a thread: scratch memory, then the values that the kernel ends with.
pub const OUTPUT: u32 = SCRATCH + 2048;
/// Threads of a launch.
pub const THREADS: u32 = 64;

/// A program that is being made.
struct Draft {
    random: Random,
    style: Style,
    next: Id,
    /// Values that can be used here, innermost scope last.
    scopes: Vec<Vec<(Id, Ty)>>,
    /// Memory that can be used here.
    places: Vec<Place>,
    /// Bodies under construction, innermost last.
    bodies: Vec<Vec<Stmt>>,
    globals: Vec<Global>,
    functions: Vec<Function>,
    signatures: Vec<Signature>,
    /// Tables of addresses: name and length.
    tables: Vec<(String, usize)>,
    /// Steps left in the function.
    budget: usize,
}

/// The program of a seed.
pub fn program(seed: u64) -> Program {
    let mut random = Random::new(seed);
    let style = Style::new(&mut random);
    let mut draft = Draft {
        random,
        style,
        next: 0,
        scopes: vec![Vec::new()],
        places: Vec::new(),
        bodies: vec![Vec::new()],
        globals: Vec::new(),
        functions: Vec::new(),
        signatures: Vec::new(),
        tables: Vec::new(),
        budget: 0,
    };
    draft.variables();
    let size = draft.random.pick(&[8, 15, 25, 40, 60]);
    let helpers = if style.calls {
        draft.random.pick(&[1, 2, 3])
    } else {
        0
    };
    for _ in 0..helpers {
        draft.function(size / 3 + 3);
    }
    draft.kernel(size);
    Program {
        globals: draft.globals,
        functions: draft.functions,
    }
}

impl Draft {
    fn id(&mut self) -> Id {
        self.next += 1;
        self.next
    }

    /// Appends instructions that give a value.
    fn unit(&mut self, ty: &Ty, text: String, operands: Vec<(Operand, Ty)>) -> Operand {
        self.unit_calling(ty, text, operands, Vec::new())
    }

    fn unit_calling(
        &mut self,
        ty: &Ty,
        text: String,
        operands: Vec<(Operand, Ty)>,
        declares: Vec<String>,
    ) -> Operand {
        let id = self.push(Some(ty.clone()), text, operands, declares);
        if let Some(scope) = self.scopes.last_mut() {
            scope.push((id, ty.clone()));
        }
        Operand::Local(id)
    }

    /// Appends instructions that give no value.
    fn effect(&mut self, text: String, operands: Vec<(Operand, Ty)>, declares: Vec<String>) {
        self.push(None, text, operands, declares);
    }

    fn push(
        &mut self,
        ty: Option<Ty>,
        text: String,
        operands: Vec<(Operand, Ty)>,
        declares: Vec<String>,
    ) -> Id {
        let id = self.id();
        let unit = Unit {
            id,
            ty,
            text,
            operands,
            declares,
        };
        self.append(Stmt::Unit(unit));
        id
    }

    fn append(&mut self, stmt: Stmt) {
        if let Some(body) = self.bodies.last_mut() {
            body.push(stmt);
        }
    }

    /// A call of an intrinsic as the last line of a unit: `$r = call …` with these arguments.
    fn intrinsic(
        &mut self,
        name: &str,
        ret: &Ty,
        lines: &str,
        arguments: &[(&Ty, &str)],
        operands: Vec<(Operand, Ty)>,
    ) -> Operand {
        let list = arguments.iter().map(|(ty, text)| format!("{ty} {text}"));
        let list: Vec<String> = list.collect();
        let types: Vec<String> = arguments.iter().map(|(ty, _)| ty.to_string()).collect();
        let text = format!("{lines}$r = call {ret} @{name}({})", list.join(", "));
        let declare = format!("{ret} @{name}({})", types.join(", "));
        self.unit_calling(ret, text, operands, vec![declare])
    }

    /// A value in scope that a question holds for; later ones more often.
    fn found(&mut self, wanted: impl Fn(&Ty) -> bool) -> Option<(Operand, Ty)> {
        let all = self.scopes.iter().flatten();
        let all: Vec<&(Id, Ty)> = all.filter(|(_, ty)| wanted(ty)).collect();
        if all.is_empty() {
            return None;
        }
        let at = self
            .random
            .below(all.len())
            .max(self.random.below(all.len()));
        let (id, ty) = all[at];
        Some((Operand::Local(*id), ty.clone()))
    }

    /// A type that a question holds for: mostly of a value in scope, so that values are used again.
    fn ty(&mut self, wanted: fn(&Ty) -> bool, fresh: fn(&mut Random) -> Ty) -> Ty {
        if self.random.chance(70)
            && let Some((_, ty)) = self.found(wanted)
        {
            return ty;
        }
        self.fresh(wanted, fresh)
    }

    /// A new type that a question holds for; one that the style allows, unless that is hard to find.
    fn fresh(&mut self, wanted: impl Fn(&Ty) -> bool, fresh: fn(&mut Random) -> Ty) -> Ty {
        for tried in 0.. {
            let ty = fresh(&mut self.random);
            if wanted(&ty) && (tried > 200 || self.style.allows(&ty)) {
                return ty;
            }
        }
        unreachable!("some type is found")
    }

    /// A value of a type: one in scope, an input, another value converted, or a constant.
    fn value(&mut self, ty: &Ty) -> Operand {
        if self.random.chance(85)
            && let Some((found, _)) = self.found(|other| other == ty)
        {
            return found;
        }
        if ty.is_aggregate() {
            return match self.random.chance(80) {
                true => self.build(ty),
                false => Operand::Constant(self.constant(ty)),
            };
        }
        match self.random.below(10) {
            0..5 => self.input(ty),
            5..8 => self.converted(ty),
            _ => Operand::Constant(self.constant(ty)),
        }
    }

    /// A value with its type, as units want it.
    fn typed(&mut self, ty: &Ty) -> (Operand, Ty) {
        (self.value(ty), ty.clone())
    }

    /// One step.
    fn step(&mut self) {
        let depth = self.bodies.len();
        let Style {
            aggregates,
            floats,
            bits,
            memory,
            control,
            ..
        } = self.style;
        let or_none = |allowed: bool, weight: usize| if allowed { weight } else { 0 };
        let control = or_none(control && depth < 4, 10);
        let vectors = or_none(self.style.vectors, 10);
        let call = if self.signatures.is_empty() { 0 } else { 8 };
        let step: fn(&mut Draft) = self.random.weighted(&[
            (22, Draft::int_step as fn(&mut Draft)),
            (14, Draft::widen_step),
            (or_none(bits, 14), Draft::bits_step),
            (or_none(floats, 16), Draft::float_step),
            (14, Draft::convert_step),
            (vectors, Draft::vector_step),
            (or_none(aggregates, 6), Draft::aggregate_step),
            (or_none(memory, 20), Draft::memory_step),
            (or_none(memory, 2), Draft::atomic_step),
            (control, Draft::control_step),
            (call, Draft::call_step),
        ]);
        step(self);
    }

    /// Steps until some of the budget is spent.
    fn steps(&mut self, count: usize) {
        for _ in 0..count {
            if self.budget == 0 {
                break;
            }
            self.budget -= 1;
            self.step();
        }
    }

    /// Starts a function; gives what [`Draft::end`] needs to go back.
    fn begin(&mut self, budget: usize) -> Vec<Place> {
        self.scopes = vec![Vec::new()];
        self.bodies = vec![Vec::new()];
        self.budget = budget;
        self.places.clone()
    }

    /// Ends a function; only the memory of the module stays.
    fn end(&mut self, places: Vec<Place>) -> Vec<Stmt> {
        self.places = places;
        self.bodies.pop().unwrap_or_default()
    }

    fn kernel(&mut self, size: usize) {
        let places = self.begin(size);
        let space = self.random.pick(&[0, 1]);
        let (input, output) = (self.id(), self.id());
        self.threads_memory(space, input, output);
        self.loaded_addresses();
        self.local_memory();
        self.steps(size * 2);
        self.write_values();
        let body = self.end(places);
        self.functions.push(Function {
            name: KERNEL.into(),
            head: "ptx_kernel",
            params: vec![
                (input, Ty::Ptr(space), String::new()),
                (output, Ty::Ptr(space), String::new()),
            ],
            ret: None,
            body,
            result: Operand::Constant(String::new()),
        });
    }
}

/// A type of integers, alone or in a vector.
fn ints(random: &mut Random) -> Ty {
    match random.below(5) {
        0 => loop {
            let ty = ty::vector(random);
            if ty.int_bits().is_some() {
                return ty;
            }
        },
        _ => ty::int(random),
    }
}

/// Whether a type is of integers, alone or in a vector.
fn is_ints(ty: &Ty) -> bool {
    ty.int_bits().is_some()
}
