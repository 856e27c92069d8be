//! The intrinsics of LLVM that the `llvm` dialect has operations for.
//!
//! `{op}` is the name of the intrinsic: that of the operation without `intr.`.

use super::{Row, row};

const ONE: &str = "( %in ) {} : F";
const TWO: &str = "( %a , %b ) {} : F";
const THREE: &str = "( %a , %b , %c ) {} : F";
const FLOAT1: &str = "call{fastmath} {op}.{~in}(in)";
const FLOAT2: &str = "call{fastmath} {op}.{~a}(a, b)";
const FLOAT3: &str = "call{fastmath} {op}.{~a}(a, b, c)";
const INT1: &str = "call {op}.{~in}(in)";
const INT2: &str = "call {op}.{~a}(a, b)";
const INT3: &str = "call {op}.{~a}(a, b, c)";
const OVERFLOW: &str = "call {op}.{~R.0}(a, b)";

/// An operation on floats, which may be given leave to compute less exactly.
const fn math(
    name: &'static str,
    operands: &'static str,
    syntax: &'static str,
    llvm: &'static str,
) -> Row {
    row(name, operands, syntax, llvm).attrs("fastmathFlags:fastmath")
}

pub(super) static ROWS: &[Row] = &[
    row(
        "llvm.intr.abs",
        "in",
        "",
        "call {op}.{~in}(in, i1 #is_int_min_poison)",
    )
    .attrs("is_int_min_poison:flag"),
    math("llvm.intr.acos", "in", ONE, FLOAT1),
    math("llvm.intr.asin", "in", ONE, FLOAT1),
    math("llvm.intr.atan", "in", ONE, FLOAT1),
    math("llvm.intr.atan2", "a b", TWO, FLOAT2),
    row("llvm.intr.bitreverse", "in", ONE, INT1),
    row("llvm.intr.bswap", "in", ONE, INT1),
    math("llvm.intr.ceil", "in", ONE, FLOAT1),
    math("llvm.intr.copysign", "a b", TWO, FLOAT2),
    math("llvm.intr.cos", "in", ONE, FLOAT1),
    math("llvm.intr.cosh", "in", ONE, FLOAT1),
    row(
        "llvm.intr.ctlz",
        "in",
        "",
        "call {op}.{~in}(in, i1 #is_zero_poison)",
    )
    .attrs("is_zero_poison:flag"),
    row("llvm.intr.ctpop", "in", ONE, INT1),
    row(
        "llvm.intr.cttz",
        "in",
        "",
        "call {op}.{~in}(in, i1 #is_zero_poison)",
    )
    .attrs("is_zero_poison:flag"),
    row("llvm.intr.debugtrap", "", "{}", "call {op}()"),
    math("llvm.intr.exp", "in", ONE, FLOAT1),
    math("llvm.intr.exp10", "in", ONE, FLOAT1),
    math("llvm.intr.exp2", "in", ONE, FLOAT1),
    row(
        "llvm.intr.expect",
        "val expected",
        "%val , %expected {} : T%val",
        "call {op}.{~val}(val, expected)",
    )
    .result("=val"),
    math("llvm.intr.fabs", "in", ONE, FLOAT1),
    math("llvm.intr.floor", "in", ONE, FLOAT1),
    math("llvm.intr.fma", "a b c", THREE, FLOAT3),
    math("llvm.intr.fmuladd", "a b c", THREE, FLOAT3),
    math(
        "llvm.intr.frexp",
        "val",
        "( %val ) {} : F",
        "call{fastmath} {op}.{~R.0}.{~R.1}(val)",
    ),
    row("llvm.intr.fshl", "a b c", THREE, INT3),
    row("llvm.intr.fshr", "a b c", THREE, INT3),
    row(
        "llvm.intr.invariant.end",
        "start ptr",
        "%start , #size , %ptr {} : T%ptr",
        "call {op}.{~ptr}(start, i64 #size, ptr)",
    )
    .attrs("size:number"),
    row(
        "llvm.intr.invariant.start",
        "ptr",
        "#size , %ptr {} : T%ptr",
        "call {op}.{~ptr}(i64 #size, ptr)",
    )
    .attrs("size:number")
    .result("p0"),
    row(
        "llvm.intr.is.fpclass",
        "in",
        "",
        "call {op}.{~in}(in, i32 #bit)",
    )
    .attrs("bit:number"),
    row(
        "llvm.intr.launder.invariant.group",
        "ptr",
        "%ptr {} : T%ptr",
        "call {op}.{~ptr}(ptr)",
    )
    .result("=ptr"),
    math(
        "llvm.intr.ldexp",
        "val power",
        "( %val , %power ) {} : F",
        "call{fastmath} {op}.{~val}.{~power}(val, power)",
    ),
    row(
        "llvm.intr.lifetime.end",
        "ptr",
        "%ptr {} : T%ptr",
        "call {op}.{~ptr}(ptr)",
    ),
    row(
        "llvm.intr.lifetime.start",
        "ptr",
        "%ptr {} : T%ptr",
        "call {op}.{~ptr}(ptr)",
    ),
    row(
        "llvm.intr.llrint",
        "val",
        "( %val ) {} : F",
        "call {op}.{~R}.{~val}(val)",
    ),
    row(
        "llvm.intr.llround",
        "val",
        "( %val ) {} : F",
        "call {op}.{~R}.{~val}(val)",
    ),
    math("llvm.intr.log", "in", ONE, FLOAT1),
    math("llvm.intr.log10", "in", ONE, FLOAT1),
    math("llvm.intr.log2", "in", ONE, FLOAT1),
    row(
        "llvm.intr.lrint",
        "val",
        "( %val ) {} : F",
        "call {op}.{~R}.{~val}(val)",
    ),
    row(
        "llvm.intr.lround",
        "val",
        "( %val ) {} : F",
        "call {op}.{~R}.{~val}(val)",
    ),
    math("llvm.intr.maximum", "a b", TWO, FLOAT2),
    math("llvm.intr.maxnum", "a b", TWO, FLOAT2),
    row(
        "llvm.intr.memcpy",
        "dst src len",
        "",
        "call {op}.{~dst}.{~src}.{~len}(dst, src, len, i1 #isVolatile){metadata}",
    )
    .attrs("arg_attrs:list isVolatile:flag res_attrs:list @access"),
    row(
        "llvm.intr.memmove",
        "dst src len",
        "",
        "call {op}.{~dst}.{~src}.{~len}(dst, src, len, i1 #isVolatile){metadata}",
    )
    .attrs("arg_attrs:list isVolatile:flag res_attrs:list @access"),
    row(
        "llvm.intr.memset",
        "dst val len",
        "",
        "call {op}.{~dst}.{~len}(dst, val, len, i1 #isVolatile){metadata}",
    )
    .attrs("arg_attrs:list isVolatile:flag res_attrs:list @access"),
    math("llvm.intr.minimum", "a b", TWO, FLOAT2),
    math("llvm.intr.minnum", "a b", TWO, FLOAT2),
    math("llvm.intr.nearbyint", "in", ONE, FLOAT1),
    math("llvm.intr.pow", "a b", TWO, FLOAT2),
    math(
        "llvm.intr.powi",
        "val power",
        "( %val , %power ) {} : F",
        "call{fastmath} {op}.{~val}.{~power}(val, power)",
    ),
    row(
        "llvm.intr.prefetch",
        "addr",
        "",
        "call {op}.{~addr}(addr, i32 #rw, i32 #hint, i32 #cache)",
    )
    .attrs("cache:number hint:number rw:number"),
    row(
        "llvm.intr.ptrmask",
        "ptr mask",
        "%ptr , %mask {} : F",
        "call {op}.{~ptr}.{~mask}(ptr, mask)",
    ),
    math("llvm.intr.rint", "in", ONE, FLOAT1),
    math("llvm.intr.round", "in", ONE, FLOAT1),
    math("llvm.intr.roundeven", "in", ONE, FLOAT1),
    row("llvm.intr.sadd.sat", "a b", TWO, INT2),
    row("llvm.intr.sadd.with.overflow", "a b", "", OVERFLOW),
    row("llvm.intr.scmp", "a b", TWO, "call {op}.{~R}.{~a}(a, b)"),
    math("llvm.intr.sin", "in", ONE, FLOAT1),
    math(
        "llvm.intr.sincos",
        "val",
        "( %val ) {} : F",
        "call{fastmath} {op}.{~val}(val)",
    ),
    math("llvm.intr.sinh", "in", ONE, FLOAT1),
    row("llvm.intr.smax", "a b", TWO, INT2),
    row("llvm.intr.smin", "a b", TWO, INT2),
    row("llvm.intr.smul.with.overflow", "a b", "", OVERFLOW),
    math("llvm.intr.sqrt", "in", ONE, FLOAT1),
    row("llvm.intr.sshl.sat", "a b", TWO, INT2),
    row("llvm.intr.ssub.sat", "a b", TWO, INT2),
    row("llvm.intr.ssub.with.overflow", "a b", "", OVERFLOW),
    row(
        "llvm.intr.stackrestore",
        "ptr",
        "%ptr {} : T%ptr",
        "call {op}.{~ptr}(ptr)",
    ),
    row("llvm.intr.stacksave", "", "{} : R", "call {op}.{~R}()"),
    row("llvm.intr.stepvector", "", "{} : R", "call {op}.{~R}()"),
    row(
        "llvm.intr.strip.invariant.group",
        "ptr",
        "%ptr {} : T%ptr",
        "call {op}.{~ptr}(ptr)",
    )
    .result("=ptr"),
    math("llvm.intr.tan", "in", ONE, FLOAT1),
    math("llvm.intr.tanh", "in", ONE, FLOAT1),
    row("llvm.intr.trap", "", "{}", "call {op}()"),
    math("llvm.intr.trunc", "in", ONE, FLOAT1),
    row("llvm.intr.uadd.sat", "a b", TWO, INT2),
    row("llvm.intr.uadd.with.overflow", "a b", "", OVERFLOW),
    row(
        "llvm.intr.ubsantrap",
        "",
        "{}",
        "call {op}(i8 #failureKind)",
    )
    .attrs("failureKind:number"),
    row("llvm.intr.ucmp", "a b", TWO, "call {op}.{~R}.{~a}(a, b)"),
    row("llvm.intr.umax", "a b", TWO, INT2),
    row("llvm.intr.umin", "a b", TWO, INT2),
    row("llvm.intr.umul.with.overflow", "a b", "", OVERFLOW),
    row("llvm.intr.ushl.sat", "a b", TWO, INT2),
    row("llvm.intr.usub.sat", "a b", TWO, INT2),
    row("llvm.intr.usub.with.overflow", "a b", "", OVERFLOW),
    row(
        "llvm.intr.vector.deinterleave2",
        "vec",
        "",
        "call {op}.{~vec}(vec)",
    ),
    row(
        "llvm.intr.vector.extract",
        "srcvec",
        "%srcvec [ #pos ] {} : R from T%srcvec",
        "call {op}.{~R}.{~srcvec}(srcvec, i64 #pos)",
    )
    .attrs("pos:number"),
    row(
        "llvm.intr.vector.insert",
        "dstvec srcvec",
        "%srcvec , %dstvec [ #pos ] {} : T%srcvec into R",
        "call {op}.{~R}.{~srcvec}(dstvec, srcvec, i64 #pos)",
    )
    .attrs("pos:number"),
    row(
        "llvm.intr.vector.interleave2",
        "vec1 vec2",
        "",
        "call {op}.{~R}(vec1, vec2)",
    ),
    row("llvm.intr.vector.reduce.add", "in", "", INT1),
    row("llvm.intr.vector.reduce.and", "in", "", INT1),
    math(
        "llvm.intr.vector.reduce.fadd",
        "start_value input",
        "",
        "call{fastmath} {op}.{~input}(start_value, input)",
    ),
    math("llvm.intr.vector.reduce.fmax", "in", ONE, FLOAT1),
    math("llvm.intr.vector.reduce.fmaximum", "in", ONE, FLOAT1),
    math("llvm.intr.vector.reduce.fmin", "in", ONE, FLOAT1),
    math("llvm.intr.vector.reduce.fminimum", "in", ONE, FLOAT1),
    math(
        "llvm.intr.vector.reduce.fmul",
        "start_value input",
        "",
        "call{fastmath} {op}.{~input}(start_value, input)",
    ),
    row("llvm.intr.vector.reduce.mul", "in", "", INT1),
    row("llvm.intr.vector.reduce.or", "in", "", INT1),
    row("llvm.intr.vector.reduce.smax", "in", "", INT1),
    row("llvm.intr.vector.reduce.smin", "in", "", INT1),
    row("llvm.intr.vector.reduce.umax", "in", "", INT1),
    row("llvm.intr.vector.reduce.umin", "in", "", INT1),
    row("llvm.intr.vector.reduce.xor", "in", "", INT1),
    row(
        "llvm.intr.memcpy.inline",
        "dst src",
        "",
        "call {op}.{~dst}.{~src}.{#len}(dst, src, #len, i1 #isVolatile){metadata}",
    )
    .attrs("arg_attrs:list isVolatile:flag len:number res_attrs:list @access"),
    row(
        "llvm.intr.memset.inline",
        "dst val",
        "",
        "call {op}.{~dst}.{#len}(dst, val, #len, i1 #isVolatile){metadata}",
    )
    .attrs("arg_attrs:list isVolatile:flag len:number res_attrs:list @access"),
    row(
        "llvm.intr.assume",
        "cond bundles*",
        "%cond : T%cond {}",
        "call {op}(cond)",
    )
    .attrs("op_bundle_sizes:advice op_bundle_tags:advice"),
    row(
        "llvm.intr.is.constant",
        "val",
        "( %val ) {} : F",
        "call {op}.{~val}(val)",
    ),
    row(
        "llvm.intr.masked.load",
        "data mask pass_thru?",
        "%data , %mask <? , %pass_thru ?> {} : F",
        "call {op}.{~R}.{~data}(data@alignment, mask, pass_thru|R poison){metadata}",
    )
    .attrs("alignment:number nontemporal:flag"),
    row(
        "llvm.intr.masked.store",
        "value data mask",
        "%value , %data , %mask {} : T%value , T%mask into T%data",
        "call {op}.{~value}.{~data}(value, data@alignment, mask)",
    )
    .attrs("alignment:number"),
    row(
        "llvm.intr.masked.gather",
        "ptrs mask pass_thru*",
        "%ptrs , %mask <? , %pass_thru ?> {} : F",
        "call {op}.{~R}.{~ptrs}(ptrs@alignment, mask, pass_thru|R poison)",
    )
    .attrs("alignment:number"),
    row(
        "llvm.intr.masked.scatter",
        "value ptrs mask",
        "%value , %ptrs , %mask {} : T%value , T%mask into T%ptrs",
        "call {op}.{~value}.{~ptrs}(value, ptrs@alignment, mask)",
    )
    .attrs("alignment:number"),
    row(
        "llvm.intr.masked.compressstore",
        "value ptr mask",
        "",
        "call {op}.{~value}(value, ptr, mask)",
    )
    .attrs("arg_attrs:list res_attrs:list"),
    row(
        "llvm.intr.masked.expandload",
        "ptr mask passthru",
        "",
        "call {op}.{~R}(ptr, mask, passthru)",
    )
    .attrs("arg_attrs:list res_attrs:list"),
    row(
        "llvm.intr.expect.with.probability",
        "val expected",
        "%val , %expected , #prob {} : T%val",
        "call {op}.{~val}(val, expected, double #prob)",
    )
    .attrs("prob:any")
    .result("=val"),
    row(
        "llvm.intr.get.active.lane.mask",
        "base n",
        "%base , %n {} : T%base , T%n to R",
        "call {op}.{~R}.{~base}(base, n)",
    ),
    row(
        "llvm.intr.matrix.multiply",
        "lhs rhs",
        "%lhs , %rhs {} : ( T%lhs , T%rhs ) -> R",
        "call {op}.{~R}.{~lhs}.{~rhs}(lhs, rhs, i32 #lhs_rows, i32 #lhs_columns, i32 #rhs_columns)",
    )
    .attrs("lhs_columns:number lhs_rows:number rhs_columns:number"),
    row(
        "llvm.intr.matrix.transpose",
        "matrix",
        "%matrix {} : T%matrix into R",
        "call {op}.{~R}(matrix, i32 #rows, i32 #columns)",
    )
    .attrs("columns:number rows:number"),
    row(
        "llvm.intr.vastart",
        "arg_list",
        "%arg_list {} : T%arg_list",
        "call llvm.va_start.{~arg_list}(arg_list)",
    ),
    row(
        "llvm.intr.vaend",
        "arg_list",
        "%arg_list {} : T%arg_list",
        "call llvm.va_end.{~arg_list}(arg_list)",
    ),
    row(
        "llvm.intr.vacopy",
        "dest_list src_list",
        "%src_list to %dest_list {} : T*",
        "call llvm.va_copy.{~dest_list}(dest_list, src_list)",
    ),
    // What is said about variables and about aliases is not kept.
    row(
        "llvm.intr.dbg.declare",
        "addr",
        "#varInfo <? #locationExpr ?> = %addr : T%addr {}",
        "nothing",
    )
    .attrs("locationExpr:advice varInfo:advice"),
    row(
        "llvm.intr.dbg.value",
        "value",
        "#varInfo <? #locationExpr ?> = %value : T%value {}",
        "nothing",
    )
    .attrs("locationExpr:advice varInfo:advice"),
    row("llvm.intr.dbg.label", "", "#label {}", "nothing").attrs("label:advice"),
    row(
        "llvm.intr.experimental.noalias.scope.decl",
        "",
        "#scope {}",
        "nothing",
    )
    .attrs("scope:advice"),
];
