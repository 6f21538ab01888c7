import Foundation
import PhoneTestKit
import PlatformKit
import Testing

@MainActor
@Suite struct TestPhoneTests {
    final class Model {}

    @Test func anInstanceIsMadeOncePerPhone() {
        let phone = TestPhone().phone()
        let first = phone.instances.instance { Model() }
        #expect(phone.instances.instance(Model.self) { Model() } === first)
        #expect(TestPhone().phone().instances.instance(Model.self) { Model() } !== first)
        phone.instances.removeAll()
        #expect(phone.instances.instance(Model.self) { Model() } !== first)
    }

    /// An app and its phone retain each other until the phone is forgotten, which tests do not do.
    @Test func whatAPhoneKeepsIsGoneWithTheProcess() async throws {
        let ending = try #require(
            await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
                final class App { var phone: Phone? }
                let folder = try await MainActor.run {
                    let phone = TestPhone().phone()
                    phone.instances.instance { App() }.phone = phone
                    return try phone.folder()
                }
                try Data("kept".utf8).write(to: folder.appending(path: "kept"))
                try FileHandle.standardOutput.write(contentsOf: Data("<\(folder.path)>".utf8))
            })
        let said = String(decoding: ending.standardOutputContent, as: UTF8.self)
        let folder = try #require(said.firstMatch(of: /<(.+)>/)).1
        #expect(!FileManager.default.fileExists(atPath: String(folder)))
        #expect(!FileManager.default.fileExists(atPath: URL(filePath: String(folder)).deletingLastPathComponent().path))
    }

    @Test func partsMeetTheirRequirements() async throws {
        let phone = TestPhone().phone()
        try await PhoneRequirements.keychainKeepsSecrets(phone.keychain)
        await PhoneRequirements.preferencesKeepValuesOfTheirType(phone.preferences)
        try PhoneRequirements.folderIsOneAndKeepsFiles(phone.folder)
        try await PhoneRequirements.clipboardReturnsTheLastCopy(phone.clipboard)
        await PhoneRequirements.everyReaderGetsThePresentLink(phone.networkPath)
    }

    @Test func aNotificationNeedsPermissionAndReplacesItsForerunner() async throws {
        let test = TestPhone()
        let phone = test.phone()
        await #expect(throws: PhoneError.denied) { try await phone.notifications.show(.init(id: "a", title: "1", body: "")) }
        #expect(await phone.notifications.requestPermission() == .granted)
        try await phone.notifications.show(.init(id: "a", title: "1", body: ""))
        try await phone.notifications.show(.init(id: "a", title: "2", body: ""))
        #expect(test.shown.map(\.title) == ["2"])
    }

    @Test func linkIsReportedNowAndWithEachChange() async {
        let phone = TestPhone()
        phone.isCellular = true
        var links = phone.phone().networkPath.links().makeAsyncIterator()
        #expect(await links.next() == .cellular)
        phone.setOnline(false)
        #expect(await links.next() == NetworkLink.none)
        phone.setOnline(true)
        phone.isCellular = false
        #expect(await links.next() == .local)
    }
}
