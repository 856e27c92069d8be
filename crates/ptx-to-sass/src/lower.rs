//! Descriptions of instructions, a file for each family, named as the tables of `warpc-ptx` are.

pub mod async_copy;
pub mod atomic;
pub mod barrier;
pub mod control;
pub mod fence;
pub mod load_store;
pub mod mbarrier;
pub mod multimem;
pub mod special;
mod swap_loop;
pub mod tcgen05;
pub mod warp;
pub mod wgmma;

use crate::chip::Chip;
use crate::code::Code;
use crate::opcode::Sequence;
use crate::source::Source;
use crate::{Context, FIRST_DESCRIBED, Unknown};
use warpc_target::Sm;

/// An instruction of PTX, as far as its machine code depends on it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Description {
    /// `ld`, `st`
    Access(load_store::Access),
    /// `atom`, `red`
    Atomic(atomic::Atomic),
    /// `fence`, `membar`
    Fence(fence::Fence),
    /// `bar`, `barrier`
    Barrier(barrier::Barrier),
    /// `barrier.cluster`
    Cluster(barrier::Cluster),
    /// `vote`, `shfl`, `match`, `redux`, `activemask`, `elect`, `bar.warp`
    Warp(warp::Warp),
    /// `mbarrier`
    Mbarrier(mbarrier::Mbarrier),
    /// Copies and what waits for them.
    Copy(async_copy::Copy),
    /// Fences, groups and waits of `wgmma`.
    WarpGroup(wgmma::WarpGroup),
    /// Fences and waits of `tcgen05`.
    Tensor(tcgen05::Tensor),
    /// `multimem`
    Multimem(multimem::Multimem),
    /// A special register is read.
    Special(special::Special),
    /// What steers a thread or the machine.
    Control(control::Control),
}

impl Description {
    /// The description of an instruction. Where its operands are not known, a result is used, and masks and numbers are
    /// constants, masks with all lanes.
    ///
    /// ```
    /// use warpc_ptx::inst::Mnemonic;
    /// use warpc_ptx_to_sass::{Context, Description, Source};
    /// let mnemonic = Mnemonic::find("atom.acq_rel.gpu.global.add.u32").unwrap();
    /// let atom = Description::of(Source::of_mnemonic(&mnemonic.choices[0])).unwrap();
    /// let code = atom.sequence(Context::Straight, "sm_90".parse().unwrap()).unwrap();
    /// assert_eq!(code.to_string(), "MEMBAR.ALL.GPU ERRBAR CGAERRBAR ATOMG.E.ADD.STRONG.GPU CCTL.IVALL");
    /// ```
    pub fn of(mut source: Source) -> Result<Description, Unknown> {
        let from = &mut source;
        let found = match from.opcode() {
            "ld" | "st" | "red" if from.has("async") => {
                async_copy::read(from).map(Description::Copy)
            }
            "ld" | "ldu" | "st" => load_store::read(from).map(Description::Access),
            "atom" | "red" => match atomic::read(from) {
                Some(read) => Some(Description::Atomic(read?)),
                None => None,
            },
            "fence" | "membar" => fence::read(from).map(Description::Fence),
            "bar" | "barrier" if from.has("warp") => warp::read(from).map(Description::Warp),
            "barrier" if from.has("cluster") => {
                barrier::read_cluster(from).map(Description::Cluster)
            }
            "bar" | "barrier" => barrier::read(from).map(Description::Barrier),
            "vote" | "shfl" | "match" | "redux" | "activemask" | "elect" => {
                warp::read(from).map(Description::Warp)
            }
            "mbarrier" => mbarrier::read(from).map(Description::Mbarrier),
            "cp" if from.has("mbarrier") => mbarrier::read_arrival(from).map(Description::Mbarrier),
            "cp" | "tensormap" => async_copy::read(from).map(Description::Copy),
            "multimem" => multimem::read(from).map(Description::Multimem),
            "wgmma" => wgmma::read(from).map(Description::WarpGroup),
            "tcgen05" => tcgen05::read(from).map(Description::Tensor),
            "mov" => special::read(from).map(Description::Special),
            _ => control::read(from).map(Description::Control),
        };
        match found {
            Some(found) if !source.has_more() => Ok(found),
            _ => Err(Unknown::Form(warpc_ptx::mnemonic_text(source.choice()))),
        }
    }

    /// What ptxas emits for it.
    pub fn sequence(&self, context: Context, sm: Sm) -> Result<Sequence, Unknown> {
        if !FIRST_DESCRIBED.contains(sm) {
            return Err(Unknown::Undescribed(sm));
        }
        let mut code = Code::new(Chip(sm), context);
        let known = match self {
            Description::Access(form) => form.emit(&mut code),
            Description::Atomic(form) => form.emit(&mut code),
            Description::Fence(form) => form.emit(&mut code),
            Description::Barrier(form) => form.emit(&mut code),
            Description::Cluster(form) => form.emit(&mut code),
            Description::Warp(form) => form.emit(&mut code),
            Description::Mbarrier(form) => form.emit(&mut code),
            Description::Copy(form) => form.emit(&mut code),
            Description::WarpGroup(form) => form.emit(&mut code),
            Description::Tensor(form) => form.emit(&mut code),
            Description::Multimem(form) => form.emit(&mut code),
            Description::Special(form) => form.emit(&mut code),
            Description::Control(form) => form.emit(&mut code),
        };
        known.map(|()| code.done()).ok_or(Unknown::Chip(sm))
    }
}
