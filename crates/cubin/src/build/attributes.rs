//! The records of `.nv.info` and `.nv.info.KERNEL`.

use super::chip::{Chip, Order};
use super::plan::Plan;
use super::symbols::Symbols;
use super::{Kernel, Opaque, OpaqueKind};
use crate::attribute::info as at;
use crate::info::Record;
use crate::value::Parameter;
use warpc_target::features;

/// The language of the source; ptxas always says 3.
const LANGUAGE: u32 = 3;
/// The largest number of registers where the source sets none.
const ANY_REGISTERS: u16 = 0xff;

/// The records of the file: registers and frames in the order of the kernels, stacks in that of the sections.
pub fn of_file(plan: &Plan<'_>, symbols: &Symbols) -> Vec<Record> {
    let mut records = Vec::new();
    for (number, kernel) in plan.program.kernels.iter().enumerate() {
        let mut frames = Vec::new();
        let symbol = symbols.of_name(&kernel.name);
        records.push(Record::words(
            at::REGCOUNT,
            &[symbol, kernel.registers.into()],
        ));
        // Code that the loader changes is said to be of an object, as ptxas has it.
        if !kernel.relocations.is_empty() {
            records.push(Record::words(at::MAX_STACK_SIZE, &[symbol, 0]));
        }
        for function in &kernel.functions {
            let symbol = symbols.of_name(&function.name);
            frames.push(Record::words(at::FRAME_SIZE, &[symbol, function.frame]));
        }
        frames.push(Record::words(at::FRAME_SIZE, &[symbol, kernel.frame]));
        // What samplers start with comes after the registers of the first kernel.
        if number == 0 {
            records.extend(samplers(&plan.program.opaque, |name| symbols.of_name(name)));
        }
        records.append(&mut frames);
    }
    if plan.program.independent {
        records.push(Record::flag(at::TEXMODE_INDEPENDENT));
    }
    for kernel in &plan.kernels {
        let symbol = symbols.of_name(&kernel.name);
        let stack = kernel.stack.max(kernel.frame);
        records.push(Record::words(at::MIN_STACK_SIZE, &[symbol, stack]));
    }
    records
}

/// What samplers start with, the last one first.
pub fn samplers(opaque: &[Opaque], symbol: impl Fn(&str) -> u32) -> Vec<Record> {
    let all = opaque.iter().rev();
    let mut records = Vec::new();
    for sampler in all.filter(|one| one.kind == OpaqueKind::Sampler) {
        let symbol = symbol(&sampler.name);
        if sampler.unnormalized {
            let words = [symbol, 1];
            records.push(Record::words(at::SAMPLER_FORCE_UNNORMALIZED, &words));
        }
        let words = [symbol, u32::from_le_bytes(sampler.modes)];
        records.push(Record::words(at::SAMPLER_INIT, &words));
    }
    records
}

/// The order of the records of a kernel up to sm_89, by number, as it is in 2,000 kernels that ptxas made.
#[rustfmt::skip]
const OLD: &[u8] = &[
    0x66, 0x36, 0x37, 0x35, 0x0a, 0x19, 0x45, 0x17, 0x2b, 0x1b, 0x4c, 0x0f, 0x5f, 0x46, 0x44, 0x31, 0x2e, 0x29, 0x28,
    0x40, 0x39, 0x38, 0x1c, 0x34, 0x05, 0x10, 0x04, 0x1e,
];

/// The order from sm_90 on.
#[rustfmt::skip]
const NEW: &[u8] = &[
    0x68, 0x66, 0x5b, 0x37, 0x45, 0x17, 0x4f, 0x3e, 0x3f, 0x41, 0x3d, 0x50, 0x2b, 0x62, 0x51, 0x1b, 0x4c, 0x0f, 0x5f,
    0x44, 0x31, 0x29, 0x28, 0x54, 0x4a, 0x2e, 0x40, 0x46, 0x39, 0x38, 0x1c, 0x34, 0x05, 0x10, 0x1e, 0x19, 0x0a, 0x36,
    0x6b, 0x6d, 0x15, 0x16,
];

/// What the records of a kernel depend on other than the kernel.
pub struct Context<'a> {
    pub chip: &'a Chip,
    pub toolkit: u16,
    /// The numbers of symbols.
    pub number: &'a dyn Fn(&str) -> u32,
}

/// The records of a kernel.
pub fn of_kernel(context: &Context<'_>, kernel: &Kernel) -> Vec<Record> {
    let mut records = made(context, kernel);
    records.retain(|record| {
        let given = kernel.attributes.iter();
        !given
            .into_iter()
            .any(|given| given.attribute == record.attribute)
    });
    records.extend(kernel.attributes.iter().cloned());
    let order = match context.chip.order {
        Order::Old => OLD,
        Order::New => NEW,
    };
    // Attributes without a place in the order stay where they are, after all others.
    let rank = |record: &Record| {
        let place = order.iter().position(|number| *number == record.attribute);
        place.unwrap_or(order.len())
    };
    records.sort_by_key(rank);
    records
}

/// The records that follow from the description.
fn made(context: &Context<'_>, kernel: &Kernel) -> Vec<Record> {
    let (chip, number) = (context.chip, context.number);
    let new = chip.order == Order::New;
    let mut records = vec![
        Record::words(at::LANGUAGE, &[LANGUAGE]),
        Record::words(at::CUDA_API_VERSION, &[context.toolkit.into()]),
        Record::half(at::MAXREG_COUNT, ANY_REGISTERS),
        Record::half(at::UNNAMED_5F, if new { 0x101 } else { 0 }),
    ];
    if let Some(workarounds) = chip.workarounds {
        records.push(Record::words(at::SW_WAR, &[workarounds]));
    }
    if chip.flag_35 {
        records.push(Record::flag(at::UNNAMED_35));
    }
    if new {
        records.push(Record::half(at::SPARSE_MMA_MASK, 0));
        records.push(Record::half(at::NVSAL_SW_WAR, 1));
        records.push(Record::byte(at::PREEXIT_USED, 0));
    }
    if chip.target.has(features::CUBINS_OF_BLACKWELL) {
        records.push(Record::byte(at::VRC_CTA_INIT_COUNT, 0));
    }
    if !kernel.parameters.is_empty() {
        let size = kernel.parameter_bytes();
        let bank = number(&format!(".nv.constant0.{}", kernel.name));
        let place = u32::from(chip.parameters) | size << 16;
        records.push(Record::words(at::PARAM_CBANK, &[bank, place]));
        records.push(Record::half(at::CBANK_PARAM_SIZE, size as u16));
        let parameters = kernel.parameters.iter().rev();
        let small = kernel.parameters.iter().all(Parameter::is_small);
        records.extend(parameters.map(|parameter| match small {
            true => parameter.record(),
            false => parameter.wide_record(),
        }));
    }
    if kernel.barriers > 0 {
        records.push(Record::byte(at::NUM_BARRIERS, kernel.barriers));
    }
    if !kernel.externs.is_empty() {
        let all = kernel.externs.iter().map(|name| number(name));
        records.push(Record::words(at::EXTERNS, &all.collect::<Vec<u32>>()));
    }
    if !kernel.handles.is_empty() {
        records.push(Record::byte(at::BINDLESS_TEXTURE_BANK, 0));
        records.push(Record::byte(at::BINDLESS_SURFACE_BANK, 0));
    }
    if !kernel.exits.is_empty() {
        records.push(Record::words(at::EXIT_INSTR_OFFSETS, &kernel.exits));
    }
    records
}
