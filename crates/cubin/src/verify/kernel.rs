//! What a driver must find to launch a kernel: its registers, its constants, its parameters.

use super::Check;
use crate::attribute::info::{
    CBANK_PARAM_SIZE, KPARAM_INFO, KPARAM_INFO_V2, MAXREG_COUNT, PARAM_CBANK, REGCOUNT,
};
use crate::content::{Content, Symbol};
use crate::info::Record;
use crate::model::{Section, kind};
use crate::value::{Parameter, Value};
use object::elf;
use std::collections::{HashMap, HashSet};
use warpc_diag::codes;

/// No thread has more registers.
const MOST_REGISTERS: u32 = 255;

impl Check<'_> {
    /// Holds every kernel against the records about it.
    pub(super) fn kernels(&mut self) {
        let cubin = self.cubin;
        let (table, symbols) = cubin.symbols();
        let mut registers = HashSet::new();
        let mut records_of: HashMap<usize, Vec<&Record>> = HashMap::new();
        for section in cubin.sections.iter().filter(|one| one.kind == kind::INFO) {
            let Content::Info(records) = &section.content else {
                continue;
            };
            for record in records {
                if let (REGCOUNT, Value::Function { symbol, .. }) =
                    (record.attribute, record.value())
                {
                    registers.insert(symbol as usize);
                }
            }
            if section.flags & u64::from(elf::SHF_INFO_LINK) != 0 {
                let about = section.info as usize;
                records_of.entry(about).or_default().extend(records);
            }
        }
        let banks = self.banks();
        let strings = cubin.sections.get(table).map_or(0, |table| table.link);
        for (index, symbol) in symbols.iter().enumerate() {
            let home = usize::from(symbol.section);
            let in_code = cubin.sections.get(home).is_some_and(Section::is_code);
            if self.is_full() {
                return;
            }
            if symbol.kind() != elf::STT_FUNC || symbol.other & Symbol::ENTRY == 0 || !in_code {
                continue;
            }
            let name = cubin.text_in(strings as usize, symbol.name);
            let shown = format!("kernel `{}`", name.unwrap_or_default());
            if !registers.contains(&index) {
                self.attribute(format!(
                    "{shown} has no EIATTR_REGCOUNT: nothing says how many registers it needs"
                ));
            }
            let records = records_of.get(&home).map_or(&[][..], Vec::as_slice);
            if records.is_empty() {
                self.attribute(format!("{shown} has no attributes (`.nv.info.KERNEL`)"));
                continue;
            }
            self.parameters(&shown, records, banks.get(&home).copied());
        }
    }

    /// The bank of constants of each section of code, by name: `.nv.constant0.KERNEL`.
    fn banks(&self) -> HashMap<usize, u64> {
        let named = |section: &&Section| {
            self.cubin
                .section_name(section)
                .starts_with(".nv.constant0.")
        };
        let banks = self.cubin.sections.iter().filter(named);
        banks
            .map(|section| (section.info as usize, section.size()))
            .collect()
    }

    /// The parameters must lie beside each other in the kernel's bank of constants.
    fn parameters(&mut self, shown: &str, records: &[&Record], bank: Option<u64>) {
        let mut parameters: Vec<Parameter> = Vec::new();
        let mut size = None;
        let mut place = None;
        for record in records {
            match (record.attribute, record.value()) {
                (KPARAM_INFO | KPARAM_INFO_V2, Value::Parameter(one)) => parameters.push(one),
                (CBANK_PARAM_SIZE, Value::Number(number)) => size = Some(u32::from(number)),
                (PARAM_CBANK, Value::Bank { offset, size, .. }) => place = Some((offset, size)),
                (MAXREG_COUNT, Value::Number(number)) if u32::from(number) > MOST_REGISTERS => {
                    self.attribute(format!(
                        "{shown}: EIATTR_MAXREG_COUNT allows {number} registers; there are {MOST_REGISTERS}"
                    ));
                }
                _ => {}
            }
        }
        parameters.sort_by_key(|one| one.offset);
        for pair in parameters.windows(2) {
            if u32::from(pair[0].offset) + pair[0].size > u32::from(pair[1].offset) {
                self.attribute(format!(
                    "{shown}: parameters {} and {} overlap at {:#x}",
                    pair[0].ordinal, pair[1].ordinal, pair[1].offset
                ));
            }
        }
        let end = parameters
            .iter()
            .map(|one| u32::from(one.offset) + one.size)
            .max()
            .unwrap_or(0);
        let Some((offset, held)) = place else {
            if end > 0 {
                self.attribute(format!(
                    "{shown} has parameters and no EIATTR_PARAM_CBANK that says where they are"
                ));
            }
            return;
        };
        if let Some(size) = size.filter(|&size| end > size || size != u32::from(held)) {
            self.attribute(format!(
                "{shown}: parameters end at {end:#x}, EIATTR_CBANK_PARAM_SIZE is {size:#x} and EIATTR_PARAM_CBANK says {held:#x}"
            ));
        }
        let end = u64::from(offset) + u64::from(held);
        match bank {
            Some(bank) if end <= bank => {}
            Some(bank) => self.attribute(format!(
                "{shown}: parameters end at {end:#x} of a bank of constants of {bank:#x} bytes"
            )),
            None => self.attribute(format!(
                "{shown} has parameters and no bank of constants (`.nv.constant0.KERNEL`)"
            )),
        }
    }

    fn attribute(&mut self, message: String) {
        self.fault(codes::CUBIN_ATTRIBUTE, message);
    }
}

/// The places of instructions that a value names.
pub(super) fn places(value: &Value) -> Vec<u32> {
    match value {
        Value::Offsets(places) => places.clone(),
        Value::Pairs(pairs) => pairs.iter().map(|pair| pair.0).collect(),
        Value::Annotations(all) => all.iter().map(|one| one.1).collect(),
        Value::Mbarriers(all) => all.iter().map(|one| one.offset).collect(),
        Value::Branches(all) => all
            .iter()
            .flat_map(|(place, targets)| std::iter::once(*place).chain(targets.iter().copied()))
            .collect(),
        _ => Vec::new(),
    }
}

/// Whether a value gives a function more registers than there are.
pub(super) fn too_many_registers(attribute: u8, value: &Value) -> Option<u32> {
    match value {
        Value::Function { number, .. } if attribute == REGCOUNT && *number > MOST_REGISTERS => {
            Some(*number)
        }
        _ => None,
    }
}
