"""Expressions of Python that are hard to send, to compare, or to look at."""

from __future__ import annotations

from hypothesis import strategies as st

SIZES = st.sampled_from([1, 50, 1000, 20_000, 400_000])
DUNDERS = [
    "__eq__", "__ne__", "__lt__", "__hash__", "__bool__", "__len__", "__iter__", "__next__", "__repr__", "__str__",
    "__format__", "__int__", "__float__", "__index__", "__complex__", "__contains__", "__getitem__", "__call__",
    "__getattribute__", "__getattr__", "__reduce__", "__reduce_ex__", "__class__", "__dir__", "__del__", "__sizeof__",
    "__instancecheck__", "__enter__", "__exit__", "__await__", "__copy__", "__deepcopy__", "__radd__", "__bytes__",
]  # fmt: skip
BODIES = [
    "raise ValueError('no')",
    "raise SystemExit(0)",
    "raise KeyboardInterrupt",
    "raise BaseException('x' * 100_000)",
    "os._exit(0)",
    "return self",
    "return True",
    "return 1 << 5000",
    "return 'x' * 1_000_000",
    "return float('nan')",
    "return NotImplemented",
    "return iter(int, 1)",
    "return self.__init__()",
    "sys.setrecursionlimit(10**6); return type(self)",
    "while True: pass",
]
PLAIN = [
    "None", "0", "42", "-0.0", "float('nan')", "float('inf')", "complex('nan')", "''", "'\\ud800'", "b'\\xff\\x00'",
    "'\\x00' * 9", "...", "NotImplemented", "range(10**30)", "slice(None, 10**40, object())", "sys", "type", "object()",
    "lambda: 0", "open('/proc/self/mem', 'rb')", "sys._getframe()", "iter(int, 1)", "(n for n in iter(int, 1))",
    "map(print, [1])", "zip()", "memoryview(b'abc')", "bytearray(10)", "frozenset({frozenset()})", "Exception('x')",
    "__import__('decimal').Decimal('sNaN')", "__import__('fractions').Fraction(1, 3)",
    "array.array('d', [float('nan')])",
    "__import__('datetime').datetime.max", "collections.deque([1], 3)", "collections.defaultdict(lambda: os._exit(0))",
    "collections.namedtuple('int', 'a b')(1, [2])", "types.SimpleNamespace(__class__=int)", "threading.Lock()",
]  # fmt: skip


@st.composite
def objects(draw: st.DrawFn) -> str:
    """An instance of a class whose special methods do harm."""
    base = draw(
        st.sampled_from(["", "int", "str", "list", "dict", "float", "tuple", "Exception", "BaseException", "type"])
    )
    names = draw(st.lists(st.sampled_from(DUNDERS), min_size=1, max_size=6, unique=True))
    methods = [f"{name!r}: code({draw(st.sampled_from(BODIES))!r})" for name in names]
    called = draw(st.sampled_from(["int", "list", "Odd", "NoneType"]))
    meta = draw(st.sampled_from(["type", "type", "type", "Meta"])) if base != "type" else "type"
    arguments = "('x', (), {})" if base == "type" else "()"
    return f"{meta}({called!r}, ({base or 'object'},), {{{', '.join(methods)}}}){arguments}"


@st.composite
def large(draw: st.DrawFn) -> str:
    """Something big, deep or endless."""
    size = draw(SIZES)
    shapes = [
        f"1 << {size * 10}",
        f"-(3 ** {size // 4 + 1})",
        f"'é' * {size * 20}",
        f"b'\\xff' * {size * 20}",
        f"list(range({size}))",
        f"dict.fromkeys(range({size}))",
        f"nested(list, {size // 4 + 1})",
        f"nested(tuple, {size // 4 + 1})",
        f"nested(dict, {size // 4 + 1})",
        f"[[]] * {size}",
        "looped([])",
        "looped({})",
        f"(n for n in range({size * 100}))",
        f"[object() for _ in range({size})]",
        f"float(10**300) * {size}",
    ]
    return draw(st.sampled_from(shapes))


def values() -> st.SearchStrategy[str]:
    """Any of these, also inside containers."""
    leaves = st.one_of(st.sampled_from(PLAIN), objects(), large())

    def inside(children: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        several = st.lists(children, min_size=1, max_size=3)
        return st.one_of(
            several.map(lambda items: f"[{', '.join(items)}]"),
            several.map(lambda items: f"({', '.join(items)},)"),
            several.map(lambda items: "{" + ", ".join(f"{n}: {item}" for n, item in enumerate(items)) + "}"),
            children.map(lambda item: f"iter([{item}])"),
        )

    return st.recursive(leaves, inside, max_leaves=4)
