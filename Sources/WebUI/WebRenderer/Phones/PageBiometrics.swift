import Crypto
import Foundation
import PlatformKit
import WireKit

/// The browser's platform authenticator. The box stores the guarded secret, and returns it after it has verified an assertion.
///
/// ```
///  box                                     page
///   | -- passkey.create {challenge, …} ----> |  prompts the user
///   | <-- key, client data ----------------- |
///   | -- passkey.get {challenge, id} ------> |  prompts the user
///   | <-- signature over client data ------- |
///  verified: the secret leaves the file
/// ```
/// Each request has a new random challenge, which is valid once.
actor PageBiometrics: Biometrics {
    private weak let phone: BrowserPhone?
    private let app: String
    private let file: StoredValues

    init(phone: BrowserPhone, app: String, file: StoredValues) {
        self.phone = phone
        self.app = app
        self.file = file
    }

    /// A secret, and the passkey that guards it.
    private struct Guarded: Codable {
        var passkey: Passkey
        var secret: Data
    }

    func isAvailable() async -> Bool {
        (try? await phone?.request("passkey.available", in: app, timeout: .seconds(10))) == .bool(true)
    }

    func protect(_ secret: Data, for key: String, account: String, reason: String) async throws {
        try await protect(secret, for: key, account: account, on: nil)
    }

    fileprivate func protect(_ secret: Data, for key: String, account: String, on page: PageSurroundings?) async throws {
        let (challenge, user) = (Self.challenge(), Base64URL(owner(of: key)))
        let (registration, party): (Passkey.Registration, _) = try await request("passkey.create", challenge, on: page) {
            json, party in
            json.key("rp")
            json.string(party.id)
            json.key("user")
            json.string(user.text)
            json.key("account")
            json.string(account)
            json.key("algorithms")
            json.array { json in
                for algorithm in Passkey.Algorithm.allCases { json.integer(algorithm.rawValue) }
            }
        }
        do {
            let passkey = try Passkey(registration, for: party, challenge: challenge)
            try store(Guarded(passkey: passkey, secret: secret), for: key)
        } catch is RelyingParty.Failure {
            throw PhoneError.denied
        }
    }

    func secret(for key: String, reason: String) async throws -> Data? { try await secret(for: key, on: nil) }

    fileprivate func secret(for key: String, on page: PageSurroundings?) async throws -> Data? {
        guard let known = try guarded(key) else { return nil }
        let challenge = Self.challenge()
        let (assertion, party): (Passkey.Assertion, _) = try await request("passkey.get", challenge, on: page) { json, _ in
            json.key("rp")
            json.string(known.passkey.relyingParty)
            json.key("id")
            json.string(known.passkey.id.text)
        }
        // The secret may have been removed or replaced during the prompt.
        guard var guarded = try guarded(key) else { return nil }
        do {
            try guarded.passkey.verify(assertion, for: party, challenge: challenge)
        } catch {
            throw PhoneError.denied
        }
        // Without the new signature count a copy of the key could sign once more.
        try store(guarded, for: key)
        return guarded.secret
    }

    func hasSecret(for key: String) -> Bool { (try? guarded(key)) != nil }

    func removeSecret(for key: String) throws { try store(nil, for: key) }

    // MARK: Stored secrets

    private func guarded(_ key: String) throws -> Guarded? {
        // A secret of another version counts as absent: the user logs in again.
        try file.read()[key].flatMap { try? JSONDecoder().decode(Guarded.self, from: $0) }
    }

    private func store(_ guarded: Guarded?, for key: String) throws {
        var values = try file.read()
        values[key] = try guarded.map { try JSONEncoder().encode($0) }
        try file.write(values)
    }

    // MARK: Requests to the page

    private static func challenge() -> Data {
        var generator = SystemRandomNumberGenerator()
        return Data((0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
    }

    /// The WebAuthn user handle. Stable, so that a new passkey replaces the old one.
    private func owner(of key: String) -> Data {
        let identity = phone?.identity ?? ""
        return Data(SHA256.hash(data: Data("\(identity) \(app) \(key)".utf8)))
    }

    /// Sends a request to a page.
    ///
    /// - Parameter page: The receiving page; nil for the page that the user most likely looks at.
    /// - Returns: The answer, and the relying party for the address of that page.
    /// - Throws: ``PhoneError``.
    private func request<Answer: Decodable & Sendable>(
        _ name: StaticString, _ challenge: Data, on page: PageSurroundings?,
        _ value: @Sendable (inout JSONWriter, RelyingParty) -> Void
    ) async throws -> (Answer, RelyingParty) {
        guard let phone else { throw PhoneError.absent }
        let (answer, party) = try await phone.requestPasskey(name, in: app, on: page) { json, party in
            json.object { json in
                json.key("challenge")
                json.string(Base64URL(challenge).text)
                value(&json, party)
            }
        }
        guard let answer = try? WireJSON.decode(Answer.self, from: WireJSON.encode(answer)) else {
            throw PhoneError.failed("the browser's answer cannot be read")
        }
        return (answer, party)
    }
}

extension PageBiometrics {
    /// Returns the authenticator for one page. Requests go to that page and to no other: a confirmation on the owner's page must
    /// not open a page that another user looks at.
    nonisolated func on(_ page: PageSurroundings) -> any Biometrics { OnPage(biometrics: self, page: page) }

    private struct OnPage: Biometrics {
        let biometrics: PageBiometrics
        let page: PageSurroundings

        func isAvailable() async -> Bool { await biometrics.isAvailable() }
        func protect(_ secret: Data, for key: String, account: String, reason: String) async throws {
            try await biometrics.protect(secret, for: key, account: account, on: page)
        }
        func secret(for key: String, reason: String) async throws -> Data? { try await biometrics.secret(for: key, on: page) }
        func hasSecret(for key: String) async -> Bool { await biometrics.hasSecret(for: key) }
        func removeSecret(for key: String) async throws { try await biometrics.removeSecret(for: key) }
    }
}

extension BrowserPhone {
    /// - Throws: ``PhoneError``.
    fileprivate func requestPasskey(
        _ name: StaticString, in app: String, on page: PageSurroundings?, _ value: (inout JSONWriter, RelyingParty) -> Void
    ) async throws -> (JSONValue, RelyingParty) {
        // Only a page of the app itself: on another page the user would not know the reason of the prompt.
        let target = if let page { page.session } else { session(of: app) }
        guard let session = target, let origin = session.connection?.origin, let party = RelyingParty(origin: origin) else {
            throw PhoneError.absent
        }
        do {
            return (try await session.request(name) { value(&$0, party) }, party)
        } catch let error as PageError {
            throw PhoneError(error)
        }
    }
}
