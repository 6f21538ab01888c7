"""Facts of declarations: what a caller can see, in one spelling, as rows of a table."""

import re
from dataclasses import dataclass

from .swifttext import TYPES, Reader

# The names of modules are left out of types.
MODULES = (
    "SwiftUI SwiftUICore Charts Darwin Swift Foundation CoreFoundation CoreGraphics UIKit Combine _Concurrency Accessibility CoreTransferable DeveloperToolsSupport "
    "UniformTypeIdentifiers CoreData Symbols Observation ObjectiveC Dispatch CoreText os OSLog AVFAudio AVFoundation ActivityKit AppleFoundation "
    "CoreHaptics LocalAuthentication Network Security Speech UserNotifications Vision VisionKit WidgetKit FoundationEssentials "
    "FoundationInternationalization FoundationNetworking _StringProcessing AppIntents"
).split()
COLUMNS = ["symbol", "kind", "generics", "parameters", "result", "constraints", "iOS", "marks"]
# Attributes and modifiers that become marks.
MARKS = {
    "_disfavoredOverload": "disfavored", "MainActor": "MainActor", "MainActor(unsafe)": "MainActor", "nonisolated": "nonisolated",
    "preconcurrency": "preconcurrency", "Sendable": "Sendable", "ViewBuilder": "ViewBuilder", "SceneBuilder": "SceneBuilder",
    "WidgetBundleBuilder": "WidgetBundleBuilder", "ToolbarContentBuilder": "ToolbarContentBuilder", "propertyWrapper": "propertyWrapper",
    "resultBuilder": "resultBuilder", "_functionBuilder": "resultBuilder", "dynamicMemberLookup": "dynamicMemberLookup", "frozen": "frozen",
    "discardableResult": "discardable", "mutating": "mutating", "failable": "failable", "prefix": "prefix", "final": "final", "open": "open",
    "convenience": "convenience", "required": "required", "indirect": "indirect", "ChartContentBuilder": "ChartContentBuilder",
    "AxisContentBuilder": "AxisContentBuilder", "weak": "weak",
}  # fmt: skip

SKIPPED = ("import", "deinit", "operator", "precedencegroup", "macro")
MEMBERS = ("func", "init", "var", "let", "subscript")


@dataclass(frozen=True)
class Fact:
    """One row. Texts only: `parameters` has one entry for each parameter, `@attribute … type`, with ` =` after it if there is a default."""

    symbol: str
    kind: str
    generics: tuple = ()
    parameters: tuple = ()
    result: str = ""
    constraints: tuple = ()
    iOS: str = ""
    marks: tuple = ()

    @property
    def owner(self):
        return self.symbol.split("(")[0].rpartition(".")[0] if self.kind not in ("conformance",) else self.symbol

    @property
    def name(self):
        """The last part, with labels."""
        head, bracket, labels = self.symbol.partition("(")
        if re.search(r"[^\w.]", head):  # an operator
            return head.split(".")[-1] + bracket + labels
        return head.rpartition(".")[2] + bracket + labels

    @property
    def base(self):
        return self.name.split("(")[0]

    @property
    def since(self):
        return float(self.iOS.split("-")[0] or 0)

    def row(self):
        lists = [" | ".join(value) if isinstance(value, tuple) else value for value in map(self.__getattribute__, COLUMNS)]
        return "\t".join(lists)

    @staticmethod
    def read(row):
        values = row.rstrip("\n").split("\t")
        lists = {"generics", "parameters", "constraints", "marks"}
        return Fact(*(tuple(v.split(" | ")) if v and c in lists else () if c in lists else v for c, v in zip(COLUMNS, values, strict=True)))


def facts_of(declarations, owner_constraints=(), owner_available=None, is_protocol=False):
    """The facts of public declarations of an interface file, or of all declarations of a protocol."""
    for one in declarations:
        available = merged(owner_available or {}, one.available)
        is_unavailable = any("unavailable" in available.get(p, {}) or "obsoleted" in available.get(p, {}) for p in ("iOS", "*"))
        path = ".".join(part for part in (one.owner, one.full_name) if part)
        if one.kind == "extension":
            conditions = tuple(one.constraints)
            for name in one.conformances:
                marks = ("unavailable",) if is_unavailable else ()
                yield conformance(one.name, name, conditions, available, marks)
            yield from facts_of(one.members, conditions, available)
            continue
        is_public = is_protocol or {"public", "open"} & set(one.modifiers) or one.kind == "case"
        if not is_public or one.kind in SKIPPED or is_unavailable and one.kind not in MEMBERS:
            continue
        yield fact(one, path, owner_constraints, available, is_protocol)
        if one.kind == "case":
            yield from (fact(other, f"{one.owner}.{other.full_name}", (), available) for other in one.members)
        elif one.kind in TYPES:
            for name in one.conformances:
                yield conformance(path, name, (), available, ())
            yield from facts_of(one.members, (), available, one.kind == "protocol")


def conformance(path, name, conditions, available, marks):
    words = name.split(" ")
    marks = tuple(word.lstrip("@") for word in words[:-1]) + marks
    marks = tuple(sorted({*marks, *mac(available)}))
    return Fact(path, "conformance", result=words[-1], constraints=conditions, iOS=version(available), marks=marks)


def fact(one, path, owner_constraints, available, is_requirement=False):
    kind = one.kind
    if kind in ("func", "var", "let", "subscript") and one.is_static:
        kind = "static " + kind
    kind = kind.replace("let", "var")
    generics, constraints = list(one.generics), list(owner_constraints) + list(one.constraints)
    if kind == "associatedtype":
        constraints = [f"{one.name}: {name}" for name in one.conformances] + constraints
    parameters = []
    for parameter in one.parameters or []:
        names = [name for name in parameter.attributes if isinstance(name, str)]
        words = [f"@{name}" for name in names if name == "_inheritActorContext" or not name.startswith("_")]
        parameters.append(" ".join(words + [parameter.type] + (["="] if parameter.has_default else [])))
    marks = {MARKS[word] for word in list(one.attributes) + list(one.modifiers) if isinstance(word, str) and word in MARKS}
    marks |= {effect for effect in one.effects} | mac(available)
    if kind.endswith(("var", "subscript")) and one.accessors != "get":
        marks.add("set")
    if any("unavailable" in available.get(p, {}) or "obsoleted" in available.get(p, {}) for p in ("iOS", "*")):
        marks.add("unavailable")
    if owner_constraints:
        marks.add("extension")
    if is_requirement:
        marks.add("requirement")
    if "nonmutating" in one.accessors or "nonmutating" in one.modifiers:
        marks.add("nonmutating")
    if "async" in one.accessors:
        marks.add("async")
    return Fact(
        path, kind, tuple(generics), tuple(parameters), one.result, tuple(dict.fromkeys(constraints)), version(available), tuple(sorted(marks))
    )


def merged(outer, inner):
    found = {platform: dict(values) for platform, values in outer.items()}
    for platform, values in inner.items():
        found.setdefault(platform, {}).update(values)
    return found


def version(available):
    found = available.get("iOS", {})
    text = found.get("introduced", "")
    deprecated = found.get("deprecated")
    if deprecated and deprecated != "*" and float(deprecated.split(".")[0]) < 100:
        text += f"-{deprecated}"
    elif deprecated == "*" or "deprecated" in available.get("*", {}):
        text += "-13.0"
    return text


def mac(available):
    return {"not on macOS"} if "unavailable" in available.get("macOS", {}) else set()


def read_swift(text, modules=MODULES):
    return list(facts_of(Reader(text, modules).declarations()))


# MARK: Comparison


def canonical(one):
    """The fact with generic parameters renamed in the order of their use, and `some P` of a parameter as one."""
    names, constraints, parameters = list(one.generics), list(one.constraints), []
    for parameter in one.parameters:
        def opened(match):
            name = f"Opaque{len(names)}"
            names.append(name)
            constraints.append(f"{name}: {match[1]}")
            return name

        parameters.append(re.sub(r"\bsome (\w[\w.]*(?:<[^<>]*>)?)", opened, parameter))
    order = [word for text in parameters + [one.result] + constraints for word in re.findall(r"\w+", text) if word in names]
    new = {name: f"T{index}" for index, name in enumerate(dict.fromkeys(order))}

    def renamed(text):
        text = re.sub(r"\bSelf\.", "", text)
        text = re.sub(r"(?<![.\w])(\w+)\b", lambda match: new.get(match[1], match[1]), text)
        return re.sub(r"\bany ", "", text)

    rules = set()
    for rule in map(renamed, constraints):
        left, sign, right = re.split(r"( == |: )", rule, maxsplit=1)
        if right == "Codable":
            rules |= {f"{left}: Decodable", f"{left}: Encodable"}
            continue
        if sign == " == " and (left.startswith("T") and len(left) < 4) < (right.startswith("T") and len(right) < 4):
            left, right = right, left
        rules.add(left + sign + right)
    return tuple(renamed(p) for p in parameters), renamed(one.result), tuple(sorted(rules))
