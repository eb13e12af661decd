"""A small reader of TLA+: enough to visit the states of a module, by the meaning that Lamport's book gives its operators.

The grammar is not ours: tree-sitter-tlaplus parses. TLC is the checker that people use; where it is installed, `make bench` asks it.
"""

import warnings
from itertools import product

import tree_sitter
import tree_sitter_tlaplus

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    _PARSER = tree_sitter.Parser(tree_sitter.Language(tree_sitter_tlaplus.language()))


class Function(dict):
    """A function or record of TLA+: a value like any other."""

    def __hash__(self):
        return hash(frozenset(self.items()))


class _FunctionSet:
    def __init__(self, domain, values):
        self.domain, self.values = domain, values

    def __contains__(self, value):
        return set(value) == set(self.domain) and all(each in self.values for each in value.values())


class _From:
    def __init__(self, least):
        self.least = least

    def __contains__(self, value):
        return isinstance(value, int) and (self.least is None or value >= self.least)


_INFIX = {
    "plus": lambda a, b: a + b,
    "minus": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a // b,
    "mod": lambda a, b: a % b,
    "eq": lambda a, b: a == b,
    "neq": lambda a, b: a != b,
    "lt": lambda a, b: a < b,
    "leq": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "geq": lambda a, b: a >= b,
    "in": lambda a, b: a in b,
    "setminus": lambda a, b: a - b,
    "dots_2": lambda a, b: frozenset(range(a, b + 1)),
}
_BUILT_IN = {"Cardinality": len, "Len": len}


def text(node):
    return node.text.decode()


def parts(node):
    return [child for child in node.named_children if child.type not in {"comment", "block_comment"}]


class Module:
    """A module whose one variable is `state`."""

    def __init__(self, source):
        tree = _PARSER.parse(source.encode())
        assert not tree.root_node.has_error, "it is no TLA+"
        self.defined = {}
        module = next(child for child in tree.root_node.children if child.type == "module")
        for node in module.children:
            if node.type == "operator_definition":
                self._define(node, self.defined)

    def _define(self, node, env):
        name, *rest = parts(node)
        params = [text(each) for each in rest if each.type == "identifier"]
        env[text(name)] = (params, rest[-1], env)

    def truth(self, name, state, after=None):
        return self.value(self.defined[name][1], {"state": state, "state'": after})

    def step_holds(self, name, state, after):
        """Tell whether a property of the form [][formula]_state is true of a step."""
        always = parts(self.defined[name][1])[-1]
        assert always.type == "step_expr_or_stutter"
        return self.value(parts(always)[0], {"state": state, "state'": after})

    def first(self):
        equation = parts(self.defined["Init"][1])
        return self.value(equation[-1], {})

    def after(self, state):
        yield from self._steps(self.defined["Next"][1], {"state": state})

    def _steps(self, node, env):
        """Yield the values of state' with which an action is true."""
        match node.type:
            case "disj_list":
                for item in parts(node):
                    yield from self._steps(parts(item)[-1], env)
            case "bounded_quantification":
                *bounds, body = parts(node)[1:]
                for inner in self._bound(bounds, env):
                    yield from self._steps(body, inner)
            case "bound_op" | "identifier_ref":
                name, args = (node, []) if node.type == "identifier_ref" else (parts(node)[0], parts(node)[1:])
                params, body, _ = self.defined[text(name)]
                values = [self.value(arg, env) for arg in args]
                yield from self._steps(body, {"state": env["state"], **dict(zip(params, values, strict=True))})
            case "conj_list":
                *tests, last = [parts(item)[-1] for item in parts(node)]
                if all(self.value(test, env) for test in tests):
                    yield from self._steps(last, env)
            case "let_in":
                yield from self._steps(parts(node)[-1], self._let(node, env))
            case "bound_infix_op" if parts(node)[0].type == "bound_postfix_op":
                yield self.value(parts(node)[2], env)
            case other:
                raise AssertionError(f"no action: {other}")

    def _let(self, node, env):
        env = dict(env)
        for each in parts(node)[:-1]:
            if each.type == "operator_definition":
                self._define(each, env)
        return env

    def _bound(self, bounds, env):
        names, sets = [], []
        for bound in bounds:
            own = parts(bound)
            names.append(text(own[0]))
            sets.append(sorted(self.value(own[-1], env)))
        for values in product(*sets):
            yield {**env, **dict(zip(names, values, strict=True))}

    def value(self, node, env):
        handler = getattr(self, f"_{node.type}", None)
        assert handler is not None, f"no value: {node.type} {text(node)}"
        return handler(node, env)

    def _nat_number(self, node, _env):
        return int(text(node))

    def _boolean(self, node, _env):
        return text(node) == "TRUE"

    def _nat_number_set(self, _node, _env):
        return _From(0)

    def _int_number_set(self, _node, _env):
        return _From(None)

    def _parentheses(self, node, env):
        return self.value(parts(node)[0], env)

    def _identifier_ref(self, node, env):
        return self._call(text(node), [], env)

    def _prev_func_val(self, _node, env):
        return env["@"]

    def _call(self, name, args, env):
        if name in _BUILT_IN:
            return _BUILT_IN[name](*args)
        found = env[name] if name in env else self.defined[name]
        if not (isinstance(found, tuple) and len(found) == 3 and isinstance(found[0], list)):
            return found  # a value
        params, body, home = found
        around = {"state": env.get("state"), "state'": env.get("state'")} if home is self.defined else home
        result = self.value(body, {**around, **dict(zip(params, args, strict=True))} if params else around)
        if not params and name in env:
            env[name] = result  # it is asked for again and again
        return result

    def _bound_op(self, node, env):
        name, *args = parts(node)
        return self._call(text(name), [self.value(arg, env) for arg in args], env)

    def _function_evaluation(self, node, env):
        function, *args = (self.value(each, env) for each in parts(node))
        for arg in args:
            function = function[arg - 1] if isinstance(function, tuple) else function[arg]
        return function

    def _record_value(self, node, env):
        record, field = parts(node)
        return self.value(record, env)[text(field)]

    def _bound_postfix_op(self, node, env):
        return env[text(node)]

    def _bound_prefix_op(self, node, env):
        operator, arg = parts(node)
        value = self.value(arg, env)
        match operator.type:
            case "lnot":
                return not value
            case "negative":
                return -value
            case "domain":
                return frozenset(value)
            case other:
                raise AssertionError(f"no prefix: {other}")

    def _bound_infix_op(self, node, env):
        left, operator, right = parts(node) if len(parts(node)) == 3 else node.children
        match operator.type:
            case "land":
                return self.value(left, env) and self.value(right, env)
            case "lor":
                return self.value(left, env) or self.value(right, env)
            case "implies":
                return not self.value(left, env) or self.value(right, env)
            case "times":
                return frozenset(product(*self._factors(node, env)))
            case kind:
                return _INFIX[kind](self.value(left, env), self.value(right, env))

    def _factors(self, node, env):
        if node.type == "bound_infix_op" and any(child.type == "times" for child in node.children):
            left, *_, right = node.children
            return [*self._factors(left, env), self.value(right, env)]
        return [self.value(node, env)]

    def _tuple_literal(self, node, env):
        return tuple(self.value(each, env) for each in parts(node) if "bracket" not in each.type)

    def _finite_set_literal(self, node, env):
        return frozenset(self.value(each, env) for each in parts(node))

    def _set_filter(self, node, env):
        bound, test = parts(node)
        name = text(parts(bound)[0])
        return frozenset(inner[name] for inner in self._bound([bound], env) if self.value(test, inner))

    def _set_map(self, node, env):
        body, *bounds = parts(node)
        return frozenset(self.value(body, inner) for inner in self._bound(bounds, env))

    def _function_literal(self, node, env):
        bound, _, body = parts(node)
        name = text(parts(bound)[0])
        return Function((inner[name], self.value(body, inner)) for inner in self._bound([bound], env))

    def _record_literal(self, node, env):
        fields = [each for each in parts(node) if each.type != "all_map_to"]
        return Function(
            (text(name), self.value(value, env)) for name, value in zip(fields[::2], fields[1::2], strict=True)
        )

    def _set_of_functions(self, node, env):
        domain, *_, values = parts(node)
        return _FunctionSet(self.value(domain, env), self.value(values, env))

    def _except(self, node, env):
        base, *updates = parts(node)
        found = self.value(base, env)
        for update in updates:
            places, value = parts(update)
            path = [
                text(parts(each)[0]) if each.type.endswith("record_field") else self.value(parts(each)[0], env)
                for each in parts(places)
            ]
            found = self._updated(found, path, value, env)
        return found

    def _updated(self, found, path, value, env):
        if not path:
            return self.value(value, {**env, "@": found})
        return Function({**found, path[0]: self._updated(found[path[0]], path[1:], value, env)})

    def _if_then_else(self, node, env):
        test, then, other = parts(node)
        return self.value(then if self.value(test, env) else other, env)

    def _let_in(self, node, env):
        return self.value(parts(node)[-1], self._let(node, env))

    def _choose(self, node, env):
        name, _, domain, test = parts(node)
        own = text(name)
        return next(v for v in sorted(self.value(domain, env)) if self.value(test, {**env, own: v}))

    def _bounded_quantification(self, node, env):
        sign, *bounds, body = parts(node)
        holds = all if sign.type == "forall" else any
        return holds(self.value(body, inner) for inner in self._bound(bounds, env))

    def _conj_list(self, node, env):
        return all(self.value(parts(item)[-1], env) for item in parts(node))


def visit(module, invariants, properties=()):
    """Return how many states and steps a module has; an invariant or property that is false is an AssertionError."""
    first = module.first()
    seen, queue, steps = {first}, [first], 0
    while queue:
        state = queue.pop()
        for name in invariants:
            assert module.truth(name, state), f"{name} is false in {state}"
        for after in module.after(state):
            steps += 1
            for name in properties:
                assert module.step_holds(name, state, after), f"{name} is false of {state} to {after}"
            if after not in seen:
                seen.add(after)
                queue.append(after)
    return len(seen), steps
