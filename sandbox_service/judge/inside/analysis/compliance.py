"""Counts how far Python texts keep to rules. Runs in a sandbox, reads {"files": ..., "max_complexity": N} from stdin.

The texts are parsed, never run. Prints {"counts": {check: [right, all]}}, or {"fault": why} where one is no Python.
"""

import ast
import json
import sys

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
BRANCHES = (ast.If, ast.IfExp, ast.For, ast.AsyncFor, ast.While, ast.ExceptHandler, ast.comprehension)
BRANCHES += (ast.match_case,) if hasattr(ast, "match_case") else ()
LOGS = {"debug", "info", "warning", "error", "exception", "critical", "log"}
BROAD = {"Exception", "BaseException"}


def main():
    """Read, count, print."""
    asked = json.load(sys.stdin)
    totals = {}
    for path, text in asked["files"].items():
        try:
            tree = ast.parse(text)
        except (SyntaxError, ValueError) as error:
            print(json.dumps({"fault": "%s is no Python: %s" % (path, str(error)[:200])}))
            return
        for check, found in counts(tree, asked["max_complexity"]).items():
            right, every = totals.get(check, (0, 0))
            totals[check] = right + sum(found), every + len(found)
    print(json.dumps({"counts": totals}))


def counts(tree, most):
    """Of each check, a list of booleans: what was counted, and whether it is right."""
    nodes = list(ast.walk(tree))
    functions = [node for node in nodes if isinstance(node, FUNCTIONS)]
    methods = {id(node) for parent in nodes if isinstance(parent, ast.ClassDef) for node in parent.body}
    return {
        "type_hints": [hint is not None for node in functions for hint in hints(node, id(node) in methods)],
        "docstrings": [ast.get_docstring(node) is not None for node in public(tree)],
        "exceptions": [handled(node) for node in nodes if isinstance(node, ast.ExceptHandler)],
        "logging": [kind == "log" for node in nodes if isinstance(node, ast.Call) for kind in said(node)],
        "complexity": [complexity(node) <= most for node in functions],
    }


def hints(function, is_method):
    """The annotations of a function's parameters and of what it returns, None for those that lack one."""
    given = function.args
    named = given.posonlyargs + given.args
    if is_method and named and not any(getattr(each, "id", "") == "staticmethod" for each in function.decorator_list):
        named = named[1:]
    named += given.kwonlyargs + [each for each in (given.vararg, given.kwarg) if each]
    returned = function.returns or (function.name == "__init__" or None)
    return [each.annotation for each in named] + [returned]


def public(node):
    """The module, and the classes and functions in it that are not private; what is inside a function is."""
    found = [node]
    for child in node.body:
        if isinstance(child, FUNCTIONS) and not child.name.startswith("_"):
            found.append(child)
        elif isinstance(child, ast.ClassDef) and not child.name.startswith("_"):
            found += public(child)
    return found


def handled(handler):
    """Whether a handler names what it expects, and does something about it."""
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    broad = any(kind is None or getattr(kind, "id", None) in BROAD for kind in kinds)
    raises = any(isinstance(node, ast.Raise) for node in ast.walk(handler))
    dropped = all(isinstance(node, (ast.Pass, ast.Continue, ast.Expr)) and not calls(node) for node in handler.body)
    return raises or not (broad or dropped)


def calls(node):
    """Whether a statement calls anything."""
    return any(isinstance(each, (ast.Call, ast.Await, ast.Yield)) for each in ast.walk(node))


def said(call):
    """Whether a call logs or prints, if either."""
    name = call.func
    if isinstance(name, ast.Name) and name.id == "print":
        return ["print"]
    if isinstance(name, ast.Attribute) and name.attr in LOGS:
        root = name.value
        while isinstance(root, (ast.Attribute, ast.Call)):
            root = root.value if isinstance(root, ast.Attribute) else root.func
        return ["log"] if "log" in getattr(root, "id", "").lower() or "log" in ast.dump(name.value).lower() else []
    return []


def complexity(function):
    """Cyclomatic complexity, functions inside left out: they are counted by themselves."""
    count, left = 1, list(ast.iter_child_nodes(function))
    while left:
        node = left.pop()
        if isinstance(node, FUNCTIONS):
            continue
        count += isinstance(node, BRANCHES)
        if isinstance(node, ast.BoolOp):
            count += len(node.values) - 1
        if isinstance(node, ast.comprehension):
            count += len(node.ifs)
        left += ast.iter_child_nodes(node)
    return count
