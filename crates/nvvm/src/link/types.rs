//! Types of the source as types of the result.
//!
//! A struct with a name is first matched with the one of its name, if both can be one: field by field,
//! where a struct without fields fits any. What is left becomes the struct of the result that has its
//! fields, whatever its name, or a new one.

use super::transfer::Transfer;
use crate::name::Name;
use crate::types::{NamedStruct, StructBody, StructId, Type, TypeId, TypeList};
use rustc_hash::FxHashSet;

/// What matching two types has assumed, to be undone if they do not fit.
#[derive(Default)]
struct Assumed {
    /// Pairs that do not fit whatever else is assumed: they are found once, however many types hold them.
    unfit: FxHashSet<(TypeId, TypeId)>,
    /// Types of the source that were given a partner.
    mapped: Vec<TypeId>,
    /// Structs of the source whose fields a struct of the result shall take.
    defined: Vec<(StructId, StructId)>,
}

/// Why two types are not one.
enum Unfit {
    /// By what they are made of.
    Always,
    /// By what was assumed when they were asked for.
    Here,
}

impl Transfer<'_> {
    /// The type in the result.
    pub(super) fn ty(&mut self, ty: TypeId) -> TypeId {
        if let Some(mapped) = self.types.get(ty) {
            return mapped;
        }
        // Structs in structs may go very deep: what a type is made of comes first, by a list and not by the stack.
        // A type that is part of itself is refused by the verifier.
        let mut work = vec![ty];
        while let Some(&next) = work.last() {
            let before = work.len();
            if self.types.get(next).is_none() {
                let parts = parts(&self.source.types, next).into_iter();
                work.extend(parts.filter(|&part| self.types.get(part).is_none()));
            }
            if work.len() == before {
                self.ty_of_known_parts(next);
                work.pop();
            }
        }
        self.ty_of_known_parts(ty)
    }

    fn ty_of_known_parts(&mut self, ty: TypeId) -> TypeId {
        if let Some(mapped) = self.types.get(ty) {
            return mapped;
        }
        let mapped = match self.source.types.get(ty) {
            Type::Named(id) => {
                let id = self.named_struct(id);
                Type::Named(id)
            }
            Type::Vector {
                element,
                len,
                scalable,
            } => Type::Vector {
                element: self.ty(element),
                len,
                scalable,
            },
            Type::Array { element, len } => Type::Array {
                element: self.ty(element),
                len,
            },
            Type::Struct { fields, packed } => Type::Struct {
                fields: self.type_list(fields),
                packed,
            },
            Type::Function {
                ret,
                params,
                variadic,
            } => Type::Function {
                ret: self.ty(ret),
                params: self.type_list(params),
                variadic,
            },
            Type::Target {
                name,
                types,
                numbers,
            } => Type::Target {
                name: self.name(name),
                types: self.type_list(types),
                numbers: self.index_list(numbers),
            },
            simple => simple,
        };
        let mapped = self.linker.module.types.intern(mapped);
        self.types.set(ty, mapped);
        mapped
    }

    fn type_list(&mut self, list: TypeList) -> TypeList {
        let types = self.source.types.list(list).to_vec();
        let types: Vec<TypeId> = types.into_iter().map(|ty| self.ty(ty)).collect();
        self.linker.module.types.intern_list(&types)
    }

    fn named_struct(&mut self, id: StructId) -> StructId {
        let NamedStruct { name, body } = self.source.types.structs[id].clone();
        let body = match body {
            StructBody::Opaque => StructBody::Opaque,
            StructBody::Fields { fields, packed } => {
                let fields = self.type_list(fields);
                let known = self.linker.structs_by_fields.get(&(fields, packed));
                if let Some(&known) = known {
                    return known;
                }
                StructBody::Fields { fields, packed }
            }
        };
        let name = name.map(|name| {
            let name = self.name(name);
            self.free_struct_name(name)
        });
        let structs = &mut self.linker.module.types.structs;
        let id = structs.push(NamedStruct { name, body });
        if let Some(name) = name {
            self.linker.structs_by_name.insert(name, id);
        }
        if let StructBody::Fields { fields, packed } = body {
            self.linker.structs_by_fields.insert((fields, packed), id);
        }
        id
    }

    fn free_struct_name(&mut self, name: Name) -> Name {
        let linker = &mut *self.linker;
        let mut free = name;
        while linker.structs_by_name.contains_key(&free) {
            let mut text = linker.module.names.bytes(name).to_vec();
            text.extend_from_slice(format!(".{}", linker.struct_suffix).as_bytes());
            linker.struct_suffix += 1;
            free = linker.module.names.intern(&text);
        }
        free
    }

    // ---- matching by name ----

    /// Matches the structs of the source with those of the result that have their names.
    pub(super) fn match_structs(&mut self) {
        let mut defined = Vec::new();
        let mut assumed = Assumed::default();
        let ids: Vec<StructId> = self.source.types.structs.ids().collect();
        for id in ids {
            let Some(name) = self.source.types.structs[id].name else {
                continue;
            };
            let bytes = self.source.names.bytes(name);
            let known = [bytes, without_suffix(bytes)].into_iter().find_map(|text| {
                let name = self.linker.module.names.find(text)?;
                self.linker.structs_by_name.get(&name).copied()
            });
            let Some(known) = known else { continue };
            let from = self.source.types.intern(Type::Named(id));
            self.types.grow(self.source.types.len());
            let to = self.linker.module.types.intern(Type::Named(known));
            if self.fit(to, from, &mut assumed) {
                assumed.mapped.clear();
                defined.append(&mut assumed.defined);
            } else {
                for ty in assumed.mapped.drain(..) {
                    self.types.clear(ty);
                }
                for (_, known) in assumed.defined.drain(..) {
                    self.resolved_structs.remove(&known);
                }
            }
        }
        for (id, known) in defined {
            let StructBody::Fields { fields, packed } = self.source.types.structs[id].body else {
                continue;
            };
            let fields = self.type_list(fields);
            self.linker.module.types.structs[known].body = StructBody::Fields { fields, packed };
            let by_fields = &mut self.linker.structs_by_fields;
            by_fields.entry((fields, packed)).or_insert(known);
        }
    }

    /// Whether two types can be one; the partners found so far are entered.
    fn fit(&mut self, to: TypeId, from: TypeId, assumed: &mut Assumed) -> bool {
        // Pairs looked at, each with the one that it is a part of; pairs to look at, the same.
        let mut seen: Vec<(TypeId, TypeId, usize)> = Vec::new();
        let mut work = vec![(to, from, usize::MAX)];
        while let Some((to, from, whole)) = work.pop() {
            let known = assumed.unfit.contains(&(to, from));
            let heads = match known {
                true => Err(Unfit::Always),
                false => self.fit_heads(to, from, assumed),
            };
            match heads {
                Ok(pairs) => {
                    let pairs = pairs.into_iter().rev();
                    work.extend(pairs.map(|(to, from)| (to, from, seen.len())));
                    seen.push((to, from, whole));
                }
                Err(unfit) => {
                    // What holds a pair that never fits does not fit either. What only contradicts another part
                    // of the pair that was asked for says something of that one alone.
                    let mut next = match unfit {
                        Unfit::Always => {
                            assumed.unfit.insert((to, from));
                            whole
                        }
                        Unfit::Here => 0,
                    };
                    while let Some(&(to, from, whole)) = seen.get(next) {
                        assumed.unfit.insert((to, from));
                        next = whole;
                    }
                    return false;
                }
            }
        }
        true
    }

    /// The pairs of types that must fit if two types shall, or why they do not fit.
    fn fit_heads(
        &mut self,
        to: TypeId,
        from: TypeId,
        assumed: &mut Assumed,
    ) -> Result<Vec<(TypeId, TypeId)>, Unfit> {
        let whole = |fits: bool| match fits {
            true => Ok(Vec::new()),
            false => Err(Unfit::Always),
        };
        if let Some(mapped) = self.types.get(from) {
            return match mapped == to {
                true => Ok(Vec::new()),
                false if assumed.mapped.contains(&from) => Err(Unfit::Here),
                false => Err(Unfit::Always),
            };
        }
        let (source, result) = (&self.source.types, &self.linker.module.types);
        let (from_type, to_type) = (source.get(from), result.get(to));
        let same = match (from_type, to_type) {
            (Type::Named(from_id), Type::Named(to_id)) => {
                let (from_body, to_body) =
                    (source.structs[from_id].body, result.structs[to_id].body);
                match (from_body, to_body) {
                    (StructBody::Opaque, _) => {
                        self.types.set(from, to);
                        assumed.mapped.push(from);
                        return whole(true);
                    }
                    (StructBody::Fields { .. }, StructBody::Opaque) => {
                        if !self.resolved_structs.insert(to_id) {
                            return Err(Unfit::Here);
                        }
                        self.types.set(from, to);
                        assumed.mapped.push(from);
                        assumed.defined.push((from_id, to_id));
                        return whole(true);
                    }
                    (
                        StructBody::Fields { packed, .. },
                        StructBody::Fields {
                            packed: to_packed, ..
                        },
                    ) => packed == to_packed,
                }
            }
            (Type::Struct { packed, .. }, Type::Struct { packed: other, .. }) => packed == other,
            (Type::Array { len, .. }, Type::Array { len: other, .. }) => len == other,
            (
                Type::Vector { len, scalable, .. },
                Type::Vector {
                    len: to_len,
                    scalable: to_scalable,
                    ..
                },
            ) => len == to_len && scalable == to_scalable,
            (
                Type::Function { variadic, .. },
                Type::Function {
                    variadic: other, ..
                },
            ) => variadic == other,
            // Parts of target types are seldom structs: equal after mapping or not at all.
            (Type::Target { .. }, Type::Target { .. }) => {
                let mapped = self.ty(from);
                return if mapped == to {
                    Ok(Vec::new())
                } else {
                    Err(Unfit::Here)
                };
            }
            (from_type, to_type) => return whole(from_type == to_type),
        };
        let from_parts = parts(source, from);
        let to_parts = parts(result, to);
        if !same || from_parts.len() != to_parts.len() {
            return Err(Unfit::Always);
        }
        self.types.set(from, to);
        assumed.mapped.push(from);
        Ok(to_parts.into_iter().zip(from_parts).collect())
    }
}

/// The types a type is made of.
fn parts(types: &crate::types::Types, ty: TypeId) -> Vec<TypeId> {
    match types.get(ty) {
        Type::Array { element, .. } | Type::Vector { element, .. } => vec![element],
        Type::Function { ret, params, .. } => {
            let mut parts = vec![ret];
            parts.extend_from_slice(types.list(params));
            parts
        }
        Type::Target { types: inner, .. } => types.list(inner).to_vec(),
        _ => types.fields(ty).unwrap_or_default().to_vec(),
    }
}

/// The name before `.N`, where linking has put a number after a name earlier.
fn without_suffix(name: &[u8]) -> &[u8] {
    match name.iter().rposition(|&byte| byte == b'.') {
        Some(dot) if dot > 0 && name.get(dot + 1).is_some_and(u8::is_ascii_digit) => &name[..dot],
        _ => name,
    }
}
