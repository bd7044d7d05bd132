"""Calls a function of a solution and sends back what it gave. Runs in the sandbox, in the solution's own process.

    python3 -c SOURCE FILE    in the work dir; the request on descriptor 3, the answer, one line, to descriptor 4

Nothing here is secret or safe from the solution, and need not be: the arguments are the solution's to know, and a
forged answer is no more than a wrong value. What must not happen is that an honest solution is hindered, or charged
for much time. So hardly a module is loaded here, and what few solutions need is compiled for those alone: SOURCE begins
with `PARTS`, the texts of `call_nodes.py` and `call_write.py` by name.
"""

import sys

if sys.path[:1] == [""]:
    del sys.path[0]  # the work dir: what is loaded here must be Python's own

import builtins
import os
from _json import encode_basestring_ascii, make_scanner  # the json package takes half as long to load as Python

# Functions from here on keep these, whatever the solution does to its own.
__builtins__ = dict(vars(builtins))
write, leave, set_depth = os.write, os._exit, sys.setrecursionlimit
quoted, outputs = encode_basestring_ascii, (sys.stdout, sys.stderr)

MAX_BYTES = 8 << 20
MAX_DEPTH = 300
MAX_ITEMS = 1000000
REQUEST, ANSWER = 3, 4

# What online judges import for everybody: names by their module, and modules.
IMPORTED = {
    "typing": "Any Callable DefaultDict Deque Dict FrozenSet Generator Generic Iterable Iterator List Mapping"
    " NamedTuple Optional Sequence Set Tuple Type TypeVar Union",
    "collections": "ChainMap Counter OrderedDict defaultdict deque namedtuple",
    "heapq": "heapify heappop heappush heappushpop heapreplace merge nlargest nsmallest",
    "bisect": "bisect_left bisect_right insort insort_left insort_right",
    "functools": "cache cmp_to_key lru_cache partial reduce wraps",
    "itertools": "accumulate chain combinations combinations_with_replacement count cycle dropwhile groupby islice"
    " pairwise permutations product repeat starmap takewhile zip_longest",
    "math": "ceil comb cos e exp factorial floor gcd hypot inf isqrt lcm log log10 log2 nan perm pi prod sin sqrt tan",
    "operator": "and_ attrgetter itemgetter mul or_ xor",
    "string": "ascii_letters ascii_lowercase ascii_uppercase digits punctuation",
    "copy": "deepcopy",
    "dataclasses": "dataclass field",
    "enum": "Enum IntEnum",
}
MODULES = "bisect collections copy datetime fractions functools heapq itertools json math operator random re string sys"


class Scan:
    """How the request is read."""

    strict = True
    object_hook = object_pairs_hook = None
    parse_float, parse_int, parse_constant = float, int, float


class Limit(Exception):  # noqa: N818
    """The value is over a limit, which the first argument names."""


def main():
    """Call, answer and leave."""
    with open(REQUEST, "rb") as end:
        request = make_scanner(Scan)(end.read().decode("ascii"), 0)[0]
    os.set_inheritable(ANSWER, False)
    del sys.argv[0]
    sys.path.insert(0, os.getcwd())
    try:
        line = called(os.path.join(os.getcwd(), sys.argv[0]), request)
    except Limit as limit:
        line = '{"l":"%s"}' % limit.args[0]
    except SystemExit:
        raise
    except BaseException as error:
        complain(error)
        finish(1)
    rest = memoryview(line.encode("ascii") + b"\n")
    while rest:
        rest = rest[write(ANSWER, rest) :]
    finish(0)


def called(path, request):
    """What the call gave, written down."""
    with open(path, "rb") as file:
        text = file.read()
    nodes = part("nodes").Nodes(Limit, MAX_ITEMS) if b"ListNode" in text or b"TreeNode" in text else None
    module = load(path, text, nodes)
    function = find(module, request["entry_point"].split("."))
    value = result(function, request, nodes)
    set_depth(10 * MAX_DEPTH)
    return plain(value) or part("write").Writer(Limit, plain, nodes, MAX_BYTES, MAX_DEPTH).written(value)


def part(name):
    """A part of this program that not all need, as a module."""
    module = type(sys)(name)
    module.__builtins__ = __builtins__
    exec(compile(PARTS[name], "<string>", "exec"), module.__dict__)  # noqa: F821
    return module


def load(path, text, nodes):
    """The solution as the module `solution`, which is not `__main__`."""
    code = compile(text, path, "exec", dont_inherit=True)
    module = type(sys)("solution")
    module.__file__ = path
    module.__builtins__ = builtins.__dict__
    sys.modules["solution"] = module
    provide(module.__dict__, names_in(code))
    if nodes:
        module.__dict__.update(nodes.kinds)
    exec(code, module.__dict__)
    if nodes:
        nodes.kinds = {name: getattr(module, name, kind) for name, kind in nodes.kinds.items()}
    return module


def names_in(code):
    """All names of variables and attributes that a program mentions."""
    names, codes = set(), [code]
    for one in codes:
        names.update(one.co_names)
        codes += [const for const in one.co_consts if type(const) is type(code)]
    return names


def provide(names, mentioned):
    """Put into a program's names what online judges have there; the program's own definitions will replace it."""
    for module, own in IMPORTED.items():
        for name in mentioned.intersection(own.split()):
            if hasattr(__import__(module), name):  # not in each version
                names[name] = getattr(__import__(module), name)
    for module in mentioned.intersection(MODULES.split()):
        names[module] = __import__(module)


def find(target, path):
    """What a dotted path names; methods of instances are those of an instance made without arguments."""
    for name in path:
        if isinstance(target, type):
            raw = next((vars(kind)[name] for kind in target.__mro__ if name in vars(kind)), None)
            if not isinstance(raw, (staticmethod, classmethod, type)):
                target = target()
        target = getattr(target, name)
    return target


def result(function, request, nodes):
    """What the call gave: what was returned, or what became of an argument."""
    args, kwargs = request["args"], request["kwargs"]
    if nodes:
        args, kwargs = nodes.made(function, args, kwargs)
    value = function(*args, **kwargs)
    if hasattr(type(value), "cr_code"):  # of an asynchronous function
        value = __import__("asyncio").run(value)
    source, _, name = request["result_from"].rstrip("]").partition("[")
    if source == "return":
        name, value = source, drained(value)
    else:
        name = int(name) if source == "args" else name
        value = (args if source == "args" else kwargs)[name]
    return nodes.filled(value, name) if nodes else value


def drained(value):
    """An iterator's items; any other value as it is."""
    if not hasattr(type(value), "__next__"):
        return value
    items = []
    for item in value:
        if len(items) >= MAX_ITEMS:
            raise Limit("items")
        items.append(item)
    return items


def plain(value):
    """A value of a simple kind, or a list of one simple kind, written down; `None` if it is another, or too large."""
    kind = type(value)
    if kind is str and len(value) <= MAX_BYTES // 6:
        return quoted(value)
    if kind is int and value.bit_length() <= 64:
        return repr(value)
    if value is None or kind is bool:
        return {None: "null", True: "true", False: "false"}[value]
    if kind is list and len(value) <= MAX_ITEMS:
        return alike(value)
    return None


def alike(items):
    """A list written down at once, which is five times as fast as one by one; `None` if it has several kinds."""
    kinds = set(map(type, items))
    if kinds <= {int} and max(map(int.bit_length, items), default=0) <= 64:
        return "[" + ",".join(map(repr, items)) + "]"
    if kinds == {str} and sum(map(len, items)) <= MAX_BYTES // 6:
        return "[" + ",".join(map(quoted, items)) + "]"
    text = "[" + ",".join(map(repr, items)) + "]" if kinds == {float} else "n"
    return None if "n" in text else text  # nan, inf


def complain(error):
    """Show an exception as Python does, without our part of its traceback."""
    trace = error.__traceback__
    while trace and trace.tb_frame.f_builtins is __builtins__:
        trace = trace.tb_next
    sys.excepthook(type(error), error.with_traceback(trace), trace)


def finish(code):
    """Leave without waiting for threads, which nobody asked for any more."""
    for stream in (getattr(sys, "stdout", None), *outputs):
        try:
            stream.flush()
        except BaseException:
            pass
    leave(code)


main()
