"""Writes a Swift interface file from facts: a module without code, against which sources are type-checked."""

import re
from dataclasses import replace

from .facts import Fact

TYPES = ("struct", "class", "enum", "protocol")
# Names of the standard library and of Foundation on Linux.
KNOWN = set(
    """Any AnyObject AnyHashable Array Axis Bool Bundle CGFloat CGPoint CGRect CGSize Calendar Character ClosedRange Codable Comparable
    CustomStringConvertible Data Date DateInterval Decodable Decoder Dictionary Double Encodable Encoder Equatable Error ExpressibleByArrayLiteral
    ExpressibleByExtendedGraphemeClusterLiteral ExpressibleByNilLiteral ExpressibleByIntegerLiteral ExpressibleByFloatLiteral AttributeScopes
    AttributeDynamicLookup CVarArg ExpressibleByStringInterpolation ExpressibleByStringLiteral
    ExpressibleByUnicodeScalarLiteral Float FormatStyle Formatter Hashable Hasher Identifiable Int Int16 Int32 Int64 Int8 KeyPath Locale
    LocalizedError MutableCollection Never Notification NSObject NSObjectProtocol Observable OptionSet Optional ParseableFormatStyle
    PartialRangeFrom PartialRangeThrough PartialRangeUpTo RandomAccessCollection Range RangeReplaceableCollection RawRepresentable Collection
    ReferenceWritableKeyPath RuntimeWarning Sendable Sequence Set SetAlgebra StaticString String StringInterpolationProtocol StringProtocol
    BidirectionalCollection Substring TaskPriority TimeInterval TimeZone UInt UInt16 UInt32 UInt64 UInt8 URL URLRequest UUID Void
    WritableKeyPath AttributedString AttributeScope AttributeContainer AttributedStringKey Self BinaryFloatingPoint BinaryInteger
    FixedWidthInteger CaseIterable Strideable AdditiveArithmetic Duration ObjectIdentifier LosslessStringConvertible IndexSet IndexPath
    AsyncSequence AsyncIteratorProtocol Result Mirror CustomReflectable IteratorProtocol Sendable BitwiseCopyable DispatchQueue Task
    CustomDebugStringConvertible ArraySlice SortComparator ReferenceConvertible KeyValuePairs Process Unmanaged Formatter""".split()
)
IMPORTS = ["Foundation", "Observation", "Swift", "_Concurrency"]
# The stub modules that SwiftUI brings with it.
EXPORTS = ["UIKit", "AppleFoundation", "DeveloperToolsSupport"]
# What later SDKs have on the main actor too, and our module does not declare.
PROGRAMS = {"App", "Scene", "UIApplicationDelegateAdaptor", "Widget", "WidgetConfiguration", "WidgetBundle"}
# Types that need more of the standard library's protocols than the facts say.
SKIPPED = {"ObservedObject", "PositionScaleRange", "IndexedIdentifierCollection", "OutlineGroup", "OutlineSubgroupChildren"}


# Generic parameters of types of other modules that get conformances.
FOREIGN = {
    "Optional": ["Wrapped"], "Array": ["Element"], "Set": ["Element"], "Range": ["Bound"], "ClosedRange": ["Bound"],
    "ForEach": ["Data", "ID", "Content"], "Group": ["Content"],
}  # fmt: skip


class Generator:
    def __init__(self, module, facts, imports, others=()):
        """`others` are facts of imported modules."""
        self.module, self.imports = module, imports
        self.facts = facts
        self.own = {one.owner for one in facts if "requirement" in one.marks and one.kind != "associatedtype"}
        self.types = {one.symbol: one for one in facts if one.kind in TYPES}
        self.aliases = {one.symbol for one in facts if one.kind == "typealias"}
        self.top = {name for name in self.types if "." not in name} | {name for name in self.aliases if "." not in name}
        self.known = KNOWN | self.top | {one.symbol for other in others for one in other if one.kind in TYPES}
        self.known -= SKIPPED
        self.by_owner, self.conformances = {}, {}
        for one in facts:
            (self.conformances if one.kind == "conformance" else self.by_owner).setdefault(one.owner, []).append(one)
        self.associated = {one.base for one in facts if one.kind in ("associatedtype", "typealias")}
        self.unknown = {}

    def text(self):
        lines = [
            "// swift-interface-format-version: 1.0",
            "// swift-compiler-version: generated from facts",
            f"// swift-module-flags: -enable-library-evolution -swift-version 5 -module-name {self.module}",
            *(f"import {name}" if name.startswith("_") else f"@_exported import {name}" for name in self.imports),
            "@usableFromInline internal func stub<T>() -> T",
        ]
        for name, kind in self.types.items():
            if "." not in name and name not in SKIPPED:
                lines += self.type(kind)
            elif name.split(".")[0] not in self.types and name.count(".") == 1:
                lines += [f"extension {name.split('.')[0]} {{", *self.type(kind, "  "), "}"]
        groups = {}
        for one in self.facts:
            if one.kind in TYPES + ("conformance", "case", "associatedtype") or "requirement" in one.marks or not self.is_usable(one):
                continue
            inner, outer = self.conditions(one)
            if self.is_inside(one) or one.owner in self.types and one.kind == "typealias" and not outer:
                continue  # in the type
            groups.setdefault((one.owner, tuple(outer)), []).append((one, inner))
        for (owner, outer), members in groups.items():
            body = [self.member(one, inner) for one, inner in members]
            if owner:
                lines += [f"extension {self.name(owner)}{self.where(outer, owner)} {{", *body, "}"]
            else:
                lines += body
        for one in self.facts:
            if one.kind == "conformance" and (one.constraints or "unavailable" in one.marks or one.symbol not in self.types) and self.is_usable(one):
                unavailable = "@available(*, unavailable) " if "unavailable" in one.marks else ""
                unchecked = "@unchecked " if "unchecked" in one.marks else ""
                where = self.where(one.constraints, one.symbol)
                lines.append(f"{unavailable}extension {self.name(one.symbol)} : {unchecked}{self.spell(one.result, one)}{where} {{}}")
        return "\n".join(lines) + "\n"

    def name(self, path):
        return f"{self.module}.{path}" if path.split(".")[0] in self.top else path

    def generics(self, owner):
        """The generic parameters of a type and of those around it."""
        names, parts = list(FOREIGN.get(owner, [])), owner.split(".") if owner else []
        for count in range(1, len(parts) + 1):
            kind = self.types.get(".".join(parts[:count]))
            if kind and kind.kind != "protocol":
                names += kind.generics
        return names

    def is_usable(self, one):
        scope = set(self.generics(one.owner)) | {g.removeprefix("each ") for g in one.generics} | self.associated
        texts = [one.owner, *one.parameters, one.result, *one.constraints]
        if "_opaqueReturnTypeOf" in one.result:
            return False
        for text in texts:
            for word in re.findall(r"(?<![\w.@])[A-Z_]\w*", text):
                if word == "_":
                    continue
                if word not in scope and word not in self.known and f"{one.owner}.{word}" not in self.types:
                    self.unknown.setdefault(word, []).append(one)
                    return False
        return True

    def spell(self, text, one):
        """A type with the module's name before its top-level types, unless a generic parameter has the name."""
        scope = set(self.generics(one.owner)) | {g.removeprefix("each ") for g in one.generics}

        def qualified(match):
            word, following = match[1], match[2]
            is_generic = following == "<"
            if word in self.top and (is_generic or word not in scope and (word not in self.associated or word in self.types)):
                if word in self.associated and not following and f"{one.owner}.{word}" in self.aliases:
                    return word
                return f"{self.module}.{word}{following}"
            return word + following

        text = re.sub(r"(?<![\w.@])([A-Z_]\w*)(<?)", qualified, text)
        return text.replace("@MainActor", "@_Concurrency.MainActor")

    def where(self, constraints, owner, one=None):
        one = one or Fact(f"{owner}.x", "func")
        return " where " + ", ".join(self.spell(c, one) for c in constraints) if constraints else ""

    def conditions(self, one):
        """The constraints of the member itself, and those of its extension."""
        own = {g.removeprefix("each ") for g in one.generics}
        inner, outer = [], []
        for rule in one.constraints:
            words = set(re.findall(r"(?<![\w.])\w+", rule))
            (inner if words & own or one.owner == "" else outer).append(rule)
        return inner, outer

    def is_inside(self, one):
        """True for members in the declaration of a type: to property wrappers the place matters."""
        if one.owner not in self.types or self.types[one.owner].kind == "protocol":
            return False
        return "extension" not in one.marks and one.kind not in TYPES + ("conformance", "case", "typealias")

    def type(self, one, indent=""):
        name = one.symbol.rpartition(".")[2]
        attributes = "".join(f"@{mark} " for mark in ("propertyWrapper", "resultBuilder", "dynamicMemberLookup") if mark in one.marks)
        if one.kind == "enum" and "frozen" in one.marks:
            attributes += "@frozen "
        if "MainActor" in one.marks:
            attributes += "@_Concurrency.MainActor @preconcurrency "
        generics = f"<{', '.join(one.generics)}>" if one.generics else ""
        parents, seen = [], set()
        raw = [c for c in self.conformances.get(one.symbol, []) if not c.constraints and "unavailable" not in c.marks]
        # A class or the raw type of an enumeration stands first.
        raw.sort(key=lambda c: not re.fullmatch(r"U?Int\d*|String", c.result) and not (c.result in self.types and self.types[c.result].kind == "class"))
        for c in raw:
            if c.result not in seen and self.is_usable(c):
                seen.add(c.result)
                parents.append(("@unchecked " if "unchecked" in c.marks else "") + self.spell(c.result, c))
        inherits = f" : {', '.join(parents)}" if parents else ""
        modifiers = "".join(f"{m} " for m in ("final", "indirect") if m in one.marks)
        access = "open" if "open" in one.marks else "public"
        where = self.where(one.constraints, one.symbol, Fact(one.symbol + ".x", "func"))
        lines = [f"{indent}{attributes}{access} {modifiers}{one.kind} {name}{generics}{inherits}{where} {{"]
        for member in self.by_owner.get(one.symbol, []):
            if member.kind in TYPES:
                lines += self.type(member, indent + "  ")
            elif not self.is_usable(member):
                continue
            elif member.kind == "case":
                lines.append(f"{indent}  {self.case(member)}")
            elif member.kind == "associatedtype":
                if one.symbol in self.own:
                    default = f" = {self.spell(member.result, member)}" if member.result else ""
                    lines.append(f"{indent}  associatedtype {member.base}{default}{self.where(member.constraints, one.symbol, member)}")
                else:
                    bounds = self.where(member.constraints, one.symbol, member).replace(f" where {member.base}:", " :")
                    lines.append(f"{indent}  associatedtype {member.base}{bounds} = Swift.Never")
            elif member.kind == "typealias" and not self.conditions(member)[1]:
                lines.append(indent + self.member(member, []).replace("public ", "" if one.kind == "protocol" else "public ", 1))
            elif "requirement" in member.marks:
                lines.append(indent + self.member(member, member.constraints).replace("public ", "", 1))
            elif self.is_inside(member):
                lines.append(indent + self.member(member, member.constraints))
        return lines + [f"{indent}}}"]

    def attribute(self, name):
        """An attribute of a parameter."""
        if name == "_inheritActorContext":
            return f"@{name} "
        return f"@{self.module if name.split('<')[0] in self.top else 'SwiftUI'}.{name} "

    def case(self, one):
        if not one.parameters:
            return f"case `{one.base}`"
        labels = one.name.partition("(")[2].rstrip(")").split(":")[:-1]
        parts = [("" if label == "_" else f"{label}: ") + self.spell(kind, one) for label, kind in zip(labels, one.parameters, strict=True)]
        return f"case `{one.base}`({', '.join(parts)})"

    def member(self, one, inner):
        access = "public "
        attributes = ""
        if "disfavored" in one.marks:
            attributes += "@_disfavoredOverload "
        if "discardable" in one.marks:
            attributes += "@discardableResult "
        for builder in ("ViewBuilder", "SceneBuilder", "WidgetBundleBuilder", "ToolbarContentBuilder", "ChartContentBuilder", "AxisContentBuilder"):
            if builder in one.marks:
                attributes += f"@{self.module if builder in self.top else 'SwiftUI'}.{builder} "
        if "MainActor" in one.marks:
            attributes += "@_Concurrency.MainActor @preconcurrency "
        if "nonisolated" in one.marks:
            attributes += "nonisolated "
        if "unavailable" in one.marks:
            attributes += "@available(*, unavailable) "
        elif one.since > 17.0:
            attributes += f'@available(*, unavailable, message: "iOS {one.iOS}") '
        elif "-" in one.iOS and float(one.iOS.split("-")[1]) <= 17.0:
            attributes += f'@available(*, deprecated, message: "iOS {one.iOS}") '
        modifiers = "static " if one.kind.startswith("static ") else ""
        kind = one.kind.removeprefix("static ")
        if "mutating" in one.marks:
            modifiers += "mutating "
        if "prefix" in one.marks:
            modifiers += "prefix "
        if "convenience" in one.marks:
            modifiers += "convenience "
        if "required" in one.marks:
            modifiers += "required "
        if kind == "typealias":
            generics = f"<{', '.join(one.generics)}>" if one.generics else ""
            return f"  {attributes}{access}typealias {one.base}{generics} = {self.spell(one.result, one)}"
        effects = "".join(f" {e}" for e in ("async", "throws", "rethrows") if e in one.marks)
        if kind == "var":
            accessors = "get" + (" async" if "async" in one.marks else "") + (" throws" if "throws" in one.marks else "")
            if "set" in one.marks:
                accessors += " nonmutating set" if "nonmutating" in one.marks else " set"
            return f"  {attributes}{access}{modifiers}var `{one.base}`: {self.spell(one.result, one)} {{ {accessors} }}"
        labels = one.name.partition("(")[2].rpartition(")")[0].split(":")[:-1]
        parts = []
        for index, (label, parameter) in enumerate(zip(labels, one.parameters, strict=True)):
            default = " = stub()" if parameter.endswith(" =") else ""
            text = parameter.removesuffix(" =")
            builder = re.match(r"((?:@(?:\w+Builder(?:<[^>]*>)?|Binding|_inheritActorContext) )*)(.*)", text)
            before = "".join(self.attribute(name) for name in re.findall(r"@([\w<>, ]+?) ?(?=@|$)", builder[1]))
            shown = "" if re.match(r"\W", one.base) else f"{label} "
            parts.append(f"{before}{shown}p{index}: {self.spell(builder[2], one)}{default}")
        generics = f"<{', '.join(one.generics)}>" if one.generics else ""
        where = self.where(inner, one.owner, one)
        arguments = f"({', '.join(parts)})"
        if kind == "init":
            mark = "?" if "failable" in one.marks else ""
            return f"  {attributes}{access}{modifiers}init{mark}{generics}{arguments}{effects}{where}"
        if kind == "subscript":
            accessors = "get" + ((" nonmutating set" if "nonmutating" in one.marks else " set") if "set" in one.marks else "")
            return f"  {attributes}{access}{modifiers}subscript{generics}{arguments} -> {self.spell(one.result, one)}{where} {{ {accessors} }}"
        name = one.base if re.match(r"\W", one.base) else f"`{one.base}`"
        return f"  {attributes}{access}{modifiers}func {name}{generics}{arguments}{effects} -> {self.spell(one.result, one)}{where}"


def isolated(facts, differences):
    """The facts with the main actor where later SDKs have it, by our table of differences."""
    types = PROGRAMS | {symbol for symbol, aspect, ours, _ in differences if aspect == "MainActor" and ours == "MainActor"}
    parameters = {(symbol, apples): ours for symbol, aspect, ours, apples in differences if aspect == "MainActor" and "->" in ours}
    found = []
    for one in facts:
        if one.symbol in types and one.kind in TYPES:
            one = replace(one, marks=(*one.marks, "MainActor"))
        changed = tuple(parameters.get((one.symbol, parameter), parameter) for parameter in one.parameters)
        found.append(replace(one, parameters=changed))
    return found
