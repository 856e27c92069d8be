//! The `nvvm` dialect: matrices, and the tensor memory of `tcgen05`.

use super::{Row, row};

const TENSOR: &str = "%taddr {} : T*";
const MMA: &str = "%matrixD , %matrixA , %matrixB , %idesc , %enableInputD <? scale = %scaleInputD ?> \
                   <? mask = %disableOutputLane ?> {} : ( T* )";
const MMA_SP: &str = "%matrixD , %matrixA , %matrixB , %idesc , %enableInputD , %sparseMetadata \
                      <? scale = %scaleInputD ?> <? mask = %disableOutputLane ?> {} : ( T* )";

pub(super) static ROWS: &[Row] = &[
    row(
        "nvvm.ldmatrix",
        "ptr",
        "%ptr {} : F%ptr",
        "call llvm.nvvm.ldmatrix.sync.aligned.{shape:mn}.x{#num}{layout=row:,col:.trans}.{eltType}.{~ptr}(ptr)",
    )
    .attrs("eltType:ld_st_matrix_elt_type layout:mma_layout num:number shape:any"),
    row(
        "nvvm.stmatrix",
        "ptr sources*",
        "%ptr , %sources {} : T*",
        "call llvm.nvvm.stmatrix.sync.aligned.{shape:mn}.x{#sources}{layout=row:,col:.trans}.{eltType}.{~ptr}\
         (ptr, sources)",
    )
    .attrs("eltType:ld_st_matrix_elt_type layout:mma_layout shape:any"),
    row(
        "nvvm.wmma.load",
        "ptr stride",
        "%ptr , %stride {} : F%ptr",
        "call llvm.nvvm.wmma.m{#m}n{#n}k{#k}.load.{frag}.{layout}.stride.{eltype}.{~ptr}(ptr, stride)",
    )
    .attrs("eltype:mma_type frag:mma_frag k:number layout:mma_layout m:number n:number"),
    row(
        "nvvm.wmma.store",
        "ptr args* stride",
        "%ptr , %stride , %args {} : T%ptr , T%args",
        "call llvm.nvvm.wmma.m{#m}n{#n}k{#k}.store.d.{layout}.stride.{eltype}.{~ptr}(ptr, args, stride)",
    )
    .attrs("eltype:mma_type k:number layout:mma_layout m:number n:number"),
    row(
        "nvvm.wmma.mma",
        "args*",
        "%args {} : F",
        "[eltypeA=f16] call llvm.nvvm.wmma.m{#m}n{#n}k{#k}.mma.{layoutA}.{layoutB}.{eltypeB}.{eltypeB}(args) || \
         [eltypeA=tf32/bf16 !eltypeB=f32] refuse sums of another type than f32 || \
         [eltypeA=f64 !eltypeB=f64] refuse sums of another type than f64 || \
         [eltypeA=s8/u8/s4/u4/b1 !eltypeB=s32] refuse sums of another type than s32 || \
         call llvm.nvvm.wmma.m{#m}n{#n}k{#k}.mma.{layoutA}.{layoutB}.{eltypeA}(args)",
    )
    .attrs(
        "eltypeA:mma_type eltypeB:mma_type k:number layoutA:mma_layout layoutB:mma_layout m:number n:number",
    ),
    row(
        "nvvm.wgmma.fence.aligned",
        "",
        "{}",
        "call llvm.nvvm.wgmma.fence.sync.aligned()",
    ),
    row(
        "nvvm.wgmma.commit.group.sync.aligned",
        "",
        "{}",
        "call llvm.nvvm.wgmma.commit_group.sync.aligned()",
    ),
    row(
        "nvvm.wgmma.wait.group.sync.aligned",
        "",
        "{} #group",
        "call llvm.nvvm.wgmma.wait_group.sync.aligned(i64 #group)",
    )
    .attrs("group:number"),
    // The names of these follow from their types: `translate::matrix`.
    row(
        "nvvm.wgmma.mma_async",
        "inouts descriptorA descriptorB",
        "%descriptorA , %descriptorB , %inouts , #shape , D [ #typeD , #scaleD <? , #satfinite ?> ] , \
         A [ #typeA , #scaleA , #layoutA ] , B [ #typeB , #scaleB , #layoutB ] {} : T%inouts -> R",
        "",
    )
    .attrs(
        "layoutA:mma_layout layoutB:mma_layout satfinite:mma_int_overflow scaleA:wgmma_scale_in \
         scaleB:wgmma_scale_in scaleD:wgmma_scale_out shape:any typeA:wgmma_type typeB:wgmma_type \
         typeD:wgmma_type",
    ),
    row("nvvm.mma.sync", "operandA* operandB* operandC*", "", "")
    .attrs(
        "b1Op:mma_b1op intOverflowBehavior:mma_int_overflow layoutA:mma_layout layoutB:mma_layout \
         multiplicandAPtxType:mma_type multiplicandBPtxType:mma_type shape:any",
    ),
    row(
        "nvvm.mma.sp.sync",
        "operandA* operandB* operandC* sparseMetadata sparsitySelector",
        "",
        "",
    )
    .attrs(
        "intOverflowBehavior:mma_int_overflow kind:mma_kind multiplicandAPtxType:mma_type \
         multiplicandBPtxType:mma_type orderedMetadata:flag shape:any",
    ),
    row(
        "nvvm.mma.block_scale",
        "operandA* operandB* operandC* scaleAData byteIdA threadIdA scaleBData byteIdB threadIdB",
        "",
        "",
    )
    .attrs(
        "blockScaleFormat:block_scale_format kind:block_scale_kind multiplicandAPtxType:mma_type \
         multiplicandBPtxType:mma_type scaleVecSize:scale_vec_size shape:any",
    ),
    row(
        "nvvm.mma.sp.block_scale",
        "operandA* operandB* operandC* sparseMetadata sparsitySelector scaleAData byteIdA threadIdA scaleBData \
         byteIdB threadIdB",
        "",
        "",
    )
    .attrs(
        "blockScaleFormat:block_scale_format kind:block_scale_kind multiplicandAPtxType:mma_type \
         multiplicandBPtxType:mma_type orderedMetadata:flag scaleVecSize:scale_vec_size shape:any",
    ),
    row(
        "nvvm.inline_ptx",
        "readOnlyArgs* readWriteArgs* predicate?",
        "#ptxCode <? ro ( %readOnlyArgs : T%readOnlyArgs ) ?> <? rw ( %readWriteArgs : T%readWriteArgs ) ?> \
         <? , predicate = %predicate ?> {} <? -> R ?>",
        "",
    )
    .attrs("ptxCode:text"),
    // tcgen05.
    row(
        "nvvm.tcgen05.alloc",
        "addr nCols",
        "%addr , %nCols {} : T*",
        "call llvm.nvvm.tcgen05.alloc{~addr=p3:.shared,p0:}.{group=:cg1,cta_1:cg1,cta_2:cg2}(addr, nCols)",
    )
    .attrs("group:cta_group"),
    row(
        "nvvm.tcgen05.dealloc",
        "taddr nCols",
        "%taddr , %nCols {} : T*",
        "call llvm.nvvm.tcgen05.dealloc.{group=:cg1,cta_1:cg1,cta_2:cg2}(taddr, nCols)",
    )
    .attrs("group:cta_group"),
    row(
        "nvvm.tcgen05.relinquish_alloc_permit",
        "",
        "{}",
        "call llvm.nvvm.tcgen05.relinq.alloc.permit.{group=:cg1,cta_1:cg1,cta_2:cg2}()",
    )
    .attrs("group:cta_group"),
    row(
        "nvvm.tcgen05.fence",
        "",
        "#kind {}",
        "call llvm.nvvm.tcgen05.fence.{kind=before:before,after:after}.thread.sync()",
    )
    .attrs("kind:tcgen05_fence"),
    row(
        "nvvm.tcgen05.wait",
        "",
        "#kind {}",
        "call llvm.nvvm.tcgen05.wait.{kind=load:ld,store:st}()",
    )
    .attrs("kind:tcgen05_wait"),
    row(
        "nvvm.tcgen05.commit",
        "addr multicastMask?",
        "%addr <? , multicast_mask = %multicastMask ?> {} : T*",
        "call llvm.nvvm.tcgen05.commit{multicastMask?.mc}{~addr=p3:.shared,p0:}.{group=:cg1,cta_1:cg1,cta_2:cg2}\
         (addr, multicastMask?)",
    )
    .attrs("group:cta_group"),
    row(
        "nvvm.tcgen05.shift",
        "taddr",
        TENSOR,
        "call llvm.nvvm.tcgen05.shift.down.{group=:cg1,cta_1:cg1,cta_2:cg2}(taddr)",
    )
    .attrs("group:cta_group"),
    row(
        "nvvm.tcgen05.cp",
        "taddr smem_desc",
        "%taddr , %smem_desc {}",
        "call llvm.nvvm.tcgen05.cp.{shape=shape_128x256b:128x256b,shape_4x256b:4x256b,shape_128x128b:128x128b,\
         shape_64x128b:64x128b,shape_32x128b:32x128b}\
         {multicast=:,none:,warpx2_02_13:_warpx2_02_13,warpx2_01_23:_warpx2_01_23,warpx4:_warpx4}\
         {srcFormat=:,b6x16_p32:.b6x16_p32,b4x16_p64:.b4x16_p64}.{group=:cg1,cta_1:cg1,cta_2:cg2}(taddr, smem_desc)",
    )
    .attrs(
        "group:cta_group multicast:tcgen05_cp_multicast shape:tcgen05_cp_shape srcFormat:tcgen05_cp_src_fmt",
    ),
    row(
        "nvvm.tcgen05.ld",
        "tmemAddr offset?",
        "%tmemAddr <? , %offset ?> <? pack !pack ?> {} : R",
        "call llvm.nvvm.tcgen05.ld.{tensor_shape:R}(tmemAddr, offset?, i1 #pack)",
    )
    .attrs("pack:flag shape:tcgen05_ldst_shape"),
    row(
        "nvvm.tcgen05.st",
        "tmemAddr val offset?",
        "%tmemAddr , %val <? , %offset ?> <? unpack !unpack ?> {} : T%val",
        "call llvm.nvvm.tcgen05.st.{tensor_shape:val}(tmemAddr, offset?, val, i1 #unpack)",
    )
    .attrs("shape:tcgen05_ldst_shape unpack:flag"),
    row(
        "nvvm.tcgen05.mma",
        "matrixD matrixA matrixB idesc enableInputD scaleInputD? disableOutputLane?",
        MMA,
        "[disableOutputLane] call llvm.nvvm.tcgen05.mma.{~matrixA=p6:tensor,i64:shared}{scaleInputD?.scale_d}\
         .disable_output_lane.{ctaGroup=cta_1:cg1,cta_2:cg2}{aShift?.ashift}\
         (matrixD, matrixA, matrixB, idesc, enableInputD, scaleInputD?, disableOutputLane, \
         i32 =kind=f16:0,tf32:1,f8f6f4:2,i8:3, i32 =collectorOp=:0,discard:0,lastuse:1,fill:2,use:3) || \
         call llvm.nvvm.tcgen05.mma.{~matrixA=p6:tensor,i64:shared}{scaleInputD?.scale_d}{aShift?.ashift}\
         (matrixD, matrixA, matrixB, idesc, enableInputD, scaleInputD?, \
         i32 =kind=f16:0,tf32:1,f8f6f4:2,i8:3, i32 =ctaGroup=cta_1:1,cta_2:2, \
         i32 =collectorOp=:0,discard:0,lastuse:1,fill:2,use:3)",
    )
    .attrs("aShift:flag collectorOp:tcgen05_mma_collectorop ctaGroup:cta_group kind:tcgen05_mma_kind"),
    row(
        "nvvm.tcgen05.mma.sp",
        "matrixD matrixA matrixB idesc enableInputD sparseMetadata scaleInputD? disableOutputLane?",
        MMA_SP,
        "[disableOutputLane] call llvm.nvvm.tcgen05.mma.sp.{~matrixA=p6:tensor,i64:shared}{scaleInputD?.scale_d}\
         .disable_output_lane.{ctaGroup=cta_1:cg1,cta_2:cg2}{aShift?.ashift}\
         (matrixD, matrixA, matrixB, idesc, enableInputD, sparseMetadata, scaleInputD?, disableOutputLane, \
         i32 =kind=f16:0,tf32:1,f8f6f4:2,i8:3, i32 =collectorOp=:0,discard:0,lastuse:1,fill:2,use:3) || \
         call llvm.nvvm.tcgen05.mma.sp.{~matrixA=p6:tensor,i64:shared}{scaleInputD?.scale_d}{aShift?.ashift}\
         (matrixD, matrixA, matrixB, idesc, enableInputD, sparseMetadata, scaleInputD?, \
         i32 =kind=f16:0,tf32:1,f8f6f4:2,i8:3, i32 =ctaGroup=cta_1:1,cta_2:2, \
         i32 =collectorOp=:0,discard:0,lastuse:1,fill:2,use:3)",
    )
    .attrs("aShift:flag collectorOp:tcgen05_mma_collectorop ctaGroup:cta_group kind:tcgen05_mma_kind"),
    row(
        "nvvm.tcgen05.mma.block_scale",
        "matrixD matrixA matrixB idesc enableInputD scaleA scaleB",
        "%matrixD , %matrixA , %matrixB , %idesc , %enableInputD , %scaleA , %scaleB {} : ( T* )",
        "call llvm.nvvm.tcgen05.mma.{~matrixA=p6:tensor,i64:shared}.{kind}.block_scale\
         {blockScale=:,default:,block16:.block16,block32:.block32}\
         (matrixD, matrixA, matrixB, idesc, enableInputD, scaleA, scaleB, i32 =ctaGroup=cta_1:1,cta_2:2, \
         i32 =collectorOp=:0,discard:0,lastuse:1,fill:2,use:3)",
    )
    .attrs(
        "blockScale:tcgen05_mma_block_scale collectorOp:tcgen05_mma_collectorop ctaGroup:cta_group \
         kind:block_scale_kind",
    ),
    row(
        "nvvm.tcgen05.mma.sp.block_scale",
        "matrixD matrixA matrixB idesc enableInputD sparseMetadata scaleA scaleB",
        "%matrixD , %matrixA , %matrixB , %idesc , %enableInputD , %sparseMetadata , %scaleA , %scaleB {} : ( T* )",
        "call llvm.nvvm.tcgen05.mma.sp.{~matrixA=p6:tensor,i64:shared}.{kind}.block_scale\
         {blockScale=:,default:,block16:.block16,block32:.block32}\
         (matrixD, matrixA, matrixB, idesc, enableInputD, sparseMetadata, scaleA, scaleB, \
         i32 =ctaGroup=cta_1:1,cta_2:2, i32 =collectorOp=:0,discard:0,lastuse:1,fill:2,use:3)",
    )
    .attrs(
        "blockScale:tcgen05_mma_block_scale collectorOp:tcgen05_mma_collectorop ctaGroup:cta_group \
         kind:block_scale_kind",
    ),
    row(
        "nvvm.tcgen05.mma.ws",
        "matrixD matrixA matrixB idesc enableInputD zeroColMask?",
        "%matrixD , %matrixA , %matrixB , %idesc , %enableInputD <? , %zeroColMask ?> {} : ( T* )",
        "call llvm.nvvm.tcgen05.mma.ws.{~matrixA=p6:tensor,i64:shared}{zeroColMask?.zero_col_mask}\
         (matrixD, matrixA, matrixB, idesc, enableInputD, zeroColMask?, i32 =kind=f16:0,tf32:1,f8f6f4:2,i8:3, \
         i32 =collectorBBuffer=:0,b0:0,b1:1,b2:2,b3:3, i32 =collectorOp=:0,discard:0,lastuse:1,fill:2,use:3)",
    )
    .attrs(
        "collectorBBuffer:tcgen05_mma_collectorb collectorOp:tcgen05_mma_collectorop kind:tcgen05_mma_kind",
    ),
    row(
        "nvvm.tcgen05.mma.ws.sp",
        "matrixD matrixA matrixB idesc enableInputD sparseMetadata zeroColMask?",
        "%matrixD , %matrixA , %matrixB , %idesc , %enableInputD , %sparseMetadata <? , %zeroColMask ?> {} : ( T* )",
        "call llvm.nvvm.tcgen05.mma.ws.sp.{~matrixA=p6:tensor,i64:shared}{zeroColMask?.zero_col_mask}\
         (matrixD, matrixA, matrixB, idesc, enableInputD, sparseMetadata, zeroColMask?, \
         i32 =kind=f16:0,tf32:1,f8f6f4:2,i8:3, i32 =collectorBBuffer=:0,b0:0,b1:1,b2:2,b3:3, \
         i32 =collectorOp=:0,discard:0,lastuse:1,fill:2,use:3)",
    )
    .attrs(
        "collectorBBuffer:tcgen05_mma_collectorb collectorOp:tcgen05_mma_collectorop kind:tcgen05_mma_kind",
    ),
    row(
        "nvvm.tcgen05.mma_smem_desc",
        "startAddr leadingDimOffset strideDimOffset baseOffset leadingDimMode swizzleMode",
        "( %startAddr , %leadingDimOffset , %strideDimOffset , %baseOffset , %leadingDimMode , %swizzleMode ) {} \
         : ( T* ) -> R",
        "",
    ),
];
