"""Writes down values of any kind as `judge/values.py` reads them: a part of `call.py`."""

import sys
from _json import encode_basestring_ascii as quoted


class Writer:
    """Writes one value. An instance of a subclass is what it is made of, whatever it says of itself.

    Args:
        limit: the exception for values over a limit.
        nodes: gives the values of nodes; `None` where there are no nodes.
        most_bytes: how long the text may become.
        most_depth: how many lists and dictionaries may lie in one another.
    """

    def __init__(self, limit, nodes, most_bytes, most_depth):
        self._limit, self._nodes, self._most_depth = limit, nodes, most_depth
        self._pieces, self._room = [], most_bytes
        numpy = sys.modules.get("numpy")  # if the solution wanted it
        arrays = (getattr(numpy, name, None) for name in ("ndarray", "generic"))
        self._arrays = tuple(kind for kind in arrays if isinstance(kind, type))

    def written(self, value):
        """The text of a value."""
        self._add(value, 0)
        return "".join(self._pieces)

    def _put(self, text):
        self._room -= len(text)
        if self._room < 0:
            raise self._limit("size")
        self._pieces.append(text)

    def _add(self, value, depth):
        kind = type(value)
        if value is None or kind is bool:
            self._put({None: "null", True: "true", False: "false"}[value])
        elif issubclass(kind, str):
            self._text(str.__str__(value))
        elif issubclass(kind, int):
            self._integer(int.__pos__(value))
        elif issubclass(kind, float):
            self._put(number(float.__pos__(value)))
        elif issubclass(kind, list):
            self._items("[", list(list.__iter__(value)), "]", depth)
        elif issubclass(kind, tuple):
            self._items("[", list(tuple.__iter__(value)), "]", depth)
        elif issubclass(kind, dict):
            self._mapping(list(dict.items(value)), depth)
        else:
            self._other(value, kind, depth)

    def _text(self, value):
        if len(value) > self._room:
            raise self._limit("size")
        self._put(quoted(value))

    def _integer(self, value):
        """Decimal digits, as far as they cost nothing; then base 16, which is linear."""
        if value.bit_length() > 4 * self._room:
            raise self._limit("size")
        self._put(repr(value) if value.bit_length() <= 64 else '{"i":"%x"}' % value)

    def _items(self, start, items, end, depth):
        if depth >= self._most_depth:
            raise self._limit("depth")
        self._put(start)
        for place, item in enumerate(items):
            if place:
                self._put(",")
            self._add(item, depth + 1)
        self._put(end)

    def _mapping(self, pairs, depth):
        keys = [key_text(key) for key, _ in pairs]
        if None in keys:
            return self._opaque("dict")
        flat = [part for key, (_, value) in zip(keys, pairs) for part in (key, value)]
        return self._items('{"d":[', flat, "]}", depth)

    def _other(self, value, kind, depth):
        values = self._nodes.values(value) if self._nodes else None
        if values is None and issubclass(kind, self._arrays):
            values = value.tolist()
        if values is None or type(values) is kind:
            return self._opaque(kind.__name__)
        return self._add(values, depth)

    def _opaque(self, name):
        """Something that equals nothing, by the name of its type."""
        self._put('{"o":%s}' % quoted(name[:100]))


def number(value):
    """A float as JSON has it, or would have it."""
    text = repr(value)
    return {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}.get(text, text)


def key_text(key):
    """A key of a dictionary as JSON has it; `None` if it cannot."""
    kind = type(key)
    if issubclass(kind, str):
        return str.__str__(key)
    if key is None:
        return "null"
    if kind is bool:
        return "true" if key else "false"
    if issubclass(kind, int) and int.__pos__(key).bit_length() <= 4096:
        return repr(int.__pos__(key))
    return number(float.__pos__(key)) if issubclass(kind, float) else None
