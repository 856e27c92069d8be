//! Functions and their calls.

use super::Draft;
use super::memory::{Place, Shape};
use crate::program::{Choice, Function, Global, Operand, Phi, Stmt};
use crate::ty::{self, Ty};
use warpc_testkit::Random;

/// A parameter.
#[derive(Clone, Debug)]
enum Param {
    /// A value, with the attribute that says how it is extended.
    Value(Ty, &'static str),
    /// The address of 32 bytes.
    Bytes,
    /// A copy of a value in memory.
    Copy(Ty),
    /// Where the result is put.
    Result(Ty),
    /// How often the function may call itself.
    Depth,
}

/// What functions can be called.
#[derive(Clone, Debug)]
pub(super) struct Signature {
    /// The functions of this signature: one or two.
    names: Vec<String>,
    /// The table that holds the addresses of both.
    table: Option<String>,
    params: Vec<Param>,
    ret: Option<Ty>,
    ret_attribute: &'static str,
}

impl Param {
    fn ty(&self) -> Ty {
        match self {
            Param::Value(ty, _) => ty.clone(),
            Param::Depth => Ty::I32,
            _ => Ty::Ptr(0),
        }
    }

    fn attributes(&self) -> String {
        match self {
            Param::Value(_, extension) => (*extension).into(),
            Param::Copy(ty) => format!("byval({ty}) align {}", ty.align()),
            Param::Result(ty) => format!("sret({ty}) align {}", ty.align()),
            Param::Bytes | Param::Depth => String::new(),
        }
    }
}

impl Draft {
    /// Types that callers must have in memory of their own.
    pub(super) fn handed_over(&self) -> Vec<Ty> {
        let params = self
            .signatures
            .iter()
            .flat_map(|signature| &signature.params);
        let types = params.filter_map(|param| match param {
            Param::Copy(ty) | Param::Result(ty) => Some(ty.clone()),
            _ => None,
        });
        types.collect()
    }

    /// A type that LLVM passes right: it writes vectors of odd integers beyond their parameters.
    fn passable(&mut self, fresh: fn(&mut Random) -> Ty) -> Ty {
        let odd = |leaf: &Ty| {
            let whole = matches!(leaf.int_bits(), None | Some(8 | 16 | 32 | 64));
            matches!(leaf, Ty::Vector(..)) && !whole
        };
        let wanted = |ty: &Ty| !ty.leaves().iter().any(|(_, leaf)| odd(leaf));
        self.fresh(wanted, fresh)
    }

    fn extension(&mut self, ty: &Ty) -> &'static str {
        match ty {
            Ty::Int(2..32) => self.random.pick(&["", "signext", "zeroext"]),
            Ty::Int(1) => self.random.pick(&["", "zeroext"]),
            _ => "",
        }
    }

    /// A function, or two of the same signature.
    pub(super) fn function(&mut self, size: usize) {
        let recursive = self.random.chance(25);
        let mut params = Vec::new();
        let mut ret = Some(self.passable(ty::any));
        if self.style.aggregates && self.random.chance(15) {
            let ty = self.passable(|random| ty::aggregate(random, 1));
            params.push(Param::Result(ty));
            ret = None;
        }
        if recursive {
            params.push(Param::Depth);
        }
        for _ in 0..self.random.pick(&[1, 2, 2, 3, 4]) {
            let ty = self.passable(ty::any);
            let extension = self.extension(&ty);
            params.push(Param::Value(ty, extension));
        }
        if self.random.chance(30) {
            params.push(Param::Bytes);
        }
        if self.style.aggregates && self.random.chance(25) {
            let ty = self.passable(|random| ty::aggregate(random, 1));
            params.push(Param::Copy(ty));
        }
        let ret_attribute = ret.clone().map_or("", |ty| self.extension(&ty));
        let number = self.functions.len();
        let mut signature = Signature {
            names: vec![format!("f{number}")],
            table: None,
            params,
            ret,
            ret_attribute,
        };
        let twin = self.random.chance(25);
        self.body(&signature, size, recursive);
        if twin {
            signature.names.push(format!("f{number}_twin"));
            let swapped = Signature {
                names: vec![signature.names[1].clone()],
                ..signature.clone()
            };
            self.body(&swapped, size, recursive);
            let table = format!("@t{number}");
            let names = &signature.names;
            let text = format!(
                "{table} = internal constant [2 x ptr] [ptr @{}, ptr @{}]",
                names[0], names[1]
            );
            self.globals.push(Global {
                name: table.clone(),
                text,
            });
            signature.table = Some(table);
        }
        self.signatures.push(signature);
    }

    fn body(&mut self, signature: &Signature, size: usize, recursive: bool) {
        let places = self.begin(size);
        let mut params = Vec::new();
        let mut depth = None;
        for param in &signature.params {
            let id = self.id();
            params.push((id, param.ty(), param.attributes()));
            let place = |draft: &mut Draft, shape: Shape| {
                let objects = draft.object();
                draft.places.push(Place {
                    pointer: Operand::Local(id),
                    space: 0,
                    shape,
                    writable: true,
                    objects,
                    atomic: false,
                });
            };
            match param {
                Param::Value(ty, _) => self.scopes[0].push((id, ty.clone())),
                Param::Depth => {
                    self.scopes[0].push((id, Ty::I32));
                    depth = Some(Operand::Local(id));
                }
                Param::Bytes => place(
                    self,
                    Shape::Raw {
                        bytes: 32,
                        align: 4,
                    },
                ),
                Param::Copy(ty) => place(self, Shape::Typed(ty.clone())),
                // What is there before is not defined: it is written last and never read.
                Param::Result(_) => {}
            }
        }
        self.loaded_addresses();
        self.local_memory();
        self.steps(size);
        if let (true, Some(depth)) = (recursive, depth) {
            self.recursion(signature, depth);
        }
        if let (Some(Param::Result(ty)), Some((id, ..))) =
            (signature.params.first(), params.first())
        {
            let operands = vec![(Operand::Local(*id), Ty::Ptr(0)), self.typed(ty)];
            self.effect(format!("store {ty} $1, ptr $0"), operands, Vec::new());
        }
        let result = match &signature.ret {
            Some(ty) => self.value(ty),
            None => Operand::Constant(String::new()),
        };
        let body = self.end(places);
        let head = self
            .random
            .pick(&["internal", "internal", "linkonce_odr", "dso_local"]);
        let head = match (signature.ret_attribute, head) {
            ("", head) => head,
            ("signext", _) => "internal signext",
            _ => "internal zeroext",
        };
        self.functions.push(Function {
            name: signature.names[0].clone(),
            head,
            params,
            ret: signature.ret.clone(),
            body,
            result,
        });
    }

    /// A call of the function by itself, while its depth is not zero.
    fn recursion(&mut self, signature: &Signature, depth: Operand) {
        let text = "$r = icmp eq i32 $0, 0".to_string();
        let selector = self.unit(&Ty::BOOL, text, vec![(depth.clone(), Ty::I32)]);
        let ty = signature.ret.clone().unwrap_or(Ty::I32);
        let id = self.id();
        let phi = self.id();
        let base = self.value(&ty);
        self.scopes.push(Vec::new());
        self.bodies.push(Vec::new());
        self.steps(2);
        let less = self.unit(
            &Ty::I32,
            "$r = sub i32 $0, 1".into(),
            vec![(depth, Ty::I32)],
        );
        let again = self.call(signature, Some(less));
        let again = match (again, &signature.ret) {
            (Some(value), Some(_)) => value,
            _ => self.value(&ty),
        };
        self.scopes.pop();
        let body = self.bodies.pop().unwrap_or_default();
        self.scopes[0].push((phi, ty.clone()));
        self.append(Stmt::Choice(Choice {
            id,
            selector,
            ty: Ty::BOOL,
            keys: Vec::new(),
            arms: vec![Vec::new(), body],
            phis: vec![Phi {
                id: phi,
                ty,
                from: vec![base, again],
            }],
        }));
    }

    pub(super) fn call_step(&mut self) {
        let all = self.signatures.clone();
        if !all.is_empty() {
            let signature = self.random.pick(&all);
            self.call(&signature, None);
        }
    }

    /// A call; `None` where an argument cannot be had or there is no result.
    fn call(&mut self, signature: &Signature, depth: Option<Operand>) -> Option<Operand> {
        let mut operands = Vec::new();
        let mut lines = String::new();
        let mut arguments = Vec::new();
        for param in &signature.params {
            let at = operands.len();
            let mut text = format!("${at}");
            let operand = match param {
                Param::Value(ty, _) => self.typed(ty),
                Param::Depth => match &depth {
                    Some(depth) => (depth.clone(), Ty::I32),
                    None => {
                        lines += &format!("$r.d = and i32 ${at}, 3\n");
                        text = "$r.d".into();
                        self.typed(&Ty::I32)
                    }
                },
                Param::Bytes => {
                    let place = self.place(|place| match place.shape {
                        Shape::Raw { bytes, align } => place.writable && bytes >= 32 && align >= 4,
                        Shape::Typed(_) => false,
                    })?;
                    if place.space != 0 {
                        let from = Ty::Ptr(place.space);
                        lines += &format!("$r.g{at} = addrspacecast {from} ${at} to ptr\n");
                        text = format!("$r.g{at}");
                    }
                    place.operand()
                }
                Param::Copy(ty) | Param::Result(ty) => {
                    let place = self.place(|place| match &place.shape {
                        Shape::Typed(other) => place.writable && place.space == 0 && other == ty,
                        Shape::Raw { .. } => false,
                    })?;
                    place.operand()
                }
            };
            operands.push(operand);
            let attributes = param.attributes();
            let space = if attributes.is_empty() { "" } else { " " };
            arguments.push(format!("{}{space}{attributes} {text}", param.ty()));
        }
        let mut callee = format!("@{}", self.random.pick(&signature.names));
        if let (Some(table), true) = (&signature.table, self.random.chance(60)) {
            let at = operands.len();
            if self.random.chance(50) {
                operands.push(self.typed(&Ty::BOOL));
                let [one, other] = [&signature.names[0], &signature.names[1]];
                lines += &format!("$r.f = select i1 ${at}, ptr @{one}, ptr @{other}\n");
            } else {
                operands.push(self.typed(&Ty::I32));
                lines += &format!(
                    "$r.i = and i32 ${at}, 1\n\
                     $r.a = getelementptr inbounds [2 x ptr], ptr {table}, i64 0, i32 $r.i\n\
                     $r.f = load ptr, ptr $r.a\n"
                );
            }
            callee = "$r.f".into();
        }
        let attribute = signature.ret_attribute;
        let space = if attribute.is_empty() { "" } else { " " };
        let arguments = arguments.join(", ");
        match &signature.ret {
            Some(ty) => {
                let text = format!("{lines}$r = call {attribute}{space}{ty} {callee}({arguments})");
                Some(self.unit(ty, text, operands))
            }
            None => {
                self.effect(
                    format!("{lines}call void {callee}({arguments})"),
                    operands,
                    Vec::new(),
                );
                None
            }
        }
    }
}
