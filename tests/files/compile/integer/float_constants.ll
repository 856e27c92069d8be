; test: compile --arch sm_75
; run: --grid 1 --block 1 --arg u64[16]=0 --arg u32=1 --arg u64=3 --expect \
;   0:=0x1fe00000,0x3fc00001,0xffffffffbfc00000,0xffffffff00000000,1,0x3ff8000000000003,0x7ff0000000000000,0x3e00,0xffffffffffffbe00,0x3fc00000,0x3ff80000,0xbf800000,0x3f8000003fc00000,0x40400000,0x3fc00000,0x1fe00000
; The bits of a floating-point constant as an integer, wherever an integer may stand: cast by an instruction, by an
; expression, in an initial value, and after memory on the stack has become values.
target triple = "nvptx64-nvidia-cuda"

@g = addrspace(1) global i32 bitcast (float 1.5 to i32)

define ptx_kernel void @k(ptr addrspace(1) %out, i32 %n, i64 %m) {
  %a = bitcast float 1.5 to i32
  %minus = bitcast float -1.5 to i32
  %d = bitcast double 1.5 to i64
  %h = bitcast half 0xH3E00 to i16
  %mh = bitcast half 0xHBE00 to i16
  %v0 = lshr i32 %a, %n
  call void @put(ptr addrspace(1) %out, i32 0, i32 %v0)
  %v1 = add i32 %a, %n
  call void @put(ptr addrspace(1) %out, i32 1, i32 %v1)
  %v2 = sext i32 %minus to i64
  call void @put64(ptr addrspace(1) %out, i32 2, i64 %v2)
  %long = zext i32 %minus to i64
  %other = zext i32 %n to i64
  %sum = sub i64 0, %long
  %v3 = mul i64 %sum, %other
  %v3b = and i64 %v3, -2147483648
  call void @put64(ptr addrspace(1) %out, i32 3, i64 %v3b)
  %less = icmp slt i32 %minus, %n
  %v4 = zext i1 %less to i32
  call void @put(ptr addrspace(1) %out, i32 4, i32 %v4)
  %v5 = or i64 %d, %m
  call void @put64(ptr addrspace(1) %out, i32 5, i64 %v5)
  %v6 = shl i64 bitcast (double 0x3FFC000000000000 to i64), 1
  %v6b = and i64 %v6, bitcast (double 0x7FF0000000000000 to i64)
  call void @put64(ptr addrspace(1) %out, i32 6, i64 %v6b)
  %v7 = zext i16 %h to i32
  call void @put(ptr addrspace(1) %out, i32 7, i32 %v7)
  %v8 = sext i16 %mh to i64
  call void @put64(ptr addrspace(1) %out, i32 8, i64 %v8)
  %v9 = load i32, ptr addrspace(1) @g
  call void @put(ptr addrspace(1) %out, i32 9, i32 %v9)
  %pair = bitcast double 1.5 to <2 x i32>
  %v10 = extractelement <2 x i32> %pair, i32 1
  call void @put(ptr addrspace(1) %out, i32 10, i32 %v10)
  %zero = icmp eq i32 %n, 0
  %v11 = select i1 %zero, i32 %a, i32 bitcast (float -1.0 to i32)
  call void @put(ptr addrspace(1) %out, i32 11, i32 %v11)
  ; Four floats on the stack, one stored as a constant, copied and read as integers.
  %from = alloca [4 x float], align 16
  %to = alloca [4 x i32], align 16
  store float 1.5, ptr %from, align 16
  %f1 = getelementptr float, ptr %from, i64 1
  store float 1.0, ptr %f1, align 4
  %f2 = getelementptr float, ptr %from, i64 2
  store float 3.0, ptr %f2, align 8
  %f3 = getelementptr float, ptr %from, i64 3
  %nf = uitofp i32 %n to float
  store float %nf, ptr %f3, align 4
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %to, ptr align 16 %from, i64 16, i1 false)
  %v12 = load i64, ptr %to, align 16
  call void @put64(ptr addrspace(1) %out, i32 12, i64 %v12)
  %t2 = getelementptr i32, ptr %to, i64 2
  %v13 = load i32, ptr %t2, align 8
  call void @put(ptr addrspace(1) %out, i32 13, i32 %v13)
  br i1 %zero, label %skip, label %join
skip:
  br label %join
join:
  %v14 = phi i32 [ %a, %0 ], [ 7, %skip ]
  call void @put(ptr addrspace(1) %out, i32 14, i32 %v14)
  %t0 = load i32, ptr %to, align 16
  %v15 = lshr i32 %t0, %n
  call void @put(ptr addrspace(1) %out, i32 15, i32 %v15)
  ret void
}

define internal void @put(ptr addrspace(1) %out, i32 %at, i32 %v) alwaysinline {
  %p = getelementptr i64, ptr addrspace(1) %out, i32 %at
  %w = zext i32 %v to i64
  store i64 %w, ptr addrspace(1) %p
  ret void
}

define internal void @put64(ptr addrspace(1) %out, i32 %at, i64 %v) alwaysinline {
  %p = getelementptr i64, ptr addrspace(1) %out, i32 %at
  store i64 %v, ptr addrspace(1) %p
  ret void
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
