import Foundation
import Logging
import PhoneTestKit
import PlatformKit
import ServerKit
import SwiftUI
import TestKit
import Testing
import WireKit

@testable import WebRenderer

/// The storage and capabilities of a browser phone.
@MainActor
@Suite struct PhoneTests {
    private let key = PhoneKey.random()

    private func phone(_ folder: TemporaryFolder) -> BrowserPhone {
        BrowserPhone(identity: "one", folder: folder.url.appending(path: "one"), key: key, logger: .quiet)
    }

    /// The clipboard needs a page: see the tests in a browser.
    @Test func partsMeetTheirRequirements() async throws {
        let folder = try TemporaryFolder()
        let app = phone(folder).phone(for: "pager")
        try await PhoneRequirements.keychainKeepsSecrets(app.keychain)
        await PhoneRequirements.preferencesKeepValuesOfTheirType(app.preferences)
        try PhoneRequirements.folderIsOneAndKeepsFiles(app.folder)
    }

    @Test func appDataSurvivesRestartsAndIsSeparate() async throws {
        let folder = try TemporaryFolder()
        let app = phone(folder).phone(for: "pager")
        try await app.keychain.set(Data("secret".utf8), for: "token")
        app.preferences.set(3, for: "volume")
        await app.preferences.flush()

        let again = phone(folder).phone(for: "pager")
        #expect(try await again.keychain.data(for: "token") == Data("secret".utf8))
        #expect(again.preferences.value(Int.self, for: "volume") == 3)
        let other = phone(folder).phone(for: "other")
        #expect(try await other.keychain.data(for: "token") == nil)
        #expect(other.preferences.value(Int.self, for: "volume") == nil)
        try await again.keychain.set(nil, for: "token")
        #expect(try await phone(folder).phone(for: "pager").keychain.data(for: "token") == nil)
    }

    @Test func onlyTheOwnerCanReadTheFiles() async throws {
        let folder = try TemporaryFolder()
        try await phone(folder).phone(for: "pager").keychain.set(Data([1]), for: "a")
        let files = FileManager.default
        let mode = { (path: String) in try files.attributesOfItem(atPath: path)[.posixPermissions] as? Int }
        #expect(try mode(folder.file("one")) == 0o700)
        #expect(try mode(folder.file("one/pager.keychain.sealed")) == 0o600)
    }

    @Test func oversizedValuesAreRefused() async throws {
        let folder = try TemporaryFolder()
        let keychain = phone(folder).phone(for: "pager").keychain
        try await keychain.set(Data([1]), for: "small")
        await #expect(throws: PhoneError.full) { try await keychain.set(Data(count: StoredValues.limit), for: "large") }
        #expect(try await phone(folder).phone(for: "pager").keychain.data(for: "small") == Data([1]))
    }

    @Test func changedPreferencesAreWrittenTogether() async throws {
        let folder = try TemporaryFolder()
        let preferences = phone(folder).phone(for: "pager").preferences
        for number in 0..<100 { preferences.set(number, for: "volume") }
        #expect(preferences.value(Int.self, for: "volume") == 99)
        await preferences.flush()
        #expect(phone(folder).phone(for: "pager").preferences.value(Int.self, for: "volume") == 99)
        preferences.set(Int?.none, for: "volume")
        await preferences.flush()
        #expect(phone(folder).phone(for: "pager").preferences.value(Int.self, for: "volume") == nil)
    }

    @Test func unwritablePreferencesLastForTheProcess() async throws {
        let folder = try TemporaryFolder()
        // A file in place of the phone's folder.
        try Data().write(to: folder.url.appending(path: "one"))
        let preferences = phone(folder).phone(for: "pager").preferences
        preferences.set(7, for: "volume")
        await preferences.flush()
        #expect(preferences.value(Int.self, for: "volume") == 7)
    }

    @Test func unreadableFilesAreSetAside() async throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.file("one"), withIntermediateDirectories: true)
        try Data("{broken".utf8).write(to: folder.url.appending(path: "one/pager.keychain.sealed"))
        let keychain = phone(folder).phone(for: "pager").keychain
        #expect(try await keychain.data(for: "a") == nil)
        try await keychain.set(Data([1]), for: "a")
        #expect(try String(contentsOfFile: folder.file("one/pager.keychain.sealed.unreadable"), encoding: .utf8) == "{broken")
    }

    @Test func forgettingRemovesTheFolderAndEndsThePages() async throws {
        try await TestSite.run { phone in
            Button("keep") { phone.preferences.set(1, for: "a") }
            Text(verbatim: "kept \(phone.preferences.value(Int.self, for: "a") ?? 0)")
        } body: { site in
            let cookie = Secret.make()
            try await site.page(cookie: cookie) { page in
                try await page.tap("keep")
                try await page.waitForAck()
                let folder = site.folder.appending(path: Phones.identity(of: cookie))
                try await eventually { FileManager.default.fileExists(atPath: folder.path) }
                await site.sessions.forget(secret: cookie)
                try await page.wait { $0.gone == "forgotten" }
                try await eventually { !FileManager.default.fileExists(atPath: folder.path) }
            }
            let reply = try await site.server.http.send(
                "GET", "/apps/test/", headers: ["Cookie": "switchboard-phone-\(site.port)=\(cookie)"])
            #expect(reply.headers["set-cookie"]?.contains(cookie) == false)
        }
    }

    @Test func forgottenPhonesAreBounded() {
        var forgotten = ForgottenPhones(limit: 3)
        for number in [1, 2, 3, 3, 4] { forgotten.add("\(number)") }
        #expect([1, 2, 3, 4].map { forgotten.contains("\($0)") } == [false, true, true, true])
    }

    @Test func phoneThatKeepsNothingHasNoFolder() async throws {
        let folder = try TemporaryFolder()
        let phone = phone(folder)
        let app = phone.phone(for: "pager")
        #expect(try await app.keychain.data(for: "a") == nil)
        try await app.keychain.set(nil, for: "a")
        try await app.biometrics.removeSecret(for: "a")
        app.preferences.set(Int?.none, for: "volume")
        await app.preferences.flush()
        #expect(app.storedFolder() == nil)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
        _ = try app.folder()
        #expect(app.storedFolder() != nil)
    }

    /// Folders beyond the limit and after their time; nothing else that lies beside them.
    @Test func onlyFoldersOfPhonesExpire() async throws {
        let folder = try TemporaryFolder()
        let names = ["a", "b", "c"].map(Phones.identity)
        let files = PhoneFiles(folder.url, key: key, logger: .quiet)
        for (age, name) in (names + ["key-id", "notes"]).enumerated() {
            let path = folder.file(name)
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            let date = Date(timeIntervalSinceNow: -100 * Double(age))
            try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
        }
        func rest() async throws -> [String] {
            await files.flush()
            return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        }
        files.removeUnused(except: [], expiry: 150, limit: 10)
        #expect(try await rest() == (names.prefix(2) + ["key-id", "notes"]).sorted())
        files.removeUnused(except: [], expiry: 150, limit: 1)
        #expect(try await rest() == (names.prefix(1) + ["key-id", "notes"]).sorted())
        files.removeUnused(except: [names[0]], expiry: 0, limit: 0)
        #expect(try await rest().contains(names[0]))
    }

    @Test func aWriteDuringForgettingDoesNotRestoreTheFolder() async throws {
        let folder = try TemporaryFolder()
        for _ in 0..<50 {
            let phone = phone(folder)
            let parts = phone.phone(for: "pager")
            try await parts.keychain.set(Data([1]), for: "a")
            parts.preferences.set(1, for: "volume")
            async let secret: Void = parts.keychain.set(Data([2]), for: "a")
            phone.removeEverything()
            // Either written before the end, or refused.
            _ = try? await secret
            await parts.preferences.flush()
            await phone.files.flush()
            #expect(!FileManager.default.fileExists(atPath: folder.file("one")))
            await #expect(throws: PhoneError.absent) { try await parts.keychain.set(Data([3]), for: "a") }
            #expect(throws: PhoneError.absent) { _ = try parts.folder() }
        }
    }

    struct KeyboardState: View {
        let phone: Phone
        var body: some View { Text(verbatim: phone.keyboard.isShown ? "keyboard" : "no keyboard") }
    }

    @Test func eachPageHasItsOwnKeyboard() async throws {
        try await TestSite.run {
            KeyboardState(phone: $0)
        } body: { site in
            let cookie = Secret.make()
            try await site.page(cookie: cookie) { page in
                try await site.page(cookie: cookie, document: "other") { other in
                    try await page.send("keyboard", 0, .bool(true))
                    try await page.wait(for: "keyboard")
                    try await other.send("keyboard", 0, .bool(false))
                    try await other.waitForAck()
                    #expect(await other.texts == ["no keyboard"])
                    try await page.send("keyboard", 0, .bool(false))
                    try await page.wait(for: "no keyboard")
                }
            }
        }
    }

    @Test func reconnectedPagesReportTheirKeyboard() async throws {
        try await TestSite.run {
            KeyboardState(phone: $0)
        } body: { site in
            let cookie = Secret.make()
            let session = try await site.page(cookie: cookie) { page in
                try await page.send("keyboard", 0, .bool(true))
                try await page.wait(for: "keyboard")
                return await page.session
            }
            try await site.page(cookie: cookie, session: session) { #expect(await $0.texts == ["no keyboard"]) }
            try await site.page(cookie: cookie, session: session, hello: ["keyboard": .bool(true)]) {
                #expect(await $0.texts == ["keyboard"])
            }
        }
    }

    struct Opened: View {
        let phone: Phone
        @State private var opened = "nothing"
        var body: some View {
            Text(verbatim: phone.appLink?.absoluteString ?? "unknown")
            Text(verbatim: "opened \(opened)").onOpenURL { opened = $0.absoluteString }
        }
    }

    @Test func onlyLinksToThePageReachTheApp() async throws {
        try await TestSite.run {
            Opened(phone: $0)
        } body: { site in
            let address = "http://127.0.0.1:\(site.port)/apps/test/"
            try await site.page { page in
                #expect(await page.texts == [address, "opened nothing"])
                let long = address + "#" + String(repeating: "a", count: 2048)
                for wrong in [long, "http://127.0.0.1/apps/other/#a", "", "::"] { try await page.send("url", 0, .string(wrong)) }
                try await page.waitForAck()
                #expect(await page.texts.last == "opened nothing")
                try await page.send("url", 0, .string(address + "#pair=123456"))
                try await page.wait(for: "opened \(address)#pair=123456")
            }
        }
    }

    struct KeptScene: View {
        @SceneStorage("count") private var count = 0
        @SceneStorage("draft") private var draft = ""
        var body: some View {
            Button("more") { count += 1 }
            Text(verbatim: "count \(count) \(draft)")
            TextField("draft", text: $draft)
        }
    }

    @Test func sceneValuesSurviveAReload() async throws {
        try await TestSite.run { _ in
            KeptScene()
        } body: { site in
            let cookie = Secret.make()
            let kept = try await site.page(cookie: cookie) { page in
                #expect(await page.scene.isEmpty)
                try await page.tap("more")
                try await page.send("input", page.find("draft"), .string("half"))
                try await page.wait { $0.scene["draft"] == .string("half") }
                return await page.scene
            }
            #expect(kept == ["count": .integer(1), "draft": .string("half")])
            // An unknown session, as after a restart.
            try await site.page(cookie: cookie, session: Secret.make(), hello: ["scene": .object(kept)]) { page in
                #expect(await page.isResumed == false)
                #expect(await page.texts.contains("count 1 half"))
                #expect(await page.scene == kept)
            }
        }
    }

    @Test func invalidSceneValuesAreDropped() async throws {
        try await TestSite.run { _ in
            KeptScene()
        } body: { site in
            let scene: [String: JSONValue] = [
                "count": .object(["a": .null]), "draft": .string(String(repeating: "x", count: 5000)), "other": .array([]),
            ]
            try await site.page(hello: ["scene": .object(scene)]) { page in
                #expect(await page.texts.contains("count 0 "))
                #expect(await page.scene.isEmpty)
            }
        }
    }

    struct CopyButton: View {
        let phone: Phone
        @State private var result = "-"
        var body: some View {
            Button("copy") {
                Task {
                    do {
                        try await phone.clipboard.copy("a \"quoted\" text")
                        result = "copied"
                    } catch { result = "\(error)" }
                }
            }
            Text(verbatim: "result \(result)")
        }
    }

    @Test func requestsToThePageReturnItsAnswer() async throws {
        try await TestSite.run {
            CopyButton(phone: $0)
        } body: { site in
            try await site.page { page in
                try await page.tap("copy")
                try await page.wait { !$0.requests.isEmpty }
                let request = await page.requests[0]
                #expect(request.name == "clipboard.write" && request.value == .string("a \"quoted\" text"))
                try await page.write(.object(["reply": .integer(Int64(request.number)), "v": .bool(true)]))
                try await page.wait(for: "result copied")
                try await page.tap("copy")
                try await page.wait { $0.requests.count == 2 }
                let second = await page.requests[1]
                try await page.write(.object(["reply": .integer(Int64(second.number)), "error": .string("denied")]))
                try await page.wait(for: "result denied")
            }
        }
    }

    @Test func requestsFailWhenTheirPageCloses() async throws {
        try await TestSite.run {
            CopyButton(phone: $0)
        } body: { site in
            let cookie = Secret.make()
            let session = try await site.page(cookie: cookie) { page in
                try await page.tap("copy")
                try await page.wait { !$0.requests.isEmpty }
                return await page.session
            }
            try await site.page(cookie: cookie, session: session) { page in try await page.wait(for: "result absent") }
        }
    }

    private struct LockButton: View {
        let phone: Phone
        @State private var result = "-"
        var body: some View {
            Button("lock") {
                Task {
                    do {
                        try await phone.biometrics.protect(
                            Data([1]), for: "token", account: "ada", reason: "")
                        result = "locked"
                    } catch { result = "\(error)" }
                }
            }
            Text(verbatim: "result \(result)")
        }
    }

    /// A confirmation on the owner's page must not open the page of an attacker who has copied the cookie.
    @Test func passkeysAreRequestedOnThePageOfTheTap() async throws {
        try await TestSite.run {
            LockButton(phone: $0)
        } body: { site in
            let cookie = Secret.make()
            try await site.page(cookie: cookie, hello: ["active": .bool(false)]) { locking in
                try await site.page(cookie: cookie) { front in
                    try await locking.tap("lock")
                    try await within(.seconds(30)) { try await locking.wait { !$0.requests.isEmpty } }
                    let request = await locking.requests[0]
                    #expect(request.name == "passkey.create")
                    try await locking.write(.object(["reply": .integer(Int64(request.number)), "error": .string("denied")]))
                    try await locking.wait(for: "result denied")
                    #expect(await front.requests.isEmpty)
                }
            }
        }
    }

    private struct Bell: View {
        let phone: Phone
        @State private var tapped: [String] = []
        var body: some View {
            Text(verbatim: "tapped \(tapped.joined(separator: " "))")
            Button("clear") { Task { await phone.notifications.remove(id: "news") } }
            Button("listen") { Task { for await id in phone.notifications.taps() { tapped.append(id) } } }
        }
    }

    /// Rate limits count each phone separately, but not each new cookie of a browser.
    @Test func aPhoneHasAClientAddressOfItsOwn() async throws {
        let folder = try TemporaryFolder()
        let app = WebApp(name: "test", title: "Test") { _, address in Text(verbatim: address()) }
        let sessions = Sessions(folder: folder.url.appending(path: "phones"), key: .random(), logger: .quiet)
        let front = try WebSite.build(apps: [app], sessions: sessions)
        try await ServerUnderTest.run([], isAlone: false, front: front) { server async throws in
            func address(_ cookie: String) async throws -> String {
                try await PageProbe.open(port: server.port, cookie: cookie) { try #require(await $0.texts.first) }
            }
            let (ada, bob) = (Secret.make(), Secret.make())
            let first = try await address(ada)
            #expect(first.hasPrefix("127.0.0.1 "))
            #expect(try await address(bob) != first)
            #expect(try await address(ada) == first)
            var others: Set<String> = []
            for _ in 0..<2 * ClientAddresses.maximumPhones { others.insert(try await address(Secret.make())) }
            #expect(others.count <= ClientAddresses.maximumPhones && !others.contains(first))
            await front.close()
        }
    }

    @Test func notificationTapsWaitForAListener() async throws {
        try await TestSite.run {
            Bell(phone: $0)
        } body: { site in
            try await site.page { page in
                for number in 1...20 { try await page.send("notification", 0, .string("\(number)")) }
                try await page.tap("listen")
                try await page.wait(for: "tapped " + (5...20).map { "\($0)" }.joined(separator: " "))
                try await page.send("notification", 0, .string("more"))
                try await page.wait { $0.texts.contains { $0.hasSuffix(" more") } }
            }
        }
    }

    @Test func notificationsAreRemovedOnEveryPage() async throws {
        try await TestSite.run {
            Bell(phone: $0)
        } body: { site in
            let cookie = Secret.make()
            try await site.page(cookie: cookie) { first in
                try await site.page(cookie: cookie) { second in
                    try await second.tap("clear")
                    for page in [first, second] {
                        try await page.wait { $0.requests.map(\.name) == ["notification.clear"] }
                        #expect(await page.requests.first?.value == .string("news"))
                    }
                }
            }
        }
    }

    @MainActor
    private final class KeptPhone {
        var phone: Phone?
    }

    /// A page of another app may be visible to others, and its tap would open the wrong app.
    @Test func aNotificationIsShownByPagesOfItsAppOnly() async throws {
        let kept = KeptPhone()
        try await TestSite.run { phone in
            Text("page").onAppear { kept.phone = phone }
        } body: { site in
            let cookie = Secret.make()
            try await site.page(cookie: cookie) { _ in }
            try await eventually { await site.sessions.attachedCount == 0 }
            try await PageProbe.open(port: site.port, app: "", cookie: cookie) { home in
                let notifications = try #require(await MainActor.run { kept.phone?.notifications })
                await #expect(throws: PhoneError.absent) {
                    try await notifications.show(LocalNotification(id: "text", title: "010 1234 5678", body: "Your code is 123456"))
                }
                #expect(await home.requests.isEmpty)
                // Its own page, although the other was used last.
                try await site.page(cookie: cookie) { page in
                    let shown = Task { try await notifications.show(LocalNotification(id: "text", title: "Hello", body: "")) }
                    try await page.wait { !$0.requests.isEmpty }
                    let number = await page.requests[0].number
                    try await page.write(.object(["reply": .integer(Int64(number)), "v": .bool(true)]))
                    try await shown.value
                }
            }
        }
    }

    /// Two browsers are one phone after the cookie was copied.
    @Test func pagesOfOnePhoneAreIndependent() async throws {
        struct World: View {
            @Environment(\.locale) private var locale
            @Environment(\.scenePhase) private var phase
            @State private var count = 0
            var body: some View {
                Button("more") { count += 1 }
                Text(verbatim: "\(locale.identifier) \(phase) \(count)")
            }
        }
        try await TestSite.run { _ in
            World()
        } body: { site in
            let cookie = Secret.make()
            try await PageProbe.open(port: site.port, cookie: cookie, hello: ["languages": .array([.string("ko-KR")])]) { one in
                try await one.tap("more")
                try await one.wait(for: "ko-KR active 1")
                try await PageProbe.open(
                    port: site.port, cookie: cookie, document: "copy", hello: ["languages": .array([.string("en-GB")])]
                ) { two in
                    #expect(await two.texts.contains("en-GB active 0"))
                    try await one.send("phase", 0, .string("background"))
                    try await one.wait(for: "ko-KR background 1")
                    #expect(await two.texts.contains("en-GB active 0"))
                    // The phone's language applies to all pages. Without it each browser's language applies again.
                    await site.setLanguage("ja", of: cookie)
                    try await one.wait(for: "ja background 1")
                    try await two.wait(for: "ja active 0")
                    await site.setLanguage(nil, of: cookie)
                    try await one.wait(for: "ko-KR background 1")
                    try await two.wait(for: "en-GB active 0")
                }
            }
        }
    }

    @Test func helloDescribesTheScene() async throws {
        struct World: View {
            @Environment(\.colorScheme) private var scheme
            @Environment(\.locale) private var locale
            var body: some View { Text(verbatim: "\(scheme) \(locale.identifier)") }
        }
        try await TestSite.run { _ in
            World()
        } body: { site in
            try await site.page { page in
                #expect(await page.texts == ["dark ko-KR"])
                try await page.send("scheme", 0, .string("light"))
                try await page.wait(for: "light ko-KR")
            }
        }
    }

    @Test func appsSeeTheLinkThatThePageReports() async throws {
        struct Link: View {
            let path: any NetworkPath
            @State private var link: NetworkLink?
            var body: some View {
                Text(verbatim: link?.rawValue ?? "")
                    .task { for await link in path.links() { self.link = link } }
            }
        }
        try await TestSite.run { phone in
            Link(path: phone.networkPath)
        } body: { site in
            try await site.page { page in
                try await page.wait(for: "local")
                try await page.send("network", 0, .string("cellular"))
                try await page.wait(for: "cellular")
                try await page.send("network", 0, .string("unknown"))
                try await page.send("network", 0, .string("none"))
                try await page.wait(for: "none")
            }
        }
    }
}
