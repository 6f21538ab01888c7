import Foundation
import Testing

/// `Apple/Switchboard.xcodeproj` and the files of its targets, which no compiler reads here.
@Suite struct XcodeProjectTests {
    static let apple = FloorTests.root.appending(path: "Apple")
    static let languages = ["en", "ko", "zh-Hant"]

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

    // MARK: What the apps declare

    @Test func appsDeclareWhatTheyUse() throws {
        for app in apps {
            let list = try Self.list("\(app.name)/Info.plist")
            let code = try Self.code(of: app.name)
            for capability in Capability.all {
                #expect(
                    (list[capability.key] != nil) == code.contains { $0.contains(capability.use) }, "\(app.name): \(capability.key)"
                )
            }
            // All reach a server that may be on the same network.
            #expect(list["NSLocalNetworkUsageDescription"] != nil, "\(app.name)")
            #expect(list["NSAppTransportSecurity"] as? [String: Bool] == ["NSAllowsLocalNetworking": true], "\(app.name)")
        }
    }

    @Test func importedFrameworksAreDeclaredOrNeedNoReason() async throws {
        let sources = try ["Sources/Kits/ApplePlatform", "Apple"].flatMap { try SourceFile.all(below: FloorTests.root, folder: $0) }
        let modules = try await Manifest.onMac.targets.map(\.name)
        let frameworks = Set(sources.flatMap(\.imported)).subtracting(modules)
        let declared = Set(Capability.all.compactMap(\.framework))
        #expect(frameworks.subtracting(declared).subtracting(Capability.undeclared) == [])
        #expect(declared.union(Capability.undeclared).subtracting(frameworks).subtracting(modules) == [])
    }

    @Test func appsThatReceivePushesAreSignedForThem() throws {
        for app in apps {
            let file = try settings(of: app)["CODE_SIGN_ENTITLEMENTS"]
            let receives = try Self.code(of: app.name).contains { $0.contains("pushAddress(") || $0.contains("PushRegistration") }
            #expect(file == (receives ? "Config/Push.entitlements" : ""), "\(app.name)")
        }
        #expect(try Self.list("Config/Push.entitlements") as? [String: String] == ["aps-environment": "development"])
    }

    @Test func discoveredServicesAreThoseOfTheCode() throws {
        for app in apps {
            let types = try Self.code(of: app.name).flatMap { $0.matches(of: /"(_[a-z0-9-]+\._(?:tcp|udp))"/).map { String($0.1) } }
            #expect(
                try Self.list("\(app.name)/Info.plist")["NSBonjourServices"] as? [String] ?? [] == Array(Set(types)), "\(app.name)")
        }
    }

    @Test func reasonsAreInThreeLanguages() throws {
        for app in apps {
            let list = try Self.list("\(app.name)/Info.plist").filter { $0.key.hasSuffix("UsageDescription") }
            #expect(!list.isEmpty)
            for language in Self.languages {
                let words = try Self.list("\(app.name)/\(language).lproj/InfoPlist.strings") as? [String: String] ?? [:]
                #expect(words.keys.sorted() == list.keys.sorted(), "\(app.name), \(language)")
                #expect(words.values.allSatisfy { $0.count > 5 }, "\(app.name), \(language)")
                if language == "en" { #expect(words == list as? [String: String], "\(app.name)") }
            }
        }
    }

    @Test func namedFontsAreInTheirTargets() throws {
        for target in bundles {
            let fonts = try Self.list("\(target.name)/Info.plist")["UIAppFonts"] as? [String] ?? []
            #expect(fonts == target.resources.map { URL(filePath: $0).lastPathComponent }, "\(target.name)")
        }
    }

    @Test func privacyManifestsNameTheInterfacesInUse() throws {
        let code = try (SourceFile.all(below: FloorTests.root).filter(\.shipsToAPhone) + apps.flatMap(Self.sources))
            .flatMap(\.code).map(\.line)
        let declared = try Self.reasons(in: "Shared/PrivacyInfo.xcprivacy")
        for (category, calls) in Capability.reasoned {
            let isUsed = code.contains { line in calls.contains { line.contains($0) } }
            #expect((declared["NSPrivacyAccessedAPICategory\(category)"] != nil) == isUsed, "\(category)")
        }
        // Of Apple's list: preferences of the app itself, files in its container.
        #expect(Set(declared.values.joined()) == ["CA92.1", "C617.1"])
        #expect(try Self.reasons(in: "PagerWidget/PrivacyInfo.xcprivacy").isEmpty)
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

    private static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: apple.appending(path: path).path) }

    private static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: apple.appending(path: path).path, isDirectory: &isFolder)
            && isFolder.boolValue
    }

    private static func sources(of target: XcodeProject.Target) throws -> [SourceFile] {
        try target.folders.flatMap { try SourceFile.all(below: FloorTests.root, folder: "Apple/\($0)") }
    }

    /// The sources of a system that run on its phone.
    private static func code(of system: String) throws -> [String] {
        try ["Client", "App"].flatMap { try SourceFile.all(below: FloorTests.root, folder: "Sources/\(system)/\($0)") }.map(\.text)
    }

    private static func reasons(in path: String) throws -> [String: [String]] {
        let list = try list(path)
        #expect(list["NSPrivacyTracking"] as? Bool == false)
        #expect((list["NSPrivacyCollectedDataTypes"] as? [Any])?.isEmpty == true)
        let types = try #require(list["NSPrivacyAccessedAPITypes"] as? [[String: Any]])
        return try Dictionary(
            uniqueKeysWithValues: types.map {
                try (
                    #require($0["NSPrivacyAccessedAPIType"] as? String),
                    #require($0["NSPrivacyAccessedAPITypeReasons"] as? [String])
                )
            })
    }
}
