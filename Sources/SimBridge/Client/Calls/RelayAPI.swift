import Foundation
import HTTPTypes
import NetworkingKit
import SimBridgeWire
import WireKit

/// The relay's endpoints as calls. Knows nothing of who calls.
struct RelayAPI: Sendable {
    /// How long a call may take (contract, section 4).
    static let timeout: Duration = .seconds(30)

    let relay: Relay
    let clock: any Clock<Duration>

    func register(_ credentials: Credentials) async throws -> Registered {
        try await call(SimBridgeEndpoints.register, body: credentials)
    }

    func login(_ credentials: Credentials) async throws -> LoggedIn {
        try await call(SimBridgeEndpoints.login, body: credentials)
    }

    /// Registers this phone as a client.
    func addDevice(named name: String, token: String) async throws -> RegisteredDevice {
        try await call(SimBridgeEndpoints.addDevice, body: DeviceRegistration(name: name, type: .client), token: token)
    }

    func devices(token: String) async throws -> [Device] { try await call(SimBridgeEndpoints.devices, token: token) }

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

    private func call<Reply: Decodable & Sendable>(
        _ endpoint: Endpoint<NoBody, Reply>, query: String = "", token: String
    ) async throws -> Reply {
        try await send(endpoint.method, endpoint.path, query, .none, token)
    }

    private func call<Body: Encodable & Sendable, Reply: Decodable & Sendable>(
        _ endpoint: Endpoint<Body, Reply>, body: Body, token: String? = nil
    ) async throws -> Reply {
        try await send(endpoint.method, endpoint.path, "", .data(WireJSON.encode(body)), token)
    }

    /// - Throws: ``BridgeProblem``; `CancellationError`.
    private func send<Reply: Decodable & Sendable>(
        _ method: HTTPMethod, _ path: String, _ query: String, _ body: HTTPBody, _ token: String?
    ) async throws -> Reply {
        var headers: HTTPFields = [:]
        if body != .none { headers[.contentType] = "application/json" }
        if let token { headers[.authorization] = "Bearer \(token)" }
        let reply: HTTPReply
        do {
            let request = try HTTPRequest(method == .get ? .get : .post, path + query, below: relay.address, headers: headers)
            let http = relay.http
            reply = try await withTimeout(Self.timeout, clock: clock) { try await http.send(request, body: body) }
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            throw BridgeProblem(error)
        }
        guard reply.head.status.kind == .successful else { throw BridgeProblem(reply, to: path) }
        guard let value = try? WireJSON.decode(Reply.self, from: reply.body) else { throw BridgeProblem.notARelay }
        return value
    }
}
