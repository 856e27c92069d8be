//! What an instruction asks of a quarter of a multiprocessor, and after how long its result is there where that is not fixed.
//!
//! | resource | takes |
//! |---|---|
//! | issue | one instruction a cycle, whatever it is |
//! | single precision | `FADD FMUL FFMA` of 32 lanes a cycle; products of integers, too |
//! | products of integers | half of that pipe: one every two cycles |
//! | integers | one every two cycles |
//! | halves, doubles, matrices, functions, uniform | as the tables of `warpc_sass::latency` have them |
//! | memory | one access of 32 words a cycle for all four quarters |
//!
//! Cycles of a pipe are [`Shape::issue`](warpc_sass::shape::Shape::issue): the closest that ptxas puts two instructions. Sources besides: the table
//! of arithmetic throughput in the CUDA programming guide (compute capability 9.0).

use super::Limit;
use warpc_sass::Inst;
use warpc_sass::latency::Pipe;
use warpc_sass::shape::{Access, Space};

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
}

/// How many there are.
pub const RESOURCES: usize = 10;

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
    /// What an instruction asks for.
    pub fn of(inst: &Inst) -> Demand {
        let mut demand = Demand {
            issue: 1.0,
            ..Demand::default()
        };
        if let Some((resource, cycles)) = main(inst) {
            demand.cycles[resource as usize] = f64::from(cycles);
            // Products take their half of the pipe for twice the cycles, and so the pipe for as many.
            if resource == Resource::Products {
                demand.cycles[Resource::Single as usize] = f64::from(cycles) / 2.0;
            }
            let is_work = match resource {
                Resource::Integers | Resource::Uniform | Resource::Branches => false,
                Resource::Products => false,
                Resource::Memory => inst.shape.memory().space != Space::Constant,
                _ => true,
            };
            demand.work = f64::from(u8::from(is_work));
            // A wide access does the work of several.
            if is_work && resource == Resource::Memory {
                demand.work = f64::from(words(inst));
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

/// The resource that executes an instruction, and for how long. What only the dispatcher handles needs none.
pub(super) fn main(inst: &Inst) -> Option<(Resource, u32)> {
    let shape = inst.shape;
    let issue = u32::from(shape.issue()).max(1);
    Some(match shape.pipe()? {
        Pipe::Alu | Pipe::SetPredicates => (Resource::Integers, issue),
        Pipe::Fma if issue == 1 => (Resource::Single, 1),
        Pipe::Fma | Pipe::Product => (Resource::Products, issue),
        Pipe::Half | Pipe::HalfAlu | Pipe::HalfSingle => (Resource::Halves, issue),
        Pipe::Double => (Resource::Doubles, issue),
        Pipe::HalfMatrix
        | Pipe::MatrixShort
        | Pipe::Matrix
        | Pipe::MatrixLong
        | Pipe::MatrixDouble => (Resource::Matrices, issue),
        Pipe::Group => (Resource::Matrices, group(inst).max(issue)),
        Pipe::Variable => (Resource::Functions, issue),
        Pipe::Memory | Pipe::Texture | Pipe::Bulk => (Resource::Memory, issue * words(inst)),
        Pipe::Uniform | Pipe::UniformLoad | Pipe::UniformMove => (Resource::Uniform, issue),
        Pipe::Branch => (Resource::Branches, issue),
        Pipe::Dispatch | Pipe::DispatchPair | Pipe::UniformVote | Pipe::Elect => return None,
        Pipe::ToUniform | Pipe::MoveToUniform => (Resource::Integers, issue),
    })
}

/// Words of 32 bits that an access to memory moves for each lane.
fn words(inst: &Inst) -> u32 {
    let modifiers = [("128", 4), ("64", 2), ("4", 4), ("2", 2)];
    let found = modifiers.iter().find(|(name, _)| inst.shape.has(name));
    found.map_or(1, |(_, words)| *words)
}

/// Cycles of a product of a warpgroup, `64x128x16`: two columns of 64 rows a cycle. Source: the peak of dense products of halves
/// in the H100 data sheet.
fn group(inst: &Inst) -> u32 {
    let mut sizes = inst
        .shape
        .modifiers()
        .filter_map(|one| one.strip_prefix("64x"));
    let columns = sizes.find_map(|rest| rest.split('x').next()?.parse::<u32>().ok());
    columns.unwrap_or(8) / 2
}

/// Cycles from the issue of an instruction until its result is there and its scoreboard is released, for those that have no fixed
/// latency, with nobody else there. Estimates: published microbenchmarks of sm_80 and sm_90 ("Dissecting the NVIDIA Hopper
/// Architecture through Microbenchmarking", arXiv 2402.13499) rounded, loads of global memory between a hit of the first cache
/// and one of the second.
pub fn latency(inst: &Inst) -> u32 {
    let shape = inst.shape;
    let memory = shape.memory();
    let is_atomic = memory.access.contains(Access::ATOMIC);
    match (memory.space, shape.pipe()) {
        (Space::Global | Space::Generic, _) if is_atomic => 500,
        (Space::Shared, _) if is_atomic => 60,
        (Space::Global | Space::Generic, _) => 200,
        (Space::Shared, _) => 29 + 2 * (words(inst) - 1),
        (Space::Local, _) => 40,
        (Space::Constant, _) => 40,
        (Space::Cluster, _) => 200,
        (_, Some(Pipe::Texture)) => 400,
        (_, Some(Pipe::Group)) => 60 + group(inst),
        (_, Some(Pipe::MatrixDouble)) => 30,
        (_, Some(Pipe::Bulk)) => 500,
        (_, Some(Pipe::Memory)) => 24,
        (_, Some(Pipe::Variable)) => match shape.opcode() {
            "MUFU" => 23,
            "S2R" | "S2UR" => 30,
            "POPC" | "FLO" | "BREV" => 16,
            _ => 20,
        },
        (_, Some(Pipe::Branch)) => 25,
        (_, Some(Pipe::Double)) => 16,
        _ => 14,
    }
}

/// Cycles until the operands of such an instruction have been read.
pub(super) fn reading(inst: &Inst) -> u32 {
    let is_memory = !matches!(inst.shape.memory().space, Space::None);
    if is_memory { 10 + 4 * words(inst) } else { 8 }
}
