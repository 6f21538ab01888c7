import Foundation
import HTTPTypes
import NetworkingKit
import Pager2077Wire
import PlatformKit
import WireKit

/// The registration of this phone, and calls in its name. A refused token is renewed once, by registering again.
package actor Account {
    private let api: PagerAPI
    private let keychain: any Keychain
    private(set) var credentials: Credentials?
    private var renewal: Task<Credentials, any Error>?
    /// Count of registrations since the start of the app. Each may have reached a service that has forgotten this phone.
    private(set) var registrationCount = 0
    private let onRegistration: @Sendable () -> Void

    /// - Parameter onRegistration: Called after each registration.
    init(api: PagerAPI, keychain: any Keychain, onRegistration: @escaping @Sendable () -> Void = {}) {
        self.api = api
        self.keychain = keychain
        self.onRegistration = onRegistration
    }

    // MARK: Registration

    /// Loads the credentials of an earlier start.
    ///
    /// - Throws: `PhoneError`.
    func restore() async throws -> Credentials? {
        if credentials == nil { credentials = try await Credentials.load(from: keychain) }
        return credentials
    }

    /// Registers this phone and stores the credentials.
    ///
    /// - Throws: ``PagerProblem``; `CancellationError`.
    func register(deviceToken: String) async throws -> Credentials {
        let registered = try await api.call(PagerEndpoints.register, body: Registration(deviceToken: deviceToken), token: nil)
        let before = credentials?.userId == registered.userId ? credentials : nil
        let new = try await store(
            Credentials(
                userId: registered.userId, hexCode: registered.hexCode, authToken: registered.token, deviceToken: deviceToken,
                displayName: before?.displayName))
        registrationCount += 1
        onRegistration()
        return new
    }

    /// Returns the device token to register with. It is stored first: if the reply is lost, the next attempt is for the same user.
    ///
    /// - Throws: ``PagerProblem``.
    func deviceToken(orElse make: @Sendable () async throws -> String) async throws -> String {
        do {
            if let stored = try await keychain.data(for: Self.tokenKey) { return String(decoding: stored, as: UTF8.self) }
            let token = try await make()
            try await keychain.set(Data(token.utf8), for: Self.tokenKey)
            return token
        } catch let error as TransportError {
            throw PagerProblem(error)
        } catch {
            throw PagerProblem.storage
        }
    }
    private static let tokenKey = "deviceToken"

    /// Returns the id of this phone among the user's devices: drawn once, and stored before its first use.
    ///
    /// - Throws: ``PagerProblem``.
    func pushDevice() async throws -> PushDevice.ID {
        do {
            if let stored = try await keychain.data(for: Self.deviceKey) {
                return PushDevice.ID(String(decoding: stored, as: UTF8.self))
            }
            var generator = SystemRandomNumberGenerator()
            let id = PushDevice.ID.random(using: &generator)
            try await keychain.set(Data(id.rawValue.utf8), for: Self.deviceKey)
            return id
        } catch {
            throw PagerProblem.storage
        }
    }
    private static let deviceKey = "device"

    /// Forgets the registration and everything that belongs to it. The next registration creates another user, with another device
    /// token unless the push service gives the same.
    func forget() async {
        credentials = nil
        // Entries that cannot be removed now are removed once the service has refused them.
        for key in [Credentials.key, Self.tokenKey, Self.deviceKey] { try? await keychain.set(nil, for: key) }
    }

    /// Stores the name, so that the next start shows it before the service answers.
    func setDisplayName(_ name: String?) async throws {
        guard var changed = credentials, changed.displayName != name else { return }
        changed.displayName = name
        _ = try await store(changed)
    }

    private func store(_ new: Credentials) async throws -> Credentials {
        do {
            try await new.store(in: keychain)
        } catch {
            throw PagerProblem.storage
        }
        credentials = new
        return new
    }

    /// Gets a new token with the stored device token. Concurrent calls share one registration.
    ///
    /// - Parameter refused: The token that the service refused. A token that was renewed since is returned as it is.
    private func renewed(after refused: String) async throws -> Credentials {
        guard let credentials else { throw PagerProblem.sessionExpired }
        if credentials.authToken != refused { return credentials }
        if let renewal { return try await renewal.value }
        let renewal = Task { try await register(deviceToken: credentials.deviceToken) }
        self.renewal = renewal
        defer { self.renewal = nil }
        return try await renewal.value
    }

    // MARK: Calls

    /// Calls an endpoint.
    ///
    /// - Parameter query: The encoded query with its question mark.
    /// - Throws: ``PagerProblem``; `CancellationError`.
    func call<Reply: Decodable & Sendable>(
        _ endpoint: Endpoint<NoBody, Reply>, _ parameters: [String: String] = [:], query: String = ""
    ) async throws -> Reply {
        try await authorized { try await $0.call(endpoint, parameters, query: query, token: $1) }
    }

    /// Calls an endpoint that takes a body.
    ///
    /// - Throws: ``PagerProblem``; `CancellationError`.
    func call<Body: Encodable & Sendable, Reply: Decodable & Sendable>(
        _ endpoint: Endpoint<Body, Reply>, _ parameters: [String: String] = [:], body: Body
    ) async throws -> Reply {
        try await authorized { try await $0.call(endpoint, parameters, body: body, token: $1) }
    }

    /// Opens the live socket.
    ///
    /// - Throws: `LineFailure`, final when the service does not know this user; ``PagerProblem``; `TransportError`; `CancellationError`.
    func openLive(after cursor: Int64?) async throws -> LiveConnection {
        do {
            return try await authorized { api, token in
                do {
                    return try await api.openLive(after: cursor, token: token)
                } catch let error as TransportError {
                    switch error.reply?.head.status.code {
                    case 401: throw PagerProblem.sessionExpired
                    case 404: throw PagerProblem.userNotFound
                    default: throw error
                    }
                }
            }
        } catch PagerProblem.userNotFound {
            throw LineFailure(.token, "the service does not know this user", isFinal: true)
        }
    }

    /// Runs `call` with the token, and once more with a new one if it is refused.
    ///
    /// - Throws: ``PagerProblem`` of a phone that is not registered; the errors of `call`.
    func authorized<Value: Sendable>(_ call: @Sendable (PagerAPI, String) async throws -> Value) async throws -> Value {
        guard let token = credentials?.authToken else { throw PagerProblem.sessionExpired }
        do {
            return try await call(api, token)
        } catch PagerProblem.sessionExpired {
            return try await call(api, try await renewed(after: token).authToken)
        }
    }
}
