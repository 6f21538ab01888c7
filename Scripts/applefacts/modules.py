"""Facts of built modules, from their symbol graphs."""

import glob
import json
import subprocess
import tempfile

from .facts import MODULES, Fact, fact
from .swifttext import Reader

KINDS = {"swift.struct", "swift.class", "swift.enum", "swift.protocol", "swift.extension"}


def target():
    return json.loads(subprocess.run(["swift", "-print-target-info"], check=True, stdout=subprocess.PIPE).stdout)["target"]["triple"]


def graphs(modules, search_paths):
    """The symbol graphs of modules, as read."""
    with tempfile.TemporaryDirectory() as folder:
        triple = target()
        running = []
        for module in modules:
            command = ["swift", "symbolgraph-extract", "-module-name", module, "-target", triple, "-skip-synthesized-members", "-output-dir", folder]
            command += ["-minimum-access-level", "public"] + [word for path in search_paths for word in ("-I", path)]
            running.append((command, subprocess.Popen(command)))
        for command, process in running:
            if process.wait():
                raise subprocess.CalledProcessError(process.returncode, command)
        for path in sorted(glob.glob(f"{folder}/*.symbols.json")):
            with open(path, encoding="utf-8") as file:
                yield json.load(file)


def plain_type(text):
    reader = Reader(text, MODULES)
    return reader.type(reader.words)


def facts_of_graphs(graphs):
    """The public symbols, and the conformances between them and to protocols of other modules."""
    found, names = [], {}
    graphs = list(graphs)
    for graph in graphs:
        for symbol in graph["symbols"]:
            names[symbol["identifier"]["precise"]] = ".".join(symbol["pathComponents"])
    for graph in graphs:
        for symbol in graph["symbols"]:
            text = "".join(part["spelling"] for part in symbol["declarationFragments"])
            owner = ".".join(symbol["pathComponents"][:-1])
            if symbol["kind"]["identifier"] == "swift.extension":
                continue
            one = Reader(text + "\n", MODULES).declaration(owner)
            signs = {"conformance": ": ", "superclass": ": ", "sameType": " == "}
            extended = symbol.get("swiftExtension", {}).get("constraints", [])
            conditions = tuple(c["lhs"].removeprefix("Self.") + signs[c["kind"]] + plain_type(c["rhs"]) for c in extended)
            path = ".".join(part for part in (owner, one.full_name) if part)
            found.append(fact(one, path, conditions, {}))
        for relation in graph["relationships"]:
            if relation["kind"] in ("conformsTo", "inheritsFrom") and relation["source"] in names:
                name = names.get(relation["target"], relation.get("targetFallback", ""))
                for module in MODULES:
                    name = name.removeprefix(f"{module}.")
                found.append(Fact(names[relation["source"]], "conformance", result=name))
    return found
