import Foundation
import Testing

/// `Apple/Switchboard.xcodeproj` and the files of its targets, which no compiler reads here.
@Suite struct XcodeProjectTests {
    static let apple = FloorTests.root.appending(path: "Apple")

    let project: XcodeProject
    let targets: [XcodeProject.Target]
    var apps: [XcodeProject.Target] { targets.filter { $0.kind == .app } }
    /// What is installed on a phone.
    var bundles: [XcodeProject.Target] { targets.filter { $0.kind != .tests } }

    init() throws {
        project = try XcodeProject(text: Self.text("Switchboard.xcodeproj/project.pbxproj"))
        targets = try project.targets
    }

    static func text(_ path: String) throws -> String { try String(contentsOf: apple.appending(path: path), encoding: .utf8) }

    static func list(_ path: String) throws -> [String: Any] {
        let list = try PropertyListSerialization.propertyList(from: Data(contentsOf: apple.appending(path: path)), format: nil)
        return try #require(list as? [String: Any], "\(path)")
    }

    func settings(of target: XcodeProject.Target) throws -> BuildSettings {
        try BuildSettings(
            target: target.name, files: ["App.xcconfig"] + [target.settings].compactMap(\.self),
            in: Self.apple.appending(path: "Config"))
    }

    // MARK: The project

    @Test func everyObjectIsNamedAndEveryNameIsAnObject() { #expect(project.loose == []) }

    @Test func everySystemWithViewsIsAnApp() throws {
        let sources = FloorTests.root.appending(path: "Sources")
        let systems = try FileManager.default.contentsOfDirectory(atPath: sources.path)
            .filter { FileManager.default.fileExists(atPath: sources.appending(path: "\($0)/App").path) }
        #expect(apps.map(\.name) == systems.sorted())
        #expect(targets.filter { $0.kind == .widgets }.map(\.name) == ["PagerWidget"])
    }

    @Test func everyAppHasAScheme() throws {
        for app in apps {
            let scheme = try Self.text("Switchboard.xcodeproj/xcshareddata/xcschemes/\(app.name).xcscheme")
            let tests = app.name == "SimBridge" ? targets.filter { $0.kind == .tests } : []
            #expect(Set(scheme.matches(of: /BlueprintIdentifier = "(.+)"/).map { String($0.1) }) == Set([app.id] + tests.map(\.id)))
            #expect(
                Set(scheme.matches(of: /BuildableName = "(.+)"/).map { String($0.1) })
                    == Set(["\(app.name).app"] + tests.map { "\($0.name).xctest" }))
        }
    }

    @Test func testsOfTheDeviceRunInAnApp() throws {
        for tests in targets where tests.kind == .tests {
            #expect(try settings(of: tests)["TEST_HOST"] == "/SimBridge.app/SimBridge")
            #expect(tests.folders.allSatisfy(Self.exists))
        }
    }

    @Test func everyTargetHasItsFiles() throws {
        for target in bundles {
            for folder in target.folders { #expect(Self.exists(folder), "\(target.name): \(folder)") }
            #expect(try Self.exists(settings(of: target)["INFOPLIST_FILE"]), "\(target.name)")
            #expect(target.folders.filter { Self.exists("\($0)/PrivacyInfo.xcprivacy") }.count == 1, "\(target.name)")
            for resource in target.resources { #expect(Self.exists(resource), "\(target.name): \(resource)") }
            #expect(try Self.sources(of: target).contains { $0.text.contains("@main") }, "\(target.name)")
            // It is processed, and must not be copied as well.
            #expect(target.leftOut == ["Info.plist"], "\(target.name)")
        }
    }

    @Test func theWidgetIsInThePagersApp() throws {
        for app in apps { #expect(app.embedded == (app.name == "Pager2077" ? ["PagerWidget.appex"] : []), "\(app.name)") }
        let widget = try Self.list("PagerWidget/Info.plist")["NSExtension"] as? [String: String]
        #expect(widget == ["NSExtensionPointIdentifier": "com.apple.widgetkit-extension"])
    }

    @Test func theWorkflowBuildsEveryApp() throws {
        let workflow = try String(contentsOf: FloorTests.root.appending(path: ".github/workflows/apple.yml"), encoding: .utf8)
        #expect(workflow.contains("        app: [\(apps.map(\.name).joined(separator: ", "))]\n"))
    }

    @Test func workflowTestsOnTheOldestSimulator() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let list = """
            {"devices": {"com.apple.CoreSimulator.SimRuntime.iOS-26-10": [{"name": "iPhone 17", "udid": "NEW"}],
            "com.apple.CoreSimulator.SimRuntime.watchOS-9-0": [{"name": "Apple Watch", "udid": "WATCH"}],
            "com.apple.CoreSimulator.SimRuntime.iOS-26-4":
            [{"name": "iPad (A16)", "udid": "PAD"}, {"name": "iPhone 16e", "udid": "OLD"}, {"name": "iPhone 17", "udid": "SECOND"}]}}
            """
        let xcrun = folder.appending(path: "xcrun")
        try "#!/bin/sh\ncat <<'END'\n\(list)\nEND\n".write(to: xcrun, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: xcrun.path)
        let script = FloorTests.root.appending(path: "Scripts/oldest-simulator").path
        func run(_ arguments: String) async throws -> Script {
            try await Script.run(URL(filePath: "/bin/sh"), ["-c", "PATH='\(folder.path)':$PATH exec '\(script)' \(arguments)"])
        }
        #expect(try await run("").output == "OLD\n")
        #expect(try await run("--name").output == "iOS 26.4, iPhone 16e\n")
        try "#!/bin/sh\necho '{\"devices\": {}}'\n".write(to: xcrun, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: xcrun.path)
        let none = try await run("")
        #expect(none.status != 0 && none.output.contains("no simulator of an iPhone"))
    }

    @Test func linkedProductsHaveWhatTheirTargetsImport() async throws {
        let manifest = try await Manifest.onMac
        let modules = Set(manifest.targets.map(\.name))
        for target in targets {
            #expect(target.products.count == 1, "\(target.name)")
            let product = try #require(manifest.products.first { $0.name == target.products.first }, "\(target.name)")
            #expect(Set(product.targets).subtracting(modules) == [], "\(product.name)")
            guard target.kind != .tests else { continue }
            let imported = Set(try Self.sources(of: target).flatMap(\.imported))
            #expect(imported.intersection(modules).subtracting(product.targets) == [], "\(target.name)")
        }
    }

    @Test func deploymentTargetIsThatOfTheManifest() async throws {
        let floor = try await Manifest.onMac.platforms.first { $0.platformName == "ios" }?.version
        for target in targets { #expect(try settings(of: target)["IPHONEOS_DEPLOYMENT_TARGET"] == floor, "\(target.name)") }
    }

    @Test func languageFeaturesAreThoseOfTheManifest() throws {
        let manifest = try String(contentsOf: FloorTests.root.appending(path: "Package.swift"), encoding: .utf8)
        let features = manifest.matches(of: /enableUpcomingFeature\("(\w+)"\)/).map { feature in
            "SWIFT_UPCOMING_FEATURE" + feature.1.map { $0.isUppercase ? "_\($0)" : $0.uppercased() }.joined()
        }
        let settings = try Self.text("Config/App.xcconfig").matches(of: /(?m)^(SWIFT_UPCOMING_FEATURE_\w+) = YES$/).map {
            String($0.1)
        }
        #expect(features.count > 3 && features == settings)
    }

    @Test func bundleIDsAreDistinctAndBeginAsTheApps() throws {
        let ids = try Dictionary(
            uniqueKeysWithValues: targets.map { try ($0.name, settings(of: $0)["PRODUCT_BUNDLE_IDENTIFIER"]) })
        #expect(Set(ids.values).count == targets.count)
        #expect(ids["TalkCo"] == "switchboard.unsigned.TalkCo")
        #expect(ids["PagerWidget"] == ids["Pager2077"].map { "\($0).PagerWidget" })
    }

    @Test func nothingOfOneDeveloperIsCommitted() throws {
        #expect(try Self.text("Config/Team.xcconfig").contains("\nDEVELOPMENT_TEAM =\n"))
        let files = try FileManager.default.subpathsOfDirectory(atPath: Self.apple.path).filter { !$0.hasSuffix(".png") }
            .filter { !$0.contains("xcuserdata") && !Self.isFolder($0) }
        #expect(files.count > 50)
        for file in files {
            let text = try Self.text(file)
            for word in ["/Users/", "/home/", "PROVISIONING_PROFILE"] { #expect(!text.contains(word), "\(file)") }
            #expect(!text.contains("DEVELOPMENT_TEAM =") || file == "Config/Team.xcconfig", "\(file)")
        }
    }

    @Test func iconsAreOpaqueAndLarge() throws {
        for app in apps {
            let icon = try Data(
                contentsOf: Self.apple.appending(path: "\(app.name)/Assets.xcassets/AppIcon.appiconset/AppIcon.png"))
            // PNG, section 11.2.2: width and height from byte 16 on, the depth, and the colour type, which is 2 without transparency.
            #expect(Array(icon.dropFirst(16).prefix(10)) == [0, 0, 4, 0, 0, 0, 4, 0, 8, 2], "\(app.name)")
        }
    }

    /// Those of the theme, light and dark. The pager's display has its own.
    @Test func accentColoursAreThoseOfTheViews() throws {
        for app in apps {
            let colours = try Self.text("\(app.name)/Assets.xcassets/AccentColor.colorset/Contents.json")
                .matches(of: /"0x([0-9A-F]{2})"/).map { String($0.1) }
            #expect(colours.count == 6, "\(app.name)")
            let theme = try Self.code(of: app.name).flatMap { $0.matches(of: /accent: 0x([0-9A-F]{6})/).map { String($0.1) } }
            #expect(theme == [colours[..<3].joined(), colours[3...].joined()] || app.name == "Pager2077", "\(app.name): \(theme)")
        }
    }

    // MARK: Faults are found

    @Test func brokenReferencesAreFound() throws {
        let text = try Self.text("Switchboard.xcodeproj/project.pbxproj")
        let broken = try XcodeProject(text: text.replacing("fileRef = Font;", with: "fileRef = Fonts;"))
        #expect(broken.loose == ["Fonts"])
        #expect(throws: (any Error).self) { try XcodeProject(text: text.replacing("rootObject", with: "root")) }
    }

    @Test func settingsAreEvaluated() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try "A = 1\n// B = 2\nC = $(X_$(A)) $(E:default=none) $(C)\nX_1 = yes\nD[config=Debug] = 3\n".write(
            to: folder.appending(path: "a"), atomically: true, encoding: .utf8)
        try "#include \"a\"\nA = 1\n".write(to: folder.appending(path: "b"), atomically: true, encoding: .utf8)
        let settings = try BuildSettings(target: "T", files: ["b"], in: folder)
        #expect(["A", "B", "C", "D", "TARGET_NAME"].map { settings[$0] } == ["1", "", "yes none ", "3", "T"])
        try "A 1\n".write(to: folder.appending(path: "c"), atomically: true, encoding: .utf8)
        #expect(throws: XcodeProject.Malformed.self) { try BuildSettings(target: "T", files: ["c"], in: folder) }
    }

    // MARK: Files

    static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: apple.appending(path: path).path) }

    static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: apple.appending(path: path).path, isDirectory: &isFolder)
            && isFolder.boolValue
    }

    static func sources(of target: XcodeProject.Target) throws -> [SourceFile] {
        try target.folders.flatMap { try SourceFile.all(below: FloorTests.root, folder: "Apple/\($0)") }
    }

    /// The sources of an app: those of its own target, and of every module of the package that it contains.
    static func linked(by app: XcodeProject.Target) async throws -> [SourceFile] {
        let manifest = try await Manifest.onMac
        let modules = manifest.needs(of: manifest.products.filter { app.products.contains($0.name) }.flatMap(\.targets)).modules
        return try sources(of: app) + manifest.targets.filter { modules.contains($0.name) }.flatMap { try manifest.sources(of: $0) }
    }

    /// The sources of a system that run on its phone.
    static func code(of system: String) throws -> [String] {
        try ["Client", "App"].flatMap { try SourceFile.all(below: FloorTests.root, folder: "Sources/\(system)/\($0)") }.map(\.text)
    }
}
