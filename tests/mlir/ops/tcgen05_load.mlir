// arch: sm_100a
module {
  llvm.func @tcgen05_load(%t: !llvm.ptr<6>, %v: vector<4xi32>, %x: i32) {
    %o = llvm.mlir.constant(2 : i64) : i64
    %0 = nvvm.tcgen05.ld %t {shape = #nvvm.tcgen05_ldst_shape<shape_16x64b>} : i32
    %1 = nvvm.tcgen05.ld %t pack {shape = #nvvm.tcgen05_ldst_shape<shape_16x128b>} : vector<4xi32>
    %2 = nvvm.tcgen05.ld %t, %o {shape = #nvvm.tcgen05_ldst_shape<shape_16x32bx2>} : vector<2xi32>
    nvvm.tcgen05.st %t, %x {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : i32
    nvvm.tcgen05.st %t, %v unpack {shape = #nvvm.tcgen05_ldst_shape<shape_16x256b>} : vector<4xi32>
    nvvm.tcgen05.st %t, %v, %o {shape = #nvvm.tcgen05_ldst_shape<shape_16x32bx2>} : vector<4xi32>
    llvm.return
  }
}
