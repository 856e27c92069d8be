// arch: sm_100a
module {
  llvm.func @stmatrix_100(%s: !llvm.ptr<3>, %a: i32) {
    nvvm.stmatrix %s, %a, %a {layout = #nvvm.mma_layout<col>, shape = #nvvm.ld_st_matrix_shape<m = 16, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b8>} : !llvm.ptr<3>, i32, i32
    llvm.return
  }
}
