//! Signatures that intrinsics had in older versions of LLVM, and that LLVM 22's reader still takes.
//!
//! They differ from those of today in a few ways, each of which is a rule for a family of names.

use super::{Fixed, Row, Shape};
use crate::types::{Type, TypeId, Types};

/// How an older signature differs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Change {
    /// So many of the last parameters are missing.
    Lacks(usize),
    /// A parameter more, at a place.
    Has(usize, Type),
    /// Pointers to the shared memory of a cluster were such to that of a block.
    Block,
    /// Numbers of the type bfloat were integers of their size.
    Integers,
}

/// What the names start with, and the changes.
const OLD: &[(&str, &[Change])] = {
    use Change::*;
    const ALIGN: Type = Type::Int(32);
    &[
        ("llvm.ptr.annotation", &[Lacks(1)]),
        ("llvm.var.annotation", &[Lacks(1)]),
        ("llvm.ctlz", &[Lacks(1)]),
        ("llvm.cttz", &[Lacks(1)]),
        ("llvm.objectsize", &[Lacks(1)]),
        ("llvm.objectsize", &[Lacks(2)]),
        ("llvm.memcpy", &[Has(3, ALIGN)]),
        ("llvm.memmove", &[Has(3, ALIGN)]),
        ("llvm.memset", &[Has(3, ALIGN)]),
        ("llvm.masked.load", &[Has(1, ALIGN)]),
        ("llvm.masked.store", &[Has(2, ALIGN)]),
        ("llvm.masked.gather", &[Has(1, ALIGN)]),
        ("llvm.masked.scatter", &[Has(2, ALIGN)]),
        ("llvm.lifetime.", &[Has(0, Type::Int(64))]),
        ("llvm.nvvm.mapa.shared.cluster", &[Block]),
        ("llvm.nvvm.cp.async.bulk.global.to.shared.cluster", &[Block]),
        ("llvm.nvvm.cp.async.bulk.shared.cta.to.cluster", &[Block]),
        ("llvm.nvvm.cp.async.bulk.tensor.g2s.", &[Block]),
        ("llvm.nvvm.cp.async.bulk.tensor.g2s.", &[Lacks(1)]),
        ("llvm.nvvm.cp.async.bulk.tensor.g2s.", &[Block, Lacks(1)]),
        ("llvm.nvvm.fma.rn.", &[Integers]),
        ("llvm.nvvm.fmax.", &[Integers]),
        ("llvm.nvvm.fmin.", &[Integers]),
        ("llvm.nvvm.neg.", &[Integers]),
    ]
};

impl Change {
    fn apply(self, row: &mut Row) {
        let replace = |shapes: &mut Vec<Shape>, from: Shape, to: Type| {
            for shape in shapes.iter_mut().filter(|shape| **shape == from) {
                *shape = Shape::Fixed(Fixed(to));
            }
        };
        match self {
            Change::Lacks(count) => row.params.truncate(row.params.len().saturating_sub(count)),
            Change::Has(at, ty) => row
                .params
                .insert(at.min(row.params.len()), Shape::Fixed(Fixed(ty))),
            Change::Block => {
                for shapes in [&mut row.results, &mut row.params] {
                    replace(shapes, Shape::Fixed(Fixed(Type::Ptr(7))), Type::Ptr(3));
                }
            }
            Change::Integers => {
                let (one, two) = (Fixed(Type::BFloat), Shape::Vector(2, Fixed(Type::BFloat)));
                for shapes in [&mut row.results, &mut row.params] {
                    replace(shapes, Shape::Fixed(one), Type::Int(16));
                    replace(shapes, two, Type::Int(32));
                }
            }
        }
    }
}

impl Row {
    /// Whether a function type is one that the intrinsic had in an older version of LLVM.
    pub(crate) fn had(&self, types: &Types, ty: TypeId) -> bool {
        let rows = OLD.iter().filter(|row| self.name.starts_with(row.0));
        rows.into_iter().any(|(_, changes)| {
            let mut old = self.clone();
            changes.iter().for_each(|change| change.apply(&mut old));
            old != *self && old.fits(types, ty)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::find;
    use super::*;

    #[test]
    fn older_signatures_are_known() {
        let mut types = Types::default();
        let (i16, i32, i1, ptr) = (types.int(16), types.i32, types.i1, types.ptr);
        let mut had = |name: &str, ret: TypeId, params: &[TypeId]| {
            let ty = types.function(ret, params, false);
            find(name.as_bytes()).is_some_and(|row| !row.fits(&types, ty) && row.had(&types, ty))
        };
        assert!(had("llvm.ctlz.i32", i32, &[i32]));
        assert!(!had("llvm.ctlz.i32", i32, &[i32, i1]));
        assert!(!had("llvm.ctlz.i32", i32, &[]));
        assert!(had("llvm.nvvm.fmax.bf16", i16, &[i16, i16]));
        assert!(!had("llvm.nvvm.fmax.bf16", i32, &[i32, i32]));
        assert!(had("llvm.ptr.annotation.p0", ptr, &[ptr, ptr, ptr, i32]));
        assert!(!had("llvm.ctpop.i32", i32, &[]));
    }
}
