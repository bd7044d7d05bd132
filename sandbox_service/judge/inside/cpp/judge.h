/* What a test text needs in order to report its cases. It is read before a line of the solution.
 *
 * JUDGE stands for a name that is made of the solution and the test text: neither can know it. Nothing is included
 * here, for that would cost more time than all the rest and change what the solution finds declared. C and C++11.
 */
#pragma GCC system_header /* no warnings of ours among those of the submission */
#undef __BASE_FILE__      /* the name of the file that the test text is in */

#ifdef __cplusplus
extern "C" {
#endif
typedef int JUDGE_int; /* for `main`: the solution may have made `int` something else */
typedef unsigned long long JUDGE_key;
int JUDGE_begin(unsigned number);
int JUDGE_pass(unsigned number, JUDGE_key key);
int JUDGE_fail(unsigned number);
int JUDGE_burn(void);
extern const volatile unsigned char *JUDGE_flag; /* 1, but 0 in a forked process */
int JUDGE_alive(void);
int JUDGE_done(JUDGE_key key);
int JUDGE_known(const char *type);
int JUDGE_vet(const char *type);
void JUDGE_exit(JUDGE_key key, int code) __attribute__((noreturn));
int JUDGE_strcmp(const char *one, const char *other);
int JUDGE_strncmp(const char *one, const char *other, unsigned long most);
int JUDGE_memcmp(const void *one, const void *other, unsigned long size);
#ifdef __cplusplus
}
#endif

/* `?:` makes a condition of anything, and takes no name that a solution could have given another meaning. */
#ifndef __cplusplus
#define JUDGE_assert(number, key, ...) \
    ((void)(JUDGE_begin(number), (__VA_ARGS__) ? JUDGE_pass(number, key) : JUDGE_fail(number)))
#define JUDGE_abs __builtin_abs
#define JUDGE_labs __builtin_labs
#define JUDGE_llabs __builtin_llabs
double JUDGE_fabs(double x);
float JUDGE_fabsf(float x);
#else
#define JUDGE_assert(number, key, ...) \
    ((void)(JUDGE::begin(number), (__VA_ARGS__) ? JUDGE::pass(number, key) : JUDGE_fail(number)))
#define JUDGE_abs JUDGE::absolute
#define JUDGE_labs JUDGE::absolute
#define JUDGE_llabs JUDGE::absolute
#define JUDGE_fabs JUDGE::absolute_real
#define JUDGE_fabsf JUDGE::absolute_real
#endif
/* An assertion of a macro of the test text: no case of its own, and none can be passed once it has failed. */
#define JUDGE_extra(...) ((void)((__VA_ARGS__) ? 0 : JUDGE_burn()))

#ifdef __cplusplus
namespace JUDGE {

constexpr int begin(unsigned number) { return __builtin_is_constant_evaluated() ? 0 : JUDGE_begin(number); }
constexpr int pass(unsigned number, JUDGE_key key) {
    return __builtin_is_constant_evaluated() ? 0 : JUDGE_pass(number, key);
}

/* --- What types are ------------------------------------------------------------------------------------------- */

template <bool, class T> struct when {};
template <class T> struct when<true, T> { typedef T type; };

template <class T> struct bare { typedef T type; };
template <class T> struct bare<const T> : bare<T> {};
template <class T> struct bare<volatile T> : bare<T> {};
template <class T> struct bare<const volatile T> : bare<T> {};

template <class T> constexpr const char *pretty() { return __PRETTY_FUNCTION__; } /* "... [with T = NAME]" */
constexpr const char *after_equals(const char *text) { return *text == '=' ? text + 2 : after_equals(text + 1); }
constexpr bool starts(const char *text, const char *with) {
    return !*with || (*text == *with && starts(text + 1, with + 1));
}
template <class T> constexpr const char *name() { return after_equals(pretty<typename bare<T>::type>()); }

template <class T> constexpr bool is_enum() { return __is_enum(T); }
template <class T> constexpr bool is_class() { return __is_class(T) || __is_union(T); }
template <class T> constexpr bool is_library() {
    return is_class<T>() && (starts(name<T>(), "std::") || starts(name<T>(), "__gnu_cxx::"));
}
template <class T> constexpr bool is_own() { return is_class<T>() && !is_library<T>(); }
template <class T> constexpr bool is_pair() { return is_class<T>() && starts(name<T>(), "std::pair<"); }

template <class T> struct is_pointer { static constexpr bool value = false; };
template <class T> struct is_pointer<T *> { static constexpr bool value = true; };

template <class T> struct is_number { static constexpr bool value = false, whole = false; };
template <class T> struct is_number<const T> : is_number<T> {};
#define JUDGE_NUMBER(T, WHOLE) \
    template <> struct is_number<T> { static constexpr bool value = true, whole = WHOLE; };
JUDGE_NUMBER(bool, true)
JUDGE_NUMBER(char, true)
JUDGE_NUMBER(signed char, true)
JUDGE_NUMBER(unsigned char, true)
JUDGE_NUMBER(short, true)
JUDGE_NUMBER(unsigned short, true)
JUDGE_NUMBER(int, true)
JUDGE_NUMBER(unsigned, true)
JUDGE_NUMBER(long, true)
JUDGE_NUMBER(unsigned long, true)
JUDGE_NUMBER(long long, true)
JUDGE_NUMBER(unsigned long long, true)
JUDGE_NUMBER(__int128, true)
JUDGE_NUMBER(unsigned __int128, true)
JUDGE_NUMBER(float, false)
JUDGE_NUMBER(double, false)
JUDGE_NUMBER(long double, false)

/* --- Equal by value -------------------------------------------------------------------------------------------
 *
 * `one == other` of the test text is compiled as `one == JUDGE::eq == other`, which comes here. Values of the library
 * are compared by their elements, without an operator or a function that the solution could have put in between.
 */

/* Overloads of `value`, best first. As an argument it also makes names of this namespace be found. */
template <int N> struct rank : rank<N - 1> {};
template <> struct rank<0> {};

template <class A, class B> constexpr auto same(A &a, B &b, rank<1>) -> decltype(value(a, b, rank<6>()));
template <class A, class B> constexpr auto same(A &a, B &b, rank<0>) -> decltype(a == b);

template <class T> constexpr auto has_order(T *it) -> decltype((void)it->bucket_count(), true) { return false; }
constexpr bool has_order(const volatile void *) { return true; }

template <class T> constexpr const volatile void *place(T &it) { return __builtin_addressof(it); }
template <class T> constexpr const volatile void *place(const T &&) { return 0; }

/* Two containers that own their elements do not have the same ones, unless an allocator lies. */
template <class T>
auto shared(const T &a, const T &b) -> decltype((void)a.get_allocator(), true) {
    return &reinterpret_cast<const char &>(a) != &reinterpret_cast<const char &>(b) && a.size() &&
           place(*a.begin()) && place(*a.begin()) == place(*b.begin());
}
inline bool shared(...) { return false; }

/* A type of the solution's own beside one of the language's or the library's: only if the test text knows that type.
 * Another counts for what it can be turned into. */
template <class To, class From> auto turned(From &from, To &to, rank<1> r) -> decltype((void)static_cast<To>(from), true) {
    const To value = static_cast<To>(from);
    return same(value, to, r);
}
template <class To, class From> bool turned(From &, To &, rank<0>) { return false; }

template <class A, class B>
auto value(A &a, B &b, rank<6> r) -> typename when<is_own<A>() && !is_own<B>(), decltype(bool(a == b))>::type {
    return JUDGE_known(name<A>()) ? bool(a == b) : turned<typename bare<B>::type>(a, b, r);
}
template <class A, class B>
auto value(A &a, B &b, rank<6> r) -> typename when<!is_own<A>() && is_own<B>(), decltype(bool(a == b))>::type {
    return JUDGE_known(name<B>()) ? bool(a == b) : turned<typename bare<A>::type>(b, a, r);
}

template <class A, class B>
auto value(A &a, B &b, rank<5> r) -> typename when<is_library<A>() && is_library<B>() && has_order((A *)0),
    decltype((void)a.begin(), (void)b.begin(), a.size() == b.size())>::type {
    if (a.size() != b.size() || shared(a, b)) return false;
    auto one = a.begin();
    auto other = b.begin();
    for (auto left = a.size(); left; --left, (void)++one, (void)++other) {
        auto &&left_item = *one;
        auto &&right_item = *other;
        if (!same(left_item, right_item, r)) return false;
    }
    return true;
}

template <class A, class B>
constexpr auto value(A &a, B &b, rank<4> r) -> typename when<is_pair<A>() && is_pair<B>(), bool>::type {
    return same(a.first, b.first, r) && same(a.second, b.second, r);
}

template <class S, class C> bool spelled(S &text, const C *with) {
    unsigned long at = 0;
    for (; at < text.size(); ++at)
        if (with[at] == C() || with[at] != text[at]) return false;
    return with[at] == C();
}
template <class A>
auto value(A &a, const typename A::value_type *b, rank<3>) -> typename when<is_library<A>(),
    decltype((void)a.c_str(), true)>::type {
    return spelled(a, b);
}
template <class B>
auto value(const typename B::value_type *a, B &b, rank<3>) -> typename when<is_library<B>(),
    decltype((void)b.c_str(), true)>::type {
    return spelled(b, a);
}

/* Operators can be overloaded for enumerations too. */
template <class T, bool = is_enum<T>()> struct number_of { typedef T type; };
template <class T> struct number_of<T, true> { typedef __underlying_type(T) type; };
template <class T> constexpr bool is_numeric() { return is_number<T>::value || is_enum<T>(); }
template <class A, class B>
constexpr auto value(A &a, B &b, rank<2>) -> typename when<
    (is_enum<A>() || is_enum<B>()) && is_numeric<A>() && is_numeric<B>(), bool>::type {
    return (typename number_of<typename bare<A>::type>::type)a == (typename number_of<typename bare<B>::type>::type)b;
}

/* `pointer == NULL`: handed on, a literal zero is a number like any other. */
template <class A, class B>
constexpr auto value(A &a, B &b, rank<2>) -> typename when<
    is_pointer<typename bare<A>::type>::value && is_number<B>::whole, bool>::type {
    return a == (typename bare<A>::type)(unsigned long)b;
}
template <class A, class B>
constexpr auto value(A &a, B &b, rank<2>) -> typename when<
    is_number<A>::whole && is_pointer<typename bare<B>::type>::value, bool>::type {
    return (typename bare<B>::type)(unsigned long)a == b;
}

template <class A, class B> constexpr auto same(A &a, B &b, rank<1>) -> decltype(value(a, b, rank<6>())) {
    return value(a, b, rank<6>());
}
template <class A, class B> constexpr auto same(A &a, B &b, rank<0>) -> decltype(a == b) { return a == b; }
template <class A, class B> constexpr auto differ(A &a, B &b, rank<1>) -> decltype(value(a, b, rank<6>())) {
    return !value(a, b, rank<6>());
}
template <class A, class B> constexpr auto differ(A &a, B &b, rank<0>) -> decltype(a != b) { return a != b; }

struct equal_sign {};
struct differ_sign {};
constexpr equal_sign eq{};
constexpr differ_sign ne{};
template <class A, class Sign> struct half { A &&value; };

constexpr int alive() { return __builtin_is_constant_evaluated() || *JUDGE_flag ? 0 : JUDGE_alive(); }
template <class A> constexpr half<A, equal_sign> operator==(A &&a, equal_sign) {
    return half<A, equal_sign>{static_cast<A &&>(a)};
}
template <class A> constexpr half<A, differ_sign> operator!=(A &&a, differ_sign) {
    return half<A, differ_sign>{static_cast<A &&>(a)};
}
template <class A, class B>
constexpr auto operator==(half<A, equal_sign> a, B &&b) -> decltype(same(a.value, b, rank<1>())) {
    return (void)alive(), same(a.value, b, rank<1>());
}
template <class A, class B>
constexpr auto operator!=(half<A, differ_sign> a, B &&b) -> decltype(differ(a.value, b, rank<1>())) {
    return (void)alive(), differ(a.value, b, rank<1>());
}
/* `one << JUDGE::eq << other`: the same, but what is expected is not made before the solution has answered. */
template <class A> constexpr half<A, equal_sign> operator<<(A &&a, equal_sign) {
    return half<A, equal_sign>{static_cast<A &&>(a)};
}
template <class A> constexpr half<A, differ_sign> operator<<(A &&a, differ_sign) {
    return half<A, differ_sign>{static_cast<A &&>(a)};
}
template <class A, class B>
constexpr auto operator<<(half<A, equal_sign> a, B &&b) -> decltype(same(a.value, b, rank<1>())) {
    return (void)alive(), same(a.value, b, rank<1>());
}
template <class A, class B>
constexpr auto operator<<(half<A, differ_sign> a, B &&b) -> decltype(differ(a.value, b, rank<1>())) {
    return (void)alive(), differ(a.value, b, rank<1>());
}

/* --- Values of the solution's own classes --------------------------------------------------------------------- */

struct checked_sign {};
constexpr checked_sign checked{};
template <class T> constexpr typename when<is_own<T>(), int>::type vet(T *) { return JUDGE_vet(name<T>()); }
constexpr int vet(const volatile void *) { return 0; }
template <class T> struct plain { typedef T type; };
template <class T> struct plain<T &> { typedef T type; };

/* `(f(1), JUDGE::checked)`: a comma, so that `f` may return nothing. What it returns stays as it is. */
template <class T> constexpr T operator,(T &&it, checked_sign) {
    return (void)vet((typename bare<typename plain<T>::type>::type *)0), static_cast<T &&>(it);
}

/* --- Functions of the library that a solution could have overloaded ------------------------------------------- */

/* What is no number is far from any: `if (abs(a - b) > 1e-4) return false;` is not to be passed by it. */
template <class T>
constexpr auto absolute(T x) -> typename when<is_number<T>::value || is_enum<T>(), decltype(+x)>::type {
    return x < 0 ? -x : x == x ? +x : decltype(+x)(__builtin_inf());
}
template <class T>
constexpr auto absolute(const T &x) -> typename when<is_class<T>(), decltype(abs(x))>::type {
    return abs(x);
}
template <class T>
constexpr auto absolute_real(T x) -> typename when<is_number<T>::value && !is_number<T>::whole, T>::type {
    return absolute(x);
}
template <class T>
constexpr auto absolute_real(T x) -> typename when<is_number<T>::whole || is_enum<T>(), double>::type {
    return x < 0 ? -double(x) : double(x);
}

} // namespace JUDGE
#endif
