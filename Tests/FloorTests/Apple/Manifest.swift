import Foundation
import Testing

/// What `swift package dump-package` says of a manifest.
struct Manifest: Decodable {
    struct Platform: Decodable { var platformName, version: String }
    struct Product: Decodable {
        var name: String
        var targets: [String]
    }
    struct Target: Decodable {
        var name: String
        var type: String
        var path: String?
        var exclude: [String]
        var resources: [Resource]
        var dependencies: [Dependency]
    }
    struct Resource: Decodable { var path: String }
    /// A module of this package, or a product of another one.
    struct Dependency: Decodable {
        var module: String?
        var product: String?

        private enum Key: CodingKey { case byName, product }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            // A name, and a condition or null.
            func name(_ key: Key) throws -> String? {
                guard container.contains(key) else { return nil }
                var values = try container.nestedUnkeyedContainer(forKey: key)
                return try values.decode(String.self)
            }
            (module, product) = try (name(.byName), name(.product))
        }
    }

    var platforms: [Platform]
    var products: [Product]
    var targets: [Target]

    struct Failure: Error { var reason: String }

    /// `Package.swift` as Xcode reads it.
    static var onMac: Manifest { get async throws { try await forXcode.value } }
    /// `Package.swift` as `Scripts/build` reads it on a Mac.
    static var ofMacBuild: Manifest { get async throws { try await withoutViews.value } }
    /// Evaluated once: that takes seconds.
    private static let forXcode = Task { try await evaluate("env -u SWITCHBOARD_NO_VIEWS") }
    private static let withoutViews = Task { try await evaluate("env SWITCHBOARD_NO_VIEWS=1") }

    private static func evaluate(_ environment: String) async throws -> Manifest {
        let text = try String(contentsOf: FloorTests.root.appending(path: "Package.swift"), encoding: .utf8)
        guard text.matches(of: /(?m)^ *#if/).count == 1, text.contains("#if os(Linux)") else {
            throw Failure(reason: "Package.swift has another condition than the one on Linux")
        }
        let folder = FileManager.default.temporaryDirectory.appending(path: "mac-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try text.replacing("#if os(Linux)", with: "#if !os(Linux)").write(
            to: folder.appending(path: "Package.swift"), atomically: true, encoding: .utf8)
        let output = folder.appending(path: "package.json")
        let dump = try await Script.run(
            URL(filePath: "/bin/sh"), ["-c", "cd '\(folder.path)' && \(environment) swift package dump-package > '\(output.path)'"])
        guard dump.status == 0 else { throw Failure(reason: dump.output) }
        return try JSONDecoder().decode(Manifest.self, from: Data(contentsOf: output))
    }

    /// The Swift files of a target.
    func sources(of target: Target) throws -> [SourceFile] {
        let folder = target.path ?? "\(target.type == "test" ? "Tests" : "Sources")/\(target.name)"
        return try SourceFile.all(below: FloorTests.root, folder: folder)
            .filter { file in !target.exclude.contains { file.path.hasPrefix("\(folder)/\($0)") } }
    }

    /// All that modules need: modules of this package, and products of others.
    func needs(of names: [String]) -> (modules: Set<String>, products: Set<String>) {
        let targets = Dictionary(uniqueKeysWithValues: targets.map { ($0.name, $0) })
        var modules: Set<String> = []
        var products: Set<String> = []
        var open = names
        while let name = open.popLast() {
            guard modules.insert(name).inserted else { continue }
            let dependencies = targets[name]?.dependencies ?? []
            open += dependencies.compactMap(\.module)
            products.formUnion(dependencies.compactMap(\.product))
        }
        return (modules, products)
    }
}

@Suite struct ManifestTests {
    /// Products of other packages that are made for phones, or run on them.
    static let forPhones: Set = [
        "Clibsodium", "Crypto", "GRDB", "GRDBSQLite", "HTTPTypes", "NIOConcurrencyHelpers", "NIOCore", "NIOFoundationCompat",
        "NIOPosix", "SwiftASN1",
    ]

    @Test func phonesGetNothingMadeForServersOrForLinux() async throws {
        let manifest = try await Manifest.onMac
        let modules = Set(manifest.targets.map(\.name))
        let apps = manifest.products.filter { $0.name.hasSuffix("App") }
        #expect(apps.count == 5)
        for app in apps {
            let needs = manifest.needs(of: app.targets)
            #expect(needs.modules.subtracting(modules) == [], "\(app.name): modules that a Mac's manifest lacks")
            for target in manifest.targets where needs.modules.contains(target.name) {
                #expect(
                    FileManager.default.fileExists(atPath: FloorTests.root.appending(path: target.path ?? "-").path),
                    "\(target.name)")
                // A bundle with such a folder cannot be signed for iOS.
                #expect(!target.resources.contains { $0.path.hasSuffix("Resources") }, "\(target.name)")
            }
            #expect(needs.modules.contains("ApplePlatform"), "\(app.name)")
            #expect(
                needs.modules.filter { $0.hasSuffix("Service") || $0.hasSuffix("Host") || $0 == "ServerKit" } == [], "\(app.name)")
            #expect(needs.products.subtracting(Self.forPhones) == [], "\(app.name)")
        }
        #expect(manifest.targets.filter { $0.type == "system" }.map(\.name) == [])
        #expect(modules.isDisjoint(with: ["SwiftUI", "Charts", "WebRenderer", "Home"]))
    }

    /// The build on Linux does not check the modules that are not in its manifest.
    @Test func modulesOfTheDeviceImportWhatTheManifestLists() async throws {
        let manifest = try await Manifest.onMac
        let device = manifest.targets.filter { $0.name.hasPrefix("Apple") }
        #expect(device.count > 5)
        for target in device {
            let path = try #require(target.path)
            let imported = try SourceFile.all(below: FloorTests.root, folder: path).flatMap(\.imported)
            #expect(
                Set(imported).intersection(manifest.targets.map(\.name)) == Set(target.dependencies.compactMap(\.module)),
                "\(target.name)")
        }
    }

    /// SwiftPM builds every module of a package, and views do not compile for macOS.
    @Test func buildsForAMacHaveNoViews() async throws {
        let manifest = try await Manifest.ofMacBuild
        let modules = Set(manifest.targets.map(\.name))
        #expect(modules.contains("switchboard") && modules.count > 100)
        #expect(
            modules.filter { $0 == "ViewKit" || $0.hasPrefix("Apple") || $0.hasSuffix("App") || $0.hasSuffix("AppTests") } == [])
        #expect(try manifest.targets.filter { try !manifest.sources(of: $0).filter(\.isView).isEmpty }.map(\.name) == [])
        #expect(Set(manifest.targets.flatMap(\.dependencies).compactMap(\.module)).subtracting(modules) == [])
        #expect(Set(manifest.products.flatMap(\.targets)).subtracting(modules) == [])
    }

    /// A library's floor is in its manifest as a macro of the compiler, which SwiftPM does not compare.
    @Test(.enabled(if: FileManager.default.fileExists(atPath: configuration.path), "Configuration's sources are not checked out"))
    func macHasWhatItsLibrariesNeed() async throws {
        let text = try String(contentsOf: Self.configuration, encoding: .utf8)
        let needed = try #require(text.firstMatch(of: /AvailabilityMacro=Configuration 1.0:macOS (\d+)/).flatMap { Int($0.1) })
        let floor = try await Manifest.ofMacBuild.platforms.first { $0.platformName == "macos" }?.version
        #expect(try #require(floor.flatMap(Double.init)) >= Double(needed))
    }
    private static let configuration = FloorTests.root.appending(path: ".build/checkouts/swift-configuration/Package.swift")

    @Test func codeForMacsImportsWhatAMacHas() async throws {
        let text = try String(contentsOf: FloorTests.root.appending(path: "Package.swift"), encoding: .utf8)
        // Modules of this package and products of others, on any system. Apple has modules with these two names.
        let known = Set(text.matches(of: /"(\w+)"/).map { String($0.1) }).subtracting(["SwiftUI", "Charts"])
        let manifest = try await Manifest.onMac
        for target in manifest.targets {
            let needs = manifest.needs(of: [target.name])
            let imported = try manifest.sources(of: target).flatMap(\.importedOnMac)
            #expect(
                Set(imported).intersection(known).subtracting(needs.modules).subtracting(needs.products) == [], "\(target.name)")
        }
    }

    @Test func codeForMacsUsesNothingOfLinux() async throws {
        let manifest = try await Manifest.ofMacBuild
        // These tests name them.
        let files = try manifest.targets.filter { $0.name != "FloorTests" }.flatMap { try manifest.sources(of: $0) }
        #expect(files.count > 500)
        #expect(files.flatMap { Floor.linuxOnly(in: $0) } == [])
    }

    @Test func conditionsAreEvaluatedAsOnAMac() {
        let text = """
            #if os(Linux)
            import A
            #elseif canImport(Glibc) || os(macOS)
            import B
            #if !os(Linux) && os(iOS)
            import C
            #endif
            #else
            import D
            #endif
            let a = SOCK_STREAM.rawValue
            """
        let file = SourceFile(path: "a", text: text)
        #expect(file.importedOnMac == ["B"])
        #expect(Floor.linuxOnly(in: file) == ["a:11: SOCK_STREAM.rawValue"])
    }
}
