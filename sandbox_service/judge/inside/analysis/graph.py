"""Who uses whom in a set of Python files, as far as their text tells: imports, names, attributes, written types.

A name is followed through imports, re-exports and `*`; an attribute through modules, classes and their bases, `self`,
parameters and variables whose class is written (an annotation, or a call of the class), and what a function is said
to return. Of an attribute of something unknown (dynamic dispatch) the method of that name is taken where one class
alone has it. What is made up at run time (`getattr`, `exec`, registries) is not found.
"""

import ast

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
MOST_HOPS = 50


class Definition:
    """A module, class or function."""

    def __init__(self, name, node, module, parent=None):
        self.name, self.node, self.module, self.parent = name, node, module, parent
        self.inside = {}
        self.types = {}


class Project:
    """Files by path, parsed."""

    def __init__(self, trees):
        self.modules, self.all = {}, {}
        for path, tree in trees.items():
            dotted = path[:-3].replace("/", ".")
            dotted = dotted[: -len(".__init__")] if dotted.endswith(".__init__") else dotted
            module = Definition(path, tree, None)
            module.module, module.dotted = module, "" if dotted == "__init__" else dotted
            module.package = path.endswith("__init__.py")
            self.modules[module.dotted] = self.all[path] = module
            self.define(module, tree.body, path + "::")
        self.imports = {module: self.imported(module) for module in self.modules.values()}
        self.methods = {}
        for each in self.all.values():
            if each.parent and isinstance(each.parent.node, ast.ClassDef):
                self.methods.setdefault(each.name.rpartition(".")[2], []).append(each)
        for each in list(self.all.values()):
            if isinstance(each.node, ast.ClassDef):
                self.learn_attributes(each)

    def define(self, parent, body, prefix):
        """What a body defines, also below `if` and `try`."""
        for node in body:
            if isinstance(node, FUNCTIONS + (ast.ClassDef,)):
                own = Definition(prefix + node.name, node, parent.module, parent)
                self.all[own.name] = parent.inside[node.name] = own
                self.define(own, node.body, own.name + ".")
            elif isinstance(node, (ast.If, ast.Try, ast.With)):
                for part in ("body", "orelse", "finalbody"):
                    self.define(parent, getattr(node, part, []), prefix)

    # ---- names ----

    def imported(self, module):
        """What names a module imports stand for: (module, name in it or None)."""
        names = {}
        for node in ast.walk(module.node):
            if isinstance(node, ast.Import):
                for each in node.names:
                    whole = each.name if each.asname else each.name.partition(".")[0]
                    names[each.asname or whole] = (whole, None)
            elif isinstance(node, ast.ImportFrom):
                source = self.source(module, node)
                for each in node.names:
                    if each.name == "*" and source in self.modules:
                        names.setdefault("*", []).append(source)
                    elif each.name != "*":
                        names[each.asname or each.name] = (source, each.name)
        return names

    def source(self, module, node):
        """The module that `from ... import` names."""
        if not node.level:
            return node.module or ""
        parts = module.dotted.split(".") if module.dotted else []
        drop = node.level - (1 if module.package else 0)
        parts = parts[: len(parts) - drop] if drop else parts
        return ".".join(parts + ([node.module] if node.module else []))

    def member(self, owner, name, hops=0):
        """What `owner.name` is; None where that is not known."""
        if owner is None or hops > MOST_HOPS:
            return None
        if name in owner.inside:
            return owner.inside[name]
        if isinstance(owner.node, ast.ClassDef):
            for base in owner.node.bases:
                found = self.member(self.resolve(base, owner.parent), name, hops + 1)
                if found:
                    return found
            return None
        if owner.module is owner:
            return self.global_name(owner, name, hops + 1)
        return None

    def global_name(self, module, name, hops=0):
        """What a name means in a module."""
        if hops > MOST_HOPS:
            return None
        if name in module.inside:
            return module.inside[name]
        imports = self.imports.get(module, {})
        if name in imports and name != "*":
            source, inner = imports[name]
            if inner is None:
                return self.modules.get(source)
            there = self.modules.get(source)
            found = self.global_name(there, inner, hops + 1) if there else None
            return found or self.modules.get((source + "." if source else "") + inner)
        for source in imports.get("*", ()):
            found = self.global_name(self.modules[source], name, hops + 1)
            if found:
                return found
        submodule = self.modules.get((module.dotted + "." if module.dotted else "") + name)
        return submodule if module.package else None

    def lookup(self, name, scope):
        """What a name means where it stands: functions around it, then the module. Classes do not count."""
        while scope and scope.module is not scope:
            if isinstance(scope.node, FUNCTIONS) and name in scope.inside:
                return scope.inside[name]
            scope = scope.parent
        return self.global_name(scope, name) if scope else None

    def resolve(self, node, scope):
        """The definition that an expression names."""
        if isinstance(node, ast.Name):
            return self.lookup(node.id, scope)
        if isinstance(node, ast.Attribute):
            if isinstance(node.value, ast.Call) and getattr(node.value.func, "id", "") == "super":
                owner = enclosing_class(scope)
                bases = owner.node.bases if owner else []
                return next(filter(None, (self.member(self.resolve(b, owner.parent), node.attr) for b in bases)), None)
            return self.member(self.resolve(node.value, scope) or self.type_of(node.value, scope), node.attr)
        return None

    # ---- types ----

    def type_of(self, node, scope):
        """The class of what an expression gives, where the text says so."""
        if isinstance(node, ast.Name):
            owner = enclosing_class(scope)
            if owner and first_parameter(scope) == node.id:
                return owner
            while scope:
                if node.id in self.variables(scope):
                    return self.variables(scope)[node.id]
                scope = scope.parent
            return None
        if isinstance(node, ast.Attribute):
            owner = self.type_of(node.value, scope)
            return self.attribute_type(owner, node.attr)
        if isinstance(node, ast.Call):
            called = self.resolve(node.func, scope)
            if called and isinstance(called.node, ast.ClassDef):
                return called
            if called and isinstance(called.node, FUNCTIONS):
                return self.annotated(called.node.returns, called.parent)
        if isinstance(node, ast.Await):
            return self.type_of(node.value, scope)
        return None

    def attribute_type(self, owner, name, hops=0):
        """The class of an attribute of instances."""
        if owner is None or hops > MOST_HOPS:
            return None
        if name in owner.types:
            return owner.types[name]
        bases = owner.node.bases if isinstance(owner.node, ast.ClassDef) else []
        found = (self.attribute_type(self.resolve(base, owner.parent), name, hops + 1) for base in bases)
        return next(filter(None, found), None)

    def annotated(self, node, scope):
        """The class that an annotation names, also as text and as optional."""
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            try:
                node = ast.parse(node.value, mode="eval").body
            except SyntaxError:
                return None
        if isinstance(node, ast.BinOp):
            return self.annotated(node.left, scope) or self.annotated(node.right, scope)
        if isinstance(node, ast.Subscript) and getattr(node.value, "id", "") == "Optional":
            return self.annotated(node.slice, scope)
        found = self.resolve(node, scope) if node is not None else None
        return found if found and isinstance(found.node, ast.ClassDef) else None

    def variables(self, scope):
        """The classes of a scope's own variables and parameters."""
        if hasattr(scope, "known"):
            return scope.known
        scope.known = known = {}
        if isinstance(scope.node, FUNCTIONS):
            arguments = scope.node.args
            for each in arguments.posonlyargs + arguments.args + arguments.kwonlyargs:
                known[each.arg] = self.annotated(each.annotation, scope.parent)
        for node in own_nodes(scope.node):
            for target, value, hint in assignments(node):
                if isinstance(target, ast.Name):
                    known[target.id] = self.annotated(hint, scope) if hint else self.type_of(value, scope)
        scope.known = {name: found for name, found in known.items() if found}
        return scope.known

    def learn_attributes(self, owner):
        """What a class's own methods assign to `self`, and what its body declares."""
        for node in owner.node.body:
            for target, value, hint in assignments(node):
                if isinstance(target, ast.Name):
                    owner.types[target.id] = self.annotated(hint, owner.parent) or self.type_of(value, owner.parent)
        for method in owner.inside.values():
            for node in own_nodes(method.node):
                for target, value, hint in assignments(node):
                    if isinstance(target, ast.Attribute) and getattr(target.value, "id", "") == first_parameter(method):
                        found = self.annotated(hint, method) if hint else self.type_of(value, method)
                        owner.types[target.attr] = found or owner.types.get(target.attr)

    # ---- what is asked ----

    def uses(self):
        """Pairs (user, used) of names."""
        for user in self.all.values():
            for used in self.used_by(user):
                if used is not user:
                    yield user.name, used.name

    def used_by(self, user):
        """What a definition's own text uses, its decorators and bases too, what is defined inside left out."""
        outside = user.parent or user
        for node in heads(user.node):
            yield from filter(None, (self.used(each, outside) for each in ast.walk(node)))
        for node in own_nodes(user.node):
            yield from filter(None, [self.used(node, user)])
        for inner in user.inside.values():
            if isinstance(user.node, FUNCTIONS):
                yield inner

    def used(self, node, scope):
        """What one node uses: a function or class, and the constructor of a class that is called."""
        if not isinstance(node, (ast.Name, ast.Attribute)) or not isinstance(node.ctx, ast.Load):
            return None
        found = self.resolve(node, scope)
        if found is None and isinstance(node, ast.Attribute) and self.unknown(node.value, scope):
            candidates = self.methods.get(node.attr, [])
            found = candidates[0] if len(candidates) == 1 else None
        if found is None or found.module is found:
            return self.variable_of(node, scope)
        constructor = self.member(found, "__init__") if isinstance(found.node, ast.ClassDef) else None
        return constructor or found

    def variable_of(self, node, scope):
        """The module whose variable a node reads; its module is what changes with it."""
        module = scope.module
        if isinstance(node, ast.Attribute):
            owner = self.resolve(node.value, scope)
            return owner if owner and owner.module is owner and node.attr in self.stored(owner) else None
        source, inner = self.imports[module].get(node.id, (None, None)) if node.id != "*" else (None, None)
        if inner in self.stored(self.modules.get(source)):
            return self.modules[source]
        local = isinstance(scope.node, FUNCTIONS) and node.id in stored_names(scope.node)
        return module if node.id in self.stored(module) and not local and scope is not module else None

    def stored(self, module):
        """The names of a module's variables."""
        if module is None:
            return ()
        if not hasattr(module, "stored"):
            module.stored = stored_names(module.node)
        return module.stored

    def unknown(self, node, scope):
        """Whether nothing is known of what an expression gives: not a module, nor an import from elsewhere."""
        while isinstance(node, ast.Attribute):
            node = node.value
        if isinstance(node, ast.Name) and node.id in self.imports[scope.module]:
            return False
        return self.type_of(node, scope) is None and not isinstance(node, ast.Constant)

    def texts(self):
        """The text of each definition, what is defined inside left out; of a module what it does by itself."""
        return {name: own_text(each.node) for name, each in self.all.items()}

    def shapes(self):
        """What callers must know of functions: their parameters. A class has that of its constructor."""
        shapes = {}
        for name, each in self.all.items():
            if isinstance(each.node, FUNCTIONS):
                shapes[name] = shape(each.node)
        return shapes


def shape(function):
    """The parameters of a function, without annotations and the values of defaults."""
    given = function.args
    names = [each.arg for each in given.posonlyargs + given.args]
    return repr(
        (
            names[: len(names) - len(given.defaults)],
            names,
            [(each.arg, default is None) for each, default in zip(given.kwonlyargs, given.kw_defaults)],
            bool(given.vararg),
            bool(given.kwarg),
            len(given.posonlyargs),
        )
    )


def own_nodes(node):
    """The nodes of a definition's body, without those of definitions inside; lambdas and comprehensions are its own."""
    left = list(getattr(node, "body", []))
    while left:
        each = left.pop()
        if isinstance(each, FUNCTIONS + (ast.ClassDef,)):
            continue
        yield each
        left += ast.iter_child_nodes(each)


def stored_names(node):
    """The names that a definition's own text assigns."""
    given = getattr(node, "args", None)
    parameters = {each.arg for each in given.posonlyargs + given.args + given.kwonlyargs} if given else set()
    stored = {each.id for each in own_nodes(node) if isinstance(each, ast.Name) and not isinstance(each.ctx, ast.Load)}
    return parameters | stored


def heads(node):
    """What belongs to a definition but stands before its body."""
    if isinstance(node, FUNCTIONS):
        given = node.args
        hints = [each.annotation for each in given.posonlyargs + given.args + given.kwonlyargs if each.annotation]
        return node.decorator_list + given.defaults + [each for each in given.kw_defaults if each] + hints
    if isinstance(node, ast.ClassDef):
        return node.decorator_list + node.bases + [each.value for each in node.keywords]
    return []


def own_text(node):
    """A definition as text that does not change with its layout or comments."""
    parts = [ast.dump(each) for each in heads(node)]
    parts.append(ast.dump(node.args) if isinstance(node, FUNCTIONS) else "")
    apart = FUNCTIONS + (ast.ClassDef, ast.Import, ast.ImportFrom)
    body = [each for each in getattr(node, "body", []) if not is_docstring(each) and not isinstance(each, apart)]
    return "\n".join(parts + [ast.dump(each) for each in body])


def is_docstring(node):
    """Whether a statement is a text and nothing else."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def assignments(node):
    """(target, value, annotation) of what a statement assigns."""
    if isinstance(node, ast.Assign):
        return [(target, node.value, None) for target in node.targets]
    if isinstance(node, ast.AnnAssign):
        return [(node.target, node.value, node.annotation)]
    if isinstance(node, (ast.With, ast.AsyncWith)):
        return [(item.optional_vars, item.context_expr, None) for item in node.items if item.optional_vars]
    return []


def enclosing_class(scope):
    """The class whose method a scope is, or stands in."""
    while scope and scope.parent:
        if isinstance(scope.node, FUNCTIONS) and isinstance(scope.parent.node, ast.ClassDef):
            return scope.parent
        scope = scope.parent
    return None


def first_parameter(scope):
    """The name of `self` in a method, or around what stands in one."""
    while scope and scope.parent:
        if isinstance(scope.node, FUNCTIONS) and isinstance(scope.parent.node, ast.ClassDef):
            given = scope.node.args
            names = given.posonlyargs + given.args
            return names[0].arg if names else None
        scope = scope.parent
    return None
