//! Addresses that are no more: of globals that lie in another address space now, of blocks whose
//! function got another body.

use super::constants::{cast_to_space, no_block};
use super::transfer::Transfer;
use crate::constant::ConstKind;
use crate::module::GlobalId;
use crate::replace::replace_constants;
use rustc_hash::FxHashMap;

impl Transfer<'_> {
    /// The blocks of a function of the result are about to go.
    pub(super) fn forget_blocks(&mut self, function: GlobalId) {
        let addresses = &self.linker.module.constants.block_addresses;
        let stale = addresses
            .iter()
            .filter(|(_, address)| address.function == function);
        self.stale_blocks.extend(stale.map(|(id, _)| id));
    }

    /// Puts new addresses in the place of those that are no more.
    pub(super) fn settle_replaced(&mut self) {
        if self.replaced.is_empty() && self.stale_blocks.is_empty() {
            return;
        }
        let replaced: FxHashMap<GlobalId, GlobalId> = self.replaced.iter().copied().collect();
        let stale_blocks = &self.stale_blocks;
        replace_constants(&mut self.linker.module, |module, id| {
            let constant = module.constants.get(id);
            match constant.kind {
                ConstKind::Global(global) => replaced.get(&global).map(|&global| {
                    let address = module.address_of(global);
                    cast_to_space(module, address, constant.ty)
                }),
                ConstKind::BlockAddress(address) if stale_blocks.contains(&address) => {
                    Some(no_block(module, constant.ty))
                }
                _ => None,
            }
        });
    }
}
