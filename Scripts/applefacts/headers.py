"""Facts of Objective-C and C headers, for the Swift names that stubs declare.

Swift's importer drops words of a selector that repeat types. Here a Swift name fits a selector if its words are words of the selector in the
same order, and the words left out are those of types, or small ones.
"""

import glob
import os
import re

from .facts import Fact

SMALL = {"with", "for", "at", "to", "of", "in", "on", "from", "by", "and", "the", "using"}
PLAIN = {
    "BOOL": "Bool", "NSInteger": "Int", "NSUInteger": "Int", "int": "Int32", "float": "Float", "double": "Double", "void": "Void", "id": "Any",
    "NSString": "String", "NSURL": "URL", "NSData": "Data", "NSDate": "Date", "NSLocale": "Locale", "NSError": "Error", "NSNotificationName":
    "NSNotification.Name", "NSTimeInterval": "TimeInterval", "Boolean": "Bool", "CFStringRef": "CFString", "uint32_t": "UInt32",
    "NSBundle": "Bundle", "uint32": "UInt32", "instancetype": "Self", "CFTypeRef": "CFTypeRef", "CFDictionaryRef": "CFDictionary",
    "unsigned": "UInt32",
    "CFAllocatorRef": "CFAllocator", "CFErrorRef": "CFError", "SecTrustRef": "SecTrust", "SecCertificateRef": "SecCertificate", "CFArrayRef":
    "CFArray", "CFDataRef": "CFData", "SecAccessControlRef": "SecAccessControl",
}  # fmt: skip
# What each module needs of the headers of others.
ALSO = {"Foundation": ["Security"], "AVFoundation": ["AVFAudio"], "UIKit": ["CoreGraphics", "Foundation"], "Security": ["CoreFoundation"]}

ENUM = re.compile(r"typedef\s+(?:NS|CF)_(?:CLOSED_)?(ENUM|OPTIONS)\s*\(\s*(\w+)\s*,\s*(\w+)\s*\)\s*\{(.*?)\}([^;]*);", re.DOTALL)
BRACKETS = r"\(([^()]*(?:\([^()]*\)[^()]*)*)\)"
FUNCTION = re.compile(rf"(?:[A-Z_]+(?:{BRACKETS.replace('([^', '(?:[^', 1)})? )*(.*?)\b(\w+)\s*{BRACKETS}\s*((?:[A-Z_]+.*)?)$")


def words(name):
    return [word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z0-9]+", name)]


def fits(swift, objc, droppable):
    """The number of words left out; None if the names do not fit."""
    at, dropped = 0, 0
    for word in objc:
        if at < len(swift) and swift[at] == word:
            at += 1
        elif word in droppable or word in SMALL:
            dropped += 1
        else:
            return None
    return dropped if at == len(swift) else None


class Headers:
    def __init__(self, sdk, module):
        self.containers, self.enums, self.constants, self.functions, self.strings = {}, {}, {}, {}, {}
        self.blocks, self.aliases, self.references, self.notes = {}, {}, set(), {}
        for name in [module, *ALSO.get(module, [])]:
            paths = glob.glob(os.path.join(sdk, f"System/Library/Frameworks/{name}.framework/**/*.h"), recursive=True)
            for path in glob.glob(os.path.join(sdk, f"System/Library/Frameworks/{name}.framework/**/*.apinotes"), recursive=True):
                with open(path, encoding="utf-8") as file:
                    self.read_notes(file)
            for path in sorted(paths):
                with open(path, encoding="utf-8", errors="replace") as file:
                    self.read(file.read())

    def read_notes(self, lines):
        """Swift names of selectors and types, which the SDK has beside the headers."""
        name = ""
        for line in lines:
            key, _, value = line.strip().removeprefix("- ").partition(":")
            value = value.strip().strip("'\"")
            if key in ("Selector", "Name"):
                name = value
            elif key == "SwiftName" and value:
                self.notes.setdefault(name, value)

    def read(self, text):
        self.is_audited = "NS_ASSUME_NONNULL_BEGIN" in text or "nullability" in text or "CF_ASSUME_NONNULL_BEGIN" in text
        text = re.sub(r"//[^\n]*|/\*.*?\*/", " ", text, flags=re.DOTALL)
        text = re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", " ", text, flags=re.MULTILINE)
        text = re.sub(r"\b(?:NS_ASSUME_NONNULL_BEGIN|NS_ASSUME_NONNULL_END|CF_ASSUME_NONNULL_BEGIN|CF_ASSUME_NONNULL_END)\b", ";", text)
        text = re.sub(r"\b(?:NS_HEADER_AUDIT_\w+|CF_IMPLICIT_BRIDGING_\w+|API_UNAVAILABLE_BEGIN|API_AVAILABLE_BEGIN)(?:\([^)]*\))?", ";", text)
        text = re.sub(r"@(?:class|protocol)\s+[\w\s,]+;", ";", text)
        for match in ENUM.finditer(text):
            kind, raw, name, body, tail = match.groups()
            before = text[: match.start()].rpartition(";")[2]
            cases = [(part.split()[0], part) for part in re.split(r",(?![^(]*\))", body) if part.split()]
            self.enums[name] = (kind, cases, tail + before)
            if swift := re.search(r"NS_SWIFT_NAME\(([\w.]+)\)", tail):
                self.enums[swift[1].replace(".", "")] = (kind, [(case.replace(name, swift[1].replace(".", "")), part) for case, part in cases], tail)
        for match in re.finditer(r"typedef\s+\w+\s*\*?\s*(?:const\s+)?(\w+)\s+([^;]*(?:TYPED|STRING)\w*ENUM[^;]*);", text):
            self.strings[match[1]] = match[2]
        for match in re.finditer(r"typedef\s+([^;(]*?)\(\s*\^\s*(\w+)\s*\)\s*\(([^;()]*(?:\([^()]*\)[^;()]*)*)\)[^;]*;", text):
            self.blocks[match[2]] = (match[1], match[3])
        for match in re.finditer(r"typedef\s+(\w+)\s+(\w+)\s*;", text):
            self.aliases[match[2]] = match[1]
        self.references |= set(re.findall(r"typedef\s+(?:const\s+)?struct\s[^;]*?\*\s*(?:API\w+\([^;]*\)\s*)?(\w+)Ref\b", text))
        rest = []
        end = 0
        for match in re.finditer(r"@(interface|protocol)\s+(\w+)([^\n{]*)(.*?)@end", text, re.DOTALL):
            before = re.split(r"[;}]|@end", text[end : match.start()])[-1]
            rest.append(text[end : match.start()])
            end = match.end()
            kind, name, head, body = match.groups()
            is_category = head.strip().startswith("(")
            entry = self.containers.setdefault(name, {"kind": kind, "head": "", "before": "", "members": []})
            if not is_category:
                entry.update(kind=kind, head=head, before=before)
            body = re.sub(r"\{[^{}]*\}", ";", body)
            for part in body.replace("@optional", ";@optional;").replace("@required", ";").split(";"):
                part = " ".join(part.split())
                if start := re.search(r"(?:^|\s)([-+] ?\(|@property)", part):
                    part = part[start.start(1) :]
                    entry["members"].append((part, self.is_audited, before if is_category else ""))
        rest.append(text[end:])
        for part in " ".join(rest).split(";"):
            part = " ".join(part.split())
            match = FUNCTION.match(part)
            if match and match[1].strip() and "typedef" not in part and "{" not in part:
                self.functions[match[2]] = (match[1], match[3], match[4] or part, self.is_audited)
            match = re.match(r"(?:.*\b(?:extern|EXTERN|EXPORT|[A-Z]+_(?:EXTERN|EXPORT))\b)(.*)", part)
            if match and "(" not in re.sub(r"[A-Z_]+\s*\(.*", "", match[1]):
                plain = re.sub(r"\b(?:API|NS|CF|__OSX|__IOS|_Nonnull|UIKIT)\w*\s*\(.*|\b[A-Z_]{5,}\b.*", "", match[1])
                names = re.findall(r"\b([A-Za-z]\w+)\b", plain)
                if names:
                    self.constants[names[-1]] = part
        for match in re.finditer(r"\b(errSec\w+)\s*(?:API\w+\([^)]*\)\s*)?=\s*-?\d+", text):
            self.constants[match[1]] = ""

    def rename(self, name, new):
        """An enumeration or a type of texts under its Swift name, without dots."""
        if name in self.enums:
            kind, cases, tail = self.enums[name]
            self.enums[new] = (kind, [(case.replace(name, new), part) for case, part in cases], tail)
        if name in self.strings:
            self.strings[new] = self.strings[name]
            self.constants |= {case.replace(name, new): text for case, text in self.constants.items() if case.startswith(name)}


def since(*texts):
    found = []
    for text in texts:
        match = re.search(r"\bios\((\d+(?:\.\d+)?)", text) or re.search(r"NS_(?:CLASS_)?AVAILABLE_IOS\((\d+_\d+)", text)
        match = match or re.search(r"NS_(?:CLASS_|ENUM_)?AVAILABLE\(\w+,\s*(\d+_\d+)", text) or re.search(r"__IPHONE_(\d+_\d+)", text)
        if match:
            found.append(float(match[1].replace("_", ".")))
    deprecated = [m for text in texts for m in re.findall(r"API_DEPRECATED\w*\([^;]*?ios\([\d.]+,\s*([\d.]+)", text)]
    text = str(max(found)) if found else ""
    return text + (f"-{deprecated[0]}" if deprecated and float(deprecated[0]) < 100 else "")


def marks_of(*texts):
    text = " ".join(texts)
    found = set()
    if "NS_SWIFT_UI_ACTOR" in text and "NS_SWIFT_NONISOLATED" not in text:
        found.add("MainActor")
    if re.search(r"API_UNAVAILABLE\([^)]*\bmacos\b", text):
        found.add("not on macOS")
    return found


class Translator:
    """Types of Objective-C as Swift has them. `paths` are the nested types of our stubs by their names without dots."""

    def __init__(self, paths, blocks, kept):
        """`blocks` are named types of closures; those in `kept` have the name in our stubs too."""
        self.paths, self.blocks, self.kept = paths, blocks, kept

    def type(self, text, is_audited, nullable=False):
        text = " ".join(text.split())
        block = re.match(r"(.*?)\(\s*\^\s*((?:_Nullable|_Nonnull|NS_SWIFT_\w+|__nullable|NS_NOESCAPE|\w+)?\s*)*\)\s*\((.*)\)(.*)$", text)
        outside = text[: text.index(block[3], block.end(1))] if block and block[3].strip() else text
        is_nullable = nullable or bool(re.search(r"\b_?_?nullable\b|_Nullable", outside))
        sendable = "@Sendable " if "NS_SWIFT_SENDABLE" in text else ""
        main = "@MainActor " if "NS_SWIFT_UI_ACTOR" in text else ""
        text = re.sub(r"\b(?:NS_SWIFT_\w+|NS_NOESCAPE|CF_RETURNS_RETAINED|CF_NOESCAPE|__kindof|const|nullable|nonnull|_Nullable|_Nonnull|__nullable|"
                      r"__nonnull|null_unspecified|NSErrorPointer|struct|extern|IBOutlet|inout|UIKIT_EXTERN|__autoreleasing)\b", " ", text).strip()
        if block:
            result = self.type(re.sub(r"\b_?_?nullable\b|_Nullable", " ", block[1]), is_audited)
            parts = re.split(r",(?![^<(]*[>)])", block[3])
            arguments = [self.type(self.unnamed(part), is_audited) for part in parts if part.strip() not in ("", "void")]
            closure = f"{main}{sendable}({', '.join(arguments)}) -> {result}"
            return f"({closure})?" if is_nullable else closure
        pointers = re.sub(r"<.*>", "", text).count("*")
        name = (re.sub(r"\*\s*$", "", text) if "<" in text else text.replace("*", " ")).strip()
        collection = re.match(r"(NSArray|NSSet|NSDictionary)\s*(?:<(.*)>)?$", name)
        protocol = re.match(r"(?:id|\w+)\s*<\s*(\w+)\s*>$", name)
        if collection:
            parts = [self.type(part, True) for part in re.split(r",(?![^<]*>)", collection[2] or "")] if collection[2] else []
            name = {"NSArray": "[%s]" % (parts or ["Any"])[0], "NSSet": "Set<%s>" % (parts or ["AnyHashable"])[0],
                    "NSDictionary": "[%s: %s]" % tuple(parts) if len(parts) == 2 else "[AnyHashable: Any]"}[collection[1]]
        elif protocol and name.startswith("id"):
            name = protocol[1]
        else:
            name = self.paths.get(name, PLAIN.get(name, name))
            if name in self.blocks and name not in self.kept:
                return self.type(f"{self.blocks[name][0]}{'nullable ' if is_nullable else ''}(^)({self.blocks[name][1]})", is_audited)
        is_object = pointers == 1 or collection or name in ("Any",) or protocol or name.startswith("CF")
        if pointers == 2 or pointers == 1 and text.split("*")[0].strip() in ("CFTypeRef", "CFErrorRef", "float"):
            inner = name + ("?" if name.startswith(("CF", "NS")) else "")
            return f"UnsafeMutablePointer<{inner}>" + ("?" if is_nullable or not is_audited else "")
        return name + ("?" if is_nullable else "!" if is_object and not is_audited and pointers else "")

    @staticmethod
    def unnamed(part):
        """A parameter without its name."""
        part = part.strip()
        if "^" in part:
            return part
        is_type = re.fullmatch(r"\w+(\s+(nullable|nonnull))?", part)
        return part if is_type else re.sub(r"(?<=[\s*>])\w+$", "", part)


def method(text):
    """Whether it is of the class, its result, the parts of its selector, their types, and the attributes behind."""
    match = re.match(r"([-+])\s*\(", text)
    if not match:
        return None
    at = text.index("(")
    result, at = bracketed(text, at)
    labels, types = [], []
    while True:
        part = re.match(r"\s*(\w*)\s*(:?)", text[at:])
        if not part or not (part[1] or part[2]) or not part[2]:
            if not labels and part:
                labels, at = [part[1]], at + part.end()
            break
        if re.fullmatch(r"[A-Z_]{4,}", part[1] or "") and not part[2]:
            break
        labels.append(part[1])
        at += part.end()
        open_at = text.find("(", at)
        if text[at:open_at].strip():
            break
        kind, at = bracketed(text, open_at)
        types.append(kind)
        name = re.match(r"\s*(?:NS_\w+\s+)?\w+", text[at:])
        at += name.end() if name else 0
    return match[1] == "+", result, labels, types, text[at:]


def bracketed(text, at):
    depth = 0
    for index in range(at, len(text)):
        depth += (text[index] == "(") - (text[index] == ")")
        if not depth:
            return text[at + 1 : index], index + 1
    return text[at + 1 :], len(text)


def split_property(text):
    attributes, rest = re.match(r"@property\s*(?:\(([^)]*)\))?\s*(.*)", text).groups()
    rest, _, tail = rest.partition(" API_")
    block = re.search(r"\(\s*\^[^)]*?(\w+)\s*\)", rest)
    if block:
        return attributes or "", re.sub(r"(\(\s*\^[^)]*?)\w+(\s*\))", r"\1\2", rest), block[1], tail
    match = re.match(r"(.*?[\s*>])(\w+)((?:\s+(?:NS|UI|UIKIT|__|AV|CF)\w*(?:\([^)]*\))?)*)\s*$", rest)
    return (attributes or "", match[1], match[2], f"{match[3]} API_{tail}") if match else (attributes or "", rest, "", tail)


def read(sdk, module, ours):
    """The facts of the headers of a module, with the names of ours."""
    headers = Headers(sdk, module)
    types = [one for one in ours if one.kind in ("struct", "class", "enum", "protocol", "typealias")]
    paths = {one.symbol.replace(".", ""): one.symbol for one in types if "." in one.symbol}
    for name, swift in headers.notes.items():
        flat = swift.replace(".", "")
        if swift in paths.values() and flat != name:
            headers.rename(name, flat)
            paths[name] = swift
    translator = Translator(paths, headers.blocks, {one.symbol for one in types})
    found = []
    for one in ours:
        if one.kind != "conformance":
            found += fact_of(one, headers, translator)
    for one in types:
        entry = headers.containers.get(one.symbol.replace(".", ""))
        if entry:
            for name in ancestors(one.symbol.replace(".", ""), headers):
                found.append(Fact(one.symbol, "conformance", result=PLAIN.get(name, name)))
            if "NS_SWIFT_SENDABLE" in entry["before"] or "MainActor" in marks_of(entry["before"]):
                found.append(Fact(one.symbol, "conformance", result="Sendable"))
        flat = one.symbol.replace(".", "")
        if flat in headers.enums or flat in headers.strings:
            is_set = flat in headers.enums and headers.enums[flat][0] == "OPTIONS"
            names = ["OptionSet"] if is_set else ["RawRepresentable", "Hashable", "Equatable"]
            found += [Fact(one.symbol, "conformance", result=name) for name in [*names, "Sendable", "Int", "UInt"]]
    return list(dict.fromkeys(found))


def ancestors(name, headers):
    """The classes above a class, and the protocols of all of them."""
    found, waiting = [], [name]
    while waiting:
        entry = headers.containers.get(waiting.pop())
        head = re.sub(r"\b(?:NS|API|UIKIT)_\w+(\([^)]*\))?", "", entry["head"]) if entry else ""
        for other in re.findall(r"\w+", re.sub(r"^\s*<[^>]*>\s*:", "", head)):
            if other not in found:
                found.append(other)
                waiting.append(other)
    return found


def fact_of(one, headers, translator):
    flat = one.symbol.replace(".", "")
    if one.kind in ("class", "protocol", "struct", "enum"):
        if flat in headers.containers:
            entry = headers.containers[flat]
            kind = "protocol" if entry["kind"] == "protocol" else "class"
            return [Fact(one.symbol, kind, one.generics, (), "", one.constraints, since(entry["before"]), tuple(sorted(marks_of(entry["before"]))))]
        if flat in headers.enums:
            kind, _, tail = headers.enums[flat]
            return [Fact(one.symbol, "struct" if kind == "OPTIONS" else "enum", iOS=since(tail), marks=tuple(sorted(marks_of(tail))))]
        if flat in headers.strings:
            return [Fact(one.symbol, "struct", iOS=since(headers.strings[flat]))]
        return [Fact(one.symbol, "class")] if flat in headers.references else []
    if one.kind == "typealias":
        if one.symbol in headers.blocks:
            result, arguments = headers.blocks[one.symbol]
            return [Fact(one.symbol, "typealias", result=translator.type(f"{result}(^)({arguments})", True))]
        return [Fact(one.symbol, "typealias", result=PLAIN.get(headers.aliases[one.symbol], ""))] if one.symbol in headers.aliases else []
    owner = one.owner.replace(".", "")
    if owner not in headers.containers and f"NS{owner}" in headers.containers:
        owner = f"NS{owner}"
    if not owner:
        return globals_of(one, headers, translator)
    if owner in headers.enums or owner in headers.strings:
        if one.base in ("rawValue", "init"):
            return [one]
        names = [(name, text) for name, text in headers.enums.get(owner, ("", [], ""))[1]] + list(headers.constants.items())
        for name, text in names:
            if name.lower().endswith(one.base.lower()) and is_rest(owner, name, one.base):
                kind = "static var" if owner in headers.strings or headers.enums[owner][0] == "OPTIONS" else "case"
                return [Fact(one.symbol, kind, result=one.owner if kind == "static var" else "", iOS=since(text))]
        return []
    if owner == "NSNotificationName" and f"{one.base}Notification" in headers.constants:
        return [Fact(one.symbol, "static var", result=one.owner, iOS=since(headers.constants[f"{one.base}Notification"]))]
    if owner not in headers.containers:
        return []
    entry = headers.containers[owner]
    found = members_of(one, owner, entry, headers, translator)
    if not found and one.name == "init()":  # NSObject's
        return [Fact(one.symbol, "init", marks=tuple(sorted(marks_of(entry["before"]))))]
    return found[:1]


def is_rest(owner, name, base):
    """True if the name begins like the type's, perhaps in the plural, or with a k before it."""
    left, whole = words(name[: len(name) - len(base)].removeprefix("k")), words(owner)
    return left != [] and all(mine in (word, word + "s", word.rstrip("s")) for mine, word in zip(left, whole)) and len(left) <= len(whole)


def globals_of(one, headers, translator):
    if one.kind == "func" and one.base in headers.functions:
        result, arguments, tail, is_audited = headers.functions[one.base]
        parts = [part for part in re.split(r",(?![^(]*\))", arguments) if part.strip() not in ("", "void")]
        parts = [translator.type(translator.unnamed(part), is_audited) for part in parts]
        kind = translator.type(re.sub(r"\b[A-Z]+_[A-Z_]+\b(\([^)]*\))?", "", result), is_audited)
        return [Fact(one.symbol, "func", (), tuple(parts), kind, (), since(tail), tuple(sorted(marks_of(tail))))]
    if one.kind == "var" and one.base in headers.constants:
        return [Fact(one.symbol, "var", result=one.result, iOS=since(headers.constants[one.base]))]
    return []


def members_of(one, owner, entry, headers, translator):
    """The properties, methods and notifications of a class that fit, the best first."""
    outer = marks_of(entry["before"])
    swift = words(one.base) if one.kind != "init" else []
    labels = [label for label in one.name.partition("(")[2].rpartition(")")[0].split(":")[:-1]]
    candidates = []
    for text, is_audited, category in entry["members"]:
        renamed = re.search(r"NS_SWIFT_NAME\(([^()]*(?:\([^)]*\))?)\)", text)
        if re.search(r"\bNS_UNAVAILABLE\b", text):
            continue
        marks = set(outer) | marks_of(text)
        if "NS_SWIFT_NONISOLATED" in text:
            marks.discard("MainActor")
        version = since(entry["before"], category, text)
        if text.startswith("@property"):
            if not one.kind.endswith("var"):
                continue
            attributes, kind, name, tail = split_property(text)
            getter = re.search(r"getter\s*=\s*(\w+)", attributes)
            names = [renamed[1]] if renamed else [getter[1] if getter else name, name]
            droppable = set(words(kind)) | set(words(owner))
            score = 0 if one.base in names else min((s for n in names if (s := fits(swift, words(n), droppable)) is not None), default=None)
            if score is None or renamed and one.base not in names:
                continue
            result = translator.type(kind, is_audited, "nullable" in attributes and "null_" not in attributes)
            if "null_resettable" in attributes or "null_unspecified" in attributes:
                result = result.rstrip("?!") + "!"
            if "readonly" not in attributes:
                marks.add("set")
            is_class = "class" in re.findall(r"\w+", attributes)
            candidates.append((score, Fact(one.symbol, ("static " if is_class else "") + "var", (), (), result, (), version, tuple(sorted(marks)))))
            continue
        parts = method(text)
        if not parts or one.kind.endswith("var"):
            continue
        is_class, result, selector, kinds, tail = parts
        renamed = renamed or re.match(r"(.*)", headers.notes.get(":".join(selector) + (":" if kinds else ""), "")) or None
        renamed = renamed if renamed and renamed[1] else None
        kinds, selector = list(kinds), list(selector)
        if one.kind == "init":
            if not (selector[0].startswith("init") or is_class and ("instancetype" in result or owner in result)):
                continue
        elif selector[0].startswith("init") or is_class != one.kind.startswith("static"):
            continue
        if kinds and re.search(r"NSError\s*\*.*\*", kinds[-1]) and "NS_SWIFT_NOTHROW" not in text:
            kinds, selector = kinds[:-1], selector[:-1] if len(selector) > 1 else [re.sub(r"AndReturnError$|WithError$", "", selector[0])]
            marks.add("throws")
            result = "void" if result.strip() == "BOOL" else re.sub(r"nullable|_Nullable", "", result)
        translated = [translator.type(kind, is_audited) for kind in kinds]
        value = translator.type(result, is_audited)
        if "async" in one.marks and translated and "->" in translated[-1]:
            inner = re.match(r"\(?(?:@\w+ )*\((.*)\) -> Void\)?\??$", translated[-1])
            if not inner or "NS_SWIFT_DISABLE_ASYNC" in text:
                continue
            values = [part for part in inner[1].split(", ") if part]
            if values and values[-1] in ("Error?", "Error"):
                marks.add("throws")
                values = [v.rstrip("?") if v.endswith("?") else v for v in values[:-1]]
            value = values[0] if len(values) == 1 else f"({', '.join(values)})" if values else "Void"
            translated, kinds = translated[:-1], kinds[:-1]
            selector = selector[:-1] if len(selector) > 1 else [re.sub(r"WithCompletionHandler$", "", selector[0])]
            marks.add("async")
        if len(translated) != len(one.parameters):
            continue
        joined = [word for part in selector for word in words(part)]
        wanted = swift + [word for label in labels if label != "_" for word in words(label)]
        if one.kind == "init":
            # Of a factory method, what stands behind `With`.
            first = words(re.sub(r"^.*?(?=With)", "", selector[0]))
            joined = joined[1:] if joined[0] == "init" else first + joined[len(words(selector[0])) :]
            value = ""
        droppable = {word for kind in [*kinds, result, owner] for word in words(kind)}
        droppable |= {f"{word}s" for word in droppable}
        async_name = re.search(r"NS_SWIFT_ASYNC_NAME\((\w+)\(", text) if "async" in one.marks else None
        if renamed and renamed[1].replace("`", "") == one.name:
            score = 0
        elif renamed and "error:" in renamed[1] and renamed[1].replace("error:", "") == one.name:
            score = 0
        elif renamed and "async" not in one.marks or async_name and async_name[1] != one.base:
            continue
        else:
            score = fits(wanted, joined, droppable)
        if score is None:
            continue
        failable = one.kind == "init" and "nullable" in parts[1]
        if failable and "throws" not in marks:
            marks.add("failable")
        parameters = []
        for kind, mine in zip(translated, one.parameters, strict=True):
            is_closure = "->" in kind and not kind.endswith("?") or kind in headers.blocks
            # The importer gives optionals at the end and option sets a default.
            has_default = mine.endswith(" =") and (kind.endswith("?") or "ptions" in kind)
            parameters.append(("@escaping " if is_closure else "") + kind + (" =" if has_default else ""))
        value = owner if value == "Self" else value
        candidates.append((score, Fact(one.symbol, one.kind, (), tuple(parameters), value, (), version, tuple(sorted(marks)))))
    if one.kind.endswith("var"):
        capital = f"{one.base[0].upper()}{one.base[1:]}"
        for name in (f"{owner}{capital}", f"{owner}{capital.removesuffix('Notification')}", f"{owner[:2]}{capital}"):
            if name in headers.constants:
                candidates.append((1, Fact(one.symbol, "static var", result=one.result or "NSNotification.Name", iOS=since(headers.constants[name]))))
    return [one for _, one in sorted(candidates, key=lambda pair: (pair[0], pair[1].iOS))]
