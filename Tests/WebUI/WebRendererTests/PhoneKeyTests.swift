import Foundation
import PlatformKit
import ServerKit
import TestKit
import Testing
import WireKit

@testable import WebRenderer

/// The secrets of browser phones on the disk of the box.
@MainActor
@Suite struct PhoneKeyTests {
    private let one = Phones.identity(of: "one")
    private let two = Phones.identity(of: "two")
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var phones: URL { folder.url.appending(path: "phones") }

    private func file(_ name: String) -> URL { phones.appending(path: name) }

    private func open(_ key: URL? = nil) throws -> PhoneKey { try PhoneKey.stored(in: key, for: phones, logger: .quiet) }

    private func phone(_ identity: String, _ key: PhoneKey) -> BrowserPhone {
        BrowserPhone(identity: identity, folder: file(identity), key: key, logger: .quiet)
    }

    /// All bytes below `phones/`.
    private func stored() throws -> Data {
        let names = try FileManager.default.subpathsOfDirectory(atPath: phones.path)
        return names.reduce(into: Data()) { $0 += (try? Data(contentsOf: file($1))) ?? Data() }
    }

    @Test func secretsAreNotReadableOnTheDisk() async throws {
        let app = phone(one, try open()).phone(for: "pager")
        try await app.keychain.set(Data("token-of-ada".utf8), for: "auth-token")
        for text in ["token-of-ada", Data("token-of-ada".utf8).base64EncodedString(), "auth-token"] {
            #expect(try stored().range(of: Data(text.utf8)) == nil)
        }
        let again = phone(one, try open()).phone(for: "pager")
        #expect(try await again.keychain.data(for: "auth-token") == Data("token-of-ada".utf8))
        #expect(try stored().range(of: Data(contentsOf: folder.url.appending(path: "phones.secret"))) == nil)
    }

    @Test(arguments: ["another phone", "another app", "another kind"])
    func sealedSecretsOpenInTheirOwnPlaceOnly(_ place: String) async throws {
        let key = try open()
        try await phone(one, key).phone(for: "pager").keychain.set(Data([1]), for: "a")
        let (owner, app, name) =
            switch place {
            case "another phone": (two, "pager", "pager.keychain.sealed")
            case "another app": (one, "simbridge", "simbridge.keychain.sealed")
            default: (one, "pager", "pager.biometrics.sealed")
            }
        try FileManager.default.createDirectory(at: file(owner), withIntermediateDirectories: true)
        try FileManager.default.copyItem(at: file("\(one)/pager.keychain.sealed"), to: file("\(owner)/\(name)"))
        let target = phone(owner, key).phone(for: app)
        if place == "another kind" {
            #expect(await !target.biometrics.hasSecret(for: "a"))
        } else {
            #expect(try await target.keychain.data(for: "a") == nil)
        }
        // It is kept for the operator, and the phone begins anew.
        #expect(FileManager.default.fileExists(atPath: file("\(owner)/\(name).unreadable").path))
        try await target.keychain.set(Data([2]), for: "b")
        #expect(try await phone(owner, key).phone(for: app).keychain.data(for: "b") == Data([2]))
    }

    @Test func changedBytesAreRefused() async throws {
        let key = try open()
        try await phone(one, key).phone(for: "pager").keychain.set(Data([1]), for: "a")
        let sealed = file("\(one)/pager.keychain.sealed")
        let bytes = try Data(contentsOf: sealed)
        for change in [Data(), bytes.dropLast(), bytes + [0], Data([bytes[0] ^ 1]) + bytes.dropFirst(), Data("{}".utf8)] {
            try change.write(to: sealed)
            #expect(try await phone(one, key).phone(for: "pager").keychain.data(for: "a") == nil)
        }
    }

    // MARK: Earlier versions

    /// Stores secrets as earlier versions did.
    private func storeEarlier() throws {
        try FileManager.default.createDirectory(at: file(one), withIntermediateDirectories: true)
        for kind in ["keychain", "biometrics", "preferences"] {
            try JSONEncoder().encode(["token": Data("ada \(kind)".utf8)]).write(to: file("\(one)/pager.\(kind).json"))
        }
    }

    @Test func secretsOfAnEarlierVersionAreSealed() async throws {
        try storeEarlier()
        let key = try open()
        #expect(try await phone(one, key).phone(for: "pager").keychain.data(for: "token") == Data("ada keychain".utf8))
        let names = try FileManager.default.contentsOfDirectory(atPath: file(one).path).sorted()
        #expect(names == ["pager.biometrics.sealed", "pager.keychain.sealed", "pager.preferences.json"])
    }

    /// For example of a backup that was put back while the box ran.
    @Test func plainSecretsAreSealedWhenTheyAreRead() async throws {
        let key = try open()
        try storeEarlier()
        let app = phone(one, key).phone(for: "pager")
        #expect(try await app.keychain.data(for: "token") == Data("ada keychain".utf8))
        #expect(!FileManager.default.fileExists(atPath: file("\(one)/pager.keychain.json").path))
        #expect(try stored().range(of: Data("ada keychain".utf8).base64EncodedData()) == nil)
    }

    @Test func plainSecretsDoNotReplaceSealedOnes() async throws {
        let key = try open()
        try await phone(one, key).phone(for: "pager").keychain.set(Data([1]), for: "token")
        try storeEarlier()
        #expect(try await phone(one, key).phone(for: "pager").keychain.data(for: "token") == Data([1]))
        // The next start removes them.
        _ = try open()
        #expect(try await phone(one, key).phone(for: "pager").keychain.data(for: "token") == Data([1]))
        #expect(!FileManager.default.fileExists(atPath: file("\(one)/pager.keychain.json").path))
    }

    @Test func unreadablePlainSecretsDoNotPreventTheStart() async throws {
        try FileManager.default.createDirectory(at: file(one), withIntermediateDirectories: true)
        #expect(mkfifo(file("\(one)/pager.keychain.json").path, 0o600) == 0)
        try Data("{broken".utf8).write(to: file("\(one)/simbridge.keychain.json"))
        let phone = phone(one, try open())
        await #expect(throws: PhoneError.self) { try await phone.phone(for: "pager").keychain.data(for: "token") }
        #expect(try await phone.phone(for: "simbridge").keychain.data(for: "token") == nil)
        #expect(FileManager.default.fileExists(atPath: file("\(one)/simbridge.keychain.json.unreadable").path))
    }

    // MARK: The key

    @Test func anotherKeyIsRefusedAtTheStart() async throws {
        try await phone(one, try open()).phone(for: "pager").keychain.set(Data([1]), for: "a")
        let secret = folder.url.appending(path: "phones.secret")
        let kept = try String(contentsOf: secret, encoding: .utf8)
        try Data(repeating: 7, count: 32).base64EncodedString().write(to: secret, atomically: true, encoding: .utf8)
        let other = #expect(throws: StartupError.self) { try open() }
        #expect(other?.description.contains("another key") == true)
        try FileManager.default.removeItem(at: secret)
        let missing = #expect(throws: StartupError.self) { try open() }
        #expect(missing?.description.contains("is missing") == true)
        #expect(!FileManager.default.fileExists(atPath: secret.path))
        try "short".write(to: secret, atomically: true, encoding: .utf8)
        #expect(throws: StartupError.self) { try open() }
        // Put back, or elsewhere.
        let elsewhere = folder.url.appending(path: "credential")
        try kept.write(to: elsewhere, atomically: true, encoding: .utf8)
        #expect(try await phone(one, try open(elsewhere)).phone(for: "pager").keychain.data(for: "a") == Data([1]))
        #expect(throws: StartupError.self) { try open(folder.url.appending(path: "none")) }
    }

    @Test func keyIsDrawnOnceForItsOwner() throws {
        _ = try open()
        let secret = folder.url.appending(path: "phones.secret")
        let text = try String(contentsOf: secret, encoding: .utf8)
        #expect(try FileManager.default.attributesOfItem(atPath: secret.path)[.posixPermissions] as? Int == 0o600)
        _ = try open()
        #expect(try String(contentsOf: secret, encoding: .utf8) == text)
        #expect(Data(base64Encoded: text.trimmingCharacters(in: .whitespacesAndNewlines))?.count == 32)
    }
}
