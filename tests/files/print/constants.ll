source_filename = "constants.ll"

%t = type { i32, <{ i8, ptr }> }

@g = global i32 0
@s = addrspace(3) global i32 0
@i1 = global [2 x i1] [i1 true, i1 false]
@ints = global { i8, i16, i33, i64, i65, i128, i200 } { i8 -1, i16 -32768, i33 -4294967296, i64 -9223372036854775808, i65 18446744073709551615, i128 -7, i200 123456789012345678901234567890123456789012345 }
@f = global [10 x float] [float 1.000000e+00, float 0x3FB99999A0000000, float 0x7FF4000000000000, float -0.000000e+00, float 1.000000e+10, float 0x36A0000000000000, float 1.234560e+05, float 0x4132D68700000000, float 0x7FF0000000000000, float 0xFFF8000000000000]
@d = global [8 x double] [double 1.000000e-01, double 4.940660e-324, double 1.000000e+300, double 1.000000e-300, double 0x4132D68700000000, double 0x7FF0000000000001, double -0.000000e+00, double 3.500000e+00]
@odd = global { half, bfloat, x86_fp80, fp128, ppc_fp128 } { half 0xH3C00, bfloat 0xR3F80, x86_fp80 0xK3FFF8000000000000000, fp128 0xL00000000000000013FFF000000000000, ppc_fp128 0xM3FF00000000000000000000000000001 }
@v0 = global <4 x i32> zeroinitializer
@v1 = global <4 x i32> splat (i32 1)
@v2 = global <2 x ptr> <ptr @g, ptr @g>
@v3 = global <2 x half> splat (half 0xH3C00)
@v4 = global <2 x i32> <i32 1, i32 poison>
@v5 = global <2 x i1> <i1 true, i1 false>
@v6 = global <2 x float> poison
@str = global [6 x i8] c"a\22\\\FF\0A\00"
@arr = global [2 x i8] c"\01\02"
@arr16 = global [2 x i16] [i16 1, i16 -2]
@arr0 = global [0 x i32] zeroinitializer
@nest = global { %t, [2 x { i32, i32 }] } { %t { i32 1, <{ i8, ptr }> <{ i8 2, ptr @g }> }, [2 x { i32, i32 }] [{ i32, i32 } { i32 1, i32 2 }, { i32, i32 } zeroinitializer] }
@u = global { i32, i32 } { i32 undef, i32 0 }
@p0 = global ptr getelementptr inbounds (i8, ptr @g, i64 4)
@p1 = global ptr getelementptr inbounds nuw (%t, ptr @g, i64 0, i32 1, i32 1)
@p2 = global ptr getelementptr inrange(-4, 8) (i8, ptr @g, i64 4)
@p3 = global ptr getelementptr nusw (i8, ptr @g, i64 4)
@p4 = global ptr getelementptr nusw nuw (i8, ptr @g, i64 4)
@p5 = global i64 ptrtoint (ptr @g to i64)
@p6 = global i64 sub (i64 ptrtoint (ptr @g to i64), i64 ptrtoint (ptr @f to i64))
@p7 = global i64 add nuw nsw (i64 ptrtoint (ptr @g to i64), i64 1)
@p8 = global ptr addrspacecast (ptr addrspace(3) @s to ptr)
@p9 = global ptr inttoptr (i64 1234 to ptr)
@p10 = global i8 ptrtoint (ptr @g to i8)
@p11 = global <2 x i64> bitcast (<4 x i32> <i32 ptrtoint (ptr @g to i32), i32 1, i32 1, i32 2> to <2 x i64>)
@p12 = global i64 xor (i64 ptrtoint (ptr @g to i64), i64 -1)
@p13 = global i64 ptrtoaddr (ptr @g to i64)
@ba = global ptr blockaddress(@blocks, %named)
@ba2 = global ptr blockaddress(@blocks, %1)
@dl = global ptr dso_local_equivalent @blocks
@nc = global ptr no_cfi @blocks
@pa = global ptr ptrauth (ptr @g, i32 2)
@pa2 = global ptr ptrauth (ptr @g, i32 2, i64 5)
@pa3 = global ptr ptrauth (ptr @g, i32 2, i64 0, ptr @pa3)
@tt = global target("spirv.DeviceEvent") zeroinitializer
@ee = global i32 ptrtoint (ptr @g to i32)

define ptr @other() {
  ret ptr blockaddress(@blocks, %1)
}

define void @blocks() {
  br label %1

1:                                                ; preds = %0
  br label %named

named:                                            ; preds = %named, %1
  %x = phi ptr [ blockaddress(@blocks, %1), %1 ], [ null, %named ]
  br label %named
}

declare void @takes(target("spirv.Image", void, 1, 2))
