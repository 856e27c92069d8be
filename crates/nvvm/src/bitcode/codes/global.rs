//! Properties of globals: linkage, visibility and so on.

use super::operation::numbers;
use crate::module::{
    CodeModel, ComdatKind, DllStorage, Linkage, ThreadLocal, UnnamedAddr, Visibility,
};

/// Linkages. The first row with a linkage is how it is written; the others are older.
pub(crate) const LINKAGES: &[(u64, Linkage)] = &[
    (0, Linkage::External),
    (16, Linkage::WeakAny),
    (2, Linkage::Appending),
    (3, Linkage::Internal),
    (18, Linkage::LinkOnceAny),
    (7, Linkage::ExternWeak),
    (8, Linkage::Common),
    (9, Linkage::Private),
    (17, Linkage::WeakOdr),
    (19, Linkage::LinkOnceOdr),
    (12, Linkage::AvailableExternally),
    // Older: without comdats, `dllimport` and `dllexport` as linkages, linker-private ones.
    (1, Linkage::WeakAny),
    (4, Linkage::LinkOnceAny),
    (5, Linkage::External),
    (6, Linkage::External),
    (10, Linkage::WeakOdr),
    (11, Linkage::LinkOnceOdr),
    (13, Linkage::Private),
    (14, Linkage::Private),
    (15, Linkage::External),
];

/// The number of a linkage.
pub(crate) fn linkage_number(linkage: Linkage) -> u64 {
    let row = LINKAGES.iter().find(|row| row.1 == linkage);
    row.map_or(0, |row| row.0)
}

/// The linkage of a number; what is unknown is external, as in LLVM.
pub(crate) fn linkage_of(number: u64) -> Linkage {
    let row = LINKAGES.iter().find(|row| row.0 == number);
    row.map_or(Linkage::External, |row| row.1)
}

/// Whether the number is that of an older linkage that implied a comdat.
pub(crate) fn linkage_implies_comdat(number: u64) -> bool {
    matches!(number, 1 | 4 | 10 | 11)
}

/// What an older linkage says about Windows' libraries.
pub(crate) fn dll_storage_of_linkage(number: u64) -> DllStorage {
    match number {
        5 => DllStorage::Import,
        6 => DllStorage::Export,
        _ => DllStorage::Default,
    }
}

numbers! {
    /// Visibilities.
    VISIBILITIES visibility_number visibility_of: Visibility {
        0 Visibility::Default, 1 Visibility::Hidden, 2 Visibility::Protected,
    }
    /// Windows: where globals come from or go to.
    DLL_STORAGES dll_storage_number dll_storage_of: DllStorage {
        0 DllStorage::Default, 1 DllStorage::Import, 2 DllStorage::Export,
    }
    /// How thread-local variables are reached.
    THREAD_LOCALS thread_local_number thread_local_of: ThreadLocal {
        0 ThreadLocal::None, 1 ThreadLocal::GeneralDynamic, 2 ThreadLocal::LocalDynamic, 3 ThreadLocal::InitialExec,
        4 ThreadLocal::LocalExec,
    }
    /// Whether addresses matter.
    UNNAMED_ADDRS unnamed_addr_number unnamed_addr_of: UnnamedAddr {
        0 UnnamedAddr::None, 1 UnnamedAddr::Global, 2 UnnamedAddr::Local,
    }
    /// Code models; a record has them plus one, and zero for none.
    CODE_MODELS code_model_number code_model_of: CodeModel {
        0 CodeModel::Tiny, 1 CodeModel::Small, 2 CodeModel::Kernel, 3 CodeModel::Medium, 4 CodeModel::Large,
    }
    /// Which comdat of several is taken.
    COMDAT_KINDS comdat_kind_number comdat_kind_of: ComdatKind {
        1 ComdatKind::Any, 2 ComdatKind::ExactMatch, 3 ComdatKind::Largest, 4 ComdatKind::NoDeduplicate,
        5 ComdatKind::SameSize,
    }
}

/// Bits of the second number of a variable.
pub(crate) mod variable {
    /// `constant`
    pub(crate) const CONSTANT: u64 = 1;
    /// The record has the type of the variable, not that of the pointer.
    pub(crate) const EXPLICIT_TYPE: u64 = 2;
    /// Where the address space starts.
    pub(crate) const SPACE_SHIFT: u32 = 2;
}

/// Bits of the flags of inline assembly.
pub(crate) mod asm {
    /// `sideeffect`
    pub(crate) const SIDE_EFFECT: u64 = 1;
    /// `alignstack`
    pub(crate) const ALIGN_STACK: u64 = 2;
    /// `inteldialect`
    pub(crate) const INTEL: u64 = 4;
    /// `unwind`
    pub(crate) const UNWIND: u64 = 8;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_property_has_one_number() {
        for &linkage in Linkage::ALL {
            assert_eq!(linkage_of(linkage_number(linkage)), linkage);
        }
        for &kind in ComdatKind::ALL {
            assert_eq!(
                comdat_kind_number(kind).and_then(comdat_kind_of),
                Some(kind)
            );
        }
        for &model in ThreadLocal::ALL {
            assert_eq!(
                thread_local_number(model).and_then(thread_local_of),
                Some(model)
            );
        }
    }
}
