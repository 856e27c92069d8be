#include "check.h"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
__global__ void groups(const int *in, int *out) {
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<8> tile = cg::tiled_partition<8>(block);
    int mine = in[block.group_index().x * block.size() + block.thread_rank()];
    int sum = cg::reduce(tile, mine, cg::plus<int>());
    int most = cg::reduce(tile, mine, cg::greater<int>());
    if (mine % 3 == 0) {
        cg::coalesced_group active = cg::coalesced_threads();
        sum += 1000 * active.size();
    }
    block.sync();
    out[block.group_index().x * block.size() + block.thread_rank()] = sum * 100 + most % 100;
}
int main() {
    int n = 256;
    Buffer<int> in(n), out(n);
    for (int i = 0; i < n; i++) in[i] = (i * 37) % 101;
    groups<<<2, 128>>>(in.data, out.data);
    finish();
    for (int i = 0; i < n; i++) {
        int sum = 0, most = 0, threes = 0;
        for (int k = i / 8 * 8; k < i / 8 * 8 + 8; k++) sum += in[k], most = in[k] > most ? in[k] : most;
        for (int k = i / 32 * 32; k < i / 32 * 32 + 32; k++) threes += in[k] % 3 == 0;
        if (in[i] % 3 == 0) sum += 1000 * threes;
        expect("value", out[i], sum * 100 + most % 100);
    }
    std::puts("ok");
}
