//! A module made by hand; what is read is printed again elsewhere.

use super::print;
use crate::Module;
use crate::attribute::Attribute;
use crate::constant::{ConstKind, ExprOp};
use crate::function::{Attachment, BlockData, Body, Def, GlobalAttachment, LocalDef, RecordKind};
use crate::inst::{
    Access, Align, BinaryOp, Bundle, CallConv, CallSite, Flags, IcmpPredicate, Op, Ordering, RmwOp,
    Tail,
};
use crate::metadata::{Field, FieldValue, Md, NamedMetadata, NodeKind};
use crate::module::{
    Asm, AsmFlags, Comdat, ComdatKind, DllStorage, Function, Global, GlobalKind, Linkage,
    Sanitizer, ThreadLocal, UnnamedAddr, Variable, Visibility,
};
use crate::types::{NamedStruct, StructBody, Type, TypeId};
use crate::value::{Operand, Value};

fn global(module: &mut Module, name: &[u8], value_ty: TypeId, kind: GlobalKind) -> Global {
    Global {
        name: (!name.is_empty()).then(|| module.names.intern(name)),
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
        kind,
    }
}

fn function(module: &Module, body: Option<Body>) -> Function {
    Function {
        conv: CallConv::C,
        attrs: module.attributes.empty_list,
        gc: None,
        prefix: None,
        prologue: None,
        personality: None,
        body,
    }
}

fn variable(module: &Module) -> Variable {
    Variable {
        constant: false,
        externally_initialized: false,
        code_model: None,
        sanitizer: Sanitizer::empty(),
        init: None,
        attrs: module.attributes.empty_set,
    }
}

#[test]
fn variables_types_and_metadata() {
    let mut module = Module::default();
    let m = &mut module;
    m.source_filename = Some(m.names.intern(b"a \"b\".cu"));
    m.module_asm.push(m.names.intern(b".tab\there"));
    let fields = m.types.intern_list(&[m.types.i32, m.types.ptr]);
    let name = Some(m.names.intern(b"struct.S"));
    let body = StructBody::Fields {
        fields,
        packed: true,
    };
    let named = m.types.structs.push(NamedStruct { name, body });
    let body = StructBody::Opaque;
    let numbered = m.types.structs.push(NamedStruct { name: None, body });
    let named = m.types.intern(Type::Named(named));
    let numbered = m.types.intern(Type::Named(numbered));
    let kind = ComdatKind::NoDeduplicate;
    let name = m.names.intern(b"c d");
    let comdat = m.comdats.push(Comdat { name, kind });

    let seven = m.constants.int(m.types.i32, 32, &[7]);
    let null = m.constants.intern(m.types.ptr, ConstKind::Null);
    let init = m
        .constants
        .aggregate(&m.types, &mut m.names, named, &[seven, null]);
    let kind = GlobalKind::Variable(Variable {
        constant: true,
        init: Some(init),
        ..variable(m)
    });
    let mut v = global(m, b"v", named, kind);
    v.linkage = Linkage::Internal;
    v.dso_local = true;
    v.space = 3;
    v.comdat = Some(comdat);
    v.align = Align::new(16).expect("a power of two");
    let text = m.names.intern(b"x\n");
    let leaf = m.metadata.add(
        NodeKind::Tuple,
        false,
        &[
            Field {
                name: None,
                value: FieldValue::Md(Md::String(text).into()),
            },
            Field {
                name: None,
                value: FieldValue::Md(Md::Const(seven).into()),
            },
            Field {
                name: None,
                value: FieldValue::Md(Md::Null.into()),
            },
        ],
    );
    let top = m.metadata.add(
        NodeKind::Tuple,
        true,
        &[Field {
            name: None,
            value: FieldValue::Md(Md::Node(leaf).into()),
        }],
    );
    m.metadata.add(NodeKind::Tuple, true, &[]);
    v.metadata.push(GlobalAttachment {
        kind: m.names.intern(b"kind"),
        node: Md::Node(top).into(),
    });
    let name = m.names.intern(b"nvvm.annotations");
    let nodes = vec![leaf, top];
    m.metadata.named.push(NamedMetadata { name, nodes });
    let v = m.globals.push(v);
    m.order.push(v);
    let kind = GlobalKind::Variable(variable(m));
    let unnamed = global(m, b"", numbered, kind);
    let unnamed = m.globals.push(unnamed);
    m.order.push(unnamed);
    let address = m.address_of(unnamed);
    let one = m.constants.int(m.types.i64, 64, &[1]);
    let op = ExprOp::Gep {
        source: m.types.i8,
        inrange: Some((-1, 8)),
    };
    let target = m.constants.expression(
        m.types.ptr,
        op,
        Flags::INBOUNDS | Flags::NUSW,
        &[address, one],
    );
    let alias = global(m, b"1a", m.types.i32, GlobalKind::Alias(target));
    let alias = m.globals.push(alias);
    m.order.push(alias);

    let expected = r#"source_filename = "a \22b\22.cu"

module asm ".tab\09here"

%0 = type opaque
%struct.S = type <{ i32, ptr }>

$"c d" = comdat nodeduplicate

@v = internal addrspace(3) constant %struct.S <{ i32 7, ptr null }>, comdat($"c d"), align 16, !kind !0
@0 = external global %0

@"1a" = alias i32, getelementptr inbounds inrange(-1, 8) (i8, ptr @0, i64 1)

!nvvm.annotations = !{!1, !0}

!0 = distinct !{!1}
!1 = !{!"x\0A", i32 7, null}
"#;
    assert_eq!(print(&module), expected);
}

#[test]
fn functions() {
    let mut module = Module::default();
    let m = &mut module;
    let (i32, ptr, void) = (m.types.i32, m.types.ptr, m.types.void);
    let nounwind = m.names.intern(b"nounwind");
    let nounwind = m.attributes.intern(Attribute::Flag(nounwind));
    let alignstack = m.names.intern(b"alignstack");
    let alignstack = m.attributes.intern(Attribute::Int(alignstack, 16));
    let align = m.names.intern(b"align");
    let align = m.attributes.intern(Attribute::Int(align, 8));
    let (key, value) = (m.names.intern(b"key"), m.names.intern(b"va\"lue"));
    let text = m.attributes.intern(Attribute::Text(key, Some(value)));
    let set = m.attributes.intern_set(&[nounwind, alignstack, text]);
    let aligned = m.attributes.intern_set(&[align]);
    let empty = m.attributes.empty_set;
    let f_attrs = m.attributes.intern_list(set, empty, &[aligned]);
    let call_set = m.attributes.intern_set(&[nounwind]);
    let call_attrs = m.attributes.intern_list(call_set, empty, &[aligned]);

    let g_ty = m.types.function(void, &[ptr], true);
    let kind = GlobalKind::Function(Box::new(function(m, None)));
    let g = global(m, b"g", g_ty, kind);
    let g = m.globals.push(g);
    m.order.push(g);
    let callee = m.address_of(g);

    let mut body = Body::default();
    for (i, ty) in [ptr, i32].into_iter().enumerate() {
        body.locals.push(LocalDef {
            ty,
            def: Def::Param(i as u32),
            name: (i == 1).then(|| m.names.intern(b"n")),
        });
    }
    let mut locals = body.locals.ids();
    let (p, n) = (
        locals.next().expect("first"),
        locals.next().expect("second"),
    );
    let entry = body.blocks.push(BlockData::default());
    let name = Some(m.names.intern(b"loop"));
    let other = body.blocks.push(BlockData {
        insts: Vec::new(),
        name,
    });
    let exit = body.blocks.push(BlockData::default());
    body.order = vec![entry, other, exit];
    let one = m.constants.int(i32, 32, &[1]);
    let scope = m.names.intern(b"block");
    let scope = crate::inst::SyncScope::named(&m.names, scope);
    let access = Access {
        volatile: true,
        ordering: Ordering::AcqRel,
        align: Align::new(4).expect("a power of two"),
        scope,
    };
    let op = Op::AtomicRmw(RmwOp::Add, access);
    let old = body.add_inst(op, i32, &[p.into(), n.into()], true);
    let old_value = body.insts[old].local().expect("it has a result");
    let sum = body.add_inst(
        Op::Binary(BinaryOp::Add),
        i32,
        &[old_value.into(), one.into()],
        true,
    );
    body.insts[sum].flags = Flags::NUW | Flags::NSW;
    let sum_value = body.insts[sum].local().expect("it has a result");
    let br = body.add_inst(Op::Br, void, &[other.into()], false);
    body.blocks[entry].insts = vec![old, sum, br];
    let cmp = body.add_inst(
        Op::Icmp(IcmpPredicate::Ult),
        m.types.i1,
        &[sum_value.into(), n.into()],
        true,
    );
    let cmp_value = body.insts[cmp].local().expect("it has a result");
    let tag = m.names.intern(b"deopt");
    let bundles = m.bundles.intern(&[Bundle { tag, len: 1 }]);
    let site = CallSite {
        ty: g_ty,
        attrs: call_attrs,
        conv: CallConv(72),
        tail: Tail::Tail,
        args: 2,
        bundles,
    };
    let site = m.call_sites.intern(site);
    let operands = [p.into(), one.into(), n.into(), callee.into()];
    let call = body.add_inst(Op::Call(site), void, &operands, false);
    let asm_ty = m.types.function(void, &[], false);
    let asm = Asm {
        ty: asm_ty,
        text: m.names.intern(b"bar.sync 0;\n"),
        constraints: m.names.intern(b""),
        flags: AsmFlags::SIDE_EFFECT,
    };
    let asm = m.asms.intern(asm);
    let site = CallSite {
        ty: asm_ty,
        attrs: m.attributes.empty_list,
        conv: CallConv::C,
        tail: Tail::None,
        args: 0,
        bundles: m.bundles.intern(&[]),
    };
    let site = m.call_sites.intern(site);
    let asm_call = body.add_inst(Op::Call(site), void, &[Operand::Asm(asm).into()], false);
    let operands = [cmp_value.into(), other.into(), exit.into()];
    let br = body.add_inst(Op::CondBr, void, &operands, false);
    body.blocks[other].insts = vec![cmp, call, asm_call, br];
    let ret = body.add_inst(Op::Ret, void, &[sum_value.into()], false);
    body.blocks[exit].insts = vec![ret];

    // Records and attachments, with an expression that is written in place.
    let expression = NodeKind::Special(m.names.intern(b"DIExpression"));
    let word = m.names.intern(b"DW_OP_deref");
    let field = Field {
        name: None,
        value: FieldValue::Word(word),
    };
    let expression = m.metadata.add(expression, false, &[field]);
    let kind = NodeKind::Special(m.names.intern(b"DISubprogram"));
    let file = m.metadata.add(NodeKind::Tuple, true, &[]);
    let unit = m.metadata.add(NodeKind::Tuple, true, &[]);
    let named = |m: &mut Module, name: &[u8], node| Field {
        name: Some(m.names.intern(name).into()),
        value: FieldValue::Md(Md::Node(node).into()),
    };
    let fields = [named(m, b"unit", unit), named(m, b"file", file)];
    let subprogram = m.metadata.add(kind, true, &fields);
    let md = |node| Value::from(Operand::Metadata(Md::Node(node).into()));
    let operands = [
        Operand::LocalMetadata(n).into(),
        md(subprogram),
        md(expression),
        md(file),
    ];
    body.add_record(RecordKind::Value, br, &operands);
    body.add_record(RecordKind::Value, sum, &operands);
    body.attachments.push(Attachment {
        inst: br,
        kind: m.names.intern(b"llvm.loop"),
        node: unit,
    });
    body.insts[br].debug_location = Some(file.into());

    let f_ty = m.types.function(i32, &[ptr, i32], false);
    let mut f = function(m, Some(body));
    f.attrs = f_attrs;
    f.conv = CallConv::PTX_KERNEL;
    let f = global(m, b"f", f_ty, GlobalKind::Function(Box::new(f)));
    let f = m.globals.push(f);
    m.order.push(f);

    let expected = r#"declare void @g(ptr, ...)

; Function Attrs: nounwind alignstack(16)
define ptx_kernel i32 @f(ptr align 8 %0, i32 %n) #0 {
  %2 = atomicrmw volatile add ptr %0, i32 %n syncscope("block") acq_rel, align 4
    #dbg_value(i32 %n, !0, !DIExpression(DW_OP_deref), !1)
  %3 = add nuw nsw i32 %2, 1
  br label %loop

loop:                                             ; preds = %loop, %1
  %4 = icmp ult i32 %3, %n
  tail call ptx_device void (ptr, ...) @g(ptr align 8 %0, i32 1) #1 [ "deopt"(i32 %n) ]
  call void asm sideeffect "bar.sync 0;\0A", ""()
    #dbg_value(i32 %n, !0, !DIExpression(DW_OP_deref), !1)
  br i1 %4, label %loop, label %5, !dbg !1, !llvm.loop !2

5:                                                ; preds = %loop
  ret i32 %3
}

attributes #0 = { nounwind alignstack=16 "key"="va\22lue" }
attributes #1 = { nounwind }

!0 = distinct !DISubprogram(unit: !2, file: !1)
!1 = distinct !{}
!2 = distinct !{}
"#;
    assert_eq!(print(&module), expected);
}
