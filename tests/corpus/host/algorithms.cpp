// Loops, floats and library code that the optimiser turns inside out.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

struct Body {
    double x, y, z, mass;
};

double energy(const std::vector<Body> &bodies) {
    double total = 0;
    for (size_t i = 0; i < bodies.size(); ++i)
        for (size_t j = i + 1; j < bodies.size(); ++j) {
            double dx = bodies[i].x - bodies[j].x, dy = bodies[i].y - bodies[j].y;
            total -= bodies[i].mass * bodies[j].mass / std::sqrt(dx * dx + dy * dy + 1e-9);
        }
    return total;
}

std::string join(const std::vector<std::string> &parts, char between) {
    std::string out;
    for (const auto &part : parts) {
        if (!out.empty())
            out += between;
        out += part;
    }
    return out;
}

std::map<std::string, int> count(const std::vector<std::string> &words) {
    std::map<std::string, int> table;
    for (const auto &word : words)
        ++table[word];
    return table;
}

void order(std::vector<std::pair<int, float>> &items) {
    std::sort(items.begin(), items.end(), [](auto &a, auto &b) { return a.second > b.second; });
}

class Pool {
  public:
    void add(std::function<void()> job) {
        std::lock_guard<std::mutex> lock(mutex_);
        jobs_.push_back(std::move(job));
    }
    bool step() {
        std::function<void()> job;
        {
            std::lock_guard<std::mutex> lock(mutex_);
            if (jobs_.empty())
                return false;
            job = std::move(jobs_.back());
            jobs_.pop_back();
        }
        job();
        return true;
    }

  private:
    std::mutex mutex_;
    std::vector<std::function<void()>> jobs_;
};
bool pump(Pool &pool, std::atomic<int> &done) {
    auto kept = std::make_shared<int>(4);
    pool.add([kept, &done] { done.fetch_add(*kept, std::memory_order_release); });
    return pool.step();
}

void blur(const float *__restrict in, float *__restrict out, int n) {
#pragma clang loop vectorize_width(8) interleave_count(2)
    for (int i = 1; i + 1 < n; ++i)
        out[i] = 0.25f * in[i - 1] + 0.5f * in[i] + 0.25f * in[i + 1];
}

unsigned crc(const unsigned char *p, size_t n) {
    unsigned c = ~0u;
    while (n--) {
        c ^= *p++;
        for (int k = 0; k < 8; ++k)
            c = c & 1 ? (c >> 1) ^ 0xedb88320u : c >> 1;
    }
    return ~c;
}
