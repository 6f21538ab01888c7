"""Reads declarations from Swift text: interface files of SDKs, declarations of symbol graphs, and types in either."""

import re
from dataclasses import dataclass, field

TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|`\w+`|\$?\w+|->|\.\.\.|\.\.<|==|&&|[^\w\s]|\n', re.DOTALL)
OPEN, CLOSE = {"(": ")", "[": "]", "{": "}"}, {")", "]", "}"}
MODIFIERS = {
    "public", "open", "internal", "package", "fileprivate", "private", "final", "static", "class", "mutating", "nonmutating", "override",
    "convenience", "required", "indirect", "prefix", "postfix", "infix", "weak", "unowned", "lazy", "dynamic", "optional", "nonisolated",
    "isolated", "__consuming", "consuming", "borrowing", "distributed",
}  # fmt: skip
KEYWORDS = {
    "import", "struct", "class", "enum", "protocol", "extension", "actor", "func", "init", "subscript", "var", "let", "case", "typealias",
    "associatedtype", "operator", "precedencegroup", "deinit", "macro",
}  # fmt: skip
TYPES = {"struct", "class", "enum", "protocol", "actor"}
# Attributes that say nothing to a caller.
SILENT = {
    "inlinable", "_alwaysEmitIntoClient", "usableFromInline", "objc", "_semantics", "_hasMissingDesignatedInitializers", "_transparent",
    "_inheritsConvenienceInitializers", "_specialize", "inline", "_typeEraser", "backDeployed", "_marker", "_silgen_name", "_implements",
    "_originallyDefinedIn", "_documentation", "_nonSendable", "_fixed_layout", "IBAction",
}  # fmt: skip

WITH_ARGUMENTS = ("available", "MainActor", "convention", "_semantics", "objc", "freestanding", "attached", "_spi")
# The words of a type that have a space before a bracket.
BEFORE_BRACKET = {"escaping", "Sendable", "MainActor", "autoclosure", "async", "inout", "some", "each", "repeat", "convention", "throws"}


@dataclass
class Parameter:
    label: str
    type: str
    attributes: tuple = ()
    has_default: bool = False


@dataclass
class Declaration:
    """One declaration. `owner` is the type that it is a member of, or the extended type, without modules."""

    kind: str
    name: str
    owner: str = ""
    parameters: list = None
    generics: list = field(default_factory=list)
    result: str = ""
    constraints: list = field(default_factory=list)
    conformances: list = field(default_factory=list)
    attributes: list = field(default_factory=list)
    modifiers: list = field(default_factory=list)
    effects: list = field(default_factory=list)
    available: dict = field(default_factory=dict)
    accessors: str = ""
    members: list = field(default_factory=list)

    @property
    def full_name(self):
        if self.parameters is None:
            return self.name
        return f"{self.name}({''.join(p.label + ':' for p in self.parameters)})"

    @property
    def is_static(self):
        return "static" in self.modifiers or "class" in self.modifiers


def first_branches(text):
    """The text without the lines of compiler conditions: of several branches, the first stays."""
    kept, is_skipped = [], []
    for line in text.split("\n"):
        word = line.strip().split(" ")[0]
        if word == "#if":
            is_skipped.append(False)
        elif word in ("#else", "#elseif"):
            is_skipped[-1] = True
        elif word == "#endif":
            is_skipped.pop()
        elif not any(is_skipped):
            kept.append(line)
    return "\n".join(kept)


def tokens(text):
    return [token for token in TOKEN.findall(text) if not token.startswith(("//", "/*"))]


def balanced(words, start):
    """The index after the bracket that closes the one at `start`."""
    depth = 0
    for index in range(start, len(words)):
        if words[index] in OPEN:
            depth += 1
        elif words[index] in CLOSE:
            depth -= 1
            if not depth:
                return index + 1
    return len(words)


def split(words, separators):
    """The parts between separators that are in no bracket."""
    parts, depth = [[]], 0
    for index, word in enumerate(words):
        if word in OPEN or word == "<":
            depth += 1
        elif word in CLOSE or word == ">":
            depth -= 1
        if not depth and word in separators:
            parts.append([])
        else:
            parts[-1].append(word)
    return [part for part in parts if part]


class Reader:
    def __init__(self, text, modules=()):
        self.words = tokens(first_branches(text))
        self.index = 0
        self.modules = set(modules)

    # MARK: Types

    def type(self, words):
        """A type in one spelling: without modules, labels of closures, `any`, and `Self.`."""
        words = [word for word in words if word != "\n"]
        plain, index = [], 0
        while index < len(words):
            word = words[index]
            following = words[index + 1] if index + 1 < len(words) else ""
            before = plain[-1] if plain else ""
            if following == "." and before != "." and (word in self.modules or word == "Self"):
                index += 2
                continue
            if word in ("__owned", "__shared", "any"):
                index += 1
                continue
            plain.append(word.strip("`"))
            index += 1
        text, before = "", ""
        for index, word in enumerate(plain):
            following = plain[index + 1] if index + 1 < len(plain) else ""
            # The label of a parameter of a closure.
            if following == ":" and before in ("(", ",") and re.fullmatch(r"\w+", word):
                before = "label"
                continue
            if before == "(" and word == "_" and re.fullmatch(r"\w+", following):
                continue
            if before == "," and word == "_" and re.fullmatch(r"\w+", following):
                continue
            if before == "label":
                before = "(" if text.endswith("(") else ","
                continue
            if word in ("->", "&", "==", "="):
                text += f" {word} "
            elif word == ",":
                text += ", "
            elif word == ":":
                text += ": "
            elif re.match(r"[\w@(]", word) and re.search(r"\w$", before) and (word != "(" or before in BEFORE_BRACKET):
                text += " " + word
            elif re.match(r"[@\[]", word) and re.search(r"\w$", before):
                text += " " + word
            else:
                text += word
            before = word
        text = text.replace("@MainActor(unsafe)", "@MainActor").replace("_Concurrency.", "")
        text = re.sub(r"@Sendable (\w)", r"@Sendable \1", text)
        text = re.sub(r"-> \(\)", "-> Void", text)
        text = re.sub(r"\bOptional<(\w+)>", r"\1?", text)
        return {"()": "Void"}.get(text.strip(), text.strip())

    def constraint_list(self, words):
        found = []
        for part in split([word for word in words if word != "\n"], {","}):
            sides = split(part, {":"})
            if len(sides) == 2:
                for bound in split(sides[1], {"&"}):
                    found.append(f"{self.type(sides[0])}: {self.type(bound)}")
                continue
            at = next((i for i, word in enumerate(part) if word == "=="), None)
            if at is not None:
                found.append(f"{self.type(part[:at])} == {self.type(part[at + 1:])}")
        return found

    def generic_list(self, words):
        """The parameters between angle brackets, and their constraints."""
        names, found = [], []
        for part in split(words, {","}):
            sides = split(part, {":"})
            names.append(self.type(sides[0]))
            if len(sides) == 2:
                found += [f"{names[-1].removeprefix('each ')}: {self.type(bound)}" for bound in split(sides[1], {"&"})]
        return names, found

    def parameter_list(self, words, is_subscript=False):
        found = []
        for part in split([word for word in words if word != "\n"], {","}):
            value = split(part, {"="})
            part, has_default = (value[0], len(value) > 1)
            if "=" in part:
                part, has_default = part[: part.index("=")], True
            attributes = []
            while part and part[0] == "@":
                name, part = self.attribute(part)
                attributes.append(name)
            colon = part.index(":")
            names, kind = part[:colon], part[colon + 1 :]
            label = names[0].strip("`")
            if is_subscript:
                label = label if len(names) > 1 else "_"
            closing = []
            while kind and kind[0] == "@":
                name, rest = self.attribute(kind)
                if name not in ("escaping", "autoclosure"):
                    break
                closing.append(name)
                kind = rest
            found.append(Parameter(label, self.type(kind), tuple(attributes + closing), has_default))
        return found

    def attribute(self, words):
        """The name of the attribute that begins the words, with short arguments, and the rest."""
        index = 1
        name = words[index]
        index += 1
        while index + 1 < len(words) and words[index] == ".":
            name, index = words[index + 1], index + 2
        if index < len(words) and words[index] == "<":
            end = index + words[index:].index(">") + 1
            name, index = name + self.type(words[index:end]), end
        if index < len(words) and words[index] == "(" and name not in ("escaping", "autoclosure", "Sendable", "ViewBuilder", "discardableResult"):
            end = balanced(words, index)
            arguments = words[index + 1 : end - 1]
            # A closure type after an attribute begins with a bracket too.
            if name in WITH_ARGUMENTS or len(arguments) <= 1 or name in SILENT:
                if not (name == "MainActor" and arguments != ["unsafe"]):
                    if not (end < len(words) and words[end] in ("->", "async", "throws")):
                        index = end
                        if name == "available":
                            name = ("available", arguments)
                        elif name == "MainActor":
                            name = "MainActor(unsafe)"
        return name, words[index:]

    # MARK: Declarations

    def declarations(self, owner="", end=None):
        found = []
        while self.index < len(self.words):
            word = self.words[self.index]
            if word == "}":
                return found
            if word in ("\n", ";"):
                self.index += 1
            else:
                one = self.declaration(owner)
                if one:
                    found.append(one)
        return found

    def declaration(self, owner):
        words = self.words
        one = Declaration("", "", owner)
        while self.index < len(words):
            word = words[self.index]
            following = words[self.index + 1] if self.index + 1 < len(words) else ""
            if word == "\n":
                self.index += 1
            elif word == "@":
                ahead = words[self.index : self.index + 128]
                name, rest = self.attribute(ahead)
                self.index += len(ahead) - len(rest)
                if isinstance(name, tuple):
                    self.availability(name[1], one.available)
                elif name not in SILENT:
                    one.attributes.append(name)
            elif word in MODIFIERS and not (word == "class" and (following not in KEYWORDS | MODIFIERS)):
                self.index += 1
                if self.index < len(words) and words[self.index] == "(":
                    end = balanced(words, self.index)
                    argument = "".join(words[self.index : end])
                    word, self.index = word + argument, end
                one.modifiers.append(word)
            elif word in KEYWORDS:
                self.index += 1
                one.kind = word
                break
            else:
                # Not a declaration: the rest of the line.
                while self.index < len(words) and words[self.index] not in ("\n", "}"):
                    self.index = balanced(words, self.index) if words[self.index] in OPEN else self.index + 1
                return None
        header = self.header(one.kind)
        body = None
        if self.index < len(words) and words[self.index] == "{":
            if one.kind in TYPES | {"extension"}:
                self.index += 1
                self.read_header(one, header)
                path = one.name if one.kind == "extension" else f"{owner}.{one.name}".lstrip(".")
                one.members = self.declarations(path)
                self.index += 1
                return one
            end = balanced(words, self.index)
            body, self.index = words[self.index + 1 : end - 1], end
        self.read_header(one, header)
        if one.kind in ("var", "let", "subscript") and one.accessors == "":
            one.accessors = self.accessor_kind(one, body)
        return one

    def header(self, kind):
        """The words up to the body or the end of the line."""
        start, words = self.index, self.words
        while self.index < len(words):
            word = words[self.index]
            if word == "{" or word == "}" or word == ";":
                break
            if word == "\n":
                rest = self.after(self.index)
                before = self.before(start, self.index)
                if rest not in ("where", "->") and before not in (",", "where", "->", ":", "="):
                    break
            if word in ("(", "["):
                self.index = balanced(words, self.index)
            else:
                self.index += 1
        return [word for word in words[start : self.index] if word != "\n"]

    def after(self, index):
        while index < len(self.words) and self.words[index] == "\n":
            index += 1
        return self.words[index] if index < len(self.words) else ""

    def before(self, start, index):
        while index > start and self.words[index - 1] == "\n":
            index -= 1
        return self.words[index - 1] if index > start else ""

    def accessor_kind(self, one, body):
        if one.kind == "let":
            return "get"
        if body is None:
            return "get set"
        names = {word for word in body if word in ("get", "set", "_modify", "willSet", "didSet")}
        if not names & {"get", "set", "_modify"} and names:
            return "get set"
        kinds = "get set" if names & {"set", "_modify"} else "get"
        if "nonmutating" in body:
            kinds += " nonmutating"
        if "async" in body:
            kinds += " async"
        return kinds

    def availability(self, words, found):
        parts = split(words, {","})
        platforms = {"iOS", "macOS", "*"}
        if len(parts) > 1 and len(parts[0]) == 1 and parts[0][0] in platforms | {"tvOS", "watchOS", "xrOS", "visionOS", "swift"}:
            name = parts[0][0]
            for part in parts[1:]:
                key = part[0]
                if key in ("unavailable", "deprecated", "obsoleted", "introduced"):
                    value = "".join(part[2:]) or "*"
                    if name in platforms:
                        found.setdefault(name, {})[key] = value
        else:
            for part in parts:
                if part[0] in platforms and len(part) > 1:
                    found.setdefault(part[0], {})["introduced"] = "".join(part[1:])

    def read_header(self, one, words):
        kind, index = one.kind, 0
        if kind in ("import", "operator", "precedencegroup", "deinit"):
            one.name = "".join(words)
            return
        if kind == "extension":
            cut = next((i for i, word in enumerate(words) if word in (":", "where")), len(words))
            one.name = self.type(words[:cut])
            self.read_bounds(one, words[cut:])
            return
        if kind == "case":
            self.read_case(one, words)
            return
        if kind in ("init", "subscript"):
            one.name = kind
            if index < len(words) and words[index] in ("?", "!"):
                one.modifiers.append("failable")
                index += 1
        elif kind == "func" and not re.match(r"[\w`]", words[0]):
            while words[index] not in ("(", "<") or index == 0:
                one.name += words[index]
                index += 1
        else:
            one.name = words[0].strip("`")
            index = 1
        if index < len(words) and words[index] == "<":
            depth, end = 0, index
            while True:
                depth += (words[end] == "<") - (words[end] == ">")
                end += 1
                if not depth:
                    break
            one.generics, one.constraints = self.generic_list(words[index + 1 : end - 1])
            index = end
        if kind in ("func", "init", "subscript", "macro"):
            if index < len(words) and words[index] == "(":
                end = balanced(words, index)
                one.parameters = self.parameter_list(words[index + 1 : end - 1], kind == "subscript")
                index = end
            while index < len(words) and words[index] in ("async", "throws", "rethrows", "reasync"):
                one.effects.append(words[index])
                index += 1
                if words[index - 1] == "throws" and index < len(words) and words[index] == "(":
                    index = balanced(words, index)
            rest = words[index:]
            cut = next((i for i, word in enumerate(rest) if word == "where"), len(rest))
            if rest[:1] == ["->"]:
                one.result = self.type(rest[1:cut])
            elif kind == "func":
                one.result = "Void"
            self.read_bounds(one, rest[cut:])
        elif kind in ("var", "let"):
            rest = words[index:]
            if rest[:1] == [":"]:
                cut = next((i for i, word in enumerate(rest) if word == "="), len(rest))
                one.result = self.type(rest[1:cut])
        elif kind == "typealias":
            cut = next((i for i, word in enumerate(words) if word == "="), len(words))
            one.result = self.type(words[cut + 1 :])
        elif kind == "associatedtype":
            rest = words[index:]
            where = next((i for i, word in enumerate(rest) if word == "where"), len(rest))
            cut = next((i for i, word in enumerate(rest[:where]) if word == "="), where)
            one.result = self.type(rest[cut + 1 : where])
            self.read_bounds(one, rest[:cut] + rest[where:])
        else:
            self.read_bounds(one, words[index:])

    def read_case(self, one, words):
        one.name = words[0].strip("`")
        if len(words) > 1 and words[1] == "(":
            end = balanced(words, 1)
            one.parameters = []
            for part in split(words[2 : end - 1], {","}):
                sides = split(part, {":"})
                label = sides[0][0] if len(sides) == 2 else "_"
                one.parameters.append(Parameter(label, self.type(sides[-1])))
        extra = split(words, {","})
        for other in extra[1:]:
            case = Declaration("case", "", one.owner)
            self.read_case(case, other)
            one.members.append(case)

    def read_bounds(self, one, words):
        """The part after the name: `: A, B where C : D`."""
        cut = next((i for i, word in enumerate(words) if word == "where"), len(words))
        if words[:1] == [":"]:
            for part in split(words[1:cut], {",", "&"}):
                while part and part[0] == "@":
                    name, part = self.attribute(part)
                    one.conformances.append(f"@{name} {self.type(part)}")
                    part = []
                if part:
                    one.conformances.append(self.type(part))
        one.constraints += self.constraint_list(words[cut + 1 :])
