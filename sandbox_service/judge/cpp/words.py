# ruff: noqa: SIM905
"""Names of C and C++, and what is done about a solution that gave one of them another meaning."""

from __future__ import annotations

NUMBERS = ("bool", "char", "double", "float", "int", "long", "short", "signed", "unsigned")
"""Honest programs say `#define int long long`, and tests then need it too; it must only stay a number."""

KEYWORDS = set(
    """
    alignas alignof asm auto break case catch class const const_cast consteval constexpr constinit continue decltype
    default delete do dynamic_cast else enum explicit export extern false final for friend goto if inline mutable
    namespace new noexcept nullptr operator override private protected public register reinterpret_cast requires
    return sizeof static static_assert static_cast struct switch template this thread_local throw true try typedef
    typeid typename union using virtual void volatile wchar_t while
    """.split()
)
KEYWORDS_OF_C = KEYWORDS - {
    "alignas", "alignof", "false", "nullptr", "static_assert", "thread_local", "true", "wchar_t",
}  # fmt: skip

LIBRARY = set(
    """
    abort abs accumulate all_of any any_of array atomic begin binary_search bitset boolalpha c_str cerr cin complex
    copy count count_if cout cref data deque distance empty end endl equal exception exit exp fabs fabsf fill find
    find_if first fixed floor fmod for_each forward forward_list free fprintf function future get hash
    initializer_list insert invalid_argument iota isalpha isdigit iterator labs length list llabs log logic_error
    lower_bound make_pair make_shared make_tuple make_unique malloc map max max_element memcmp memcpy memory memset
    min min_element move multimap multiset mutex next none_of numeric_limits ostringstream out_of_range
    overflow_error pair permutation pop_back pow prev printf priority_queue ptr push_back put puts queue quick_exit
    rand range_error rbegin ref regex rend reverse round runtime_error second set setprecision shared_ptr size sort
    sqrt srand stack std stod stoi stol str strcasecmp strcat strcmp strcpy string string_view stringstream strlen
    strncmp strstr substr swap terminate thread to_string toupper tolower transform tuple u16string u32string unique
    unique_ptr unordered_map unordered_multimap unordered_multiset unordered_set upper_bound valarray variant vector
    wstring
    """.split()
)

VALUES = ("map", "pair", "set", "string", "vector")
"""Types of the library that tests compare; a class of the solution's own in their place is none of them."""

CONSTANTS = {
    "EOF": "(-1)",
    "EXIT_FAILURE": "1",
    "EXIT_SUCCESS": "0",
    "INFINITY": "(__builtin_inff())",
    "INT_MAX": "2147483647",
    "INT_MIN": "(-2147483647 - 1)",
    "LLONG_MAX": "9223372036854775807LL",
    "LLONG_MIN": "(-9223372036854775807LL - 1)",
    "LONG_MAX": "9223372036854775807L",
    "LONG_MIN": "(-9223372036854775807L - 1)",
    "M_PI": "3.14159265358979323846",
    "NAN": '(__builtin_nanf(""))',
    "UINT_MAX": "4294967295U",
    "ULLONG_MAX": "18446744073709551615ULL",
}
"""Macros of the library with what they stand for where programs run (64-bit Linux)."""
CONSTANTS_OF_C = CONSTANTS | {"NULL": "((void *)0)", "false": "0", "true": "1"}
CONSTANTS_OF_CPP = CONSTANTS | {"NULL": "__null"}

GENUINE = ("abs", "fabs", "fabsf", "labs", "llabs", "memcmp", "strcmp", "strncmp")
"""Functions that tests compare with, which the harness has its own of."""
