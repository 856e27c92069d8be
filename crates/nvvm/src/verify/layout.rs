//! What the data layout says, as far as rules depend on it: sizes of pointers and the address spaces of
//! code and the stack.

use crate::module::Module;

/// Sizes and address spaces of a target.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    /// Size and index size of pointers in bits, by address space; the first is for all others.
    pointers: Vec<(u32, u32, u32)>,
    /// The address space of functions.
    pub(super) program_space: u32,
}

impl Layout {
    /// Reads the layout of a module. What it does not say has LLVM's defaults.
    pub(super) fn of(module: &Module) -> Layout {
        let mut layout = Layout {
            pointers: vec![(0, 64, 64)],
            program_space: 0,
        };
        let text = module.data_layout.map(|name| module.names.text(name));
        for part in text.as_deref().unwrap_or_default().split('-') {
            if let Some(space) = part.strip_prefix('P') {
                layout.program_space = space.parse().unwrap_or(0);
            }
            let Some(pointer) = part.strip_prefix('p') else {
                continue;
            };
            let mut fields = pointer.split(':');
            let space = fields.next().unwrap_or_default();
            let space = space.trim_matches(|c: char| !c.is_ascii_digit());
            let space = if space.is_empty() {
                Ok(0)
            } else {
                space.parse()
            };
            let sizes: Vec<u32> = fields.filter_map(|field| field.parse().ok()).collect();
            if let (Ok(space), Some(&size)) = (space, sizes.first()) {
                let index = sizes.get(3).copied().unwrap_or(size);
                layout.pointers.retain(|row| row.0 != space);
                layout.pointers.push((space, size, index));
                layout.pointers.sort_unstable();
            }
        }
        layout
    }

    fn pointer(&self, space: u32) -> (u32, u32, u32) {
        let row = self.pointers.iter().find(|row| row.0 == space);
        row.or(self.pointers.first())
            .copied()
            .unwrap_or((0, 64, 64))
    }

    /// The size of a pointer in bits.
    pub(super) fn pointer_bits(&self, space: u32) -> u32 {
        self.pointer(space).1
    }

    /// The size of an index of a pointer in bits.
    pub(super) fn index_bits(&self, space: u32) -> u32 {
        self.pointer(space).2
    }
}
