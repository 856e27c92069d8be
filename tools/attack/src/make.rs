//! Programs from seeds.

mod body;
mod memory;
mod operation;

use crate::chance::Chance;
use crate::interpret::{self, Ran};
use crate::program::{Kind, Object, Program, THREADS};
use crate::ty::{Format, Scalar, Ty};
use body::Body;

/// What programs of a family have much of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Family {
    /// Integers of all widths in straight lines.
    Integers,
    /// Floating-point numbers.
    Floats,
    /// Vectors of every element.
    Vectors,
    /// Branches, switches and loops, irreducible ones too.
    Control,
    /// Memory of all spaces, copies, pieces of values.
    Memory,
    /// Functions, structures by value.
    Calls,
}

impl Family {
    /// All of them.
    pub const ALL: [Family; 6] = [
        Family::Integers,
        Family::Floats,
        Family::Vectors,
        Family::Control,
        Family::Memory,
        Family::Calls,
    ];

    /// The family of a seed's program.
    pub fn of(seed: u64) -> Family {
        Family::ALL[(seed % Family::ALL.len() as u64) as usize]
    }
}

/// Bytes of input of each thread.
const INPUT: u64 = 96;

/// The program of a seed with what it writes.
pub fn program(seed: u64) -> (Program, Ran) {
    // Some read what nothing wrote, or run too long: then the next try.
    for attempt in 0.. {
        let program = draft(seed, attempt);
        if let Ok(ran) = interpret::run(&program) {
            return (program, ran);
        }
    }
    unreachable!("some attempt succeeds")
}

/// An integer's width: those of machines half of the time, else any.
fn width(chance: &mut Chance) -> u32 {
    match chance.below(10) {
        0 => 1,
        1 => 8,
        2 => 16,
        3 => 32,
        4 | 5 => 64,
        6 => 128,
        7 => 1 + chance.below(31) as u32,
        8 => 33 + chance.below(31) as u32,
        _ => 1 + chance.below(128) as u32,
    }
}

fn scalar(family: Family, chance: &mut Chance) -> Scalar {
    let often = if family == Family::Floats { 5 } else { 1 };
    match chance.below(7) < often {
        true => Scalar::Fp(chance.of(&Format::ALL)),
        false => Scalar::Int(width(chance)),
    }
}

fn vector(family: Family, chance: &mut Chance) -> Ty {
    let lanes = chance.of(&[2, 2, 2, 3, 4, 4, 4, 5, 7, 8, 8, 16]);
    let scalar = scalar(family, chance);
    // Long vectors of wide elements say nothing new.
    match lanes * scalar.width() > 512 {
        true => Ty::Vector(2, scalar),
        false => Ty::Vector(lanes, scalar),
    }
}

/// A type for values.
fn ty(family: Family, chance: &mut Chance) -> Ty {
    let vectors = if family == Family::Vectors { 7 } else { 1 };
    match chance.below(10) {
        n if n < vectors => vector(family, chance),
        9 if family != Family::Integers => structure(family, chance),
        _ => Ty::One(scalar(family, chance)),
    }
}

/// A structure of a few fields, one of which may be a structure.
fn structure(family: Family, chance: &mut Chance) -> Ty {
    let fields = 1 + chance.below(4);
    let mut field = || match chance.below(6) {
        0 => vector(family, chance),
        1 => {
            let inner = (0..2).map(|_| Ty::One(scalar(family, chance))).collect();
            Ty::Struct(chance.one_in(3), inner)
        }
        _ => Ty::One(scalar(family, chance)),
    };
    let fields = (0..fields).map(|_| field()).collect();
    Ty::Struct(chance.one_in(3), fields)
}

fn draft(seed: u64, attempt: u64) -> Program {
    let mut chance = Chance::new(seed ^ attempt << 48);
    let family = Family::of(seed);
    let helpers = match family {
        Family::Calls => 1 + chance.below(3),
        Family::Integers | Family::Vectors => 0,
        _ => usize::from(chance.one_in(4)),
    };
    let mut program = Program {
        seed,
        functions: Vec::new(),
        input: (0..THREADS).map(|_| input(&mut chance)).collect(),
        denormals: "",
    };
    for number in 0..=helpers {
        let function = Body::make(family, &program.functions, number == helpers, &mut chance);
        program.functions.push(function);
    }
    program
}

/// The input of a thread.
fn input(chance: &mut Chance) -> Vec<u8> {
    let mut bytes = Vec::new();
    while bytes.len() < INPUT as usize {
        let width = chance.of(&[1, 2, 4, 8, 8, 16]);
        let value = match chance.one_in(3) {
            true => {
                let format = chance.of(&Format::ALL);
                crate::float::any(format, chance)
            }
            false => chance.edge(width * 8),
        };
        bytes.extend(&value.to_le_bytes()[..width as usize]);
    }
    bytes.truncate(INPUT as usize);
    bytes
}

/// The memory of a function.
fn objects(family: Family, kernel: bool, chance: &mut Chance) -> Vec<Object> {
    let mut all = Vec::new();
    let object = |kind, size, align| Object { kind, size, align };
    if kernel {
        all.push(object(Kind::Input, INPUT, 16));
    }
    let often = match family {
        Family::Memory => 2 + chance.below(4),
        Family::Calls => 1 + chance.below(2),
        Family::Integers => 0,
        _ => chance.below(2),
    };
    if kernel && family == Family::Calls {
        // Something that any pointer may be made of.
        all.push(object(Kind::Stack, 96, 16));
    }
    for _ in 0..often {
        let size = 8 + chance.below(72) as u64;
        let align = chance.of(&[1, 2, 4, 8, 16, 16]);
        let some = |chance: &mut Chance| (0..size).map(|_| chance.bits() as u8).collect();
        let kind = match chance.below(8) {
            _ if !kernel => Kind::Stack,
            0 | 1 => Kind::Variable(1),
            2 => Kind::Variable(3),
            3 => Kind::Variable(0),
            4 => {
                let space = chance.of(&[0, 1, 4]);
                Kind::Table(space, some(chance))
            }
            5 => Kind::Parameter(some(chance)),
            _ => Kind::Stack,
        };
        all.push(object(kind, size, align));
    }
    if !kernel && chance.one_in(2) {
        let size = 8 + chance.below(40) as u64;
        all.push(object(Kind::Reference, size, chance.of(&[1, 4, 8, 16])));
    }
    if !kernel && chance.one_in(2) {
        let ty = loop {
            let ty = structure(family, chance);
            if ty.alloc_size() <= 80 {
                break ty;
            }
        };
        let align = chance.of(&[1, 1, 2, 4, 8, 16, ty.align().min(16)]);
        all.push(object(Kind::ByValue(ty.clone()), ty.alloc_size(), align));
    }
    all
}
