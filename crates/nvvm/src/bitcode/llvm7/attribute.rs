//! Attributes of LLVM 7.
//!
//! An attribute that LLVM 7 does not know is a promise to optimisers in most cases, and is left out. Those that change how
//! a function is called are refused.

use crate::Module;
use crate::attribute::{AttrList, AttrSet, Attribute};
use crate::bitcode::codes::attribute::kind_named;
use crate::inst::CallSite;
use crate::intern::Set;
use crate::module::GlobalKind;
use rustc_hash::FxHashMap;

/// The last kind that LLVM 7 has: `shadowcallstack`.
const LAST_KIND: u64 = 58;

/// Newer kinds that change how a function is called.
const NEEDED: &[&str] = &["byref", "preallocated", "swiftasync"];

/// What `memory(…)` was on functions. Other sets of accesses are left out: they promise less.
const MEMORY: &[(&str, &[&str])] = &[
    ("none", &["readnone"]),
    ("read", &["readonly"]),
    ("write", &["writeonly"]),
    ("argmem: readwrite", &["argmemonly"]),
    ("argmem: read", &["argmemonly", "readonly"]),
    ("argmem: write", &["argmemonly", "writeonly"]),
    ("inaccessiblemem: readwrite", &["inaccessiblememonly"]),
    (
        "inaccessiblemem: read",
        &["inaccessiblememonly", "readonly"],
    ),
    (
        "inaccessiblemem: write",
        &["inaccessiblememonly", "writeonly"],
    ),
    (
        "argmem: readwrite, inaccessiblemem: readwrite",
        &["inaccessiblemem_or_argmemonly"],
    ),
];

pub(super) fn lower(module: &mut Module, refused: &mut Vec<String>) {
    let mut lowering = Lowering {
        lists: FxHashMap::default(),
        refused,
    };
    for id in module.order.clone() {
        match &module.globals[id].kind {
            GlobalKind::Function(function) => {
                let list = lowering.list(module, function.attrs);
                if let GlobalKind::Function(function) = &mut module.globals[id].kind {
                    function.attrs = list;
                }
            }
            GlobalKind::Variable(variable) => {
                let set = lowering.set(module, variable.attrs, Holder::Variable);
                if let GlobalKind::Variable(variable) = &mut module.globals[id].kind {
                    variable.attrs = set;
                }
            }
            _ => {}
        }
    }
    let sites: Vec<CallSite> = module.call_sites.iter().map(|row| *row.1).collect();
    // Sites that were different may be the same now, so each keeps its number by the index in a new table.
    let mut lowered: Vec<CallSite> = Vec::with_capacity(sites.len());
    for site in sites {
        let attrs = lowering.list(module, site.attrs);
        lowered.push(CallSite { attrs, ..site });
    }
    let mut table = Set::default();
    let numbers: Vec<_> = lowered.into_iter().map(|site| table.intern(site)).collect();
    module.call_sites = table;
    super::body::each_body(module, |_, _, body| {
        for (_, inst) in body.insts.iter_mut() {
            use crate::index::Id;
            use crate::inst::Op;
            inst.op = match inst.op {
                Op::Call(site) => Op::Call(numbers[site.index()]),
                Op::Invoke(site) => Op::Invoke(numbers[site.index()]),
                Op::CallBr(site, blocks) => Op::CallBr(numbers[site.index()], blocks),
                other => other,
            };
        }
    });
}

/// What has attributes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Holder {
    Function,
    Parameter,
    Variable,
}

struct Lowering<'a> {
    lists: FxHashMap<AttrList, AttrList>,
    refused: &'a mut Vec<String>,
}

impl Lowering<'_> {
    fn list(&mut self, module: &mut Module, list: AttrList) -> AttrList {
        if let Some(&lowered) = self.lists.get(&list) {
            return lowered;
        }
        let function = module.attributes.of_function(list);
        let ret = module.attributes.of_return(list);
        let params: Vec<AttrSet> = (0..module.attributes.param_count(list))
            .map(|index| module.attributes.of_param(list, index))
            .collect();
        let function = self.set(module, function, Holder::Function);
        let ret = self.set(module, ret, Holder::Parameter);
        let params: Vec<AttrSet> = params
            .into_iter()
            .map(|set| self.set(module, set, Holder::Parameter))
            .collect();
        let lowered = module.attributes.intern_list(function, ret, &params);
        self.lists.insert(list, lowered);
        lowered
    }

    fn set(&mut self, module: &mut Module, set: AttrSet, holder: Holder) -> AttrSet {
        let attributes = module.attributes.set(set).to_vec();
        let mut lowered = Vec::new();
        for id in attributes {
            let attribute = module.attributes.get(id);
            for attribute in self.attribute(module, attribute, holder) {
                let id = module.attributes.intern(attribute);
                if !lowered.contains(&id) {
                    lowered.push(id);
                }
            }
        }
        module.attributes.intern_set(&lowered)
    }

    fn attribute(
        &mut self,
        module: &mut Module,
        attribute: Attribute,
        holder: Holder,
    ) -> Vec<Attribute> {
        let Some(name) = attribute.name() else {
            return Vec::new();
        };
        let word = module.names.text(name).into_owned();
        let mut flags = |words: &[&str]| -> Vec<Attribute> {
            let flags = words.iter();
            flags
                .map(|word| Attribute::Flag(module.names.intern(word.as_bytes())))
                .collect()
        };
        match attribute {
            Attribute::Text(..) => return vec![attribute],
            Attribute::Words(_, words) if word == "memory" && holder == Holder::Function => {
                let words = module.names.text(words).into_owned();
                let row = MEMORY.iter().find(|row| row.0 == words);
                let mut flags = |words: &[&str]| -> Vec<Attribute> {
                    let flags = words.iter();
                    flags
                        .map(|word| Attribute::Flag(module.names.intern(word.as_bytes())))
                        .collect()
                };
                return row.map_or_else(Vec::new, |row| flags(row.1));
            }
            Attribute::Words(_, words) if word == "captures" => {
                let is_none = module.names.bytes(words) == b"none";
                let flag = Attribute::Flag(module.names.intern(b"nocapture"));
                return is_none.then_some(flag).into_iter().collect();
            }
            Attribute::Words(..) if word == "uwtable" => return flags(&["uwtable"]),
            Attribute::Flag(_) if word == "null_pointer_is_valid" => {
                let key = module.names.intern(b"null-pointer-is-valid");
                let value = module.names.intern(b"true");
                return vec![Attribute::Text(key, Some(value))];
            }
            _ => {}
        }
        if NEEDED.contains(&word.as_str()) {
            let what = format!("the attribute `{word}`");
            if !self.refused.contains(&what) {
                self.refused.push(what);
            }
            return Vec::new();
        }
        match kind_named(word.as_bytes()) {
            Some(&(number, ..)) if number <= LAST_KIND => vec![attribute],
            _ => Vec::new(),
        }
    }
}
