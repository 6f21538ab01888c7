"""Chooses the facts of an SDK that matter here."""

import glob
import os
import re

from .facts import read_swift
from .swifttext import TYPES

# What a type needs to conform to protocols of the standard library and of SwiftUI.
WITNESSES = {
    "rawValue", "init(rawValue:)", "==(_:_:)", "hash(into:)", "<(_:_:)", "id", "wrappedValue", "projectedValue", "animatableData", "Body", "body",
    "path(in:)", "inset(by:)", "makeBody(configuration:)", "init(stringLiteral:)", "init(stringInterpolation:)", "callAsFunction(_:)",
    "callAsFunction()", "allCases", "description", "init(nilLiteral:)", "makeAsyncIterator()", "next()", "makeIterator()", "startIndex", "endIndex",
    "subscript(_:)", "subscript(dynamicMember:)", "errorDescription", "encode(to:)", "init(from:)", "scaled(by:)", "magnitudeSquared",
}  # fmt: skip


def source_facts(folders):
    """The public symbols of Swift files, unbuilt."""
    found = []
    for folder in folders:
        for path in sorted(glob.glob(f"{folder}/**/*.swift", recursive=True)):
            with open(path, encoding="utf-8") as file:
                found += read_swift(file.read())
    return found


def interface(sdk, module):
    """The text of a module's interface for iPhones; empty if it has none."""
    places = [f"System/Library/Frameworks/{module}.framework/Modules/{module}.swiftmodule", f"usr/lib/swift/{module}.swiftmodule"]
    for place in places:
        path = os.path.join(sdk, place, "arm64-apple-ios.swiftinterface")
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                return file.read()
    return ""


def words_of(one):
    texts = [*one.parameters, one.result, *one.constraints] + ([one.symbol] if one.kind == "conformance" else [])
    words = {word for text in texts for word in re.findall(r"(?<![\w.@])[A-Z_]\w*(?:\.[A-Z]\w*)*", text)}
    return words | {word for text in [*one.parameters, *one.marks] for word in re.findall(r"@?(\w+Builder)", text)}


def is_needed(other, kind, types):
    """True if a type is incomplete without this."""
    if other.kind == "conformance":
        of_type = other.symbol == kind.symbol and not other.result.startswith("_")
        return of_type or other.result == kind.symbol and (other.symbol not in types or kind.symbol.startswith("_"))
    is_member = other.name in WITNESSES or other.base.startswith("build") or other.kind in ("associatedtype", "typealias", "case")
    is_member = is_member and not other.base.startswith("_")
    return other.owner == kind.symbol and is_member


def chosen(theirs, ours):
    """The facts of theirs about symbols that ours declare: all overloads of a name, and of types that they mention, the declaration."""
    types = {one.symbol: one for one in theirs if one.kind in TYPES}
    our_types = {one.symbol for one in ours if one.kind in TYPES | {"typealias"}}
    owners = {one.owner for one in ours if one.kind != "conformance"} | our_types
    unowned = {one.symbol.split("(")[0] for one in ours if not one.owner}
    bases = {one.base for one in ours if one.kind != "conformance" and one.owner}
    beginnings = {one.symbol.split(":")[0] for one in ours}
    requirements = {one.name for one in theirs if "requirement" in one.marks and one.owner in our_types}
    extended = our_types | {one.symbol for one in ours if one.kind == "conformance"}
    picked = set()
    for one in theirs:
        if one.base.startswith("_") and one.kind not in TYPES | {"conformance"}:
            continue
        if one.kind == "conformance":
            wanted = one.symbol in extended and not one.result.startswith("_")
        elif not one.owner:
            wanted = one.symbol.split("(")[0] in unowned
        else:
            wanted = one.owner in owners and (one.base in bases or one.name in WITNESSES or one.symbol in our_types)
            if one.base == "init" and one.owner not in our_types:
                # An extension of a type of another module: only what can stand in its place.
                wanted = wanted and (one.symbol.split(":")[0] in beginnings or one.name in requirements)
            wanted = wanted or one.owner in our_types and one.kind in ("associatedtype", "typealias", "case")
        if wanted:
            picked.add(one)
    # Types that are mentioned, those that contain them, and what they need to be types.
    full = our_types | {"Animatable", "VectorArithmetic"}
    around = {}
    for one in theirs:
        for symbol in {one.owner, one.result} if one.kind == "conformance" else {one.owner}:
            around.setdefault(symbol, []).append(one)
    waiting = list(picked)
    while waiting:
        one = waiting.pop()
        names = set()
        for word in words_of(one) | {one.owner}:
            parts = word.split(".")
            paths = {".".join(parts[:count]) for count in range(1, len(parts) + 1)}
            names |= paths | {f"{one.owner}.{path}" for path in paths}
        needed = [types[name] for name in names if name in types]
        if one.kind in TYPES:
            needed += [other for other in around.get(one.symbol, []) if is_needed(other, one, types)]
        for other in needed:
            if other not in picked:
                picked.add(other)
                waiting.append(other)
    # Nothing here conforms to other protocols.
    picked = {one for one in picked if "requirement" not in one.marks or one.owner in full or one.kind == "associatedtype"}
    return sorted(picked, key=lambda one: (one.symbol, one.kind, one.row()))
