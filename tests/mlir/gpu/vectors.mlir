// run: --grid 1 --block 8 --arg f32[32]=iota --arg f32[32]=0 --print 1
gpu.module @kernels {
  gpu.func @vectors(%in: memref<8xvector<4xf32>>, %out: memref<8xvector<4xf32>>) kernel {
    %tid = gpu.thread_id x
    %v = memref.load %in[%tid] : memref<8xvector<4xf32>>
    %s = arith.addf %v, %v : vector<4xf32>
    %e = vector.extract %s[1] : f32 from vector<4xf32>
    %b = vector.broadcast %e : f32 to vector<4xf32>
    %t = arith.mulf %s, %b : vector<4xf32>
    %u = vector.shuffle %s, %t [0, 5, 2, 7] : vector<4xf32>, vector<4xf32>
    %w = vector.insert %e, %u[2] : f32 into vector<4xf32>
    %r = vector.reduction <add>, %w : vector<4xf32> into f32
    %z = vector.insert %r, %w[3] : f32 into vector<4xf32>
    memref.store %z, %out[%tid] : memref<8xvector<4xf32>>
    gpu.return
  }
}
