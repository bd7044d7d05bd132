"""Tasks that several hacks share, and right programs for them."""

from __future__ import annotations

from tests.hacks.hack import Assertions, Function, Stdio

VOWELS = Assertions(
    """
def check(candidate):
    assert candidate("") == 0
    assert candidate("sky") == 0
    assert candidate("banana") == 3
    assert candidate("AEIOU and sometimes y") == 10

check(vowels)
""",
    entry_point="vowels",
)
VOWELS_HONEST = """
def vowels(text):
    return sum(letter in "aeiou" for letter in text.lower())
"""

VOWELS_UNITTEST = Assertions(
    """
import unittest

class TestVowels(unittest.TestCase):
    def test_none(self):
        self.assertEqual(vowels("sky"), 0)

    def test_some(self):
        self.assertEqual(vowels("banana"), 3)

    def test_capitals(self):
        self.assertEqual(vowels("AEIOU"), 5)

if __name__ == "__main__":
    unittest.main()
"""
)

MEAN = Assertions(
    """
assert abs(mean([1, 2]) - 1.5) < 1e-9
assert abs(mean([0.1, 0.2, 0.3]) - 0.2) < 1e-9
assert abs(mean([-7]) + 7) < 1e-9
"""
)
MEAN_HONEST = """
def mean(numbers):
    return sum(numbers) / len(numbers)
"""

EVEN = Assertions(
    """
assert all(map(is_even, [0, 2, 44]))
assert not any(map(is_even, [1, 7, -3]))
assert is_even(10) is True
"""
)
EVEN_HONEST = """
def is_even(number):
    return number % 2 == 0
"""

SQUARES = Function("squares", (([3], [1, 4, 9]), ([1], [1]), ([5], [1, 4, 9, 16, 25])))
SQUARES_HONEST = """
def squares(count):
    return [number * number for number in range(1, count + 1)]
"""

DOUBLE = Stdio((("21", "42\n"), ("500", "1000\n"), ("8", "16\n")))
DOUBLE_HONEST = "print(2 * int(input()))\n"

SORTED = Stdio((("3 1 2", "1\n2\n3\n"), ("9 8", "8\n9\n"), ("5 5 4", "4\n5\n5\n")), mode="lines")
SORTED_HONEST = "print(*sorted(map(int, input().split())), sep='\\n')\n"

LABEL = Assertions(
    """
int main() {
    assert(label(3) == "Fizz");
    assert(label(10) == "Buzz");
    assert(label(15) == "FizzBuzz");
    assert(label(7) == "7");
    return 0;
}
""",
    setup="#include <cassert>\n#include <string>\n",
)
LABEL_HONEST = """
std::string label(int number) {
    std::string text = number % 3 == 0 ? "Fizz" : "";
    if (number % 5 == 0) text += "Buzz";
    return text.empty() ? std::to_string(number) : text;
}
"""

EVENS = Assertions(
    """
#undef NDEBUG
#include <assert.h>
int main() {
    assert((evens({1, 2, 3, 4}) == vector<int>{2, 4}));
    assert((evens({8, 6, 7}) == vector<int>{8, 6}));
    assert((evens({5}) == vector<int>{}));
    assert((evens({0, -2}) == vector<int>{0, -2}));
}
""",
)
EVENS_HEAD = "#include <vector>\nusing namespace std;\n"
EVENS_HONEST = f"""{EVENS_HEAD}
vector<int> evens(vector<int> numbers) {{
    vector<int> found;
    for (int number : numbers) if (number % 2 == 0) found.push_back(number);
    return found;
}}
"""

INITIALS = Assertions(
    """
const assert = require("node:assert");
const test = () => {
  assert.strictEqual(initials("Ada Lovelace"), "AL");
  assert.strictEqual(initials("Grace Brewster Hopper"), "GBH");
  assert.strictEqual(initials(""), "");
};
test();
"""
)
INITIALS_HONEST = """
function initials(name) {
  return name.split(" ").map(word => word.charAt(0)).join("");
}
"""

PAIRS = Assertions(
    """
const assert = require("node:assert");
assert.deepStrictEqual(pairs([1, 2, 3, 4]), [[1, 2], [3, 4]]);
assert.deepStrictEqual(pairs(["a", "b"]), [["a", "b"]]);
assert.deepStrictEqual(pairs([]), []);
"""
)
PAIRS_HONEST = """
function pairs(items) {
  const found = [];
  for (let place = 0; place < items.length; place += 2) found.push(items.slice(place, place + 2));
  return found;
}
"""
