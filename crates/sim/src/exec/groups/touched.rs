//! Registers of products of warpgroups, and of loads of tensor memory: who may touch them when.
//!
//! ```text
//!   written ──wgmma.fence──► wgmma.mma_async ──(in flight: only products of the same shape that add to it)──► wait_group ──► used
//!   tcgen05.ld ──(in flight)──► wait::ld ──► used
//! ```
//!
//! A copy with `mov` is not a use: assemblers give both registers one place, so the copy is in flight as well. That a register
//! was written after the last fence is a warning only: compilers move writes across a fence (they do not know of it), and ptxas
//! puts the missing order in.

use super::GroupProduct;
use crate::exec::Env;
use crate::exec::lifetime::place_of;
use crate::finding::{Problem, Told};
use rustc_hash::FxHashMap;
use warpc_diag::codes;

/// What a step does to a register that products use, by its number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Touch {
    /// It reads it.
    Read(u32),
    /// It writes it.
    Write(u32),
    /// It copies one of them to another.
    Copy {
        /// Where to.
        to: u32,
        /// Where from.
        from: u32,
    },
}

/// The registers of a warp.
#[derive(Debug, Default)]
pub(crate) struct Touched {
    /// By frame.
    frames: FxHashMap<usize, Vec<State>>,
    /// Whether there was a `wgmma.fence`.
    fenced: bool,
    /// The products that were waited for.
    over: u64,
}

/// One register.
#[derive(Clone, Copy, Default, Debug)]
struct State {
    /// The number of the last product that uses it, plus one.
    product: u64,
    /// Whether that product writes it.
    is_sum: bool,
    /// The step of that product.
    step: (u32, u32),
    /// The step that wrote it since the last fence.
    written: Option<(u32, u32)>,
    /// The load of tensor memory that writes it.
    load: Option<(u32, u32)>,
}

impl Touched {
    /// `wgmma.fence`
    pub(super) fn fence(&mut self) {
        self.fenced = true;
        for state in self.frames.values_mut().flatten() {
            state.written = None;
        }
    }

    /// Products before this one were waited for.
    pub(super) fn wait(&mut self, products: u64) {
        self.over = self.over.max(products);
    }

    fn states(&mut self, env: &Env<'_>, (frame, code): (usize, u32)) -> &mut Vec<State> {
        let count = env.program.codes[code as usize].watched;
        let states = self.frames.entry(frame).or_default();
        states.resize(count, State::default());
        states
    }

    /// A product uses its registers; what is wrong with that.
    pub(super) fn issue(
        &mut self,
        env: &Env<'_>,
        (frame, step): (usize, (u32, u32)),
        product: &GroupProduct,
        number: u64,
    ) -> Result<(), Problem> {
        if !self.fenced {
            return Err(super::told(Told {
                code: codes::GROUP_FENCE,
                warning: false,
                message: "a `wgmma.mma_async` without a `wgmma.fence` before it".to_owned(),
                help: "execute `wgmma.fence.sync.aligned` before the first product, and whenever registers of \
                       a product were accessed since"
                    .to_owned(),
                related: Vec::new(),
            }));
        }
        let over = self.over;
        let steps = &env.program.codes;
        let states = self.states(env, (frame, step.0));
        let (d, a) = &product.watched;
        let shape = |step: (u32, u32)| shape_at(steps, step);
        for &register in d {
            let state = states[register as usize];
            // Products of the same shape follow one another in order.
            if state.product > over && !(state.is_sum && shape(state.step) == shape(step)) {
                let what = match state.is_sum {
                    true => "the accumulator, which a product of another shape",
                    false => {
                        "a register of the accumulator, which as a fragment of A another product"
                    }
                };
                return Err(in_flight(env, what, "uses", state.step));
            }
        }
        for &register in a {
            let state = states[register as usize];
            if state.product > over && state.is_sum {
                let what = "a fragment of A, which as the accumulator another product";
                return Err(in_flight(env, what, "writes", state.step));
            }
        }
        for (list, is_sum) in [(a, false), (d, true)] {
            for &register in list {
                let state = &mut states[register as usize];
                state.product = number + 1;
                state.is_sum = is_sum;
                state.step = step;
            }
        }
        Ok(())
    }

    /// A register of a product that was written since the last fence, by a step.
    pub(super) fn unfenced(
        &mut self,
        env: &Env<'_>,
        (frame, step): (usize, (u32, u32)),
        product: &GroupProduct,
    ) -> Option<(u32, u32)> {
        let states = self.states(env, (frame, step.0));
        let (d, a) = &product.watched;
        let mut all = d.iter().chain(a);
        all.find_map(|register| states[*register as usize].written)
    }

    /// A load of tensor memory writes registers; what is wrong with that.
    pub(crate) fn load(
        &mut self,
        env: &Env<'_>,
        (frame, step): (usize, (u32, u32)),
        registers: &[u32],
    ) -> Result<(), Problem> {
        let writes: Vec<Touch> = registers.iter().map(|one| Touch::Write(*one)).collect();
        self.touch(env, (frame, step), &writes)?;
        let states = self.states(env, (frame, step.0));
        for register in registers {
            states[*register as usize].load = Some(step);
        }
        Ok(())
    }

    /// `tcgen05.wait::ld`
    pub(crate) fn wait_for_loads(&mut self) {
        for state in self.frames.values_mut().flatten() {
            state.load = None;
        }
    }

    /// A step touches registers; what is wrong with that.
    pub(crate) fn touch(
        &mut self,
        env: &Env<'_>,
        (frame, step): (usize, (u32, u32)),
        touches: &[Touch],
    ) -> Result<(), Problem> {
        let over = self.over;
        let states = self.states(env, (frame, step.0));
        for touch in touches {
            // What a product or a load is to write is copied with its state, over whatever was there. A fragment of A is a
            // value like any other.
            if let Touch::Copy { to, from } = *touch {
                let from = states[from as usize];
                if from.product > over && from.is_sum || from.load.is_some() {
                    states[to as usize] = from;
                    continue;
                }
            }
            let (register, what) = match *touch {
                Touch::Read(register) => (register, "read"),
                Touch::Write(register) => (register, "write"),
                Touch::Copy { to, .. } => (to, "write"),
            };
            let state = states[register as usize];
            if let Some(load) = state.load {
                return Err(loading(env, what, load));
            }
            // The fragments of A may be read.
            if state.product > over && (state.is_sum || what == "write") {
                let role = match state.is_sum {
                    true => "the accumulator, which a product",
                    false => "a fragment of A, which a product",
                };
                let how = if state.is_sum { "writes" } else { "reads" };
                return Err(in_flight_by(env, what, role, how, state.step));
            }
            match *touch {
                Touch::Read(_) => {}
                Touch::Write(to) | Touch::Copy { to, .. } => {
                    states[to as usize] = State {
                        written: Some(step),
                        ..State::default()
                    };
                }
            }
        }
        Ok(())
    }

    /// A call has ended: its registers are gone.
    pub(crate) fn leave(&mut self, frame: usize) {
        self.frames.remove(&frame);
    }
}

/// The shape of the accumulator of a product.
fn shape_at(codes: &[crate::program::Code], (code, pc): (u32, u32)) -> Option<(usize, u32)> {
    let step = codes.get(code as usize)?.steps.get(pc as usize)?;
    match &step.op {
        crate::program::Op::Group(group) => match &**group {
            super::Group::Product(product) => Some(product.operation.shape()),
            _ => None,
        },
        _ => None,
    }
}

#[cold]
fn in_flight(env: &Env<'_>, role: &str, how: &str, step: (u32, u32)) -> Problem {
    in_flight_by(env, "use", role, how, step)
}

/// A register is touched before the product was waited for.
#[cold]
fn in_flight_by(env: &Env<'_>, what: &str, role: &str, how: &str, step: (u32, u32)) -> Problem {
    let issued = place_of(env, step, "the product was issued here".to_owned());
    super::told(Told {
        code: codes::NOT_WAITED,
        warning: false,
        message: format!("{what} of {role} that was not waited for {how}"),
        help: "execute `wgmma.commit_group` after the product and `wgmma.wait_group` before its registers are \
               used, and `wgmma.fence` before they are used by another product"
            .to_owned(),
        related: issued.into_iter().collect(),
    })
}

/// A register is touched before the load into it was waited for.
#[cold]
fn loading(env: &Env<'_>, what: &str, step: (u32, u32)) -> Problem {
    let issued = place_of(env, step, "the load was issued here".to_owned());
    super::told(Told {
        code: codes::NOT_WAITED,
        warning: false,
        message: format!("{what} of a register that a `tcgen05.ld` may still write"),
        help: "execute `tcgen05.wait::ld` after the load and before its registers are used"
            .to_owned(),
        related: issued.into_iter().collect(),
    })
}
