import Foundation
import Testing

/// What the apps declare, compared with what they use.
extension XcodeProjectTests {
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

    /// The languages in which a folder has words.
    private static func languages(in folder: String) throws -> Set<String> {
        let names = try FileManager.default.contentsOfDirectory(atPath: FloorTests.root.appending(path: folder).path)
        return Set(names.filter { $0.hasSuffix(".lproj") }.map { String($0.dropLast(6)) })
    }

    /// App Review tries every language that an app declares.
    @Test func appsDeclareTheLanguagesOfTheirViews() throws {
        for app in apps {
            let languages = try Self.languages(in: "Sources/\(app.name)/App")
            #expect(languages.contains("en") && languages.count > 1, "\(app.name)")
            #expect(try Self.languages(in: "Apple/\(app.name)") == languages, "\(app.name)")
            #expect(try Self.languages(in: "Sources/Kits/ViewKit").isSuperset(of: languages), "\(app.name)")
            // A kit in a language that the app lacks would mix two languages on a screen.
            let keys = try Self.list("\(app.name)/Info.plist").keys.filter { $0.contains("Localizations") }
            #expect(keys == [], "\(app.name)")
        }
    }

    @Test func reasonsAreInTheLanguagesOfTheApp() throws {
        for app in apps {
            let list = try Self.list("\(app.name)/Info.plist").filter { $0.key.hasSuffix("UsageDescription") }
            #expect(!list.isEmpty)
            for language in try Self.languages(in: "Apple/\(app.name)") {
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
