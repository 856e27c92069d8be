// Texture and surface objects in every geometry.
// make: nvcc 75 80 90a 120
// make: clang 75

extern "C" __global__ void textures(cudaTextureObject_t t, float4 *out, float x, float y, float z) {
    float4 v = tex1D<float4>(t, x);
    float f = tex2D<float>(t, x, y) + tex3D<float>(t, x, y, z) + tex1Dfetch<float>(t, (int)x);
    float2 g = tex2DLod<float2>(t, x, y, z);
    uint4 u = tex2DLayered<uint4>(t, x, y, 3);
    int2 i = tex1DLayered<int2>(t, x, 2);
    float4 c = texCubemap<float4>(t, x, y, z);
    float4 cl = texCubemapLayered<float4>(t, x, y, z, 4);
    float4 gr = tex2DGrad<float4>(t, x, y, make_float2(.1f, .2f), make_float2(.3f, .4f));
    float4 ga = tex2Dgather<float4>(t, x, y, 2);
    float4 l3 = tex3DLod<float4>(t, x, y, z, 1.f);
    float4 g3 = tex3DGrad<float4>(t, x, y, z, make_float4(1, 2, 3, 4), make_float4(5, 6, 7, 8));
    float4 l1 = tex1DLod<float4>(t, x, 2.f);
    short4 s4 = tex2D<short4>(t, x, y);
    uchar4 u4 = tex1D<uchar4>(t, x);
    out[threadIdx.x] = make_float4(v.x + f + g.y + u.z + i.x, c.x + cl.y + gr.z, ga.w + l3.x + g3.y, l1.z + s4.x + u4.w);
}

extern "C" __global__ void surfaces(cudaSurfaceObject_t s, int x, int y, int z) {
    int a = surf1Dread<int>(s, x);
    float4 b = surf2Dread<float4>(s, x, y, cudaBoundaryModeClamp);
    unsigned char c = surf3Dread<unsigned char>(s, x, y, z, cudaBoundaryModeZero);
    short2 d = surf2DLayeredread<short2>(s, x, y, z);
    longlong2 e = surf1DLayeredread<longlong2>(s, x, y);
    int4 f = surfCubemapread<int4>(s, x, y, z);
    surf1Dwrite(a + 1, s, x);
    surf2Dwrite(b, s, x, y, cudaBoundaryModeZero);
    surf3Dwrite(c, s, x, y, z, cudaBoundaryModeClamp);
    surf2DLayeredwrite(d, s, x, y, z);
    surf1DLayeredwrite(e, s, x, y);
    surfCubemapLayeredwrite(f, s, x, y, z);
}

extern "C" __global__ void queries(unsigned long long t, unsigned long long s, unsigned *out) {
    unsigned v;
    asm volatile("txq.width.b32 %0, [%1];" : "=r"(v) : "l"(t));
    out[0] = v;
    asm volatile("txq.num_mipmap_levels.b32 %0, [%1];" : "=r"(v) : "l"(t));
    out[1] = v;
    asm volatile("suq.height.b32 %0, [%1];" : "=r"(v) : "l"(s));
    out[2] = v;
    asm volatile("suq.channel_order.b32 %0, [%1];" : "=r"(v) : "l"(s));
    out[3] = v;
    float r, g, b, a;
    asm volatile("tld4.g.2d.v4.f32.f32 {%0,%1,%2,%3}, [%4, {%5,%6}];" : "=f"(r), "=f"(g), "=f"(b), "=f"(a) : "l"(t), "f"(.5f), "f"(.25f));
    out[4] = (unsigned)(r + g + b + a);
    asm volatile("suld.b.2d.b32.trap %0, [%1, {%2,%3}];" : "=r"(v) : "l"(s), "r"(4), "r"(5));
    asm volatile("sust.p.2d.b32.clamp [%0, {%1,%2}], %3;" ::"l"(s), "r"(4), "r"(5), "r"(v) : "memory");
    asm volatile("sured.b.add.2d.u32.trap [%0, {%1,%2}], %3;" ::"l"(s), "r"(4), "r"(5), "r"(v) : "memory");

}
