//! The recorded rows, and the calls in LLVM IR that are the same as theirs.

use std::collections::{BTreeSet, HashMap};
use std::fmt;
use warpc_builtins::construct::{Operation, Spelling, name};
use warpc_builtins::resolve::{self, Argument, Kind, Object};
use warpc_diag::Severity;
use warpc_model::{AtomicOp, Ordering, Scope, TypeClass};
use warpc_testkit::{gzip, project};

/// A call in C++ and what became of it.
#[derive(Clone, Debug)]
pub struct Row {
    pub builtin: String,
    pub ty: String,
    pub order: String,
    pub failure: String,
    pub scope: String,
    pub sm: String,
    pub status: String,
    pub ptx: String,
    /// Errors and warnings, sorted: `E3756 W3763`.
    pub numbers: String,
}

impl Row {
    pub fn is_rejected(&self) -> bool {
        self.status == "rejected"
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            &self.builtin,
            &self.ty,
            &self.order,
            &self.failure,
            &self.scope,
        ];
        write!(f, "{} sm_{}", parts.map(String::as_str).join(" "), self.sm)
    }
}

fn read(name: &str) -> String {
    gzip::read_text(project::oracle(name))
}

/// All rows.
pub fn rows() -> Vec<Row> {
    let calls = read("atomic_calls.tsv.gz");
    let mut lines = calls.lines();
    let header: Vec<&str> = lines.next().unwrap().split('\t').collect();
    let mut numbers: HashMap<(String, &str), String> = HashMap::new();
    for line in lines {
        let fields: Vec<&str> = line.split('\t').collect();
        for (column, cell) in header.iter().zip(&fields).skip(5) {
            let mut words: Vec<&str> = cell.split(' ').filter(|word| *word != "-").collect();
            words.sort();
            let sm = column.trim_start_matches("sm_");
            numbers.insert((fields[..5].join("\t"), sm), words.join(" "));
        }
    }
    let text = read("cuda_atomics.tsv.gz");
    let rows = text.lines().skip(1).map(|line| {
        let fields: Vec<&str> = line.split('\t').collect();
        let field = |at: usize| fields[at].to_owned();
        let key = (fields[..5].join("\t"), fields[5]);
        Row {
            builtin: field(0),
            ty: field(1),
            order: field(2),
            failure: field(3),
            scope: field(4),
            sm: field(5),
            status: field(6),
            ptx: field(7),
            numbers: numbers
                .get(&key)
                .unwrap_or_else(|| panic!("{line}"))
                .clone(),
        }
    });
    rows.collect()
}

/// Declares everything that calls name, once; calls say their own types.
pub fn declarations(calls: &[(&Row, Call)]) -> String {
    let names: BTreeSet<String> = calls.iter().map(|(_, call)| call.name()).collect();
    let lines = names.iter().map(|name| format!("declare void @{name}()\n"));
    lines.collect()
}

/// A call in LLVM IR.
#[derive(Debug)]
pub struct Call {
    row: Row,
    spelling: Spelling,
    order: u8,
    failure: Option<u8>,
    scope: u8,
    kind: Kind,
    bytes: u64,
}

impl Call {
    /// The call that a row is about.
    pub fn of(row: &Row) -> Call {
        let order = |word: &str| {
            Ordering::all()
                .find(|order| order.to_string() == word)
                .and_then(Ordering::cxx)
        };
        let scopes = ["thread", "block", "cluster", "device", "system"];
        let scope = scopes.iter().position(|word| *word == row.scope).unwrap();
        let (letter, bits) = row.ty.split_at(1);
        Call {
            spelling: Spelling::parse(&row.builtin).unwrap(),
            order: order(&row.order).unwrap(),
            failure: order(&row.failure),
            scope: Scope::from_edg(scope as u64).unwrap().edg(),
            kind: match letter {
                "s" => Kind::Signed,
                "f" => Kind::Float,
                _ => Kind::Unsigned,
            },
            bytes: bits.parse::<u64>().unwrap_or(0) / 8,
            row: row.clone(),
        }
    }

    /// Whether it is refused because its type has a sign.
    pub fn needs_sign(&self) -> bool {
        self.row.is_rejected()
            && self.kind == Kind::Signed
            && self.bytes == 8
            && matches!(
                self.spelling.operation,
                Operation::Rmw(AtomicOp::Add | AtomicOp::Sub)
            )
    }

    /// The numbers that the resolver has for the call in C++.
    pub fn resolver(&self) -> String {
        let constant = |number: u8| Argument::Constant(number.into());
        let asked = resolve::Call {
            spelling: self.spelling,
            object: Object::Of {
                kind: self.kind,
                bytes: self.bytes,
            },
            order: constant(self.order),
            failure: self.failure.map_or(Argument::Missing, constant),
            scope: constant(self.scope),
            chip: self.row.sm.parse().unwrap(),
        };
        let faults = match resolve::resolve(&asked) {
            Ok(resolved) => resolved.warnings,
            Err(faults) => faults,
        };
        let mut words: Vec<String> = faults
            .iter()
            .map(|fault| match fault.severity() {
                Severity::Error => format!("E{}", fault.number()),
                Severity::Warning => format!("W{}", fault.number()),
            })
            .collect();
        words.sort();
        words.join(" ")
    }

    fn ty(&self) -> String {
        match (self.kind, self.bytes) {
            (Kind::Float, 4) => "float".to_owned(),
            (Kind::Float, _) => "double".to_owned(),
            (_, 0) => "i32".to_owned(),
            (_, bytes) => format!("i{}", bytes * 8),
        }
    }

    /// The name to call: that of the row, or the one with the sign where the sign counts.
    fn name(&self) -> String {
        let class = match self.kind {
            Kind::Signed => TypeClass::Signed,
            Kind::Float => TypeClass::Float,
            _ => TypeClass::Unsigned,
        };
        let operation = self.spelling.operation;
        match operation.has_class() && self.kind != Kind::Float && matches!(self.bytes, 4 | 8) {
            true => name(operation, self.bytes, class),
            false => self.row.builtin.clone(),
        }
    }

    /// A kernel with the call, named by its number.
    pub fn kernel(&self, index: usize) -> String {
        let (ty, name, bytes) = (self.ty(), self.name(), self.bytes);
        let by_pointer = !self.row.builtin.ends_with("_n");
        let orders = format!("i32 {}, i32 {}", self.order, self.scope);
        let fail = self.failure.unwrap_or(0);
        let body = match self.spelling.operation {
            Operation::Fence => format!("call void @{name}({orders})"),
            Operation::Load if by_pointer => format!(
                "%x = alloca {ty}\n  call void @{name}(i64 {bytes}, ptr %p, ptr align {bytes} %x, {orders})\n  \
                 %old = load {ty}, ptr %x\n  store {ty} %old, ptr %r"
            ),
            Operation::Load => {
                format!("%old = call {ty} @{name}(ptr %p, {orders})\n  store {ty} %old, ptr %r")
            }
            Operation::Store if by_pointer => format!(
                "%x = alloca {ty}\n  store {ty} %v, ptr %x\n  \
                 call void @{name}(i64 {bytes}, ptr %p, ptr align {bytes} %x, {orders})"
            ),
            Operation::Store => format!("call void @{name}(ptr %p, {ty} %v, {orders})"),
            Operation::Rmw(AtomicOp::Cas) => {
                let orders = format!("i32 {}, i32 {fail}, i32 {}", self.order, self.scope);
                let call = match by_pointer {
                    true => format!(
                        "%n = alloca {ty}\n  store {ty} %v, ptr %n\n  %ok1 = call i1 @{name}(i64 {bytes}, ptr %p, \
                         ptr align {bytes} %x, ptr align {bytes} %n, i1 false, {orders})"
                    ),
                    false => format!(
                        "%ok1 = call i1 @{name}(ptr %p, ptr %x, {ty} %v, i1 false, {orders})"
                    ),
                };
                format!(
                    "%x = alloca {ty}\n  store {ty} %w, ptr %x\n  {call}\n  %old = load {ty}, ptr %x\n  \
                     store {ty} %old, ptr %r\n  %ok8 = zext i1 %ok1 to i8\n  store i8 %ok8, ptr %ok"
                )
            }
            Operation::Rmw(AtomicOp::Exch) if by_pointer => format!(
                "%x = alloca {ty}\n  store {ty} %v, ptr %x\n  call void @{name}(i64 {bytes}, ptr %p, \
                 ptr align {bytes} %x, ptr align {bytes} %x, {orders})\n  %old = load {ty}, ptr %x\n  \
                 store {ty} %old, ptr %r"
            ),
            Operation::Rmw(_)
                if name.starts_with("__nv_atomic_fetch") || name.contains("exchange") =>
            {
                format!(
                    "%old = call {ty} @{name}(ptr %p, {ty} %v, {orders})\n  store {ty} %old, ptr %r"
                )
            }
            Operation::Rmw(_) => format!("call void @{name}(ptr %p, {ty} %v, {orders})"),
        };
        format!(
            "define ptx_kernel void @k{index}(ptr %p, {ty} %v, {ty} %w, ptr %r, ptr %ok) {{\n  {body}\n  ret void\n}}\n"
        )
    }
}

/// The text of a kernel.
pub fn body(ptx: &str, index: usize) -> &str {
    let start = ptx
        .find(&format!(".entry k{index}("))
        .expect("the kernel is there");
    let end = ptx[start..].find("\n}").expect("the kernel ends");
    &ptx[start..start + end]
}
