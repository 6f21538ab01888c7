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

    /// `Package.swift` as a Mac reads it.
    static var onMac: Manifest { get async throws { try await evaluated.value } }
    /// Evaluated once: that takes seconds.
    private static let evaluated = Task { try await evaluate() }

    private static func evaluate() async throws -> Manifest {
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
            URL(filePath: "/bin/sh"), ["-c", "cd '\(folder.path)' && swift package dump-package > '\(output.path)'"])
        guard dump.status == 0 else { throw Failure(reason: dump.output) }
        return try JSONDecoder().decode(Manifest.self, from: Data(contentsOf: output))
    }

    /// All that a product needs: modules of this package, and products of others.
    func needs(of product: Product) -> (modules: Set<String>, products: Set<String>) {
        let targets = Dictionary(uniqueKeysWithValues: targets.map { ($0.name, $0) })
        var modules: Set<String> = []
        var products: Set<String> = []
        var open = product.targets
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
        "NIOPosix",
    ]

    @Test func phonesGetNothingMadeForServersOrForLinux() async throws {
        let manifest = try await Manifest.onMac
        let modules = Set(manifest.targets.map(\.name))
        let apps = manifest.products.filter { $0.name.hasSuffix("App") }
        #expect(apps.count == 5)
        for app in apps {
            let needs = manifest.needs(of: app)
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
}
