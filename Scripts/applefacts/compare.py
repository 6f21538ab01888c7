"""Compares declarations of ours with Apple's."""

import re
from dataclasses import replace

from .facts import MODULES, Fact, canonical, fact
from .swifttext import TYPES, Reader

# Marks that are part of the comparison.
COMPARED = {
    "MainActor", "async", "throws", "mutating", "failable", "set", "ViewBuilder", "ToolbarContentBuilder", "ChartContentBuilder", "propertyWrapper",
    "resultBuilder", "dynamicMemberLookup",
}  # fmt: skip
# What every type has.
IMPLICIT = {"SendableMetatype", "Copyable", "Escapable", "BitwiseCopyable"}
# Protocols of the standard library, and those that come with them.
WITH = {
    "OptionSet": ["SetAlgebra", "RawRepresentable"], "SetAlgebra": ["Equatable", "ExpressibleByArrayLiteral"], "Hashable": ["Equatable"],
    "Comparable": ["Equatable"], "ExpressibleByStringInterpolation": ["ExpressibleByStringLiteral"],
    "ExpressibleByStringLiteral": ["ExpressibleByExtendedGraphemeClusterLiteral"], "CodingKey": ["Sendable", "CustomStringConvertible"],
    "ExpressibleByExtendedGraphemeClusterLiteral": ["ExpressibleByUnicodeScalarLiteral"], "Error": ["Sendable"],
    "Codable": ["Decodable", "Encodable"], "AttributeScope": ["DecodingConfigurationProviding", "EncodingConfigurationProviding"],
    "MutableCollection": ["Collection"], "RandomAccessCollection": ["BidirectionalCollection"], "BidirectionalCollection": ["Collection"],
    "Collection": ["Sequence"],
    "NSObject": ["Equatable", "Hashable", "NSObjectProtocol", "CVarArg", "CustomStringConvertible", "CustomDebugStringConvertible"],
}  # fmt: skip
FLOOR = 17.0


def plain(parameter):
    """A parameter without what a caller does not see."""
    for word in ("nonisolated(nonsending)", "@_inheritActorContext ", "@escaping ", "@MainActor ", "@Sendable "):
        parameter = parameter.replace(word, "")
    parameter = parameter.replace(")async", ") async")
    parameter = re.sub(r"\((\w+)\)\?", r"\1?", parameter)
    return re.sub(r"^\((\(.*\) -> \w+)\)$", r"\1", parameter)


def cost(found):
    return sum(10 if aspect == "labels" else 0.1 if aspect == "left out" else 1 for aspect, _, _ in found), [aspect for aspect, _, _ in found]


def resolved(one, aliases, types):
    """The fact with nested types by their whole path, and without type aliases that only name another type."""

    def whole(text):
        parts = one.owner.split(".") if one.owner else []

        def path(match):
            for count in range(len(parts), 0, -1):
                nested = ".".join(parts[:count] + [match[1]])
                if nested in types:
                    return nested
            return match[1]

        text = re.sub(r"<[^<>]*>\.", ".", text)  # the parameters of the type around
        text = re.sub(r"(?<![\w.@])([A-Z]\w*(?:\.[A-Z]\w*)*)", path, text)
        return re.sub(r"(?<![\w.@])([A-Z]\w*(?:\.[A-Z]\w*)*)", lambda match: aliases.get(match[1], match[1]), text)

    return replace(one, parameters=tuple(map(whole, one.parameters)), result=whole(one.result), constraints=tuple(map(whole, one.constraints)))


def differences(ours, theirs, around=()):
    """For each public declaration of ours without an equal one of Apple's: its name, the kind of difference, and both sides.

    `around` are declarations of other modules that ours conform to.
    """
    types = {one.symbol for one in theirs if one.kind in ("struct", "class", "enum", "protocol", "typealias")}
    aliases = {one.symbol: one.result for one in theirs if one.kind == "typealias" and not one.constraints and one.base in ("RawValue", "Element")}
    ours, theirs = ([resolved(one, aliases, types) for one in side] for side in (ours, theirs))
    by_owner, conformances = {}, {}
    kinds = {one.symbol: one for one in theirs if one.kind in TYPES}
    for one in theirs:
        if one.kind == "conformance":
            if "unavailable" not in one.marks:
                conformances.setdefault(one.symbol, set()).add(one.result)
        elif "unavailable" not in one.marks:
            by_owner.setdefault((one.owner, one.base), []).append(one)
    declared, by_others = isolated_types([*ours, *around])
    isolated = declared | by_others
    for one in ours:
        if any(part.startswith("_") for part in one.symbol.partition("(")[0].split(".")):
            continue
        if one.kind == "conformance":
            allowed = inherited({one.symbol}, conformances) | IMPLICIT
            kind = kinds.get(one.symbol)
            has_payload = any(case.parameters for case in theirs if case.owner == one.symbol and case.kind == "case")
            if kind and kind.kind == "enum" and not has_payload:
                allowed |= {"Equatable", "Hashable", "RawRepresentable"}
            if one.symbol in isolated:
                allowed.add("Sendable")
            if kind and one.result.split("<")[0] not in allowed and not one.result.startswith("_"):
                yield one.symbol, "conformance", one.result, ""
            continue
        if one.base in ("rawValue", "init") and one.owner in kinds and kinds[one.owner].kind == "enum":
            continue
        found = by_owner.get((one.owner, one.base), [])
        same = [other for other in found if other.kind == one.kind]
        if not same:
            yield one.symbol, "name", one.kind, ", ".join(sorted({other.kind for other in found}))
            continue
        own = set(kinds[one.owner].constraints) if one.owner in kinds else set()
        is_isolated = one.owner in isolated or one.symbol in by_others
        best = min((list(aspects(one, other, own, is_isolated)) for other in same), key=cost)
        for aspect, mine, apples in best:
            yield one.symbol, aspect, mine, apples


def labels(one):
    return one.name.partition("(")[2].rpartition(")")[0].split(":")[:-1]


def inherited(symbols, conformances):
    """The protocols and classes of types, with those that come with them."""
    found, waiting = set(), list(symbols)
    while waiting:
        one = waiting.pop()
        for name in conformances.get(one, set()) | set(WITH.get(one, [])):
            if name not in found:
                found.add(name)
                waiting.append(name)
    return found


def isolated_types(ours):
    """The types on the main actor by their declaration, and those that are because of a protocol, a class, or a type around them."""
    conformances = {}
    for one in ours:
        if one.kind == "conformance":
            conformances.setdefault(one.symbol, set()).add(one.result)
    declared = {one.symbol for one in ours if one.kind in TYPES and "MainActor" in one.marks}
    by_others = {symbol for symbol in conformances if inherited({symbol}, conformances) & declared}
    return declared, by_others | {one.symbol for one in ours if one.kind in TYPES and one.owner in declared | by_others}


def aspects(one, other, own, is_isolated):
    """What differs between a declaration of ours and one of Apple's. `own` are the constraints of the type around them."""
    parameters, result, rules = canonical(one)
    theirs, their_result, their_rules = canonical(other)
    if re.match(r"\w", one.base) and one.name != other.name or len(theirs) != len(parameters):
        # Arguments with a default may be left out.
        kept = leaving_out(list(zip(labels(other), theirs)), labels(one)) if other.parameters else None
        if kept is None:
            yield "labels", one.name, other.name
            return
        yield "left out", one.name, other.name
        other = replace(other, symbol=one.symbol, parameters=tuple(other.parameters[i] for i in kept))
        theirs, their_result, their_rules = canonical(other)
    for mine, apples in zip(parameters, theirs):
        if mine.endswith(" =") != apples.endswith(" ="):
            yield "default", mine, apples
        mine, apples = mine.removesuffix(" ="), apples.removesuffix(" =")
        if plain(mine) != plain(apples):
            yield "type", mine, apples
        else:
            for word in ("@escaping", "@MainActor", "@Sendable"):
                if (word in mine) != (word in apples):
                    yield word.removeprefix("@"), mine, apples
    if plain(result) != plain(their_result) and result:
        yield "result", result, their_result
    rules, their_rules = set(rules) - own, set(their_rules) - own
    if rules != their_rules:
        mine, apples = sorted(rules - their_rules), sorted(their_rules - rules)
        yield "constraints", " & ".join(mine), " & ".join(apples)
    if other.since > FLOOR and one.since != other.since:
        yield "version", one.iOS, other.iOS
    if "-" in other.iOS and float(other.iOS.split("-")[1]) <= FLOOR and "-" not in one.iOS:
        yield "deprecated", "", other.iOS
    mine, apples = set(one.marks) & COMPARED, set(other.marks) & COMPARED
    if "set" not in mine and "requirement" not in other.marks:
        apples.discard("set")
    if is_isolated and one.kind != "protocol":
        mine, apples = mine - {"MainActor"}, apples - {"MainActor"}
    for mark in sorted(mine ^ apples):
        yield mark, mark if mark in mine else "", mark if mark in apples else ""


def leaving_out(theirs, labels):
    """The indices of their parameters that have these labels in order, if all others have defaults."""
    kept, at = [], 0
    for index, (label, parameter) in enumerate(theirs):
        if at < len(labels) and label == labels[at] and len(theirs) - index >= len(labels) - at:
            kept.append(index)
            at += 1
        elif not parameter.endswith(" ="):
            return None
    return kept if at == len(labels) else None


def read_table(path):
    with open(path, encoding="utf-8") as file:
        return [Fact.read(line) for line in file.read().split("\n")[1:] if line]


def versions(symbols, tables):
    """The first version of iOS of each symbol that the tables have, by its name and declaration, conditions of its extension in brackets."""
    facts = [one for path in tables if not path.endswith("differences.tsv") for one in read_table(path)]
    named = {}
    for one in facts:
        if one.kind != "conformance" and "unavailable" not in one.marks:
            named.setdefault(one.symbol.partition("(")[0], []).append(one)
    found = {}
    for name, text in symbols:
        # Types have brackets too: `init(columns: [GridItem])`.
        extension = re.fullmatch(r"(.*[^:>,=]) \[(.*(?: : | == ).*)\]", text)
        declaration, conditions = extension.groups() if extension else (text, "")
        owner = name.partition("(")[0].rpartition(".")[0]
        mine = fact(Reader(declaration + "\n", MODULES).declaration(owner), name, tuple(conditions.split(", ")) if conditions else (), {})
        best = min(named.get(name.partition("(")[0], []), key=lambda other: cost(list(aspects(mine, other, set(), True))), default=None)
        if best and best.iOS:
            found[name, text] = best.iOS.split("-")[0].removesuffix(".0")
    return found
