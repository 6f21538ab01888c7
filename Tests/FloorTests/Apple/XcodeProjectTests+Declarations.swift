import Foundation
import Testing

/// What the apps declare, compared with what they use.
extension XcodeProjectTests {
    @Test func appsDeclareWhatTheyUse() throws {
        for app in apps {
            let list = try Self.list("\(app.name)/Info.plist")
            let code = try Self.code(of: app.name)
            for capability in Capability.all {
                let isUsed = capability.use.map { use in code.contains { $0.contains(use) } } ?? false
                #expect((list[capability.key] != nil) == isUsed, "\(app.name): \(capability.key)")
            }
            let keys = Set(Capability.all.map(\.key))
            #expect(list.keys.filter { $0.hasSuffix("UsageDescription") && !keys.contains($0) } == [], "\(app.name)")
            #expect(list["NSAppTransportSecurity"] as? [String: Bool] == ["NSAllowsLocalNetworking": true], "\(app.name)")
        }
    }

    /// Of everything that is linked, whether it is called or not: App Store Connect reads the names in the program.
    @Test func appsDeclareWhatTheyContain() async throws {
        for app in apps {
            let list = try Self.list("\(app.name)/Info.plist")
            let files = try await Self.linked(by: app)
            #expect(files.count > 50, "\(app.name)")
            for capability in Capability.all where !capability.interfaces.isEmpty {
                let uses = capability.uses(in: files)
                let isDeclared = list[capability.key] != nil
                #expect(uses.isEmpty != isDeclared, "\(app.name): \(capability.key) \(isDeclared ? "without a use" : uses[0])")
            }
        }
    }

    @Test func undeclaredUsesAreFound() {
        let file = SourceFile(
            path: "a", text: "// AVCaptureDevice in a comment\nlet camera = AVCaptureDevice.default(for: .video)\n")
        #expect(
            Capability.all.map { $0.uses(in: [file]) }.filter { !$0.isEmpty }
                == [["a:2: let camera = AVCaptureDevice.default(for: .video)"]])
    }

    @Test func entryPointsHandThePhoneWhatTheAppUses() throws {
        for app in apps {
            let code = try Self.code(of: app.name)
            let entry = try Self.sources(of: app).map(\.text).joined()
            for part in ["scanner", "microphone", "speaker", "recognition", "biometrics", "discovery", "activities"] {
                #expect(entry.contains("phone.\(part) = ") == code.contains { $0.contains(".\(part)") }, "\(app.name): \(part)")
            }
            #expect(entry.contains(": PushDelegate {") == code.contains { $0.contains(".notifications") }, "\(app.name)")
        }
    }

    @Test func importedFrameworksAreKnown() async throws {
        let sources = try SourceFile.ofTheDevice + SourceFile.all(below: FloorTests.root, folder: "Apple")
        let modules = try await Manifest.onMac.targets.map(\.name)
        #expect(Set(sources.flatMap(\.imported)).subtracting(modules) == Capability.frameworks)
    }

    /// The name below the icon, as the requirements of the system and its own screens say it.
    @Test func appsHaveTheirNames() throws {
        let others = ["SimBridge": "SimBridge Client"]
        for app in apps {
            let name = others[app.name] ?? app.name
            #expect(try Self.list("\(app.name)/Info.plist")["CFBundleDisplayName"] as? String == name)
            if name != app.name { #expect(try Self.code(of: app.name).contains { $0.contains("\"\(name)\"") }) }
        }
        for widget in targets where widget.kind == .widgets {
            #expect(try settings(of: widget)["INFOPLIST_KEY_CFBundleDisplayName"] == "Pager2077")
        }
    }

    @Test func appsWithAServerHaveAPresetOne() throws {
        for app in apps {
            let entry = try Self.sources(of: app).map(\.text).joined()
            let hasServer = entry.contains("delegate.server") || entry.contains(".presetServer")
            #expect(
                try Self.list("\(app.name)/Info.plist")["ServerAddress"] as? String
                    == (hasServer ? "$(BOX_ADDRESS)/\(app.name.lowercased())" : nil), "\(app.name)")
            #expect(try settings(of: app)["BOX_ADDRESS"] == "")
        }
    }

    /// Without the key App Store Connect asks at every upload. Encryption of the system is exempt; that of a library in the app is not.
    @Test func appsWithTheirOwnEncryptionSaySo() async throws {
        let manifest = try await Manifest.onMac
        for app in apps {
            let product = try #require(manifest.products.first { $0.name == app.products.first })
            let hasLibrary = manifest.needs(of: product.targets).products.contains("Clibsodium")
            #expect(try Self.list("\(app.name)/Info.plist")["ITSAppUsesNonExemptEncryption"] as? Bool == hasLibrary, "\(app.name)")
        }
    }

    @Test func appsThatReceivePushesAreSignedForThem() async throws {
        for app in apps {
            let file = try settings(of: app)["CODE_SIGN_ENTITLEMENTS"]
            let receives = try Self.code(of: app.name).contains { $0.contains("pushAddress(") || $0.contains("PushRegistration") }
            #expect(file == (receives ? "Config/Push.entitlements" : ""), "\(app.name)")
            // App Store Connect warns of a program that contains the call and is not signed for it.
            let contains = try await Self.linked(by: app).contains { $0.text.contains("registerForRemoteNotifications()") }
            #expect(contains == receives, "\(app.name)")
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
