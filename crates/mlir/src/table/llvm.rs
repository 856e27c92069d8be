//! The plain operations of the `llvm` dialect.

use super::{Row, row};

const INT: &str = "%lhs , %rhs {} : R";
const WRAP: &str = "%lhs , %rhs <? overflow #overflowFlags ?> {} : R";
const EXACT: &str = "<? exact !isExact ?> %lhs , %rhs {} : R";
const CAST: &str = "%arg {} : T%arg to R";
const NONNEGATIVE: &str = "<? nneg !nonNeg ?> %arg {} : T%arg to R";

pub(super) static ROWS: &[Row] = &[
    // Arithmetic.
    row("llvm.add", "lhs rhs", WRAP, "add{overflow} {R} {lhs}, {rhs}")
    .attrs("overflowFlags:overflow"),
    row("llvm.sub", "lhs rhs", WRAP, "sub{overflow} {R} {lhs}, {rhs}")
    .attrs("overflowFlags:overflow"),
    row("llvm.mul", "lhs rhs", WRAP, "mul{overflow} {R} {lhs}, {rhs}")
    .attrs("overflowFlags:overflow"),
    row("llvm.shl", "lhs rhs", WRAP, "shl{overflow} {R} {lhs}, {rhs}")
    .attrs("overflowFlags:overflow"),
    row("llvm.udiv", "lhs rhs", EXACT, "udiv{isExact? exact} {R} {lhs}, {rhs}")
    .attrs("isExact:flag"),
    row("llvm.sdiv", "lhs rhs", EXACT, "sdiv{isExact? exact} {R} {lhs}, {rhs}")
    .attrs("isExact:flag"),
    row("llvm.lshr", "lhs rhs", EXACT, "lshr{isExact? exact} {R} {lhs}, {rhs}")
    .attrs("isExact:flag"),
    row("llvm.ashr", "lhs rhs", EXACT, "ashr{isExact? exact} {R} {lhs}, {rhs}")
    .attrs("isExact:flag"),
    row("llvm.urem", "lhs rhs", INT, "urem {R} {lhs}, {rhs}"),
    row("llvm.srem", "lhs rhs", INT, "srem {R} {lhs}, {rhs}"),
    row("llvm.and", "lhs rhs", INT, "and {R} {lhs}, {rhs}"),
    row(
        "llvm.or",
        "lhs rhs",
        "<? disjoint !isDisjoint ?> %lhs , %rhs {} : R",
        "or{isDisjoint? disjoint} {R} {lhs}, {rhs}",
    )
    .attrs("isDisjoint:flag"),
    row("llvm.xor", "lhs rhs", INT, "xor {R} {lhs}, {rhs}"),
    row("llvm.fadd", "lhs rhs", INT, "fadd{fastmath} {R} {lhs}, {rhs}")
    .attrs("fastmathFlags:fastmath"),
    row("llvm.fsub", "lhs rhs", INT, "fsub{fastmath} {R} {lhs}, {rhs}")
    .attrs("fastmathFlags:fastmath"),
    row("llvm.fmul", "lhs rhs", INT, "fmul{fastmath} {R} {lhs}, {rhs}")
    .attrs("fastmathFlags:fastmath"),
    row("llvm.fdiv", "lhs rhs", INT, "fdiv{fastmath} {R} {lhs}, {rhs}")
    .attrs("fastmathFlags:fastmath"),
    row("llvm.frem", "lhs rhs", INT, "frem{fastmath} {R} {lhs}, {rhs}")
    .attrs("fastmathFlags:fastmath"),
    row("llvm.fneg", "operand", "%operand {} : R", "fneg{fastmath} {R} {operand}")
    .attrs("fastmathFlags:fastmath"),
    // Comparisons.
    row(
        "llvm.icmp",
        "lhs rhs",
        "#predicate %lhs , %rhs {} : T%lhs",
        "icmp {icmp} {:lhs}, {rhs}",
    )
    .attrs("predicate:icmp")
    .result("?lhs"),
    row(
        "llvm.fcmp",
        "lhs rhs",
        "#predicate %lhs , %rhs {} : T%lhs",
        "fcmp{fastmath} {fcmp} {:lhs}, {rhs}",
    )
    .attrs("fastmathFlags:fastmath predicate:fcmp")
    .result("?lhs"),
    row(
        "llvm.select",
        "condition trueValue falseValue",
        "%condition , %trueValue , %falseValue {} : T%condition , R",
        "select{fastmath} {:condition}, {:trueValue}, {:falseValue}",
    )
    .attrs("fastmathFlags:fastmath"),
    row("llvm.freeze", "val", "%val {} : T%val", "freeze {:val}").result("=val"),
    // Conversions.
    row(
        "llvm.trunc",
        "arg",
        "%arg <? overflow #overflowFlags ?> {} : T%arg to R",
        "trunc{overflow} {:arg} to {R}",
    )
    .attrs("overflowFlags:overflow"),
    row("llvm.zext", "arg", NONNEGATIVE, "zext{nonNeg? nneg} {:arg} to {R}")
    .attrs("nonNeg:flag"),
    row("llvm.uitofp", "arg", NONNEGATIVE, "uitofp{nonNeg? nneg} {:arg} to {R}")
    .attrs("nonNeg:flag"),
    row("llvm.sext", "arg", CAST, "sext {:arg} to {R}"),
    row("llvm.sitofp", "arg", CAST, "sitofp {:arg} to {R}"),
    row("llvm.fptoui", "arg", CAST, "fptoui {:arg} to {R}"),
    row("llvm.fptosi", "arg", CAST, "fptosi {:arg} to {R}"),
    row("llvm.fptrunc", "arg", CAST, "fptrunc {:arg} to {R}"),
    row("llvm.fpext", "arg", CAST, "fpext {:arg} to {R}"),
    row("llvm.bitcast", "arg", CAST, "bitcast {:arg} to {R}"),
    row("llvm.addrspacecast", "arg", CAST, "addrspacecast {:arg} to {R}"),
    row("llvm.ptrtoint", "arg", CAST, "ptrtoint {:arg} to {R}"),
    row(
        "llvm.inttoptr",
        "arg",
        "%arg <? dereferenceable #dereferenceable ?> {} : T%arg to R",
        "inttoptr {:arg} to {R}",
    )
    .attrs("dereferenceable:advice"),
    // Vectors and aggregates.
    row(
        "llvm.extractelement",
        "vector position",
        "%vector [ %position : T%position ] {} : T%vector",
        "extractelement {:vector}, {:position}",
    )
    .result("[vector"),
    row(
        "llvm.insertelement",
        "vector value position",
        "%value , %vector [ %position : T%position ] {} : T%vector",
        "insertelement {:vector}, {:value}, {:position}",
    )
    .result("=vector"),
    row("llvm.shufflevector", "v1 v2", "%v1 , %v2 #mask {} : T%v1", "")
    .attrs("mask:numbers").result("~v1"),
    row(
        "llvm.extractvalue",
        "container",
        "%container #position {} : T%container",
        "extractvalue {:container}{indices}",
    )
    .attrs("position:numbers")
    .result(".container"),
    row(
        "llvm.insertvalue",
        "container value",
        "%value , %container #position {} : T%container",
        "insertvalue {:container}, {:value}{indices}",
    )
    .attrs("position:numbers")
    .result("=container"),
    // Memory.
    row(
        "llvm.alloca",
        "arraySize",
        "<? inalloca !inalloca ?> %arraySize x #elem_type {} : F",
        "alloca{inalloca? inalloca} {elem_type}, {:arraySize}{align}{alloca_space}",
    )
    .attrs("alignment:number elem_type:type inalloca:flag"),
    row(
        "llvm.load",
        "addr",
        "<? volatile !volatile_ ?> %addr <? atomic <? syncscope ( #syncscope ) ?> #ordering ?> \
         <? invariant !invariant ?> <? invariant_group !invariantGroup ?> \
         <? dereferenceable #dereferenceable ?> {} : T%addr -> R",
        "load{atomic}{volatile_? volatile} {R}, {:addr}{syncscope}{ordering}{align}{metadata}",
    )
    .attrs(
        "alignment:number dereferenceable:advice invariant:flag invariantGroup:flag nontemporal:flag \
         ordering:atomic_ordering syncscope:text volatile_:flag @access",
    ),
    row(
        "llvm.store",
        "value addr",
        "<? volatile !volatile_ ?> %value , %addr <? atomic <? syncscope ( #syncscope ) ?> #ordering ?> \
         <? invariant_group !invariantGroup ?> {} : T%value , T%addr",
        "store{atomic}{volatile_? volatile} {:value}, {:addr}{syncscope}{ordering}{align}{metadata}",
    )
    .attrs(
        "alignment:number invariantGroup:flag nontemporal:flag ordering:atomic_ordering syncscope:text \
         volatile_:flag @access",
    ),
    row(
        "llvm.atomicrmw",
        "ptr val",
        "<? volatile !volatile_ ?> #bin_op %ptr , %val <? syncscope ( #syncscope ) ?> #ordering {} : T%ptr , T%val",
        "atomicrmw{volatile_? volatile} {bin_op} {:ptr}, {:val}{syncscope}{ordering}{align}{metadata}",
    )
    .attrs(
        "alignment:number bin_op:atomic_bin_op ordering:atomic_ordering syncscope:text volatile_:flag @access",
    )
    .result("=val"),
    row(
        "llvm.cmpxchg",
        "ptr cmp val",
        "<? weak !weak ?> <? volatile !volatile_ ?> %ptr , %cmp , %val <? syncscope ( #syncscope ) ?> \
         #success_ordering #failure_ordering {} : T%ptr , T%val",
        "cmpxchg{weak? weak}{volatile_? volatile} {:ptr}, {:cmp}, {:val}{syncscope}{success_ordering}\
         {failure_ordering}{align}{metadata}",
    )
    .attrs(
        "alignment:number failure_ordering:atomic_ordering success_ordering:atomic_ordering syncscope:text \
         volatile_:flag weak:flag @access",
    )
    .result("&val"),
    row(
        "llvm.fence",
        "",
        "<? syncscope ( #syncscope ) ?> #ordering {}",
        "fence{syncscope}{ordering}",
    )
    .attrs("ordering:atomic_ordering syncscope:text"),
    row("llvm.getelementptr", "base dynamicIndices*", "", "")
        .attrs("elem_type:type rawConstantIndices:numbers noWrapFlags:gep_no_wrap inbounds:flag"),
    // Control.
    row(
        "llvm.br",
        "destOperands*",
        "^ <? ( %destOperands : T%destOperands ) ?> {}",
        "br label {^0}{loop}",
    )
    .attrs("loop_annotation:advice"),
    row(
        "llvm.cond_br",
        "condition trueDestOperands* falseDestOperands*",
        "%condition <? weights ( #branch_weights ) ?> , ^ <? ( %trueDestOperands : T%trueDestOperands ) ?> , \
         ^ <? ( %falseDestOperands : T%falseDestOperands ) ?> {}",
        "br {:condition}, label {^0}, label {^1}{weights}{loop}",
    )
    .attrs("branch_weights:numbers loop_annotation:advice"),
    row("llvm.switch", "value defaultOperands* caseOperands*", "", "")
        .attrs("branch_weights:numbers case_operand_segments:numbers case_values:any"),
    row("llvm.call", "callee_operands* op_bundle_operands*", "", "").attrs(
        "CConv:cconv TailCallKind:tailcallkind always_inline:flag arg_attrs:list callee:symbol convergent:flag \
         fastmathFlags:fastmath inline_hint:flag memory_effects:any no_inline:flag no_unwind:flag \
         op_bundle_sizes:empty op_bundle_tags:empty res_attrs:list var_callee_type:type will_return:flag @access",
    ),
    row("llvm.call_intrinsic", "args* op_bundle_operands*", "", "").attrs(
        "intrin:text fastmathFlags:fastmath arg_attrs:list res_attrs:list op_bundle_sizes:empty op_bundle_tags:empty",
    ),
    row("llvm.return", "arg?", "{} <? %arg : T%arg ?>", ""),
    row("llvm.unreachable", "", "{}", "unreachable"),
    row("llvm.va_arg", "arg", "%arg {} : F", "va_arg {:arg}, {R}"),
    // Values.
    row("llvm.mlir.constant", "", "( #:value ) {} : R", "")
    .attrs("value:any"),
    row("llvm.mlir.undef", "", "{} : R", ""),
    row("llvm.mlir.poison", "", "{} : R", ""),
    row("llvm.mlir.zero", "", "{} : R", ""),
    row("llvm.mlir.none", "", "{} : R", ""),
    row("llvm.mlir.addressof", "", "#global_name {} : R", "")
    .attrs("global_name:symbol"),
    row("llvm.dso_local_equivalent", "", "#function_name {} : R", "")
    .attrs("function_name:symbol"),
    row(
        "llvm.inline_asm",
        "operands*",
        "<? has_side_effects !has_side_effects ?> <? is_align_stack !is_align_stack ?> \
         <? tail_call_kind = #tail_call_kind ?> <? asm_dialect = #asm_dialect ?> \
         <? operand_attrs = #operand_attrs ?> {} #asm_string , #constraints %operands : F",
        "",
    )
    .attrs(
        "asm_dialect:asm_dialect asm_string:text constraints:text has_side_effects:flag is_align_stack:flag \
         operand_attrs:list tail_call_kind:tailcallkind",
    ),
    // Only in modules.
    row("llvm.module_flags", "", "#flags {}", "")
    .attrs("flags:list"),
    row("llvm.linker_options", "", "#options {}", "")
    .attrs("options:advice"),
    row(
        "llvm.mlir.global_ctors",
        "",
        "ctors = #ctors , priorities = #priorities , data = #data {}",
        "",
    )
    .attrs("ctors:list data:list priorities:list"),
    row(
        "llvm.mlir.global_dtors",
        "",
        "dtors = #dtors , priorities = #priorities , data = #data {}",
        "",
    )
    .attrs("data:list dtors:list priorities:list"),
];
