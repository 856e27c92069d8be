//! From a call of an `__nv_atomic_*` builtin to a row of the table, or to what is wrong with it.
//!
//! ```text
//!   spelling, type of the object, order, scope, chip
//!        │
//!        ├─ the object: an address, of a type and size that the form takes        stop at the first fault
//!        ├─ orders, then scope: constants, of the numbers that there are          go on
//!        ├─ sm_60 at least                                                        go on
//!        ├─ load, store: the order; 16 bytes; then warnings                       go on
//!        └─ others: warnings; then sizes and types that the operation lacks       go on
//! ```
//!
//! The order of the checks is that of CUDA's front ends, and over 32,000 recorded calls what they say
//! is said here ([`crate::fault`]). Two things are left out: a fault that only follows from one
//! before (the value of an order that is not a constant), and where a call stands. And a row's own name
//! (`__nv_atomic_fetch_add_8_s`) chooses the row without the rules for types: CUDA's front ends ask
//! nothing there, and every row can be compiled.

use crate::Builtin;
use crate::construct::{Form, Operation, Spelling, builtin};
use crate::fault::Fault;
use warpc_diag::Severity;
use warpc_model::atomic::is_atomic_size;
use warpc_model::{AtomicOp, Ordering, Scope, TypeClass};
use warpc_target::{Chips, features};

/// What the type of an object is, as far as it matters.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// A signed integer.
    Signed,
    /// An unsigned integer or a truth value.
    Unsigned,
    /// A floating-point number.
    Float,
    /// An address.
    Address,
    /// An enumeration that converts to integers.
    Enum,
    /// An enumeration that does not.
    ScopedEnum,
    /// A structure or array.
    Record,
}

/// What a call's first argument is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Object {
    /// There is none.
    Missing,
    /// A value that is not an address.
    Value,
    /// The address of something of unknown type and size.
    Unknown,
    /// The address of an object.
    Of {
        /// Its type.
        kind: Kind,
        /// Its size.
        bytes: u64,
    },
}

/// An argument that chooses the instruction.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Argument {
    /// A number.
    Constant(i64),
    /// Something that is known only when the program runs.
    Variable,
    /// It is left out.
    Missing,
}

/// A call.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Call {
    /// The builtin's name.
    pub spelling: Spelling,
    /// The first argument. For a name with a size only whether it is an address matters.
    pub object: Object,
    /// The memory order.
    pub order: Argument,
    /// The memory order if a compare-and-exchange fails; others have none.
    pub failure: Argument,
    /// The scope; the system if it is left out.
    pub scope: Argument,
    /// The chip: 90 for sm_90.
    pub chip: u16,
}

/// A call that can be compiled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Resolved {
    /// The row.
    pub builtin: &'static Builtin,
    /// What it does.
    pub operation: Operation,
    /// The size of the object; 0 for a fence.
    pub bytes: u64,
    /// What its bits mean: [`TypeClass::Bits`] where that does not matter.
    pub class: TypeClass,
    /// The memory order.
    pub order: Ordering,
    /// The memory order of a compare-and-exchange that fails.
    pub failure: Option<Ordering>,
    /// The scope, as written: the chip may lack it.
    pub scope: Scope,
    /// Whether the call gives a result.
    pub has_result: bool,
    /// What becomes something else than was written.
    pub warnings: Vec<Fault>,
}

const WITH_ATOMICS: Chips = features::SCOPED_ATOMICS;
const WITH_ORDERS: Chips = features::MEMORY_ORDERS;
const WITH_CLUSTERS: Chips = features::CLUSTERS;

/// The row of a call; or everything that is wrong with it, warnings among it, in the order in which
/// the front ends of CUDA say it.
///
/// ```
/// use warpc_builtins::construct::Spelling;
/// use warpc_builtins::resolve::{Argument, Call, Kind, Object, resolve};
/// let call = Call {
///     spelling: Spelling::parse("__nv_atomic_fetch_add").unwrap(),
///     object: Object::Of { kind: Kind::Float, bytes: 4 },
///     order: Argument::Constant(0),
///     failure: Argument::Missing,
///     scope: Argument::Missing,
///     chip: 90,
/// };
/// assert_eq!(resolve(&call).unwrap().builtin.name, "__nv_atomic_fetch_add_4_f");
/// let wrong = Call { order: Argument::Constant(7), ..call };
/// assert_eq!(resolve(&wrong).unwrap_err()[0].number(), 3746);
/// ```
pub fn resolve(call: &Call) -> Result<Resolved, Vec<Fault>> {
    let operation = call.spelling.operation;
    let (kind, bytes) = check_object(call).map_err(|fault| vec![fault])?;
    let mut faults = Vec::new();

    let order = order(call.order, &mut faults);
    let failure = match operation.has_failure_order() {
        true => Some(self::order(call.failure, &mut faults)),
        false => None,
    };
    let scope = scope(call.scope, &mut faults);
    if !WITH_ATOMICS.contains_number(call.chip) {
        faults.push(Fault::TooOld);
    }
    match operation {
        Operation::Load | Operation::Store => check_access(call, bytes, order, scope, &mut faults),
        Operation::Fence => {
            warn_of_orders(call, &mut faults);
            warn_of_clusters(call, scope, &mut faults);
        }
        Operation::Rmw(op) => {
            warn_of_clusters(call, scope, &mut faults);
            warn_of_orders(call, &mut faults);
            faults.extend(check_operation(call, op, kind, bytes));
        }
    }

    let class = class(call.spelling, kind);
    match (order, failure, scope, builtin(operation, bytes, class)) {
        (Some(order), failure, Some(scope), Some(builtin))
            if failure != Some(None) && !has_error(&faults) =>
        {
            Ok(Resolved {
                builtin,
                operation,
                bytes,
                class,
                order,
                failure: failure.flatten(),
                scope,
                has_result: match call.spelling.form {
                    Form::Overloaded { has_result } => has_result,
                    _ => !matches!(operation, Operation::Fence | Operation::Store),
                },
                warnings: faults,
            })
        }
        _ => Err(faults),
    }
}

fn has_error(faults: &[Fault]) -> bool {
    faults.iter().any(|f| f.severity() == Severity::Error)
}

/// The letter that the row's name has, if it has one.
fn class(spelling: Spelling, kind: Kind) -> TypeClass {
    match (spelling.form, kind) {
        (Form::Sized { class, .. }, _) => class,
        _ if !spelling.operation.has_class() => TypeClass::Bits,
        (_, Kind::Signed | Kind::Enum) => TypeClass::Signed,
        (_, Kind::Float) => TypeClass::Float,
        (_, Kind::Unsigned | Kind::Address | Kind::ScopedEnum | Kind::Record) => {
            TypeClass::Unsigned
        }
    }
}

/// Whether the form takes an object of this type and size; its type and size.
fn check_object(call: &Call) -> Result<(Kind, u64), Fault> {
    let Spelling { operation, form } = call.spelling;
    if call.object == Object::Missing {
        return Err(Fault::NoArguments);
    }
    if operation == Operation::Fence {
        return Ok((Kind::Unsigned, 0));
    }
    match (form, call.object) {
        (Form::Sized { bytes, .. }, Object::Unknown | Object::Of { .. }) => {
            Ok((Kind::Unsigned, bytes.into()))
        }
        (Form::Generic, Object::Of { kind, bytes }) => match is_atomic_size(bytes) {
            true => Ok((kind, bytes)),
            false => Err(Fault::ObjectSize(bytes)),
        },
        (Form::Generic, _) => Err(Fault::IncompleteObject),
        (_, Object::Missing | Object::Value) => Err(Fault::NotAnAddress),
        (Form::Value, Object::Of { kind, bytes }) => match (kind, operation) {
            (Kind::Signed | Kind::Unsigned, Operation::Rmw(op)) => {
                check_exchange(op, bytes).map(|()| (kind, bytes))
            }
            (Kind::Signed | Kind::Unsigned, _) if is_atomic_size(bytes) => Ok((kind, bytes)),
            (Kind::Signed | Kind::Unsigned, _) => Err(Fault::IntegerSize(bytes)),
            _ => Err(Fault::NotAnInteger),
        },
        (Form::Value, Object::Unknown) => Err(Fault::NotAnInteger),
        (_, Object::Unknown) => Err(Fault::NotANumber),
        (_, Object::Of { kind, bytes }) => match kind {
            Kind::Record | Kind::ScopedEnum => Err(Fault::NotANumber),
            Kind::Float if !operation.has_class() => Err(Fault::FloatLogic),
            _ if matches!(bytes, 4 | 8) => Ok((kind, bytes)),
            _ => Err(Fault::FetchSize(bytes)),
        },
    }
}

fn order(argument: Argument, faults: &mut Vec<Fault>) -> Option<Ordering> {
    let fault = match argument {
        Argument::Constant(value) => {
            let number = u64::try_from(value).ok();
            let order = number.and_then(|n| Ordering::from_cxx(n).ok());
            if order.is_some() {
                return order;
            }
            Fault::OrderValue(value)
        }
        Argument::Variable => Fault::OrderNotConstant,
        Argument::Missing => Fault::TooFewArguments,
    };
    if !faults.contains(&fault) {
        faults.push(fault);
    }
    None
}

fn scope(argument: Argument, faults: &mut Vec<Fault>) -> Option<Scope> {
    let fault = match argument {
        Argument::Missing => return Some(Scope::Sys),
        Argument::Constant(value) => {
            let number = u64::try_from(value).ok();
            let scope = number.and_then(|n| Scope::from_edg(n).ok());
            if scope.is_some() {
                return scope;
            }
            Fault::ScopeValue(value)
        }
        Argument::Variable => Fault::ScopeNotConstant,
    };
    faults.push(fault);
    None
}

/// Loads and stores.
fn check_access(
    call: &Call,
    bytes: u64,
    order: Option<Ordering>,
    scope: Option<Scope>,
    faults: &mut Vec<Fault>,
) {
    let access = call.spelling.operation.access();
    if order.is_some_and(|order| order.check(access).is_err()) {
        faults.push(match call.spelling.operation {
            Operation::Load => Fault::LoadOrder,
            _ => Fault::StoreOrder,
        });
    }
    if bytes == 16 && !WITH_ORDERS.contains_number(call.chip) {
        faults.push(Fault::WideAccess);
    }
    warn_of_orders(call, faults);
    warn_of_clusters(call, scope, faults);
}

fn warn_of_orders(call: &Call, faults: &mut Vec<Fault>) {
    let has = |chips: Chips| chips.contains_number(call.chip);
    if has(WITH_ATOMICS) && !has(WITH_ORDERS) {
        faults.push(Fault::NoOrders);
    }
}

fn warn_of_clusters(call: &Call, scope: Option<Scope>, faults: &mut Vec<Fault>) {
    if scope == Some(Scope::Cluster) && !WITH_CLUSTERS.contains_number(call.chip) {
        faults.push(match call.spelling.operation {
            Operation::Load | Operation::Store => Fault::ClusterAccess,
            Operation::Fence | Operation::Rmw(_) => Fault::ClusterScope,
        });
    }
}

/// The sizes that exchanges have.
fn check_exchange(op: AtomicOp, bytes: u64) -> Result<(), Fault> {
    match (op, bytes) {
        (AtomicOp::Cas, 2 | 4 | 8 | 16) | (AtomicOp::Exch, 4 | 8 | 16) => Ok(()),
        (AtomicOp::Cas, _) => Err(Fault::CasSize(bytes)),
        (AtomicOp::Exch, _) => Err(Fault::ExchangeSize(bytes)),
        _ => Ok(()),
    }
}

/// What an operation lacks.
fn check_operation(call: &Call, op: AtomicOp, kind: Kind, bytes: u64) -> Option<Fault> {
    if let Err(fault) = check_exchange(op, bytes) {
        return Some(fault);
    }
    let lacks = |chips: Chips| !chips.contains_number(call.chip);
    match (op, bytes) {
        (AtomicOp::Cas, 2) if lacks(WITH_ORDERS) => return Some(Fault::ShortCas),
        (AtomicOp::Cas | AtomicOp::Exch, 16) if lacks(WITH_CLUSTERS) => {
            return Some(Fault::WideExchange);
        }
        _ => {}
    }
    if matches!(call.spelling.form, Form::Sized { .. }) || !call.spelling.operation.has_class() {
        return None;
    }
    match (op, kind) {
        (_, Kind::Enum) => Some(Fault::EnumArithmetic),
        (AtomicOp::Add | AtomicOp::Sub, Kind::Signed) if bytes == 8 => Some(Fault::SignedSum),
        (AtomicOp::Min | AtomicOp::Max, Kind::Float) => Some(Fault::FloatMinMax),
        _ => None,
    }
}
