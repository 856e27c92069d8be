//! Instructions of litmus tests: a mnemonic with its modifiers in any order, and operands.

use super::Reader;
use crate::condition::constant;
use crate::lex::Kind;
use warpc_diag::{Diagnostic, Span, codes};
use warpc_model::axioms::{
    BarrierKind, Inst, MemoryProxy, Operand, Operation, ProxyFenceKind, Rmw, ValueType,
};
use warpc_model::{Ordering, Scope};

/// The proxies, for messages.
pub(super) const PROXIES: &str = "generic, constant, texture, surface, async";

/// A proxy by name.
pub(super) fn proxy(name: &str) -> Option<MemoryProxy> {
    Some(match name {
        "generic" => MemoryProxy::Generic,
        "constant" => MemoryProxy::Constant,
        "texture" => MemoryProxy::Texture,
        "surface" => MemoryProxy::Surface,
        "async" => MemoryProxy::Async,
        _ => return None,
    })
}

/// What a mnemonic does.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Family {
    Load(MemoryProxy),
    Store(MemoryProxy),
    Atom(MemoryProxy),
    Red(MemoryProxy),
    Fence,
    Membar,
    Barrier,
    Compute(Operation),
    Branch(Operation),
    Jump,
}

const FAMILIES: &[(&str, Family)] = &[
    ("ld", Family::Load(MemoryProxy::Generic)),
    ("cold", Family::Load(MemoryProxy::Constant)),
    ("tld", Family::Load(MemoryProxy::Texture)),
    ("suld", Family::Load(MemoryProxy::Surface)),
    ("asld", Family::Load(MemoryProxy::Async)),
    ("st", Family::Store(MemoryProxy::Generic)),
    ("sust", Family::Store(MemoryProxy::Surface)),
    ("asst", Family::Store(MemoryProxy::Async)),
    ("atom", Family::Atom(MemoryProxy::Generic)),
    ("suatom", Family::Atom(MemoryProxy::Surface)),
    ("red", Family::Red(MemoryProxy::Generic)),
    ("sured", Family::Red(MemoryProxy::Surface)),
    ("asred", Family::Red(MemoryProxy::Async)),
    ("fence", Family::Fence),
    ("membar", Family::Membar),
    ("bar", Family::Barrier),
    ("barrier", Family::Barrier),
    ("mov", Family::Compute(Operation::Second)),
    ("add", Family::Compute(Operation::Add)),
    ("sub", Family::Compute(Operation::Sub)),
    ("mul", Family::Compute(Operation::Mul)),
    ("mult", Family::Compute(Operation::Mul)),
    ("div", Family::Compute(Operation::Div)),
    ("rem", Family::Compute(Operation::Rem)),
    ("and", Family::Compute(Operation::And)),
    ("or", Family::Compute(Operation::Or)),
    ("xor", Family::Compute(Operation::Xor)),
    ("min", Family::Compute(Operation::Min)),
    ("max", Family::Compute(Operation::Max)),
    ("shl", Family::Compute(Operation::Shl)),
    ("shr", Family::Compute(Operation::Shr)),
    ("beq", Family::Branch(Operation::Eq)),
    ("bne", Family::Branch(Operation::Ne)),
    ("blt", Family::Branch(Operation::Lt)),
    ("ble", Family::Branch(Operation::Le)),
    ("bgt", Family::Branch(Operation::Gt)),
    ("bge", Family::Branch(Operation::Ge)),
    ("goto", Family::Jump),
    ("bra", Family::Jump),
];

/// What an atomic does with the old value and an operand.
const OPERATIONS: &[(&str, Operation)] = &[
    ("add", Operation::Add),
    ("sub", Operation::Sub),
    ("mul", Operation::Mul),
    ("div", Operation::Div),
    ("and", Operation::And),
    ("or", Operation::Or),
    ("xor", Operation::Xor),
    ("min", Operation::Min),
    ("max", Operation::Max),
    ("inc", Operation::Inc),
    ("dec", Operation::Dec),
    ("exch", Operation::Second),
];

/// What stands after the dots of a mnemonic.
struct Modifiers<'s> {
    words: Vec<(&'s str, Span)>,
}

impl<'s> Modifiers<'s> {
    /// Takes the first word that a function knows.
    fn take<T>(&mut self, known: impl Fn(&str) -> Option<T>) -> Option<(T, Span)> {
        for (at, &(word, span)) in self.words.iter().enumerate() {
            if let Some(found) = known(word) {
                self.words.remove(at);
                return Some((found, span));
            }
        }
        None
    }

    fn take_word(&mut self, wanted: &str) -> bool {
        self.take(|word| (word == wanted).then_some(())).is_some()
    }
}

fn order(word: &str) -> Option<Ordering> {
    Some(match word {
        "weak" => Ordering::Weak,
        "relaxed" => Ordering::Relaxed,
        "acquire" => Ordering::Acquire,
        "release" => Ordering::Release,
        "acq_rel" => Ordering::AcqRel,
        "sc" => Ordering::SeqCst,
        _ => return None,
    })
}

fn scope(word: &str) -> Option<Scope> {
    Some(match word {
        "cta" => Scope::Cta,
        "cluster" => Scope::Cluster,
        "gpu" => Scope::Gpu,
        "sys" => Scope::Sys,
        _ => return None,
    })
}

/// Reads an instruction of a thread. What is wrong is reported, and gives `None`.
pub(super) fn read(reader: &mut Reader, thread: usize) -> Option<Inst> {
    let start = reader.span();
    let Kind::Word(name) = reader.peek() else {
        reader.unexpected("an instruction");
        return None;
    };
    let Some((_, family)) = FAMILIES.iter().find(|(known, _)| *known == name) else {
        let message = format!("`{name}` is not an instruction of litmus tests");
        let known: Vec<&str> = FAMILIES.iter().map(|family| family.0).collect();
        let found = Diagnostic::error(codes::LITMUS_INSTRUCTION, start, message);
        reader.error(found.help(format!("instructions: {}", known.join(" "))));
        return None;
    };
    reader.next();
    let mut words = Vec::new();
    while reader.accept(".") {
        let span = reader.span();
        let Kind::Word(word) = reader.peek() else {
            reader.unexpected("a modifier after `.`");
            return None;
        };
        reader.next();
        words.push((word, span));
    }
    let mut modifiers = Modifiers { words };
    let inst = match *family {
        Family::Load(proxy) => load(reader, thread, &mut modifiers, proxy, start),
        Family::Store(proxy) => store(reader, thread, &mut modifiers, proxy, start),
        Family::Atom(proxy) => atomic(reader, thread, &mut modifiers, (proxy, true), start),
        Family::Red(proxy) => atomic(reader, thread, &mut modifiers, (proxy, false), start),
        Family::Fence => fence(reader, &mut modifiers, start),
        Family::Membar => membar(reader, &mut modifiers, start),
        Family::Barrier => barrier(reader, thread, &mut modifiers, start),
        Family::Compute(operation) => compute(reader, thread, operation),
        Family::Branch(operation) => branch(reader, thread, operation),
        Family::Jump => {
            let (name, span) = label(reader)?;
            reader.goes_to(thread, name, span);
            Some(Inst::Jump(0))
        }
    }?;
    if let Some(&(word, span)) = modifiers.words.first() {
        let message = format!("`{name}` does not take `.{word}` here");
        reader.error(Diagnostic::error(codes::LITMUS_INSTRUCTION, span, message));
        return None;
    }
    Some(inst)
}

/// The order and scope of an access. A weak one has no scope, a strong one must have it.
fn strength(
    reader: &mut Reader,
    modifiers: &mut Modifiers,
    allowed: &[Ordering],
    start: Span,
) -> Option<(Ordering, Scope)> {
    if modifiers.take_word("volatile") {
        // The manual: as relaxed at system scope.
        return Some((Ordering::Relaxed, Scope::Sys));
    }
    let found = modifiers.take(order);
    let place = modifiers.take(scope);
    let (order, span) = found.unwrap_or((allowed[0], start));
    if !allowed.contains(&order) {
        let names: Vec<&str> = allowed.iter().map(|order| order.ptx()).collect();
        let message = format!("`.{}` is not an order of this instruction", order.ptx());
        let found = Diagnostic::error(codes::LITMUS_INSTRUCTION, span, message);
        reader.error(found.help(format!("orders: {}", names.join(", "))));
        return None;
    }
    match (order, place) {
        (Ordering::Weak, Some((_, span))) => {
            let message = "a weak access has no scope";
            reader.error(Diagnostic::error(codes::LITMUS_INSTRUCTION, span, message));
            None
        }
        (Ordering::Weak, None) => Some((order, Scope::Thread)),
        (_, Some((scope, _))) => Some((order, scope)),
        // Atomics without a scope have that of the GPU.
        (_, None) if allowed[0] != Ordering::Weak => Some((order, Scope::Gpu)),
        (_, None) => {
            let found = Diagnostic::error(
                codes::LITMUS_INSTRUCTION,
                span,
                "a strong access needs a scope",
            );
            reader.error(found.help("scopes: .cta, .cluster, .gpu, .sys"));
            None
        }
    }
}

fn note_proxy(reader: &mut Reader, proxy: MemoryProxy, span: Span) {
    if proxy != MemoryProxy::Generic {
        reader.test.proxy.get_or_insert(span);
    }
}

fn load(
    reader: &mut Reader,
    thread: usize,
    modifiers: &mut Modifiers,
    proxy: MemoryProxy,
    start: Span,
) -> Option<Inst> {
    let to = target(reader, thread)?;
    reader.expect(",", "the register")?;
    // `ld r0, 1` without an order gives a register a value.
    let is_plain = modifiers.words.is_empty();
    if is_plain && let Some(value) = try_operand(reader, thread) {
        return Some(Inst::Compute {
            to,
            operation: Operation::Second,
            a: value,
            b: value,
            kind: ValueType::S64,
        });
    }
    let location = location(reader)?;
    let allowed = [Ordering::Weak, Ordering::Relaxed, Ordering::Acquire];
    let (order, scope) = strength(reader, modifiers, &allowed, start)?;
    note_proxy(reader, proxy, start);
    Some(Inst::Load {
        to,
        location,
        order,
        scope,
        proxy,
        kind: ValueType::S64,
    })
}

fn store(
    reader: &mut Reader,
    thread: usize,
    modifiers: &mut Modifiers,
    proxy: MemoryProxy,
    start: Span,
) -> Option<Inst> {
    let location = location(reader)?;
    reader.expect(",", "the location")?;
    let value = operand(reader, thread)?;
    let allowed = [Ordering::Weak, Ordering::Relaxed, Ordering::Release];
    let (order, scope) = strength(reader, modifiers, &allowed, start)?;
    note_proxy(reader, proxy, start);
    Some(Inst::Store {
        location,
        value,
        order,
        scope,
        proxy,
        kind: ValueType::S64,
    })
}

fn atomic(
    reader: &mut Reader,
    thread: usize,
    modifiers: &mut Modifiers,
    (proxy, gives): (MemoryProxy, bool),
    start: Span,
) -> Option<Inst> {
    let allowed = [
        Ordering::Relaxed,
        Ordering::Acquire,
        Ordering::Release,
        Ordering::AcqRel,
    ];
    let (order, scope) = strength(reader, modifiers, &allowed, start)?;
    let swaps = gives && modifiers.take_word("cas");
    let operation = modifiers.take(|word| {
        let found = OPERATIONS.iter().find(|(known, _)| *known == word);
        found.map(|found| found.1)
    });
    let operation = match (operation, swaps) {
        (Some((operation, _)), false) => Some(operation),
        (None, true) => None,
        _ => {
            let known: Vec<&str> = OPERATIONS.iter().map(|operation| operation.0).collect();
            let message = "an atomic needs one operation that the format has";
            let help = format!("operations: {} cas (with `atom`)", known.join(" "));
            reader.error(Diagnostic::error(codes::LITMUS_INSTRUCTION, start, message).help(help));
            return None;
        }
    };
    note_proxy(reader, proxy, start);
    let to = match gives {
        true => {
            let to = target(reader, thread)?;
            reader.expect(",", "the register")?;
            Some(to)
        }
        false => None,
    };
    let location = location(reader)?;
    reader.expect(",", "the location")?;
    let first = operand(reader, thread)?;
    let operation = match operation {
        Some(operation) => Rmw::Apply(operation, first),
        None => {
            reader.expect(",", "the value to compare with")?;
            Rmw::Cas(first, operand(reader, thread)?)
        }
    };
    Some(Inst::Atomic {
        to,
        location,
        operation,
        order,
        scope,
        proxy,
        kind: ValueType::S64,
    })
}

fn fence(reader: &mut Reader, modifiers: &mut Modifiers, start: Span) -> Option<Inst> {
    if modifiers.take_word("proxy") {
        reader.test.proxy.get_or_insert(start);
        if modifiers.take_word("alias") {
            return Some(Inst::ProxyFence(ProxyFenceKind::Alias));
        }
        if let Some((proxy, _)) = modifiers.take(proxy) {
            return Some(Inst::ProxyFence(ProxyFenceKind::With(proxy)));
        }
        let message = "the fence does not name a proxy of the format";
        let found = Diagnostic::error(codes::LITMUS_INSTRUCTION, start, message);
        reader.error(found.help(format!("proxies: alias, {PROXIES}")));
        return None;
    }
    let order = modifiers.take(order);
    let scope = modifiers.take(scope);
    let allowed = [
        Ordering::Acquire,
        Ordering::Release,
        Ordering::AcqRel,
        Ordering::SeqCst,
    ];
    match (order, scope) {
        (Some((order, _)), Some((scope, _))) if allowed.contains(&order) => {
            Some(Inst::Fence { order, scope })
        }
        (None, Some((scope, _))) => Some(Inst::Fence {
            order: Ordering::AcqRel,
            scope,
        }),
        _ => {
            let message = "a fence needs an order and a scope";
            let found = Diagnostic::error(codes::LITMUS_INSTRUCTION, start, message);
            reader.error(found.help("as `fence.acq_rel.gpu`; orders: acquire, release, acq_rel, sc; or `fence.proxy.alias`"));
            None
        }
    }
}

/// `membar.gl` is `fence.sc.gpu`.
fn membar(reader: &mut Reader, modifiers: &mut Modifiers, start: Span) -> Option<Inst> {
    let level = |word: &str| Scope::from_membar(word).ok();
    match modifiers.take(level) {
        Some((scope, _)) => Some(Inst::Fence {
            order: Ordering::SeqCst,
            scope,
        }),
        None => {
            let message = "`membar` needs `.cta`, `.gl` or `.sys`";
            reader.error(Diagnostic::error(codes::LITMUS_INSTRUCTION, start, message));
            None
        }
    }
}

/// `bar.cta.sync a`, `bar.cta.sync instance, a` or `bar.cta.sync instance, a, count`.
fn barrier(
    reader: &mut Reader,
    thread: usize,
    modifiers: &mut Modifiers,
    start: Span,
) -> Option<Inst> {
    modifiers.take_word("cta");
    modifiers.take_word("aligned");
    let kind = modifiers.take(|word| match word {
        "sync" | "red" => Some(BarrierKind::Sync),
        "arrive" => Some(BarrierKind::Arrive),
        _ => None,
    });
    let Some((kind, _)) = kind else {
        let message = "a barrier is `sync`, `red` or `arrive`";
        reader.error(Diagnostic::error(codes::LITMUS_INSTRUCTION, start, message));
        return None;
    };
    // What `red` computes of predicates orders nothing.
    modifiers.take(|word| ["popc", "and", "or"].contains(&word).then_some(()));
    let span = reader.span();
    let first = operand(reader, thread)?;
    let mut rest = Vec::new();
    while rest.len() < 2 && reader.accept(",") {
        rest.push(operand(reader, thread)?);
    }
    let (instance, barrier, count) = match rest[..] {
        [] => (None, first, None),
        [barrier] => (Some(first), barrier, None),
        [barrier, count, ..] => (Some(first), barrier, Some(count)),
    };
    let instance = match instance {
        None => None,
        Some(Operand::Constant(instance)) => Some(instance),
        Some(Operand::Register(_)) => {
            let message = "the instance of a barrier is a number";
            let found = Diagnostic::error(codes::LITMUS_INSTRUCTION, span, message);
            reader.error(
                found.help("operands: the instance, the barrier, after how many arrivals it opens"),
            );
            return None;
        }
    };
    Some(Inst::Barrier {
        kind,
        instance,
        barrier,
        count,
    })
}

fn compute(reader: &mut Reader, thread: usize, operation: Operation) -> Option<Inst> {
    let to = target(reader, thread)?;
    reader.expect(",", "the register")?;
    let a = operand(reader, thread)?;
    let b = match operation {
        Operation::Second => a,
        _ => {
            reader.expect(",", "the operand")?;
            operand(reader, thread)?
        }
    };
    Some(Inst::Compute {
        to,
        operation,
        a,
        b,
        kind: ValueType::S64,
    })
}

fn branch(reader: &mut Reader, thread: usize, operation: Operation) -> Option<Inst> {
    let a = operand(reader, thread)?;
    reader.expect(",", "the operand")?;
    let b = operand(reader, thread)?;
    reader.expect(",", "the operand")?;
    let (name, span) = label(reader)?;
    reader.goes_to(thread, name, span);
    Some(Inst::Branch {
        operation,
        a,
        b,
        kind: ValueType::S64,
        target: 0,
    })
}

fn label<'s>(reader: &mut Reader<'s>) -> Option<(&'s str, Span)> {
    let span = reader.span();
    let Kind::Word(name) = reader.peek() else {
        reader.unexpected("a label");
        return None;
    };
    reader.next();
    Some((name, span))
}

/// Registers are `r` and a number.
fn is_register(name: &str) -> bool {
    let digits = name.strip_prefix('r').unwrap_or("");
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

fn target(reader: &mut Reader, thread: usize) -> Option<usize> {
    match reader.peek() {
        Kind::Word(name) if is_register(name) => {
            reader.next();
            Some(reader.register(thread, name))
        }
        _ => {
            reader.unexpected("a register, as `r0`");
            None
        }
    }
}

fn location(reader: &mut Reader) -> Option<usize> {
    let in_brackets = reader.accept("[");
    let location = match reader.peek() {
        Kind::Word(name) if !is_register(name) => {
            reader.next();
            reader.location(name)
        }
        Kind::Word(name) => {
            let message = format!("`{name}` is a register, and accesses name their location");
            let found = Diagnostic::error(codes::LITMUS_INSTRUCTION, reader.span(), message);
            reader.error(found.help("write the name of a location, as `x`"));
            return None;
        }
        _ => {
            reader.unexpected("a location");
            return None;
        }
    };
    if in_brackets {
        reader.expect("]", "the location")?;
    }
    Some(location)
}

fn try_operand(reader: &mut Reader, thread: usize) -> Option<Operand> {
    if let Some(value) = constant(reader) {
        return Some(Operand::Constant(value));
    }
    match reader.peek() {
        Kind::Word(name) if is_register(name) => {
            reader.next();
            Some(Operand::Register(reader.register(thread, name)))
        }
        _ => None,
    }
}

fn operand(reader: &mut Reader, thread: usize) -> Option<Operand> {
    let found = try_operand(reader, thread);
    if found.is_none() {
        reader.unexpected("a register or a number");
    }
    found
}
