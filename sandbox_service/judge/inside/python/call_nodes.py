"""Linked lists and binary trees as online judges write them down: a part of `call.py`.

A list of values stands for a linked list, or for a tree level by level, where `None` is no child and has none.
"""


class ListNode:
    """A node of a linked list."""

    def __init__(self, val=0, next=None):
        self.val = val
        self.next = next


class TreeNode:
    """A node of a binary tree."""

    def __init__(self, val=0, left=None, right=None):
        self.val = val
        self.left = left
        self.right = right


class Nodes:
    """Turns lists into nodes and back.

    Args:
        limit: the exception for structures with more nodes than `most`; they may bite their own tail.
        most: likewise.
    """

    def __init__(self, limit, most):
        self._limit, self._most = limit, most
        self._shapes = {}
        self.kinds = {"ListNode": ListNode, "TreeNode": TreeNode}

    def made(self, function, args, kwargs):
        """The arguments, lists among them turned into nodes where their parameters are annotated as such."""
        notes = getattr(function, "__annotations__", None) or {}
        found = {name: shape(note) for name, note in notes.items()}
        self._shapes = {name: one for name, one in found.items() if one}
        names = enumerate(parameters(function))
        self._shapes.update([(place, self._shapes[name]) for place, name in names if name in self._shapes])
        args = [self._made(value, self._shapes.get(place)) for place, value in enumerate(args)]
        return args, {name: self._made(value, self._shapes.get(name)) for name, value in kwargs.items()}

    def _made(self, value, found):
        if not found or not isinstance(value, list):
            return value
        name, lists = found
        if lists:
            return [self._made(item, (name, lists - 1)) for item in value]
        return (linked if name == "ListNode" else grown)(value, self.kinds[name])

    def filled(self, value, place):
        """A value with an empty list for each node that is none; a node by itself as a list.

        Args:
            value: of a parameter, or what was returned.
            place: the parameter's position or name, or `return`.
        """
        values = self.values(value)
        if values is not None:
            return values
        return filled(value, *self._shapes[place]) if place in self._shapes else value

    def values(self, node):
        """The values of a linked list or a tree; `None` for what is no node."""
        if type(node) is self.kinds["ListNode"]:
            return self._unlinked(node)
        return self._felled(node) if type(node) is self.kinds["TreeNode"] else None

    def _unlinked(self, node):
        values = []
        while node is not None:
            if len(values) >= self._most:
                raise self._limit("items")
            values.append(node.val)
            node = node.next
        return values

    def _felled(self, root):
        values, nodes = [], [root]
        for node in nodes:
            if len(values) >= self._most:
                raise self._limit("items")
            values.append(None if node is None else node.val)
            if node is not None:
                nodes += node.left, node.right
        while values and values[-1] is None:
            values.pop()
        return values


def parameters(function):
    """The names of a function's positional parameters. The inspect module takes as long to load as Python itself."""
    inner = function
    while hasattr(inner, "__wrapped__"):
        inner = inner.__wrapped__
    code = getattr(inner, "__code__", None)
    bound = hasattr(function, "__self__")  # its first parameter is given already
    return code.co_varnames[bound : code.co_argcount] if code else ()


def shape(note):
    """What an annotation says of nodes: their kind, and how many lists they lie in; `None` if it says nothing."""
    text = note if isinstance(note, str) else note.__name__ if isinstance(note, type) else repr(note)
    words = "".join(letter if letter.isalnum() or letter == "_" else " " for letter in text).split()
    for name in ("ListNode", "TreeNode"):
        if name in words:
            return name, sum(word in ("List", "list") for word in words[: words.index(name)])
    return None


def linked(values, make):
    """A linked list; its first node, or `None`."""
    head = None
    for value in reversed(values):
        node = make(value)
        node.next, head = head, node
    return head


def grown(values, make):
    """A tree; its root, or `None`."""
    made = [None if value is None else make(value) for value in values]
    children = iter(made[1:])
    for node in made:
        if node is not None:
            node.left, node.right = next(children, None), next(children, None)
    return made[0] if made else None


def filled(value, name, lists):
    """An empty list for each node that is none, so many lists deep."""
    if not lists:
        return [] if value is None else value
    return [filled(item, name, lists - 1) for item in value] if isinstance(value, (list, tuple)) else value
