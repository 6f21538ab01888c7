import HTTPTypes
import NetworkingKit
import SimBridgeWire
import WireKit

/// The relay's endpoints as calls, which throw ``BridgeProblem`` or `CancellationError`. Knows nothing of who calls.
struct RelayAPI: ServiceCalls {
    /// How long a call may take (contract, section 4).
    static let timeout: Duration = .seconds(30)

    let service: RemoteService
    let clock: any Clock<Duration>

    func register(_ credentials: Credentials) async throws -> Registered {
        try await call(SimBridgeEndpoints.register, body: credentials)
    }

    func login(_ credentials: Credentials) async throws -> LoggedIn {
        try await call(SimBridgeEndpoints.login, body: credentials)
    }

    /// Voids every earlier token of the account.
    func changePassword(_ change: PasswordChange, token: String) async throws -> LoggedIn {
        try await call(SimBridgeEndpoints.changePassword, body: change, token: token)
    }

    /// Registers this phone as a client.
    func addDevice(named name: String, token: String) async throws -> RegisteredDevice {
        try await call(SimBridgeEndpoints.addDevice, body: DeviceRegistration(name: name, type: .client), token: token)
    }

    func devices(token: String) async throws -> [Device] { try await call(SimBridgeEndpoints.devices, token: token) }

    /// Ends the pairings and the line of a device.
    func removeDevice(_ id: Device.ID, token: String) async throws -> RemovedDevice {
        try await call(SimBridgeEndpoints.removeDevice, ["id": "\(id)"], token: token)
    }

    func pairings(token: String) async throws -> [Pairing] { try await call(SimBridgeEndpoints.pairings, token: token) }

    func confirmPairing(code: String, client: Device.ID, token: String) async throws -> Paired {
        try await call(
            SimBridgeEndpoints.confirmPairing, body: PairConfirmation(code: code, clientDeviceId: client), token: token)
    }

    func send(_ command: TextCommand, token: String) async throws -> CommandReceipt {
        try await call(SimBridgeEndpoints.sendText, body: command, token: token)
    }

    func call(_ command: CallCommand, token: String) async throws -> CommandReceipt {
        try await call(SimBridgeEndpoints.call, body: command, token: token)
    }

    /// Asks for the SIM cards; they come as an event.
    func requestSIMs(of host: Device.ID, token: String) async throws -> CommandReceipt {
        try await call(SimBridgeEndpoints.sims, query: "?host_device_id=\(host)", token: token)
    }

    /// - Parameter device: Only what it sent or received; nil: everything.
    func history(
        of device: Device.ID?, limit: Int = HistoryPage.defaultLimit, offset: Int = 0, token: String
    ) async throws -> HistoryPage {
        let filter = device.map { "device_id=\($0)&" } ?? ""
        return try await call(SimBridgeEndpoints.history, query: "?\(filter)limit=\(limit)&offset=\(offset)", token: token)
    }

    // MARK: How

    func value<Value: Decodable & Sendable>(of reply: HTTPReply, to path: String, hasToken: Bool) throws -> Value {
        guard reply.head.status.kind == .successful else { throw BridgeProblem(reply, to: path) }
        guard let value = try? WireJSON.decode(Value.self, from: reply.body) else { throw BridgeProblem.notARelay }
        return value
    }

    func failure(_ error: TransportError) -> any Error { BridgeProblem(error) }
}
