# ruff: noqa: E501
"""Right solutions whose tests use much of the language: none of them may be touched by what the harness does."""

from __future__ import annotations

HONEST = {
    "all-kinds-of-values": (
        r"""
#include <bits/stdc++.h>
using namespace std;
struct P { int x, y; bool operator==(P o) { return x == o.x && y == o.y; } };
struct Q { int a; friend bool operator==(const Q& l, const Q& r) { return l.a == r.a; } };
bool operator!=(const Q& l, const Q& r) { return !(l == r); }
P point(int x) { return {x, x}; }
Q quu(int a) { return {a}; }
map<string, vector<int>> groups() { return {{"a", {1, 2}}, {"b", {}}}; }
set<int> uniq(vector<int> v) { return set<int>(v.begin(), v.end()); }
unordered_map<char, int> counts(string s) { unordered_map<char, int> m; for (char c : s) m[c]++; return m; }
tuple<int, string, double> triple() { return make_tuple(1, "x", 2.5); }
optional<int> maybe(bool b) { if (b) return 3; return nullopt; }
vector<bool> flags() { return {true, false}; }
pair<int, vector<string>> both() { return {1, {"p", "q"}}; }
const char* text() { return "hello"; }
int* nothing() { return nullptr; }
unique_ptr<int> owned() { return make_unique<int>(4); }
shared_ptr<int> none() { return nullptr; }
enum class Color { Red, Green };
enum Plain { ONE = 1, TWO };
Color color() { return Color::Green; }
Plain plain() { return TWO; }
array<int, 3> arr() { return {1, 2, 3}; }
list<int> lst() { return {1, 2}; }
deque<string> deq() { return {"a"}; }
complex<double> cpx() { return {1, 2}; }
string_view view() { return "view"; }
long long big() { return 1LL << 40; }
unsigned char byte_() { return 200; }
double third() { return 1.0 / 3; }
vector<vector<int>> grid() { return {{1, 2}, {3}}; }
bitset<4> bits() { return bitset<4>(5); }
function<int(int)> adder(int n) { return [n](int x) { return x + n; }; }
auto lambda_adder(int n) { return [n](int x) { return x + n; }; }
void nop() {}
vector<int>& global() { static vector<int> v{1, 2}; return v; }
void mutate(vector<int>& v) { v.push_back(9); }
template <class T> T twice(T t) { return t + t; }
struct Node { int val; Node* next; };
Node* build() { static Node n{7, nullptr}; return &n; }
wstring wide() { return L"w"; }
""",
        r"""
#undef NDEBUG
#include <cassert>
template <typename T> bool same_(T a, T b) { return a == b; }
static int helper(int x) { if (x == 0) return 1; else return x; }
struct Fixture { int n = 0; bool check() { return n == 3; } };
int main() {
    assert(point(1) == point(1));
    P here = point(2);
    P there{2, 2};
    assert(here == there);
    Q first = quu(1); assert(first == quu(1) && quu(1) != quu(2));
    assert((groups() == map<string, vector<int>>{{"a", {1, 2}}, {"b", {}}}));
    assert((uniq({1, 1, 2}) == set<int>{1, 2}));
    assert((counts("aab") == unordered_map<char, int>{{'a', 2}, {'b', 1}}));
    assert(counts("aab")['a'] == 2);
    assert((triple() == make_tuple(1, string("x"), 2.5)));
    assert(get<0>(triple()) == 1);
    assert(maybe(true) == 3 && !maybe(false) && maybe(false) == nullopt);
    assert(maybe(true).value() == 3);
    assert((flags() == vector<bool>{true, false}));
    assert(flags()[0] == true);
    assert((both() == pair<int, vector<string>>(1, {"p", "q"})));
    assert(both().first == 1 && both().second.size() == 2);
    assert(string(text()) == "hello" && strcmp(text(), "hello") == 0 && text() == string("hello"));
    assert(nothing() == NULL); assert(nothing() == nullptr); assert(nothing() == 0); assert(!nothing());
    assert(*owned() == 4); assert(none() == nullptr); assert(owned() != nullptr);
    assert(color() == Color::Green && color() != Color::Red);
    assert(plain() == TWO && plain() == 2);
    assert((arr() == array<int, 3>{1, 2, 3}));
    assert((lst() == list<int>{1, 2})); assert((deq() == deque<string>{"a"}));
    assert(cpx() == complex<double>(1, 2)); assert(abs(cpx()) > 2.2); assert(std::abs(cpx() - complex<double>(1, 2)) < 1e-9);
    assert(view() == "view"); assert(view() == string("view"));
    assert(big() == 1099511627776LL); assert(byte_() == 200); assert(big() != 0);
    assert(abs(third() - 0.33333) < 1e-4); assert(fabs(third() - 0.33333) < 1e-4); assert(std::fabs(third() - 1) > 0.5);
    assert((grid() == vector<vector<int>>{{1, 2}, {3}}));
    assert(bits() == bitset<4>(5)); assert(bits().count() == 2);
    assert(adder(1)(2) == 3); assert(lambda_adder(1)(2) == 3);
    auto add = lambda_adder(5); assert(add(1) == 6);
    auto f = adder(2); assert(f(3) == 5);
    function<int(int)> g = lambda_adder(1); assert(g(1) == 2);
    nop(); (void)nop();
    assert((nop(), true));
    global().push_back(3); assert(global().size() == 3u); global()[0] = 5; assert(global()[0] == 5);
    auto& ref = global(); ref.pop_back(); assert(global().size() == 2);
    vector<int> v; mutate(v); assert(v == vector<int>{9});
    vector<int> made(3, 1); assert(made.size() == 3);
    assert(twice<int>(2) == 4); assert(twice(string("a")) == "aa"); assert(twice(2) == 4);
    Node* node = build(); assert(node->val == 7 && node->next == NULL); assert(build()->next == nullptr);
    assert(wide() == L"w");
    auto [one, rest] = both(); assert(one == 1); assert(rest.size() == 2);
    for (auto& [key, value] : groups()) assert(key == "a" || value.empty());
    for (auto it = v.begin(); it != v.end(); ++it) assert(*it == 9);
    for (int i = 0; i < 3; i++) assert(helper(i) != 7);
    Fixture fixture; fixture.n = helper(3); assert(fixture.check());
    assert(same_(helper(0), 1)); assert(same_<string>("a", "a"));
    int count = count_if(v.begin(), v.end(), [](int x) { return x == 9; }); assert(count == 1);
    static_assert(sizeof(int) == 4, "x");
    constexpr int N = 3; int table[N == 3 ? 2 : 1] = {1, 2}; assert(table[1] == 2);
    switch (helper(2)) { case 1 == 2 ? 5 : 2: assert(true); break; default: assert(false); }
    bool threw = false;
    try { vector<int>().at(1); } catch (const out_of_range& e) { threw = true; assert(string(e.what()) != ""); }
    assert(threw == true);
    string joined; for (auto s : both().second) joined += s; assert(joined == "pq");
    { auto local = grid(); assert(local[1][0] == 3); assert(local.size() == 2); }
    assert(max(helper(2), 3) == 3);
    int x = 5; x = x == 5 ? 6 : 7; assert(x == 6);
    const auto copy = groups(); assert(copy.at("a").size() == 2 && copy.count("z") == 0);
    assert(!(helper(1) == 2) && (helper(1) == 1) == true);
    cout << helper(3) << " " << third() << endl;
    printf("%d\n", helper(4));
    if (helper(2) == 2) { assert(1 == 1); } else { assert(0); }
    assert(all_of(v.begin(), v.end(), [&](int i) { return i == 9; }));
    stringstream ss; ss << 5; assert(ss.str() == "5");
    assert(v.front() == 9 and not v.empty());
    return 0;
}
""",
    ),
    "classes": (
        r"""
#include <vector>
#include <string>
#include <unordered_map>
using namespace std;
class Solution {
public:
    vector<int> twoSum(vector<int>& nums, int target) {
        unordered_map<int, int> seen;
        for (int i = 0; i < (int)nums.size(); i++) { if (seen.count(target - nums[i])) return {seen[target - nums[i]], i}; seen[nums[i]] = i; }
        return {};
    }
    bool isPalindrome(int x) { string s = to_string(x); return s == string(s.rbegin(), s.rend()); }
    static double half(double x) { return x / 2; }
};
template <class T> class Stack { vector<T> v; public: void push(T t) { v.push_back(t); } T pop() { T t = v.back(); v.pop_back(); return t; } bool empty() const { return v.empty(); } size_t size() const { return v.size(); } bool operator==(const Stack& o) const { return v == o.v; } };
struct Fraction { long n, d; Fraction(long a, long b) : n(a), d(b) {} bool operator==(const Fraction& o) const { return n * o.d == o.n * d; } bool operator<(const Fraction& o) const { return n * o.d < o.n * d; } Fraction operator+(const Fraction& o) const { return Fraction(n * o.d + o.n * d, d * o.d); } operator double() const { return double(n) / d; } bool operator==(int i) const { return n == i * d; } };
struct MinMax { int min, max; };
MinMax minmax_(vector<int> v) { MinMax r{v[0], v[0]}; for (int x : v) { if (x < r.min) r.min = x; if (x > r.max) r.max = x; } return r; }
namespace geo { struct Vec { double x, y; Vec operator+(Vec o) const { return {x + o.x, y + o.y}; } bool operator==(const Vec& o) const { return x == o.x && y == o.y; } }; Vec unit() { return {1, 0}; } }
typedef struct tree { int v; struct tree *l; bool operator==(const struct tree& o) const { return v == o.v; } } Tree;
Tree leaf(int v) { return {v, nullptr}; }
using Alias = geo::Vec;
Alias zero() { return {0, 0}; }
class Counter { int n = 0; public: Counter& add() { n++; return *this; } int get() const { return n; } };
Stack<int> filled() { Stack<int> s; s.push(1); return s; }
""",
        r"""
#include <cassert>
void test_two_sum() {
    Solution s;
    vector<int> nums = {2, 7, 11, 15};
    assert((s.twoSum(nums, 9) == vector<int>{0, 1}));
    vector<int> a{3, 3};
    vector<int> got = Solution().twoSum(a, 6);
    assert(got.size() == 2 && got[0] == 0);
    Solution* p = new Solution();
    assert(p->isPalindrome(121)); assert(!p->isPalindrome(12));
    delete p;
    assert(Solution::half(3) == 1.5);
}
int main(void) {
    test_two_sum();
    Stack<int> st; st.push(3); assert(st.size() == 1); assert(st.pop() == 3); assert(st.empty());
    assert(filled().size() == 1); assert(filled() == filled());
    assert(Fraction(1, 2) == Fraction(2, 4));
    assert(Fraction(1, 2) + Fraction(1, 2) == 1);
    assert((Fraction(1, 3) + Fraction(1, 6)) == Fraction(1, 2));
    assert(Fraction(1, 3) < Fraction(1, 2));
    assert(double(Fraction(1, 2)) == 0.5);
    Fraction f(3, 4); assert(f.n == 3); assert(f == Fraction(6, 8));
    auto r = minmax_({3, 1, 2}); assert(r.min == 1); assert(r.max == 3);
    assert(minmax_({5}).min == 5);
    auto [lo, hi] = minmax_({4, 2}); assert(lo == 2 && hi == 4);
    geo::Vec u = geo::unit(); assert(u + u == (geo::Vec{2, 0})); assert(geo::unit().x == 1);
    assert(geo::unit() == u);
    assert(leaf(3) == (Tree{3, nullptr})); assert(leaf(3).l == nullptr);
    Alias z = zero(); assert(z == zero());
    assert(Counter().add().add().get() == 2);
    Counter c; c.add(); c.add().add(); assert(c.get() == 3);
}
""",
    ),
    "int-is-long-long": (
        r"""
#include <iostream>
#include <vector>
#define int long long
#define all(x) begin(x), end(x)
#define pb push_back
using namespace std;
int square(int x) { return x * x; }
vector<int> firsts(int n) { vector<int> r; for (int i = 0; i < n; i++) r.pb(i); return r; }
""",
        r"""
#include <cassert>
int main(int argc, char* argv[]) {
    assert(square(3000000000) == 9000000000000000000LL);
    vector<int> x = firsts(3);
    assert(x == firsts(3)); assert((x == vector<int>{0, 1, 2}));
    int n = 0; for (int i = 0; i < 3; i++) n += x[i];
    assert(n == 3);
    return 0;
}
""",
    ),
    "comparator-of-the-same-name": (
        r"""
#include <bits/stdc++.h>
using namespace std;
bool compare(int a, int b) { return a < b; }
vector<int> order(vector<int> v) { sort(v.begin(), v.end(), compare); return v; }
""",
        r"""
template <typename T> bool compare(T a, T b) {
    return a == b;
}
int main(int argc, char* argv[]) {
    vector<int> x0 = order({2, 1});
    if (!(compare(x0, {1, 2}))) {
        throw runtime_error("Exception -- test case 0 did not pass.");
    }
    int x1 = order({2, 1})[0];
    if (!compare(x1, 1)) throw runtime_error("x");
    return 0;
}
""",
    ),
    "macros-of-the-tests": (
        r"""
int inc(int x) { return x + 1; }
struct hidden { int v; };
""",
        r"""
#include <cassert>
#include <cstdio>
#include <cstdlib>
#define CHECK(a, b) do { if (!((a) == (b))) { printf("%s == %s\n", #a, #b); failures++; } } while (0)
#define TRUE_(x) assert(x)
static int failures = 0;
extern int inc(int);
int main() {
    CHECK(inc(1), 2);
    TRUE_(inc(2) == 3);
    if (failures != 0) { return 1; }
    exit(EXIT_SUCCESS);
}
""",
    ),
    "many-ways-out": (
        r"""int inc(int x) { return x + 1; }
""",
        r"""
#include <vector>
bool ok() { return inc(1) == 2; }
int run() { if (!ok()) return 1; return 0; }
int main() {
    auto check = [](int x) { return x == 2; };
    if (!check(inc(1))) { return 1; }
    if (inc(3) == 4) { return run(); } else { return 2; }
}
""",
    ),
    "no-newline-at-the-end": (
        r"""int inc(int x) { return x + 1; } // no newline
""",
        r"""auto main() -> int { int failed = 0; if (inc(1) != 2) failed++; return failed; }
""",
    ),
    "members-named-like-functions": (
        r"""
struct ListNode { int val; ListNode* next; ListNode(int x) : val(x), next(nullptr) {} };
int length(ListNode* head) { int n = 0; while (head) { n++; head = head->next; } return n; }
int val(int x) { return x; }
int next(int x) { return x + 1; }
""",
        r"""
#include <cassert>
struct Pair { int val, next; Pair(int v) : val(v), next(v + 1) {} int sum() const { return val + next; } int get() { return ::val(val); } };
ListNode* make(int n) { ListNode* head = nullptr; for (int i = 0; i < n; i++) { ListNode* node = new ListNode(i); node->next = head; head = node; } return head; }
int main() {
    assert(length(make(3)) == 3); assert(length(nullptr) == 0);
    assert(Pair(1).sum() == 3); assert(Pair(4).get() == 4);
    assert(val(3) == 3); assert(next(3) == 4);
    int (*fp)(int) = next; assert(fp(1) == 2);
    int values[] = {val(1), next(1)}; assert(values[1] == 2);
}
""",
    ),
}
