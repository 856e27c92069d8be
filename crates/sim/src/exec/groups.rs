//! Products of warpgroups: `wgmma`.
//!
//! ```text
//!   wgmma.mma_async   each warp computes its 16 rows at once; its registers and the pieces of shared memory are marked
//!   commit_group      the products of a warp so far are a group
//!   wait_group n      until all four warps have issued the products of all but the last n groups; then the marks go
//! ```
//!
//! A product is one operation of the four warps: when a wait of one warp returns, all of them have read their factors.
//! Whatever happens between a product and the wait for it is not seen in the result, so what may not happen there is reported:
//! accesses to its registers (`touched.rs`), and writes to its factors in shared memory (`reads.rs`).

pub(crate) mod reads;
pub(crate) mod touched;

use super::access::{self, Place, Touch};
use super::barrier::{Gathered, gather};
use super::flights::{self, Flights};
use super::frame::{Around, Doubles};
use super::group::Shared;
use super::lifetime::place_of;
use super::warp::{Flow, Wait, Warp};
use super::{Env, Outcome, Trouble, defined, lifetime, number_of};
use crate::address::Space;
use crate::finding::{Access, Finding, Problem, Told};
use crate::matrix::block::Side;
use crate::matrix::descriptor::{PIECE, SharedMatrix};
use crate::matrix::group::GroupOperation;
use crate::program::{Dst, Src, Visitor, visit_reads, visit_writes};
use std::collections::VecDeque;
use touched::Touched;
use warpc_diag::codes;

/// Warps of a warpgroup.
const WARPS: u32 = 4;

/// An instruction of a warpgroup.
#[derive(Debug)]
pub enum Group {
    /// `wgmma.fence`
    Fence,
    /// `wgmma.mma_async`
    Product(Box<GroupProduct>),
    /// `wgmma.commit_group`
    Commit,
    /// `wgmma.wait_group`: at most so many groups may be left.
    Wait(u32),
}

/// `wgmma.mma_async` with its places.
#[derive(Debug)]
pub struct GroupProduct {
    pub(crate) operation: GroupOperation,
    /// The accumulator.
    pub(crate) d: Box<[Dst]>,
    /// The same, where it is read.
    pub(crate) old: Box<[Src]>,
    /// A in registers; empty if it is in memory.
    pub(crate) a: Box<[Src]>,
    /// The descriptor of A, if it is in memory.
    pub(crate) a_matrix: Option<Src>,
    pub(crate) b_matrix: Src,
    /// Metadata and selector of a sparse A.
    pub(crate) metadata: Option<(Src, u64)>,
    /// Whether the product is added to the accumulator.
    pub(crate) adds: Src,
    /// The numbers of the registers among those that are watched: of D, then of A.
    pub(crate) watched: (Box<[u32]>, Box<[u32]>),
}

impl Group {
    /// Visits every register that is read, then every one that is written.
    pub(crate) fn visit(&mut self, visitor: &mut dyn Visitor) {
        if let Group::Product(product) = self {
            let GroupProduct {
                operation: _,
                d,
                old,
                a,
                a_matrix,
                b_matrix,
                metadata,
                adds,
                watched: _,
            } = &mut **product;
            visit_reads(visitor, old.iter_mut().chain(a));
            visit_reads(visitor, a_matrix.iter_mut().chain([b_matrix, adds]));
            visit_reads(visitor, metadata.iter_mut().map(|(metadata, _)| metadata));
            visit_writes(visitor, d);
        }
    }
}

/// What the warps of a group have issued.
#[derive(Debug)]
pub(crate) struct Groups {
    /// By the warp's number in its group.
    warps: Vec<Issued>,
    /// By the number of the warpgroup: its products, from the oldest that a warp has yet to issue.
    logs: Vec<Log>,
    /// Warps of a block.
    in_block: u32,
}

#[derive(Clone, Debug, Default)]
struct Issued {
    /// Products.
    products: u64,
    /// For each group that was not waited for, the products up to its end.
    groups: VecDeque<u64>,
    exited: bool,
}

#[derive(Clone, Debug, Default)]
struct Log {
    first: u64,
    products: VecDeque<Issue>,
}

/// A product as one warp issued it.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Issue {
    step: (u32, u32),
    /// The descriptors of A (0 if it is in registers) and B.
    matrices: [u64; 2],
}

impl Groups {
    /// For blocks of so many warps.
    pub(crate) fn new(blocks: u32, in_block: u32) -> Groups {
        let warpgroups = in_block.div_ceil(WARPS);
        Groups {
            warps: vec![Issued::default(); (blocks * in_block) as usize],
            logs: vec![Log::default(); (blocks * warpgroups) as usize],
            in_block,
        }
    }

    /// The warpgroup of a warp.
    fn warpgroup(&self, number: usize) -> usize {
        let (block, warp) = (number as u32 / self.in_block, number as u32 % self.in_block);
        (block * self.in_block.div_ceil(WARPS) + warp / WARPS) as usize
    }

    /// The warps of the warpgroup of a warp.
    fn members(&self, number: usize) -> std::ops::Range<usize> {
        let (block, warp) = (number as u32 / self.in_block, number as u32 % self.in_block);
        let first = (block * self.in_block + warp / WARPS * WARPS) as usize;
        let end = ((block + 1) * self.in_block) as usize;
        first..end.min(first + WARPS as usize)
    }

    /// A warp has ended.
    pub(crate) fn exit(&mut self, number: usize) {
        self.warps[number].exited = true;
    }

    /// A warp issues its next product: gives the number, and what another warp of the warpgroup issued in its place.
    fn issue(&mut self, number: usize, issue: Issue) -> (u64, Option<Issue>) {
        let warpgroup = self.warpgroup(number);
        let products = self.warps[number].products;
        self.warps[number].products += 1;
        let least = self.members(number).map(|warp| self.warps[warp].products);
        let least = least.min().unwrap_or(0);
        let log = &mut self.logs[warpgroup];
        let other = match log.products.get((products - log.first) as usize) {
            Some(other) => Some(*other).filter(|other| *other != issue),
            None => {
                log.products.push_back(issue);
                None
            }
        };
        while log.first < least {
            log.products.pop_front();
            log.first += 1;
        }
        (products, other)
    }

    /// The products that must be over before a wait ends.
    fn awaited(&self, number: usize, left: u32) -> u64 {
        let groups = &self.warps[number].groups;
        match groups.len().checked_sub(left as usize) {
            None | Some(0) => 0,
            Some(count) => groups[count - 1],
        }
    }

    /// Whether a warp of the warpgroup has not issued so many products; and whether it never will.
    fn missing(&self, number: usize, products: u64) -> (bool, bool) {
        let mut late = self.members(number).map(|warp| &self.warps[warp]);
        let is_late = late.clone().any(|warp| warp.products < products);
        (
            is_late,
            late.any(|warp| warp.products < products && warp.exited),
        )
    }
}

pub(super) fn execute(
    warp: &mut Warp,
    env: &Env<'_>,
    shared: &mut Shared,
    op: &Group,
    active: u32,
) -> Outcome<Flow> {
    if matches!(gather(warp, env, active)?, Gathered::Waits) {
        return Ok(Flow::Choose);
    }
    let members = warp.identity.warp / WARPS * WARPS;
    if env.threads() < (members + WARPS) * 32 {
        let problem = Problem::Other {
            message: "a `wgmma` instruction in a warpgroup of less than 128 threads".to_owned(),
            help: "four whole warps, the first with a number that is a multiple of four, execute it \
                   together: make the block's size a multiple of 128",
        };
        return Err(Trouble::of(active, problem));
    }
    let number = number_of(warp, env);
    let Some(groups) = &mut shared.groups else {
        return Ok(Flow::Next);
    };
    match op {
        Group::Fence => {
            if let Some(touched) = &mut warp.touched {
                touched.fence();
            }
        }
        Group::Commit => {
            let issued = &mut groups.warps[number];
            issued.groups.push_back(issued.products);
        }
        Group::Wait(left) => {
            let products = groups.awaited(number, *left);
            if groups.missing(number, products).0 {
                warp.block(active, Wait::Group { products });
                wake(warp, env, shared, warp.current)?;
                return Ok(Flow::Choose);
            }
            over(warp, shared, number, products);
        }
        Group::Product(product) => issue(warp, env, shared, product)?,
    }
    Ok(Flow::Next)
}

/// Looks whether all warps have issued what a fragment waits for.
pub(super) fn wake(
    warp: &mut Warp,
    env: &Env<'_>,
    shared: &mut Shared,
    index: usize,
) -> Outcome<()> {
    let number = number_of(warp, env);
    let fragment = warp.fragments[index];
    let (Wait::Group { products }, Some(groups)) = (fragment.wait, &shared.groups) else {
        return Ok(());
    };
    match groups.missing(number, products) {
        (false, _) => {
            over(warp, shared, number, products);
            warp.resume(index);
            Ok(())
        }
        (true, false) => Ok(()),
        (true, true) => Err(Trouble::of(
            fragment.lanes,
            told(Told {
                code: codes::DIVERGENT,
                warning: false,
                message:
                    "a warp of the warpgroup has exited without the product that is waited for"
                        .to_owned(),
                help: "all four warps of a warpgroup execute the same `wgmma` instructions"
                    .to_owned(),
                related: Vec::new(),
            }),
        )),
    }
}

/// A wait for products returns.
fn over(warp: &mut Warp, shared: &mut Shared, number: usize, products: u64) {
    let Some(groups) = &mut shared.groups else {
        return;
    };
    if products == 0 {
        return;
    }
    let own = &mut groups.warps[number].groups;
    while own.front().is_some_and(|end| *end <= products) {
        own.pop_front();
    }
    if let Some(touched) = &mut warp.touched {
        touched.wait(products);
    }
    let warpgroup = groups.warpgroup(number);
    if let Some(flights) = &mut shared.flights {
        flights.reads.wait(warpgroup, products);
    }
    if let Some(races) = &mut shared.races {
        races.group_over(groups.members(number), number);
    }
    shared.progress += 1;
}

fn told(told: Told) -> Problem {
    Problem::Told(Box::new(told))
}

/// A value that all lanes must have.
fn same(warp: &Warp, around: Around<'_>, source: Src, what: &str) -> Outcome<u64> {
    let values = warp.frames[warp.frame()].doubles(source, around);
    match values.iter().position(|value| *value != values[0]) {
        None => Ok(values[0]),
        Some(lane) => Err(Trouble::of(
            1 << lane,
            Problem::Other {
                message: format!("lanes of the warp have different values of {what}"),
                help: "the operands of a `wgmma` that are not parts of matrices have the same value in \
                       all threads of the warpgroup",
            },
        )),
    }
}

fn issue(
    warp: &mut Warp,
    env: &Env<'_>,
    shared: &mut Shared,
    product: &GroupProduct,
) -> Outcome<()> {
    let frame = warp.frame();
    let identity = warp.identity;
    let number = number_of(warp, env);
    let fragment = warp.fragments[warp.current];
    let step = (warp.frames[frame].code as u32, fragment.pc);
    let around = Around::new(env, &identity, shared);
    let a_matrix = match product.a_matrix {
        Some(source) => Some(same(warp, around, source, "the descriptor of A")?),
        None => None,
    };
    let b_matrix = same(warp, around, product.b_matrix, "the descriptor of B")?;
    let adds = same(warp, around, product.adds, "`scale-d`")? != 0;
    let Some(groups) = &mut shared.groups else {
        return Ok(());
    };
    let now = Issue {
        step,
        matrices: [a_matrix.unwrap_or(0), b_matrix],
    };
    let (products, other) = groups.issue(number, now);
    let warpgroup = groups.warpgroup(number);
    if let Some(other) = other {
        return Err(Trouble::of(1, differs(env, now, other)));
    }
    if let Some(touched) = &mut warp.touched {
        let problem = touched.issue(env, (frame, step), product, products);
        problem.map_err(|problem| Trouble::of(1, problem))?;
        if let Some(written) = touched.unfenced(env, (frame, step), product) {
            warn(warp, env, shared, step, written);
        }
    }
    // The factors.
    let mut factors = Vec::with_capacity(2);
    let mut fetch = Fetch {
        warpgroup,
        products,
        step,
        any_defined: false,
    };
    factors.push(match a_matrix {
        Some(bits) => {
            let matrix = (Side::A, SharedMatrix::of_group(bits));
            fetch.elements(warp, env, shared, product, matrix)?
        }
        None => {
            let around = Around::new(env, &identity, shared);
            let registers = &warp.frames[frame];
            let values: Vec<Doubles> = (product.a.iter())
                .map(|source| registers.doubles(*source, around))
                .collect();
            fetch.any_defined |= !env.init
                || (product.a.iter())
                    .any(|source| defined::of_all(warp, frame, *source).contains(&0));
            product.operation.a_elements(&values)
        }
    });
    let a_defined = std::mem::take(&mut fetch.any_defined);
    let matrix = (Side::B, SharedMatrix::of_group(b_matrix));
    factors.push(fetch.elements(warp, env, shared, product, matrix)?);
    let is_nothing = env.init && !(a_defined || fetch.any_defined);
    // The product.
    let around = Around::new(env, &identity, shared);
    let registers = &mut warp.frames[frame];
    let metadata = (product.metadata)
        .map(|(metadata, selector)| (registers.doubles(metadata, around), selector));
    let mut d: Vec<Doubles> = (product.old.iter())
        .map(|source| registers.doubles(*source, around))
        .collect();
    let metadata = metadata
        .as_ref()
        .map(|(metadata, selector)| (metadata, *selector));
    let operation = &product.operation;
    operation.run(&factors[0], &factors[1], metadata, (&mut d, adds));
    for (to, values) in product.d.iter().zip(&d) {
        registers.set_all(*to, u32::MAX, values);
    }
    if env.init {
        let bits: Vec<Doubles> = (product.old.iter())
            .map(|source| match (is_nothing, adds) {
                (true, _) => [u64::MAX; 32],
                (false, true) => defined::of_all(warp, frame, *source),
                (false, false) => [0; 32],
            })
            .collect();
        defined::matrix_loaded(warp, env, frame, &product.d, &bits);
    }
    if let Some(races) = &mut shared.races {
        races.group_issue(number);
    }
    shared.progress += 1;
    Ok(())
}

/// A register of a product was written after the last `wgmma.fence`.
#[cold]
fn warn(warp: &Warp, env: &Env<'_>, shared: &mut Shared, step: (u32, u32), written: (u32, u32)) {
    let (code, pc) = (step.0 as usize, step.1 as usize);
    let same = |finding: &Finding| (finding.code, finding.pc) == (code, pc);
    if shared.warnings.iter().any(same) {
        return;
    }
    let there = place_of(env, written, "it was written here".to_owned());
    shared.warnings.push(Finding {
        problem: told(Told {
            code: codes::GROUP_FENCE,
            warning: true,
            message: "a register of this product was written after the last `wgmma.fence`".to_owned(),
            help: "execute `wgmma.fence.sync.aligned` after the last access to the registers of a product and \
                   before the product"
                .to_owned(),
            related: there.into_iter().collect(),
        }),
        block: warp.identity.block,
        thread: super::special::thread(env, warp.identity.warp * 32),
        code,
        pc,
        rank: 0,
    });
}

/// Two warps of a warpgroup do not do the same.
#[cold]
fn differs(env: &Env<'_>, now: Issue, other: Issue) -> Problem {
    let message = match now.step == other.step {
        true => "warps of a warpgroup have different matrix descriptors for the same product",
        false => "warps of a warpgroup execute different products",
    };
    let there = place_of(
        env,
        other.step,
        "another warp of the warpgroup executed this".to_owned(),
    );
    told(Told {
        code: codes::DIVERGENT,
        warning: false,
        message: message.to_owned(),
        help: "all four warps of a warpgroup execute the same `wgmma` instructions in the same order, with \
               the same descriptors"
            .to_owned(),
        related: there.into_iter().collect(),
    })
}

/// Reads factors from shared memory.
struct Fetch {
    warpgroup: usize,
    products: u64,
    step: (u32, u32),
    /// Whether any byte that was read is defined.
    any_defined: bool,
}

impl Fetch {
    fn elements(
        &mut self,
        warp: &mut Warp,
        env: &Env<'_>,
        shared: &mut Shared,
        product: &GroupProduct,
        (side, matrix): (Side, SharedMatrix),
    ) -> Outcome<Vec<u32>> {
        let operation = &product.operation;
        let addresses = operation.pieces(side, &matrix, warp.identity.warp);
        let mut bytes = Vec::with_capacity(addresses.len() * PIECE as usize);
        for (index, address) in addresses.into_iter().enumerate() {
            let touch = Touch {
                access: Access::Read,
                space: Space::Shared,
                address: u64::from(address),
                bytes: PIECE,
                lane: index % 32,
            };
            let place = access::resolve(warp, env, shared, touch)
                .map_err(|trouble| of_matrix(trouble, side, &matrix))?;
            let Place::Shared(rank, offset) = place else {
                continue;
            };
            lifetime::read(env, shared, (place, touch.lane), (PIECE, false))?;
            let at = (rank as u32, offset as u32, PIECE);
            if let Some(flights) = &mut shared.flights {
                self.watch(flights, touch.lane, at)?;
            }
            if let Some(races) = &mut shared.races {
                races.piece(env, warp, (Access::Read, PIECE), (touch.lane, place));
            }
            self.any_defined |= !env.init || !defined::is_undefined(shared, (at.0, at.1), PIECE);
            bytes.extend_from_slice(&shared.memory[rank][offset..offset + PIECE as usize]);
        }
        shared.counts.accesses += u64::from(bytes.len() as u32 / PIECE);
        shared.counts.bytes += bytes.len() as u64;
        Ok(operation.elements(side, &bytes))
    }

    /// The piece must be there for the asynchronous proxy, and must stay until the product was waited for.
    fn watch(&self, flights: &mut Flights, lane: usize, at: (u32, u32, u32)) -> Outcome<()> {
        if let Some(offset) = flights.unfenced(at) {
            return Err(flights::unfenced(lane, (offset, "reads", "product")));
        }
        let owner = (self.warpgroup, self.products, self.step);
        flights.reads.add(owner, at);
        Ok(())
    }
}

/// What an access to a piece of a matrix did wrong, told with the matrix.
#[cold]
pub(in crate::exec) fn of_matrix(
    mut trouble: Box<Trouble>,
    side: Side,
    matrix: &SharedMatrix,
) -> Box<Trouble> {
    if let Problem::OutOfBounds { near, .. } = &mut trouble.problem {
        let SharedMatrix {
            start,
            leading,
            stride,
            swizzle,
            ..
        } = matrix;
        let descriptor = format!(
            "the descriptor of {side:?} has start {start:#x}, leading offset {leading:#x}, stride offset {stride:#x}, \
             swizzle {swizzle:?}"
        );
        *near = Some(match near.take() {
            Some(near) => format!("{near}; {descriptor}"),
            None => descriptor,
        });
    }
    trouble
}

/// The state of the registers, where the program has products of warpgroups or loads of tensor memory.
pub(super) fn touched_of(env: &Env<'_>) -> Option<Box<Touched>> {
    (env.program.has_groups || env.program.has_tensor).then(Box::default)
}
