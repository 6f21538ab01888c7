import Foundation
import HTTPTypes
import NetworkingKit
import Pager2077Wire
import PlatformKit
import WireKit

/// Who uses the pager on this phone, and calls in their name. A token that is refused is renewed once, by registering again.
actor Account {
    private let api: PagerAPI
    private let keychain: any Keychain
    private(set) var credentials: Credentials?
    private var renewal: Task<Credentials, any Error>?

    init(api: PagerAPI, keychain: any Keychain) {
        self.api = api
        self.keychain = keychain
    }

    /// What is kept from an earlier start.
    ///
    /// - Throws: `PhoneError`.
    func restore() async throws -> Credentials? {
        if credentials == nil { credentials = try await Credentials.kept(in: keychain) }
        return credentials
    }

    /// Registers this phone and keeps what comes of it.
    ///
    /// - Throws: ``PagerProblem``; `CancellationError`.
    func register(deviceToken: String) async throws -> Credentials {
        let registered = try await api.call(
            PagerEndpoints.register, body: Registration(deviceToken: deviceToken), token: nil)
        let before = credentials?.userId == registered.userId ? credentials : nil
        return try await keep(
            Credentials(
                userId: registered.userId, hexCode: registered.hexCode, authToken: registered.token, deviceToken: deviceToken,
                displayName: before?.displayName))
    }

    /// The device token to register with. Kept before it is used: when only the reply is lost, the next try is the same person.
    ///
    /// - Throws: ``PagerProblem``.
    func deviceToken(orElse make: @Sendable () async throws -> String) async throws -> String {
        do {
            if let kept = try await keychain.data(for: Self.tokenKey) { return String(decoding: kept, as: UTF8.self) }
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

    func setDisplayName(_ name: String?) async throws {
        guard var changed = credentials, changed.displayName != name else { return }
        changed.displayName = name
        _ = try await keep(changed)
    }

    private func keep(_ new: Credentials) async throws -> Credentials {
        do {
            try await new.keep(in: keychain)
        } catch {
            throw PagerProblem.storage
        }
        credentials = new
        return new
    }

    /// Gets a fresh token with the device token that is kept. Calls that come together share one.
    ///
    /// - Parameter used: The token that was refused; when there is another by now, that one counts.
    private func renewed(after used: String) async throws -> Credentials {
        guard let credentials else { throw PagerProblem.sessionExpired }
        if credentials.authToken != used { return credentials }
        if let renewal { return try await renewal.value }
        let renewal = Task { try await register(deviceToken: credentials.deviceToken) }
        self.renewal = renewal
        defer { self.renewal = nil }
        return try await renewal.value
    }

    /// Runs `call` with the token, and once more with a fresh one if it is refused.
    ///
    /// - Throws: ``PagerProblem``; `CancellationError`.
    func authorized<Value: Sendable>(_ call: @Sendable (PagerAPI, String) async throws -> Value) async throws -> Value {
        guard let token = credentials?.authToken else { throw PagerProblem.sessionExpired }
        do {
            return try await call(api, token)
        } catch PagerProblem.sessionExpired {
            return try await call(api, try await renewed(after: token).authToken)
        }
    }

    /// Opens the live socket; with a fresh token if the one that is kept is refused.
    func openLive(after cursor: Int64?) async throws -> any SocketConnection {
        try await authorized { api, token in
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
    }
}
