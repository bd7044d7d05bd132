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
from _json import encode_basestring_ascii, make_encoder, make_scanner  # json takes half as long to load as Python

# Functions from here on keep these, whatever the solution does to its own.
__builtins__ = dict(vars(builtins))
write, leave = os.write, os._exit
set_depth, set_digits = sys.setrecursionlimit, getattr(sys, "set_int_max_str_digits", int)
encode = make_encoder(None, None, encode_basestring_ascii, None, ":", ",", False, False, True)
outputs = (sys.stdout, sys.stderr)

MAX_BYTES = 8 << 20
MAX_DEPTH = 300
MAX_ITEMS = 1000000
REQUEST, ANSWER = 3, 4
CONTAINERS = {list, tuple, dict}
PLAIN = {type(None), bool, int, float, str, list, tuple, dict}

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
        line = '!{"l":"%s"}' % limit.args[0]
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
    return written(result(function, request, nodes), nodes)


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


def written(value, nodes):
    """A value as a line of JSON; one that is more than JSON can say as `call_write.py` writes it, after a mark."""
    set_depth(10 * MAX_DEPTH)
    set_digits(4300)
    if is_plain(value):
        try:
            text = "".join(encode(value, 0))
        except (TypeError, ValueError):  # a key that is a tuple, an integer of very many digits
            text = None
        if text is not None:
            if len(text) > MAX_BYTES:
                raise Limit("size")
            return text
    return "!" + part("write").Writer(Limit, nodes, MAX_BYTES - 1, MAX_DEPTH).written(value)


def is_plain(value):
    """Whether a value is made of JSON's own types; found out level by level, and only as far as it may be sent."""
    items, room = [value], MAX_BYTES
    for _ in range(MAX_DEPTH + 1):
        kinds = set(map(type, items))
        if not kinds <= PLAIN:
            return False
        if str in kinds:
            room -= sum([len(item) for item in items if type(item) is str])
        level = [item for item in items if type(item) in CONTAINERS]
        room -= 2 * sum(map(len, level))
        if room < 0:
            raise Limit("size")
        if not level:
            return True
        items = [item for part in level for item in part]
        if dict in kinds:
            items += [item for part in level if type(part) is dict for item in part.values()]
    raise Limit("depth")


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
