// C++ of many kinds: exceptions, virtual tables, templates, static locals, lambdas, member pointers.
namespace std {
class type_info;
}
extern "C" int printf(const char *, ...);

struct Resource {
    int id;
    explicit Resource(int i) : id(i) {}
    ~Resource();
};
Resource::~Resource() { printf("%d\n", id); }

struct Failure {
    virtual ~Failure() {}
    virtual const char *what() const { return "failure"; }
};
struct Deep : Failure, virtual Resource {
    Deep() : Resource(3) {}
    const char *what() const override { return "deep"; }
};

int risky(int n) {
    Resource r(n);
    if (n > 3)
        throw Deep();
    if (n < 0)
        throw n;
    return n;
}

int guarded(int n) {
    try {
        Resource outer(1);
        try {
            return risky(n);
        } catch (const Failure &f) {
            return f.what()[0];
        } catch (int v) {
            Resource inner(v);
            if (v == -7)
                throw;
            return v;
        }
    } catch (...) {
        return -100;
    }
}

int never(int n) noexcept { return risky(n); }

struct Once {
    Once();
    ~Once();
    int value;
};
int first_time() {
    static Once once;
    return once.value;
}
Once global_once;
thread_local Once thread_once;
int from_thread() { return thread_once.value; }

template <typename T, int N> struct Array {
    T items[N];
    template <typename F> T fold(T start, F f) const {
        for (const T &item : items)
            start = f(start, item);
        return start;
    }
};
template <typename... Ts> auto total(Ts... values) { return (values + ... + 0); }
inline int shared_inline = 5;
template <typename T> T variable = T(3);

double templates(const Array<double, 8> &a, const Array<short, 3> &b) {
    int bias = shared_inline;
    return a.fold(0.0, [&](double x, double y) { return x + y * bias; }) +
           b.fold(short(0), [](short x, short y) { return short(x ^ y); }) + total(1, 2.5f, 3L) + variable<float>;
}

typedef const char *(Failure::*Method)() const;
const char *through(Failure &f, Method m) { return (f.*m)(); }
int Resource::*field = &Resource::id;

struct Tree {
    Tree *left, *right;
    long key;
};
Tree *insert(Tree *t, long key) {
    if (!t)
        return new Tree{nullptr, nullptr, key};
    (key < t->key ? t->left : t->right) = insert(key < t->key ? t->left : t->right, key);
    return t;
}
void drop(Tree *t) {
    if (!t)
        return;
    drop(t->left);
    drop(t->right);
    delete t;
}
Failure *convert(Resource *) ;
const std::type_info *kind(Failure *f);
Deep *down(Failure *f) { return dynamic_cast<Deep *>(f); }
