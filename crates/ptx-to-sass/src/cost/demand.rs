//! What an instruction asks of a quarter of a multiprocessor, and after how long its result is there where that is not fixed.
//!
//! | resource | takes |
//! |---|---|
//! | issue | one instruction a cycle, whatever it is |
//! | single precision | `FADD FMUL FFMA` of 32 lanes a cycle; products of integers, too |
//! | products of integers | half of that pipe: one every two cycles |
//! | integers | one every two cycles |
//! | halves, doubles, matrices, functions, uniform | as the tables of `warpc_sass::latency` have them |
//! | memory, shuffles | a word of 32 lanes every four cycles, more words as much longer |
//! | registers | each of the two banks gives one register of 32 lanes a cycle |
//!
//! Cycles of a pipe are those that were measured ([`warpc_sass::latency::measured`]), or the closest that ptxas puts two instructions
//! ([`Shape::issue`](warpc_sass::shape::Shape::issue)). Sources besides: the table of arithmetic throughput in the CUDA programming guide
//! (compute capability 9.0).

use super::Limit;
use warpc_sass::latency::Pipe;
use warpc_sass::latency::measured::{self, Rate};
use warpc_sass::shape::Space;
use warpc_sass::{Inst, Shape};

/// What instructions share.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Resource {
    /// Single precision, and products of integers.
    Single,
    /// The half of it that multiplies integers.
    Products,
    /// Integers, logic, comparisons.
    Integers,
    /// Pairs of halves.
    Halves,
    /// Double precision.
    Doubles,
    /// Matrices.
    Matrices,
    /// Functions, conversions, population counts.
    Functions,
    /// Memory.
    Memory,
    /// The uniform datapath.
    Uniform,
    /// Branches.
    Branches,
    /// The banks of registers.
    Banks,
}

/// How many there are.
pub const RESOURCES: usize = 11;

impl Resource {
    /// All of them.
    pub const ALL: [Resource; RESOURCES] = [
        Resource::Single,
        Resource::Products,
        Resource::Integers,
        Resource::Halves,
        Resource::Doubles,
        Resource::Matrices,
        Resource::Functions,
        Resource::Memory,
        Resource::Uniform,
        Resource::Branches,
        Resource::Banks,
    ];

    /// What people call it.
    pub fn name(self) -> &'static str {
        match self {
            Resource::Single => "fp32",
            Resource::Products => "imad",
            Resource::Integers => "alu",
            Resource::Halves => "fp16",
            Resource::Doubles => "fp64",
            Resource::Matrices => "tensor",
            Resource::Functions => "xu",
            Resource::Memory => "memory",
            Resource::Uniform => "uniform",
            Resource::Branches => "branch",
            Resource::Banks => "banks",
        }
    }
}

/// What is asked of each resource, in cycles.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Demand {
    /// Instructions.
    pub issue: f64,
    /// Cycles of each resource.
    pub cycles: [f64; RESOURCES],
    /// What is there to be done, not to get there: accesses to memory, floating-point operations, products.
    pub work: f64,
}

impl Demand {
    /// What an instruction asks for besides its registers.
    pub fn of(shape: &Shape) -> Demand {
        let mut demand = Demand {
            issue: 1.0,
            ..Demand::default()
        };
        if let Some((resource, rate)) = main(shape) {
            let cycles = rate.quarter;
            demand.cycles[resource as usize] = f64::from(cycles);
            // Products take their half of the pipe for twice the cycles, and so the pipe for as many.
            if resource == Resource::Products {
                demand.cycles[Resource::Single as usize] = f64::from(cycles) / 2.0;
            }
            let is_work = match resource {
                Resource::Integers | Resource::Uniform => false,
                Resource::Branches | Resource::Banks => false,
                Resource::Products => false,
                Resource::Memory => shape.memory().space != Space::Constant,
                _ => true,
            };
            demand.work = f64::from(u8::from(is_work));
            // A wide access does the work of several.
            if is_work && resource == Resource::Memory {
                demand.work = f64::from(measured::words(shape));
            }
        }
        demand
    }

    /// Adds what something asks for that is executed so often.
    pub fn add(&mut self, other: &Demand, times: f64) {
        self.issue += other.issue * times;
        self.work += other.work * times;
        let cycles = self.cycles.iter_mut().zip(&other.cycles);
        cycles.for_each(|(own, other)| *own += other * times);
    }

    /// What is asked for most, and its cycles.
    pub fn fullest(&self) -> (f64, Limit) {
        let mut fullest = (self.issue, Limit::Issue);
        for resource in Resource::ALL {
            let cycles = self.cycles[resource as usize];
            if cycles > fullest.0 {
                fullest = (cycles, Limit::Resource(resource));
            }
        }
        fullest
    }
}

/// The resource that executes an instruction, and how often. What only the dispatcher handles needs none.
pub(crate) fn main(shape: &Shape) -> Option<(Resource, Rate)> {
    let rate = Rate::of(shape);
    let resource = match shape.pipe()? {
        Pipe::Alu | Pipe::SetPredicates => Resource::Integers,
        Pipe::Fma if rate.alone == 1 => Resource::Single,
        Pipe::Fma | Pipe::Product => Resource::Products,
        Pipe::Half | Pipe::HalfAlu | Pipe::HalfSingle => Resource::Halves,
        Pipe::Double => Resource::Doubles,
        Pipe::HalfMatrix
        | Pipe::MatrixShort
        | Pipe::Matrix
        | Pipe::MatrixLong
        | Pipe::MatrixDouble => Resource::Matrices,
        Pipe::Group => Resource::Matrices,
        Pipe::Variable => Resource::Functions,
        Pipe::Memory | Pipe::Texture | Pipe::Bulk => Resource::Memory,
        Pipe::Uniform | Pipe::UniformLoad | Pipe::UniformMove => Resource::Uniform,
        Pipe::Branch => Resource::Branches,
        Pipe::Dispatch | Pipe::DispatchPair | Pipe::UniformVote | Pipe::Elect => return None,
        Pipe::ToUniform | Pipe::MoveToUniform => Resource::Integers,
    };
    Some((resource, rate))
}

/// Cycles from the issue of an instruction until its result is there and its scoreboard is released, for those that have no fixed
/// latency, with nobody else there.
pub fn latency(inst: &Inst) -> u32 {
    measured::result_after(inst.shape)
}

/// Cycles until the operands of such an instruction have been read. Estimates.
pub(super) fn reading(inst: &Inst) -> u32 {
    let is_memory = !matches!(inst.shape.memory().space, Space::None);
    match is_memory {
        true => 10 + 4 * measured::words(inst.shape),
        false => 8,
    }
}
