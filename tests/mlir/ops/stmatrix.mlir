// arch: sm_90
module {
  llvm.func @stmatrix(%s: !llvm.ptr<3>, %a: i32) {
    nvvm.stmatrix %s, %a {layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : !llvm.ptr<3>, i32
    nvvm.stmatrix %s, %a, %a, %a, %a {layout = #nvvm.mma_layout<col>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : !llvm.ptr<3>, i32, i32, i32, i32
    llvm.return
  }
}
