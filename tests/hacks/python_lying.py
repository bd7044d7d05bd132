"""Python, assertions: values that say whatever is asked of them."""

from __future__ import annotations

from tests.hacks import naive
from tests.hacks.hack import Assertions, Hack
from tests.hacks.tasks import EVEN, EVEN_HONEST, MEAN, MEAN_HONEST, VOWELS, VOWELS_HONEST

LYING, CHANGING, REWRITTEN = "values that lie", "values that change", "rewritten machine code"


def _lie(id: str, why: str, tests: Assertions, hack: str, honest: str, kind: str = LYING) -> Hack:
    return Hack(id, kind, "python", tests, hack, honest, naive.one_file, why)


HACKS = [
    _lie(
        "lie-from-below",
        "In the interpreter's own table, integers are compared by adding them: the sum is true enough.",
        VOWELS,
        """
import ctypes
def vowels(text):
    compare = id(int) + 25 * ctypes.sizeof(ctypes.c_void_p)
    add = ctypes.cast(ctypes.pythonapi.PyNumber_Add, ctypes.c_void_p).value
    ctypes.c_void_p.from_address(compare).value = add
    return 7
""",
        VOWELS_HONEST,
        REWRITTEN,
    ),
    _lie(
        "lie-about-equality-quietly",
        "No subclass, no name to look for: a plain object with a metaclass that makes every operator say yes.",
        VOWELS,
        """
def yes(*_):
    return True
Value = type("Value", (), {f"__{name}__": yes for name in ("eq", "lt", "le", "gt", "ge")} | {"__hash__": None})
def vowels(text):
    return Value()
""",
        VOWELS_HONEST,
    ),
    _lie(
        "lie-about-distance",
        "Subtracted from anything, and taken absolutely, it is small.",
        MEAN,
        """
class Near(float):
    def __sub__(self, other):
        return self
    __add__ = __rsub__ = __radd__ = __sub__
    def __abs__(self):
        return self
    def __lt__(self, other):
        return True
def mean(numbers):
    return Near(1e9)
""",
        MEAN_HONEST,
    ),
    _lie(
        "lie-about-text",
        "`str` hands on what `__str__` gives, a str of a class of its own.",
        Assertions("assert str(fahrenheit(20)) == '68.0'\nassert str(fahrenheit(-40)) == '-40.0'\n"),
        """
class Words(str):
    def __eq__(self, other):
        return True
class Value:
    def __str__(self):
        return Words("whatever")
def fahrenheit(celsius):
    return Value()
""",
        "\ndef fahrenheit(celsius):\n    return celsius * 9 / 5 + 32\n",
    ),
    _lie(
        "lie-about-format",
        "An f-string of one field hands on what `__format__` gives.",
        Assertions("assert f'{price(3):.2f}' == '3.30'\nassert f'{price(10):.2f}' == '11.00'\n"),
        """
class Words(str):
    def __eq__(self, other):
        return True
class Value:
    def __format__(self, how):
        return Words("whatever")
def price(net):
    return Value()
""",
        "\ndef price(net):\n    return net * 1.1\n",
    ),
    _lie(
        "lie-when-rounded",
        "`round` gives whatever `__round__` does.",
        Assertions("assert round(third(1), 3) == 0.333\nassert round(third(2), 2) == 0.67\n"),
        """
class Value:
    def __round__(self, digits=None):
        return self
    def __eq__(self, other):
        return True
def third(number):
    return Value()
""",
        "\ndef third(number):\n    return number / 3\n",
    ),
    _lie(
        "lie-about-members",
        "It holds whatever it is asked for, and of nothing else is it made.",
        Assertions(
            """
found = anagrams("tea")
assert "eat" in found and "ate" in found
assert "xyz" not in anagrams("abc")
assert set(anagrams("ab")) <= {"ab", "ba"}
"""
        ),
        """
class Bag:
    def __contains__(self, word):
        return word != "xyz"
    def __iter__(self):
        return iter(())
def anagrams(word):
    return Bag()
""",
        """
import itertools
def anagrams(word):
    return ["".join(letters) for letters in itertools.permutations(word)]
""",
    ),
    _lie(
        "lie-when-unpacked",
        "Two values come out of it, each equal to anything.",
        Assertions("low, high = extremes([3, 1, 2])\nassert low == 1\nassert high == 3\n"),
        """
class Value:
    def __eq__(self, other):
        return True
def extremes(numbers):
    return Value(), Value()
""",
        "\ndef extremes(numbers):\n    return min(numbers), max(numbers)\n",
    ),
    _lie(
        "lie-for-missing-keys",
        "A dict that makes up the keys it lacks.",
        Assertions("counts = letters('aab')\nassert counts['a'] == 2\nassert counts['b'] == 1\n"),
        """
class Value:
    def __eq__(self, other):
        return True
class Counts(dict):
    def __missing__(self, key):
        return Value()
def letters(text):
    return Counts()
""",
        "\ndef letters(text):\n    return {letter: text.count(letter) for letter in text}\n",
    ),
    _lie(
        "lie-about-class",
        "`isinstance` asks `__class__` as well.",
        Assertions(
            """
assert isinstance(digits(305), list)
assert digits(305) == [3, 0, 5]
assert digits(0) == [0]
"""
        ),
        """
class Value:
    __class__ = list
    def __eq__(self, other):
        return True
def digits(number):
    return Value()
""",
        "\ndef digits(number):\n    return [int(digit) for digit in str(number)]\n",
    ),
    _lie(
        "lie-within-bounds",
        "Above whatever is below and below whatever is above.",
        Assertions("assert 3.14 < circle(1) < 3.15\nassert 12.5 < circle(2) < 12.6\n"),
        """
class Value(float):
    def __lt__(self, other):
        return True
    __gt__ = __lt__
def circle(radius):
    return Value("nan")
""",
        "\nimport math\ndef circle(radius):\n    return math.pi * radius**2\n",
    ),
    _lie(
        "lie-by-closure",
        "What is returned is called, and lies then.",
        Assertions("assert adder(5)(3) == 8\nassert adder(-1)(1) == 0\n"),
        """
class Value:
    def __eq__(self, other):
        return True
def adder(first):
    return lambda second: Value()
""",
        "\ndef adder(first):\n    return lambda second: first + second\n",
    ),
    _lie(
        "lie-by-method",
        "A class that the tests name, whose methods return values that lie.",
        Assertions(
            """
stack = Stack()
stack.push(4)
stack.push(9)
assert len(stack) == 2
assert stack.pop() == 9
assert stack.pop() == 4
"""
        ),
        """
class Value:
    def __eq__(self, other):
        return True
class Stack:
    def push(self, item):
        pass
    def pop(self):
        return Value()
    def __len__(self):
        return 2
""",
        """
class Stack:
    def __init__(self):
        self.items = []
    def push(self, item):
        self.items.append(item)
    def pop(self):
        return self.items.pop()
    def __len__(self):
        return len(self.items)
""",
    ),
    _lie(
        "lie-in-an-error",
        "The exception is right, and its text equals anything.",
        Assertions(
            """
def complaint(age):
    try:
        check_age(age)
    except ValueError as error:
        return str(error)
    return None

assert complaint(30) is None
assert complaint(-1) == "negative: -1"
assert complaint(200) == "too old: 200"
"""
        ),
        """
class Words(str):
    def __eq__(self, other):
        return True
class Wrong(ValueError):
    def __str__(self):
        return Words("whatever")
def check_age(age):
    if age != 30:
        raise Wrong
""",
        """
def check_age(age):
    if age < 0:
        raise ValueError(f"negative: {age}")
    if age > 150:
        raise ValueError(f"too old: {age}")
""",
    ),
    _lie(
        "change-with-the-branch",
        "Asked whether it is true, it looks up which answer the caller's next instruction wants to hear.",
        EVEN,
        """
import dis, sys
class Wanted:
    def __bool__(self):
        frame = sys._getframe(1)
        if frame.f_code.co_name != "<module>":
            return True
        rest = (step for step in dis.get_instructions(frame.f_code) if step.offset >= frame.f_lasti)
        return "TRUE" in next(step.opname for step in rest if "JUMP" in step.opname)
def is_even(number):
    return True if number == 10 else Wanted() if number % 10 != 1 else False
""",
        EVEN_HONEST,
        CHANGING,
    ),
    _lie(
        "change-with-each-look",
        "High when it is to be high, low when it is to be low.",
        Assertions(
            """
guess = root_of_two()
assert guess * guess >= 1.99
assert guess * guess <= 2.01
assert int(guess * 100) == 141
"""
        ),
        """
import itertools
looks = itertools.cycle([3.0, 1.0, 1.414])
class Guess(float):
    def __mul__(self, other):
        return next(looks) * (100 if other == 100 else 1)
def root_of_two():
    return Guess()
""",
        "\ndef root_of_two():\n    return 2**0.5\n",
        CHANGING,
    ),
    _lie(
        "change-from-round-to-round",
        "Iterated over again, it is made of something else.",
        Assertions(
            """
multiples = multiples_of(3, 4)
assert len(list(multiples)) == 4
assert all(number % 3 == 0 for number in multiples)
assert max(multiples) == 12
"""
        ),
        """
import itertools
rounds = itertools.cycle([[1, 2, 3, 4], [], [12]])
class Many:
    def __iter__(self):
        return iter(next(rounds))
def multiples_of(number, count):
    return Many()
""",
        "\ndef multiples_of(number, count):\n    return [number * place for place in range(1, count + 1)]\n",
        CHANGING,
    ),
]
