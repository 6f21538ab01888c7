public import Foundation
import HTTPTypes
import NIOTransport
import NetworkingKit
import SimBridgeWire
import WireKit

/// Hosts and clients of a SimBridge relay that use version 1 of the line.
public struct RelayClient: Sendable {
    /// A paired host and client, both connected.
    public struct Pair: Sendable {
        public let host: TextSocket
        public let client: TextSocket
    }

    /// The login to the account of all devices.
    private struct Login: Sendable {
        var token: String
    }

    private let address: URL
    private let http: AsyncHTTP
    private let login: Login

    /// Registers an account with a unique number, and logs in.
    public init(_ address: URL, account: Int = 0) async throws {
        self.address = address
        http = AsyncHTTP()
        let credentials = Self.credentials(account)
        let _: Registered = try await Self.call(SimBridgeEndpoints.register, credentials, http, address)
        let loggedIn = try await Self.call(SimBridgeEndpoints.login, credentials, http, address)
        login = Login(token: loggedIn.token)
    }

    // MARK: Accounts

    /// Registers another account, numbered from 1.
    public func register(_ number: Int) async throws {
        _ = try await Self.call(SimBridgeEndpoints.register, Self.credentials(number), http, address)
    }

    /// Logs in to the account with this number.
    public func logIn(_ number: Int) async throws {
        _ = try await Self.call(SimBridgeEndpoints.login, Self.credentials(number), http, address)
    }

    private static func credentials(_ number: Int) -> Credentials {
        Credentials(username: "bench-\(number)", password: "password of \(number)")
    }

    // MARK: Devices

    public func openPair() async throws -> Pair {
        let (host, client) = (try await addDevice(.host), try await addDevice(.client))
        let code = try await call(SimBridgeEndpoints.pair, nil, query: "host_device_id=\(host)").code
        _ = try await call(SimBridgeEndpoints.confirmPairing, PairConfirmation(code: code, clientDeviceId: client))
        return Pair(host: try await open(.host, host), client: try await open(.client, client))
    }

    /// Opens a client without a pair.
    public func openIdle() async throws -> TextSocket { try await open(.client, try await addDevice(.client)) }

    private func addDevice(_ kind: Device.Kind) async throws -> Device.ID {
        try await call(SimBridgeEndpoints.addDevice, DeviceRegistration(name: "bench", type: kind)).id
    }

    /// Opens a socket, and reads `connected`.
    private func open(_ kind: Device.Kind, _ id: Device.ID) async throws -> TextSocket {
        let path = "\(SimBridgeLine.path(kind, id))?token=\(login.token)"
        let socket = TextSocket(try await NIOSocket().connect(HTTPRequest(.get, path, below: address)))
        _ = try await socket.receive()
        return socket
    }

    private func call<Body, Reply: Decodable>(
        _ endpoint: Endpoint<Body, Reply>, _ body: (any Encodable)?, query: String = ""
    ) async throws -> Reply {
        try await Self.call(endpoint, body, http, address, token: login.token, query: query)
    }

    private static func call<Body, Reply: Decodable>(
        _ endpoint: Endpoint<Body, Reply>, _ body: (any Encodable)?, _ http: AsyncHTTP, _ address: URL, token: String? = nil,
        query: String = ""
    ) async throws -> Reply {
        var headers: HTTPFields = [.contentType: "application/json"]
        if let token { headers[.authorization] = "Bearer \(token)" }
        let path = endpoint.path([:]) + (query.isEmpty ? "" : "?\(query)")
        let reply = try await http.send(
            HTTPRequest(.post, path, below: address, headers: headers), body: body.map { .data(try WireJSON.encode($0)) } ?? .none)
        guard reply.head.status.kind == .successful else { throw LineClient.Refused(status: reply.head.status.code) }
        return try WireJSON.decode(from: reply.body)
    }
}

extension RelayClient.Pair {
    /// Sends a command to the host and a report back, each relayed once.
    public func roundTrip() async throws {
        let id = UUID().uuidString
        try await client.send(
            DeviceMessage(.command(.sendText(sim: 1, to: "+15550100", body: Self.text)), reqId: RequestID(id)).text)
        try await host.receive(with: id)
        try await host.send(DeviceMessage(.event(.textSent(.ok, reason: nil)), reqId: RequestID(id)).text)
        try await client.receive(with: id)
    }

    private static let text = String(repeating: "x", count: 100)
}

extension TextSocket {
    /// Waits for the message with this `id`, and skips pings.
    fileprivate func receive(with id: String) async throws {
        while try await !receive().contains(id) {}
    }
}
