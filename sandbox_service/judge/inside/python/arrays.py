"""Arrays and numbers of numpy, which cross by value where it is installed."""

from __future__ import annotations

from .message import MESSAGE_BYTES, Malformed
from .values import CONTENTS, FILLERS, MAKERS, READERS, SNAPSHOTS, STANDARD, TAGS, WRITERS, Decoder, Encoder, exactly

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

BYTES = "biufcSUmM"  # kinds of elements that are nothing but bytes


def numpy() -> Any:
    """The package."""
    return __import__("numpy")


def element_type(text: Any) -> Any:
    """A type of elements by its name. Raises Malformed, or TypeError for an unknown one."""
    if len(exactly(str, text)) > 16 or text[1:2] not in BYTES:
        raise Malformed("no type of elements")
    return numpy().dtype(text)


def write_array(encoder: Encoder, value: Any, depth: int) -> Any:
    """Type of the elements, shape, bytes; or the elements themselves, if they are objects."""
    if value.dtype.kind in BYTES:
        return [value.dtype.str, list(value.shape), value.tobytes().hex()]
    return ["O", list(value.shape), encoder.many(value.ravel().tolist(), depth)]


def make_array(raw: Any) -> Any:
    """An array of that shape."""
    kind, shape, content = raw
    count = 1
    for length in shape:
        count *= exactly(int, length)
    elements: Any = object if kind == "O" else element_type(kind)
    size = 1 if kind == "O" else elements.itemsize
    if min(shape, default=0) < 0 or count > MESSAGE_BYTES or count * size != len(content) // (1 if kind == "O" else 2):
        raise Malformed("no shape of this content")
    return numpy().zeros(tuple(shape), elements)


def fill_array_of_numpy(decoder: Decoder, value: Any, raw: Any, depth: int) -> None:
    """Give an array its elements."""
    kind, shape, content = raw
    if value.shape != tuple(shape) or (kind == "O") != (value.dtype.kind == "O"):
        raise Malformed("another array")
    if kind == "O":
        for place, item in enumerate(decoder.many(content, depth)):
            value.flat[place] = item
    elif value.size:
        value[...] = numpy().frombuffer(bytes.fromhex(content), element_type(kind)).reshape(value.shape)


def learn_array(kind: type) -> None:
    """Learn to write arrays."""
    TAGS[kind], CONTENTS[kind] = "numpy", write_array
    SNAPSHOTS[kind] = lambda value: value.tolist() if value.dtype.kind == "O" else value.tobytes()


def learn_number(kind: type) -> None:
    """Learn to write a type of single elements."""

    def write(encoder: Encoder, value: Any, depth: int) -> Any:
        if value.dtype.kind not in BYTES:
            return encoder.name(value, encoder)
        return {"number": [value.dtype.str, value.tobytes().hex()]}

    WRITERS[kind] = write


def read_number(decoder: Decoder, raw: Any, depth: int) -> Any:
    """A single element."""
    kind, content = raw
    return numpy().frombuffer(bytes.fromhex(content), element_type(kind))[0]


def make_known(raw: Any) -> Any:
    """An empty array, of a type that can be written."""
    made = make_array(raw)
    learn_array(type(made))
    return made


STANDARD["numpy", "ndarray"] = learn_array
STANDARD["numpy", "*"] = learn_number
MAKERS["numpy"], FILLERS["numpy"] = make_known, fill_array_of_numpy
READERS["number"] = read_number
