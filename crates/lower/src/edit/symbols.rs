//! Functions by name: what passes declare or define once and call often.

use rustc_hash::FxHashMap;
use warpc_nvvm::Module;
use warpc_nvvm::inst::{Align, CallConv};
use warpc_nvvm::module::{
    DllStorage, Function, Global, GlobalId, GlobalKind, Linkage, ThreadLocal, UnnamedAddr,
    Visibility,
};
use warpc_nvvm::name::Name;
use warpc_nvvm::types::TypeId;

/// The globals of a module by name, collected on the first question.
#[derive(Debug, Default)]
pub struct Symbols {
    by_name: Option<FxHashMap<Name, GlobalId>>,
}

impl Symbols {
    fn table(&mut self, module: &Module) -> &mut FxHashMap<Name, GlobalId> {
        self.by_name.get_or_insert_with(|| {
            let named = |&id: &GlobalId| Some((module.globals[id].name?, id));
            module.order.iter().filter_map(named).collect()
        })
    }

    /// The global with a name.
    pub fn find(&mut self, module: &Module, name: &str) -> Option<GlobalId> {
        let name = module.names.find(name.as_bytes())?;
        self.table(module).get(&name).copied()
    }

    /// The function with a name and type, declared if there is none.
    pub fn declare(
        &mut self,
        module: &mut Module,
        name: &str,
        ret: TypeId,
        params: &[TypeId],
    ) -> GlobalId {
        let value_ty = module.types.function(ret, params, false);
        if let Some(id) = self.find(module, name) {
            return id;
        }
        let name = module.names.intern(name.as_bytes());
        let id = module.globals.push(Global {
            name: Some(name),
            linkage: Linkage::External,
            visibility: Visibility::Default,
            dll_storage: DllStorage::Default,
            dso_local: false,
            unnamed_addr: UnnamedAddr::None,
            thread_local: ThreadLocal::None,
            value_ty,
            space: 0,
            section: None,
            partition: None,
            comdat: None,
            align: Align::NONE,
            metadata: Vec::new(),
            pos: 0,
            kind: GlobalKind::Function(Box::new(Function {
                conv: CallConv::C,
                attrs: module.attributes.empty_list,
                gc: None,
                prefix: None,
                prologue: None,
                personality: None,
                body: None,
            })),
        });
        module.order.push(id);
        self.table(module).insert(name, id);
        id
    }
}
