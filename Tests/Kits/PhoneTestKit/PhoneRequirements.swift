public import Foundation
public import PlatformKit
import Testing

/// The requirements that the parts of every phone meet: those of ``TestPhone``, of a browser, and of an iPhone.
///
/// Call each with a phone that is new to the app.
public enum PhoneRequirements {
    public static func keychainKeepsSecrets(_ keychain: any Keychain) async throws {
        #expect(try await keychain.data(for: "token") == nil)
        try await keychain.set(Data("one".utf8), for: "token")
        try await keychain.set(Data("two".utf8), for: "token")
        try await keychain.set(Data(), for: "empty")
        // Bytes that are no text, and a key of any characters.
        try await keychain.set(Data((0...255).map { UInt8($0) }), for: "열쇠 / \"key\"")
        #expect(try await keychain.data(for: "token") == Data("two".utf8))
        #expect(try await keychain.data(for: "empty") == Data())
        #expect(try await keychain.data(for: "열쇠 / \"key\"")?.count == 256)
        for key in ["token", "empty", "열쇠 / \"key\"", "absent"] { try await keychain.set(nil, for: key) }
        #expect(try await keychain.data(for: "token") == nil)
    }

    @MainActor
    public static func preferencesKeepValuesOfTheirType(_ preferences: any Preferences) async {
        struct Choice: Codable, Equatable { var name: String }
        #expect(preferences.value(String.self, for: "language") == nil)
        preferences.set("ko", for: "language")
        preferences.set(Choice(name: "a"), for: "choice")
        preferences.set(false, for: "flag")
        #expect(preferences.value(String.self, for: "language") == "ko")
        #expect(preferences.value(Int.self, for: "language") == nil)
        #expect(preferences.value(Choice.self, for: "choice") == Choice(name: "a"))
        #expect(preferences.value(Bool.self, for: "flag") == false)
        await preferences.flush()
        for key in ["language", "choice", "flag"] { preferences.set(String?.none, for: key) }
        #expect(preferences.value(String.self, for: "language") == nil)
        await preferences.flush()
    }

    public static func folderIsOneAndKeepsFiles(_ folder: () throws -> URL) throws {
        let file = try folder().appending(path: "file")
        try Data("kept".utf8).write(to: file)
        #expect(try Data(contentsOf: folder().appending(path: "file")) == Data("kept".utf8))
        try FileManager.default.removeItem(at: file)
    }

    public static func clipboardReturnsTheLastCopy(_ clipboard: any Clipboard) async throws {
        for text in ["one", "둘 🍋\nline"] {
            try await clipboard.copy(text)
            #expect(try await clipboard.paste() == text)
        }
    }

    @MainActor
    public static func everyReaderGetsThePresentLink(_ path: any NetworkPath) async {
        for _ in 1...2 {
            var links = path.links().makeAsyncIterator()
            #expect(await links.next() != nil)
        }
    }
}
