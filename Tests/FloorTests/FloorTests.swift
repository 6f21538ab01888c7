import Foundation
import Testing

/// Rules for the sources that the compiler on Linux cannot check: see `Docs/Decisions/0013-the-floor-is-a-test.md`.
@Suite struct FloorTests {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    @Test func codeForPhonesUsesNothingNewerThanTheFloor() throws {
        let files = try SourceFile.all(below: Self.root).filter(\.shipsToAPhone) + SourceFile.all(below: Self.root, folder: "Apple")
        #expect(files.count > 20)
        #expect(files.flatMap { Floor.newerAPI(in: $0) } == [])
    }

    @Test func viewFilesImportOnlyAllowedModules() throws {
        let files = try SourceFile.all(below: Self.root).filter(\.isView)
        #expect(files.count > 2)
        #expect(files.flatMap { Floor.foreignImports(in: $0) } == [])
    }

    /// `Scripts/check-apple` compiles these files on Linux, which has no Objective-C.
    @Test func codeForIPhonesOnlyIsMarkedAndUsesNoObjectiveC() throws {
        let kit = try SourceFile.ofTheDevice
        let apps = try SourceFile.all(below: Self.root, folder: "Apple")
        #expect(kit.count > 10 && apps.count > 5)
        #expect(kit.filter { !$0.text.hasPrefix("#if os(iOS)\n") || !$0.text.hasSuffix("\n#endif\n") }.map(\.path) == [])
        #expect((kit + apps).flatMap { Floor.objectiveC(in: $0) } == [])
    }

    @Test func appsImportOnlyTheirOwnSystem() throws {
        let systems = ["EndlessCode", "LocalLLM", "Pager2077", "SimBridge", "TalkCo"]
        for system in systems {
            let files = try SourceFile.all(below: Self.root, folder: "Apple/\(system)")
            #expect(files.contains { $0.imports("\(system)App") && $0.imports("ApplePlatform") })
            for other in systems where other != system {
                let parts = ["Wire", "Client", "App", "Service"].map { other + $0 }
                #expect(files.filter { file in parts.contains { file.imports($0) } }.map(\.path) == [])
            }
        }
    }

    @Test func viewFilesHaveNoConditions() throws {
        // One has one: a page can lose the box that has the connection, an iPhone has the connection itself.
        let exception = "Sources/Kits/ViewKit/ConnectionStatus.swift"
        let files = try SourceFile.all(below: Self.root).filter(\.isView)
        #expect(files.filter { $0.path != exception }.flatMap { Floor.conditions(in: $0) } == [])
        #expect(files.filter { $0.path == exception }.flatMap { Floor.conditions(in: $0) }.count == 1)
    }

    /// The main actor is the default in these modules, also of a deinitializer that does not say otherwise.
    @Test func classesOfViewsHaveNonisolatedDeinitializers() throws {
        let files = try SourceFile.all(below: Self.root).filter { $0.path.contains("/App/") || $0.path.hasPrefix("Sources/Home/") }
        #expect(files.count > 100)
        #expect(files.flatMap { Floor.isolatedDeinitializers(in: $0) } == [])
    }

    /// A task is cancelled and waited for by its owner. Few are started and left alone, each with a comment above that says why.
    @Test func tasksHaveOwners() throws {
        let files = try SourceFile.all(below: Self.root).filter { $0.path.hasPrefix("Sources/") }
        let unowned = files.flatMap { Floor.unownedTasks(in: $0) }
        #expect(unowned.count <= 15, "\(unowned.map(\.place))")
        #expect(unowned.filter { !$0.hasReason }.map(\.place) == [])
        #expect(unowned.filter { $0.place.contains("/App/") }.map(\.place) == [])
    }

    @Test(arguments: [
        ("// Why.\nTask { a() }", 1), ("end { Task { a() } }", 1), ("x.onEnd { _ in Task { @MainActor in a() } }", 1),
        ("Task(priority: .low) { a() }", 1),
        ("let task = Task { a() }", 0), ("return Task { a() }", 0), ("try await Task { a() }.value", 0), ("/// Task { a() }", 0),
        ("group.addTask { a() }", 0), ("Text(task)", 0),
    ]) func unownedTasksAreFound(_ text: String, _ count: Int) {
        let found = Floor.unownedTasks(in: SourceFile(path: "Sources/A.swift", text: text))
        #expect(found.count == count && found.allSatisfy { $0.hasReason == text.hasPrefix("//") })
    }

    /// Other modules use StorageKit's own interface, behind which PostgreSQL can stand: see decision 21.
    @Test func onlyStorageKitImportsGRDB() throws {
        let files = try ["Sources", "Tests", "Benchmarks"].flatMap { try SourceFile.all(below: Self.root, folder: $0) }
        #expect(files.contains { $0.path.hasPrefix("Sources/Kits/StorageKit/") && $0.imports("GRDB") })
        #expect(files.filter { !$0.path.contains("/Kits/StorageKit") && $0.imports("GRDB") }.map(\.path) == [])
    }

    /// `Docs/Architecture.md`, *The toolbox*: one tool for each purpose.
    @Test func retiredNamesAreNotUsed() throws {
        let files = try ["Sources", "Tests", "Benchmarks"].flatMap { try SourceFile.all(below: Self.root, folder: $0) }
        #expect(files.count > 500)
        #expect(files.flatMap { Floor.retiredNames(in: $0) } == [])
        let file = SourceFile(path: "Sources/Kits/A.swift", text: "let a = NIOLockedValueBox(1)\n// a Mutex(\nlet b = Mutex(1)\n")
        #expect(Floor.retiredNames(in: file).count == 2)
    }

    @Test func publicIsForWhatLeavesThePackage() throws {
        let files = try SourceFile.all(below: Self.root, folder: "Sources")
        #expect(files.count > 500)
        #expect(files.flatMap { Floor.publicNames(in: $0) } == [])
        let text = "package import Foundation\n@MainActor public struct A {}\n/// A public thing.\npublic import NIOCore\n"
        #expect(Floor.publicNames(in: SourceFile(path: "Sources/Kits/PushKit/A.swift", text: text)).count == 2)
        #expect(Floor.publicNames(in: SourceFile(path: "Sources/TalkCo/Wire/A.swift", text: text)) == [])
    }

    /// Events have their numbers from StorageKit's log: `Docs/Decisions/0113-sessions-and-answers-are-logs.md`.
    @Test func onlyStorageKitNumbersEvents() throws {
        let files = try SourceFile.all(below: Self.root, folder: "Sources")
        let others = files.filter { !$0.path.hasPrefix("Sources/Kits/StorageKit/") }
        #expect(Set(others.flatMap { Floor.numberedTables(in: $0.text) }) == Floor.knownNumberedTables)
        let text = """
            CREATE TABLE a (
                id TEXT PRIMARY KEY,
                seq INTEGER NOT NULL
            );
            CREATE TABLE b (id INTEGER PRIMARY KEY, sequence_name TEXT);
            ALTER TABLE c ADD COLUMN last_seq INTEGER;
            """
        #expect(Floor.numberedTables(in: text) == ["a", "c"])
    }

    @Test func architectureShowsTheModulesOfTheManifest() async throws {
        let check = try await Script.run("module-graph", "--check")
        #expect(check.status == 0, "\(check.output)")
    }

    @Test(arguments: [
        "import Synchronization", "let m = Mutex(0)", "func f() -> some AsyncSequence<Int, any Error> {",
        "#Preview { Text(\"a\") }",
        "    @Entry var a = 1", "Text(AttributedString(markdown: \"*a*\"))", "isolated deinit {}",
        "try await iterator.next(isolation: nil)",
    ])
    func newerAPIIsFound(_ line: String) {
        let file = SourceFile(path: "Sources/Pager2077/App/A.swift", text: "// Mutex( is fine in a comment\n\(line)\n")
        #expect(Floor.newerAPI(in: file).count == 1)
    }

    @Test func objectiveCIsFound() {
        for line in ["@objc func leave() {}", "    let a = #selector(leave)", "@NSManaged var a: Int"] {
            #expect(Floor.objectiveC(in: SourceFile(path: "a", text: "// @objc\n\(line)\n")).count == 1)
        }
    }

    @Test func foreignImportsAreFound() {
        let text =
            "public import SwiftUI\nimport Pager2077Client\nimport Pager2077Wire\nimport PlatformKit\nimport SimBridgeWire\nimport Foundation\n"
        let file = SourceFile(path: "Sources/Pager2077/App/A.swift", text: text)
        #expect(Floor.foreignImports(in: file).map { $0.suffix(13) } == ["SimBridgeWire", "rt Foundation"])
        #expect(Floor.conditions(in: SourceFile(path: "a", text: "#if os(Linux)\n")).count == 1)
    }

    @Test func isolatedDeinitializersAreFound() {
        let text =
            "final class A {\n}\nprivate final class B {\n    nonisolated deinit {}\n}\n/// A class\nclass C {\n    deinit {}\n}\n"
        let file = SourceFile(path: "Sources/Pager2077/App/A.swift", text: text)
        #expect(Floor.isolatedDeinitializers(in: file).map { $0.suffix(7) } == ["class A", "class C"])
    }
}

/// The rules. Each returns its violations.
enum Floor {
    /// Code that does not compile on iOS 17 or on Linux, and the version that has it.
    private static let newer: [(code: String, since: String)] = [
        ("import Synchronization", "iOS 18"), ("Mutex(", "iOS 18: use Locked"), ("Mutex<", "iOS 18: use Locked"),
        ("Atomic<", "iOS 18"),
        ("some AsyncSequence<", "iOS 18"), ("any AsyncSequence<", "iOS 18"), ("next(isolation:", "iOS 18"),
        ("isolated deinit", "iOS 18.4"), ("Task.immediate", "iOS 26"), ("Observations {", "iOS 26"), ("Int128", "iOS 18"),
        ("RangeSet", "iOS 18"), ("String(validating:", "iOS 18"), ("InlineArray<", "iOS 26"),
        ("#Preview", "not on Linux"), ("@Previewable", "iOS 18"), ("@Entry", "not on Linux"),
        ("AttributedString(markdown:", "not on Linux"),
    ]

    static func newerAPI(in file: SourceFile) -> [String] {
        guard newer.contains(where: { file.contains($0.code) }) else { return [] }
        return file.code.flatMap { number, line in
            let line = line.replacing("nonisolated", with: "")
            return newer.filter { line.contains($0.code) }.prefix(1).map { "\(file.path):\(number): \($0.code) (\($0.since))" }
        }
    }

    /// The tasks that nobody keeps, and true if a comment stands above.
    static func unownedTasks(in file: SourceFile) -> [(place: String, hasReason: Bool)] {
        guard file.contains("Task") else { return [] }
        let lines = file.text.split(separator: "\n", omittingEmptySubsequences: false).map { $0.drop { $0 == " " } }
        return lines.indices.compactMap { index in
            let line = lines[index]
            guard !line.hasPrefix("//"), line.contains("Task"),
                line.firstMatch(of: /(^|\{ |\bin )Task(\.detached)? ?(\{|\()/) != nil
            else { return nil }
            return ("\(file.path):\(index + 1)", index > 0 && lines[index - 1].hasPrefix("//"))
        }
    }

    /// Names that a tool of the toolbox stands for, and the folders of modules that import no kit, or test those.
    private static let retired: [(code: String, use: String)] = [
        ("NIOLockedValueBox", "Locked"), ("NIOLock(", "Locked"), ("Mutex(", "Locked"), ("Mutex<", "Locked"),
        (".seconds(3600))) != nil {}", "waitForCancellation()"), ("withTimeLimit(", "withTimeout"),
        ("ServiceAddress", "ServerAddress"), ("HostAddress", "ServerAddress.Host"),
    ]
    private static let withoutKits = [
        "Sources/WebUI/SwiftUI/", "Tests/WebUI/SwiftUITests/", "Sources/Hyperswarm/", "Tests/Hyperswarm/", "Tests/FloorTests/",
    ]

    /// The tables outside StorageKit with sequence numbers.
    ///
    /// `deliveries` and `devices` of SimBridge's relay: decision 18. `host_lines`: the host's cursor in the relay's numbers. `session_messages` and
    /// `user_messages` of EndlessCode name events of the log. `session_events`, `sessions`, `pieces` and `messages` had numbers in
    /// earlier versions.
    static let knownNumberedTables: Set = [
        "deliveries", "devices", "host_lines", "session_messages", "user_messages", "session_events", "sessions", "pieces",
        "messages",
    ]

    /// The tables of SQL statements in `text` that have a column for sequence numbers.
    static func numberedTables(in text: String) -> [String] {
        let creation = /CREATE TABLE (?<table>\w+) \((?<columns>[^;]*)/
        let addition = /ALTER TABLE (?<table>\w+) ADD COLUMN (?<columns>[^;\n]*)/
        let number = /\b(\w+_)?seq (INTEGER|BIGINT)/
        let created = text.matches(of: creation).filter { $0.columns.contains(number) }.map { String($0.table) }
        return created + text.matches(of: addition).filter { $0.columns.contains(number) }.map { String($0.table) }
    }

    /// The modules that others outside the package import, or whose types such modules show.
    private static let exported: Set = [
        "WireKit", "NetworkingKit", "PlatformKit", "SwarmTransport", "DiscoveryKit", "SystemTypes", "ViewKit", "SwiftUI", "Charts",
        "Wire", "Client", "App",
    ]

    /// The argument parser's protocol wants a public initializer of a public type.
    private static let exceptions: Set = ["Sources/switchboard/Swarm/SwarmOptions.swift"]

    private static let beforeAccess: Set<Substring> = ["nonisolated", "static", "final", "override", "convenience", "required"]

    /// Public declarations and imports of modules that nobody outside the package imports.
    static func publicNames(in file: SourceFile) -> [String] {
        let parts = file.path.split(separator: "/")
        let module = parts.count > 3 ? parts[2] : ""
        if exported.contains(String(module)) || module.hasPrefix("Apple") || parts[1] == "Hyperswarm" { return [] }
        guard file.contains("public "), !exceptions.contains(file.path) else { return [] }
        return file.code.filter { _, line in
            line.split(separator: " ").first { !$0.hasPrefix("@") && !beforeAccess.contains($0) } == "public"
        }.map { "\(file.path):\($0.number)" }
    }

    static func retiredNames(in file: SourceFile) -> [String] {
        if withoutKits.contains(where: file.path.hasPrefix) { return [] }
        guard retired.contains(where: { file.contains($0.code) }) else { return [] }
        return file.code.flatMap { number, line in
            retired.filter { line.contains($0.code) }.prefix(1).map { "\(file.path):\(number): \($0.code): use \($0.use)" }
        }
    }

    /// Names that Glibc has and Darwin lacks, or has with another type. `Sockets` and `SystemTypes` stand for some of them.
    private static let glibc = [
        "SOCK_STREAM.rawValue", "SOCK_DGRAM.rawValue", "SOCK_CLOEXEC", "SOCK_NONBLOCK", "MSG_NOSIGNAL", "SO_PEERCRED", "O_PATH",
        "O_TMPFILE",
        "CLOCK_BOOTTIME", "CLOCK_MONOTONIC_COARSE", "st_mtim.", "__rlimit_resource", "accept4(", "pipe2(", "dup3(", "epoll_",
        "eventfd(", "inotify_",
        "memfd_create(", "getrandom(", "gettid(", "prctl(", "malloc_trim(", "clock_getcpuclockid(", "sendmmsg(", "recvmmsg(",
        "import Glibc",
        "import Musl", "import SystemPackage",
    ]

    /// The uses of Linux alone in code that a Mac compiles.
    static func linuxOnly(in file: SourceFile) -> [String] {
        guard glibc.contains(where: file.contains) else { return [] }
        return file.codeOnMac.flatMap { number, line in
            glibc.filter { line.contains($0) }.map { "\(file.path):\(number): \($0)" }
        }
    }

    static func foreignImports(in file: SourceFile) -> [String] {
        let system = file.path.split(separator: "/").dropFirst().first ?? ""
        // ViewKit has the words for errors of WireKit.
        let isKit = file.path.hasPrefix("Sources/Kits/ViewKit/")
        let kits = ["PlatformKit", "MarkdownKit", "HighlightKit", "ViewKit"] + (isKit ? ["WireKit"] : [])
        let allowed = ["SwiftUI", "Charts", "\(system)Client", "\(system)Wire"] + kits
        return file.code.compactMap { number, line in
            let words = line.split(separator: " ")
            guard let index = words.firstIndex(of: "import"), index < 2, words.count > index + 1 else { return nil }
            return allowed.contains(String(words[index + 1])) ? nil : "\(file.path):\(number): \(line)"
        }
    }

    /// The classes without a `nonisolated deinit`. Where the main actor is the default, others get an isolated one: see
    /// `Docs/Decisions/0013-the-floor-is-a-test.md`.
    static func isolatedDeinitializers(in file: SourceFile) -> [String] {
        guard file.contains("class ") else { return [] }
        var open: [String] = []
        for (number, line) in file.code where line.contains("class ") || line.contains("deinit") {
            if let name = line.prefixMatch(of: /\ *(?:[a-z]+ )*class ([A-Z]\w*)/)?.1 {
                open.append("\(file.path):\(number): class \(name)")
            }
            if line.contains("nonisolated deinit") { _ = open.popLast() }
        }
        return open
    }

    static func objectiveC(in file: SourceFile) -> [String] {
        file.code.filter { _, line in ["@objc", "#selector", "#keyPath", "@NSManaged", "@IBAction"].contains { line.contains($0) } }
            .map { "\(file.path):\($0): \($1)" }
    }

    static func conditions(in file: SourceFile) -> [String] {
        file.code.filter { $1.contains("#if ") }.map { "\(file.path):\($0): \($1)" }
    }
}

/// A Swift file of this package.
struct SourceFile {
    /// The path from the root of the repository.
    var path: String
    var text: String

    /// The lines that are not comments, with their numbers.
    var code: [(number: Int, line: String)] {
        text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
            .map { ($0 + 1, String($1)) }
            .filter { !$0.1.utf8.drop { $0 == UInt8(ascii: " ") }.starts(with: "//".utf8) }
    }

    /// True if the file is part of Wire, Calls, Client, App or a kit below them. See `Docs/Architecture.md`.
    var shipsToAPhone: Bool {
        let parts = path.split(separator: "/").map(String.init)
        guard parts.count > 2 else { return false }
        let kits = [
            "WireKit", "NetworkingKit", "StorageKit", "ClientKit", "PlatformKit", "DiscoveryKit", "QRCode", "MarkdownKit",
            "HighlightKit", "AudioKit", "SwarmTransport",
        ]
        return isView || isOfTheDevice || ["Wire", "Calls", "Client", "App"].contains(parts[2]) || parts[1] == "Hyperswarm"
            || (parts[1] == "Kits" && kits.contains(parts[2]))
    }

    /// True if the file is part of a module that only iPhones run.
    var isOfTheDevice: Bool { path.hasPrefix("Sources/Kits/Apple") }

    /// The files of the modules that only iPhones run.
    static var ofTheDevice: [SourceFile] {
        get throws { try all(below: FloorTests.root, folder: "Sources/Kits").filter(\.isOfTheDevice) }
    }

    /// The modules that the file imports.
    var imported: [String] {
        code.filter { $0.line.contains("import ") }.compactMap {
            $0.line.wholeMatch(of: /\ *(?:@\w+ )*(?:\w+ )?import (\w+)/).map { String($0.1) }
        }
    }

    /// The lines of ``code`` that a Mac compiles.
    var codeOnMac: [(number: Int, line: String)] {
        // Of each open condition: true in the branch that is taken, and after it.
        var open: [(isTaken: Bool, wasTaken: Bool)] = []
        return code.filter { _, line in
            let words = line.split(separator: " ", maxSplits: 1)
            switch words.first {
            case "#if":
                let isTaken = Self.isTrueOnMac(words.last ?? "")
                open.append((isTaken, isTaken))
            case "#elseif", "#else":
                guard let last = open.popLast() else { return false }
                let isTaken = !last.wasTaken && (words.count == 1 || Self.isTrueOnMac(words.last ?? ""))
                open.append((isTaken, last.wasTaken || isTaken))
            case "#endif": _ = open.popLast()
            default: return open.allSatisfy(\.isTaken)
            }
            return false
        }
    }

    private static func isTrueOnMac(_ condition: Substring) -> Bool {
        let absent = ["os(Linux)", "os(iOS)", "canImport(Glibc)", "canImport(Musl)", "canImport(FoundationNetworking)"]
        return condition.split(separator: "||").contains { term in
            term.split(separator: "&&").allSatisfy { factor in
                let atom = factor.trimmingCharacters(in: .whitespaces)
                return atom.hasPrefix("!") ? absent.contains(String(atom.dropFirst())) : !absent.contains(atom)
            }
        }
    }

    /// The modules that the file imports on a Mac.
    var importedOnMac: [String] {
        // The lines of imports and conditions alone: all lines of all files take seconds.
        let lines = text.utf8.split(separator: UInt8(ascii: "\n")).filter { line in
            let words = line.drop { $0 == UInt8(ascii: " ") }
            switch words.first {
            case UInt8(ascii: "#"), UInt8(ascii: "@"): return true
            case UInt8(ascii: "i"): return words.starts(with: "import ".utf8)
            case UInt8(ascii: "p"): return ["public", "package", "private"].contains { words.starts(with: "\($0) import ".utf8) }
            default: return false
            }
        }
        let text = lines.map { String(Substring($0)) }.joined(separator: "\n")
        return SourceFile(path: path, text: SourceFile(path: path, text: text).codeOnMac.map(\.line).joined(separator: "\n"))
            .imported
    }

    /// True if the text contains a word, found as bytes: comparing characters takes seconds.
    func contains(_ word: String) -> Bool { text.withCString { strstr($0, word) != nil } }

    // Reading all lines of all files takes seconds.
    func imports(_ module: String) -> Bool { text.contains("import \(module)") && imported.contains(module) }

    var isView: Bool {
        let parts = path.split(separator: "/").map(String.init)
        guard parts.count > 2 else { return false }
        return parts[2] == "App" || parts[2] == "ViewKit" || parts[1] == "Home"
            || isOfTheGallery && parts.last != "main.swift" && parts[3] != "Models"
    }

    var isOfTheGallery: Bool { path.hasPrefix("Tests/WebUI/Gallery/") }

    /// The sources, and the gallery.
    static func all(below root: URL) throws -> [SourceFile] {
        try all(below: root, folder: "Sources") + all(below: root, folder: "Tests/WebUI/Gallery")
    }

    static func all(below root: URL, folder: String) throws -> [SourceFile] {
        let sources = root.appending(path: folder)
        let files = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)?.compactMap { $0 as? URL } ?? []
        return try files.filter { $0.pathExtension == "swift" && !$0.path.contains("/.build/") }.map { file in
            SourceFile(path: folder + file.path.dropFirst(sources.path.count), text: try String(contentsOf: file, encoding: .utf8))
        }
    }
}
