import HTTPTypes
package import NetworkingKit
package import SimBridgeWire
package import WireKit

/// The relay's endpoints as calls of a client or a host, which throw ``RelayError`` or `CancellationError`.
package struct RelayAPI: ServiceCalls {
    /// The timeout of a call (contract, section 4).
    package static let timeout: Duration = .seconds(30)

    package let service: RemoteService
    package let clock: any Clock<Duration>

    package init(service: RemoteService, clock: any Clock<Duration>) {
        self.service = service
        self.clock = clock
    }

    // MARK: Accounts

    /// Logs in and returns a token.
    ///
    /// - Parameter registers: True to create the account first. If an earlier reply was lost, logs in to the created account.
    package func token(for credentials: Credentials, registers: Bool) async throws -> String {
        guard registers else { return try await login(credentials).token }
        do {
            _ = try await register(credentials)
        } catch let taken as RelayError where taken.code == .usernameTaken {
            do {
                return try await login(credentials).token
            } catch let error as RelayError where error.code == .invalidCredentials {
                throw taken
            }
        }
        return try await login(credentials).token
    }

    package func register(_ credentials: Credentials) async throws -> Registered {
        try await call(SimBridgeEndpoints.register, body: credentials)
    }

    package func login(_ credentials: Credentials) async throws -> LoggedIn {
        try await call(SimBridgeEndpoints.login, body: credentials)
    }

    /// Changes the password, which voids every earlier token of the account.
    package func changePassword(_ change: PasswordChange, token: String) async throws -> LoggedIn {
        try await call(SimBridgeEndpoints.changePassword, body: change, token: token)
    }

    /// Deletes the account and all data that the relay stores for it.
    package func deleteAccount(_ deletion: AccountDeletion, token: String) async throws -> DeletedAccount {
        try await call(SimBridgeEndpoints.deleteAccount, body: deletion, token: token)
    }

    // MARK: Devices and pairings

    package func addDevice(_ kind: Device.Kind, named name: String, token: String) async throws -> RegisteredDevice {
        try await call(SimBridgeEndpoints.addDevice, body: DeviceRegistration(name: name, type: kind), token: token)
    }

    package func devices(token: String) async throws -> [Device] { try await call(SimBridgeEndpoints.devices, token: token) }

    /// Removes a device with its pairings, and closes its connection.
    package func removeDevice(_ id: Device.ID, token: String) async throws -> RemovedDevice {
        try await call(SimBridgeEndpoints.removeDevice, ["id": "\(id)"], token: token)
    }

    package func pairings(token: String) async throws -> [Pairing] { try await call(SimBridgeEndpoints.pairings, token: token) }

    package func pairingCode(for host: Device.ID, token: String) async throws -> PairingCode {
        try await call(SimBridgeEndpoints.pair, query: "?host_device_id=\(host)", token: token)
    }

    package func confirmPairing(code: String, client: Device.ID, token: String) async throws -> Paired {
        try await call(
            SimBridgeEndpoints.confirmPairing, body: PairConfirmation(code: code, clientDeviceId: client), token: token)
    }

    // MARK: Notifications

    /// Returns the push services that the relay can use.
    package func pushOffer(token: String) async throws -> PushOffer {
        try await call(SimBridgeEndpoints.push, token: token).offer
    }

    package func setPush(_ settings: PushSettings<PushContent>, for device: Device.ID, token: String) async throws -> PushReply {
        try await call(SimBridgeEndpoints.setPush, ["id": "\(device)"], body: settings, token: token)
    }

    package func removePush(of device: Device.ID, token: String) async throws -> PushReply {
        try await call(SimBridgeEndpoints.removePush, ["id": "\(device)"], token: token)
    }

    // MARK: Commands and history

    package func call(_ command: CallCommand, token: String) async throws -> CommandReceipt {
        try await call(SimBridgeEndpoints.call, body: command, token: token)
    }

    /// Requests the SIM cards, which arrive as an event.
    package func requestSIMs(of host: Device.ID, token: String) async throws -> CommandReceipt {
        try await call(SimBridgeEndpoints.sims, query: "?host_device_id=\(host)", token: token)
    }

    /// - Parameter device: Selects the messages of this device; nil selects all messages of the account.
    package func history(
        of device: Device.ID?, limit: Int = HistoryPage.defaultLimit, offset: Int = 0, token: String
    ) async throws -> HistoryPage {
        let filter = device.map { "device_id=\($0)&" } ?? ""
        return try await call(SimBridgeEndpoints.history, query: "?\(filter)limit=\(limit)&offset=\(offset)", token: token)
    }

    // MARK: Replies

    package func value<Value: Decodable & Sendable>(of reply: HTTPReply, to path: String, hasToken: Bool) throws -> Value {
        guard reply.head.status.kind == .successful else { throw RelayError(reply, to: path, hasToken: hasToken) }
        guard let value = try? WireJSON.decode(Value.self, from: reply.body) else { throw RelayError(.notARelay, path: path) }
        return value
    }

    package func failure(_ error: TransportError) -> any Error { RelayError(.unreachable(error.code), error.detail) }
}
