"""What every program does, done once ahead."""

import ctypes


def pin(thing):
    """Keep something for ever: nobody in sight refers to it, and what is garbage a program sees collected."""
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(thing))


def warm_up(interpreter):
    """Have done what every program does, so that what the interpreter prepares for it is there to be shared.

    Args:
        interpreter: the `Interpreter`, or `None`.
    """
    exec(compile(PROGRAM, "<string>", "exec"), {"__name__": "__main__", "__builtins__": __builtins__})
    if interpreter:
        interpreter.prepare()
        interpreter.freeze()


PROGRAM = """
class Stack(list):
    'A class.'
    size = property(len)
    def top(self, *, default=None, **more):
        return self[-1] if self else default
    def __repr__(self):
        return f'{self.size:>3d} {1 / 3:.2f} {super().__repr__()!r}'
def parse(text):
    try:
        return int(text)
    except ValueError as error:
        return str(error)
    finally:
        pass
stack = Stack(parse(word) for word in '3 5 x 7'.split())
text = repr(stack) + '%s %d' % ('a', 1) + '{} {:x}'.format(1, 255)
table = {key: [value * 2 for value in range(3)] for key in ('a', 'b') for value in (1, 2)}
total = sum(map(len, table.values())) + max(1, 2) + len(sorted(table, key=lambda key: (len(key), key), reverse=True))
for number, (left, right) in enumerate(zip([1, 2], 'ab')):
    total += number ** 2 // 3 % 5
while total > 100:
    total -= 1
print(end='', flush=True)
a, *b = set([1, 2]) | {3}
assert isinstance(a, int) and b[::-1] is not None, 'never'
data = bytes(3).hex() + str(2.5) + str(True) + str(10 ** 20)
"""
