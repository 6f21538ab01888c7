import Crypto
import Foundation
import PlatformKit
import SwiftUI
import TestKit
import Testing
import WireKit

@testable import WebRenderer

/// The verification of authenticators: Web Authentication, level 2, sections 7.1 and 7.2.
@Suite struct PasskeyTests {
    private static let party = RelyingParty(origin: "http://localhost:8077")!
    private static let challenge = Data(repeating: 7, count: 32)

    /// An authenticator in memory.
    private struct Authenticator {
        let key = P256.Signing.PrivateKey()
        let id = Data([1, 2, 3, 4])
        var flags: UInt8 = 0x05
        var counter: UInt32 = 1
        var origin = "http://localhost:8077"
        var host = "localhost"
        var challenge = PasskeyTests.challenge

        func clientData(_ type: String) throws -> Base64URL {
            let fields: [String: JSONValue] = [
                "type": .string(type), "challenge": .string(Base64URL(challenge).text), "origin": .string(origin),
            ]
            return Base64URL(try WireJSON.encode(fields))
        }

        func data(attested: Bool = false) -> Base64URL {
            var data = Data(SHA256.hash(data: Data(host.utf8)))
            data.append(attested ? flags | 0x40 : flags)
            withUnsafeBytes(of: counter.bigEndian) { data.append(contentsOf: $0) }
            if attested { data += Data(count: 16) + [0, UInt8(id.count)] + id }
            return Base64URL(data)
        }

        func register() throws -> Passkey.Registration {
            Passkey.Registration(
                id: Base64URL(id), clientData: try clientData("webauthn.create"), authenticatorData: data(attested: true),
                publicKey: Base64URL(key.publicKey.derRepresentation), algorithm: -7)
        }

        func assert(type: String = "webauthn.get") throws -> Passkey.Assertion {
            let (client, data) = (try clientData(type), data())
            let signature = try key.signature(for: data.data + Data(SHA256.hash(data: client.data)))
            return Passkey.Assertion(
                id: Base64URL(id), clientData: client, authenticatorData: data,
                signature: Base64URL(signature.derRepresentation))
        }
    }

    private func passkey(_ authenticator: Authenticator) throws -> Passkey {
        try Passkey(authenticator.register(), for: Self.party, challenge: Self.challenge)
    }

    @Test func verifiedUsersAreAccepted() throws {
        var authenticator = Authenticator()
        var passkey = try passkey(authenticator)
        authenticator.counter = 2
        try passkey.verify(authenticator.assert(), for: Self.party, challenge: Self.challenge)
        #expect(passkey.counter == 2)
        // A replayed response has an old counter.
        #expect(throws: RelyingParty.Failure.counter) {
            try passkey.verify(authenticator.assert(), for: Self.party, challenge: Self.challenge)
        }
    }

    @Test func authenticatorsWithoutACounterAreAccepted() throws {
        var authenticator = Authenticator()
        authenticator.counter = 0
        var passkey = try passkey(authenticator)
        try passkey.verify(authenticator.assert(), for: Self.party, challenge: Self.challenge)
        try passkey.verify(authenticator.assert(), for: Self.party, challenge: Self.challenge)
    }

    @Test func invalidAssertionsAreRefused() throws {
        func failure(_ change: (inout Authenticator) -> Void) throws -> RelyingParty.Failure? {
            var authenticator = Authenticator()
            var passkey = try passkey(authenticator)
            authenticator.counter = 9
            change(&authenticator)
            do {
                try passkey.verify(authenticator.assert(), for: Self.party, challenge: Self.challenge)
                return nil
            } catch let failure as RelyingParty.Failure {
                return failure
            }
        }
        #expect(try failure { _ in } == nil)
        #expect(try failure { $0.challenge = Data(repeating: 8, count: 32) } == .otherQuestion)
        #expect(try failure { $0.origin = "http://localhost:9999" } == .otherQuestion)
        #expect(try failure { $0.origin = "https://evil.example" } == .otherQuestion)
        #expect(try failure { $0.host = "evil.example" } == .otherQuestion)
        #expect(try failure { $0.flags = 0x04 } == .notVerified)
        #expect(try failure { $0.flags = 0x01 } == .notVerified)
        #expect(try failure { $0.counter = 1 } == .counter)
        #expect(try failure { $0.counter = 0 } == .counter)
    }

    @Test func foreignKeysWrongCeremoniesAndBrokenBytesAreRefused() throws {
        var authenticator = Authenticator()
        var passkey = try passkey(authenticator)
        authenticator.counter = 2
        var assertion = try Authenticator(counter: 2).assert()
        #expect(throws: RelyingParty.Failure.signature) {
            try passkey.verify(assertion, for: Self.party, challenge: Self.challenge)
        }
        assertion = try authenticator.assert(type: "webauthn.create")
        #expect(throws: RelyingParty.Failure.otherQuestion) {
            try passkey.verify(assertion, for: Self.party, challenge: Self.challenge)
        }
        assertion = try authenticator.assert()
        assertion.authenticatorData.data = assertion.authenticatorData.data.prefix(36)
        #expect(throws: RelyingParty.Failure.malformed) {
            try passkey.verify(assertion, for: Self.party, challenge: Self.challenge)
        }
        assertion = try authenticator.assert()
        assertion.signature.data[5] ^= 1
        #expect(throws: RelyingParty.Failure.signature) {
            try passkey.verify(assertion, for: Self.party, challenge: Self.challenge)
        }
        var registration = try authenticator.register()
        registration.publicKey.data = Data([1, 2, 3])
        #expect(throws: RelyingParty.Failure.malformed) {
            try Passkey(registration, for: Self.party, challenge: Self.challenge)
        }
        registration = try authenticator.register()
        registration.authenticatorData.data = registration.authenticatorData.data.prefix(50)
        #expect(throws: RelyingParty.Failure.malformed) {
            try Passkey(registration, for: Self.party, challenge: Self.challenge)
        }
    }

    /// RFC 4648, section 5.
    @Test func bytesAreBase64URLWithoutPadding() throws {
        #expect(Base64URL(Data([0xFB, 0xFF])).text == "-_8")
        #expect(try WireJSON.decode([Base64URL].self, from: Data(#"["-_8"]"#.utf8)) == [Base64URL(Data([0xFB, 0xFF]))])
        #expect(throws: DecodingError.self) { try WireJSON.decode([Base64URL].self, from: Data(#"["-_8="]"#.utf8)) }
    }
}
