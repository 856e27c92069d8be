; Clusters of blocks: who and where one is, their barrier, their shared memory.

define i32 @__nv_clusterDimIsSpecifed_impl() {
  %explicit = call i1 @llvm.nvvm.is_explicit_cluster()
  %result = zext i1 %explicit to i32
  ret i32 %result
}

define i32 @__nv_clusterRelativeBlockRank_impl() {
  %rank = call i32 @llvm.nvvm.read.ptx.sreg.cluster.ctarank()
  ret i32 %rank
}

define i32 @__nv_clusterSizeInBlocks_impl() {
  %blocks = call i32 @llvm.nvvm.read.ptx.sreg.cluster.nctarank()
  ret i32 %blocks
}

define void @__nv_cluster_barrier_arrive_impl() {
  call void @llvm.nvvm.barrier.cluster.arrive()
  ret void
}

define void @__nv_cluster_barrier_arrive_relaxed_impl() {
  call void @llvm.nvvm.barrier.cluster.arrive.relaxed()
  ret void
}

define void @__nv_cluster_barrier_wait_impl() {
  call void @llvm.nvvm.barrier.cluster.wait()
  ret void
}

define void @__nv_threadfence_cluster_impl() {
  call void @llvm.nvvm.fence.sc.cluster()
  ret void
}

define void @__nv_clusterDim_impl(ptr %x, ptr %y, ptr %z) {
  %a = call i32 @llvm.nvvm.read.ptx.sreg.cluster.nctaid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.cluster.nctaid.y()
  %c = call i32 @llvm.nvvm.read.ptx.sreg.cluster.nctaid.z()
  store i32 %a, ptr %x
  store i32 %b, ptr %y
  store i32 %c, ptr %z
  ret void
}

define void @__nv_clusterRelativeBlockIdx_impl(ptr %x, ptr %y, ptr %z) {
  %a = call i32 @llvm.nvvm.read.ptx.sreg.cluster.ctaid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.cluster.ctaid.y()
  %c = call i32 @llvm.nvvm.read.ptx.sreg.cluster.ctaid.z()
  store i32 %a, ptr %x
  store i32 %b, ptr %y
  store i32 %c, ptr %z
  ret void
}

define void @__nv_clusterGridDimInClusters_impl(ptr %x, ptr %y, ptr %z) {
  %a = call i32 @llvm.nvvm.read.ptx.sreg.nclusterid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.nclusterid.y()
  %c = call i32 @llvm.nvvm.read.ptx.sreg.nclusterid.z()
  store i32 %a, ptr %x
  store i32 %b, ptr %y
  store i32 %c, ptr %z
  ret void
}

define void @__nv_clusterIdx_impl(ptr %x, ptr %y, ptr %z) {
  %a = call i32 @llvm.nvvm.read.ptx.sreg.clusterid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.clusterid.y()
  %c = call i32 @llvm.nvvm.read.ptx.sreg.clusterid.z()
  store i32 %a, ptr %x
  store i32 %b, ptr %y
  store i32 %c, ptr %z
  ret void
}

define i32 @__nv_isClusterShared_impl(ptr %address) {
  %is = call i1 @llvm.nvvm.isspacep.shared.cluster(ptr %address)
  %result = zext i1 %is to i32
  ret i32 %result
}

define i32 @__nv_cluster_query_shared_rank_impl(ptr %address) {
  %rank = call i32 @llvm.nvvm.getctarank(ptr %address)
  ret i32 %rank
}

define ptr @__nv_cluster_map_shared_rank_impl(ptr %address, i32 %rank) {
  %mapped = call ptr @llvm.nvvm.mapa(ptr %address, i32 %rank)
  ret ptr %mapped
}

declare i1 @llvm.nvvm.is_explicit_cluster()
declare i32 @llvm.nvvm.read.ptx.sreg.cluster.ctarank()
declare i32 @llvm.nvvm.read.ptx.sreg.cluster.nctarank()
declare i32 @llvm.nvvm.read.ptx.sreg.cluster.nctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.cluster.nctaid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.cluster.nctaid.z()
declare i32 @llvm.nvvm.read.ptx.sreg.cluster.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.cluster.ctaid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.cluster.ctaid.z()
declare i32 @llvm.nvvm.read.ptx.sreg.nclusterid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.nclusterid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.nclusterid.z()
declare i32 @llvm.nvvm.read.ptx.sreg.clusterid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.clusterid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.clusterid.z()
declare void @llvm.nvvm.barrier.cluster.arrive()
declare void @llvm.nvvm.barrier.cluster.arrive.relaxed()
declare void @llvm.nvvm.barrier.cluster.wait()
declare i1 @llvm.nvvm.isspacep.shared.cluster(ptr)
declare i32 @llvm.nvvm.getctarank(ptr)
declare ptr @llvm.nvvm.mapa(ptr, i32)
declare void @llvm.nvvm.fence.sc.cluster()
