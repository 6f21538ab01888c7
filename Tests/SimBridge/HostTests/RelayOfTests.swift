import Foundation
import HTTPTypes
import Logging
import NetworkingKit
import ServerKit
import ServiceLifecycle
import SimBridgeHost
import SimBridgeService
import SimBridgeWire
import StorageKit
import TestKit
import WireKit

/// The real relay in this process, a network that a test can cut, and clients of an account.
final class RelayOfTests: HTTPTransport, SocketTransport, Sendable {
    struct Way {
        /// All calls and connections fail.
        var isDown = false
        /// Names and addresses at which the relay does not answer.
        var unreachable: Set<String> = []
        /// The host's line breaks as soon as it has written a report, before the relay's answer is read.
        var breaksAfterReports = 0
        /// The host's line breaks as soon as a command has come, before it is acknowledged.
        var breaksAfterCommands = 0
        /// The host's line breaks as soon as it acknowledges a message. The acknowledgement arrives.
        var breaksAfterAcknowledgements = 0
        /// Behaves like a relay before version 2.
        var isOld = false
        /// The reply to every call, in place of the service's.
        var answer: (status: Int, body: String)?
        /// The host reads these before the relay's next message.
        var inserted: [String] = []
        var open: [any SocketConnection] = []
        /// The messages that the host wrote.
        var written: [String] = []
        var logins = 0
        /// The number of registrations whose reply is lost.
        var losesRegistrations = 0
    }

    static let password = "correct horse"
    let folder: TemporaryFolder
    private let parts: ServiceParts
    private let transport: InProcessTransport
    let way = Locked(Way())
    private let isServing: Task<Void, Never>

    /// - Parameter quota: The quota of an account, in bytes.
    init(quota: Int? = nil) async throws {
        folder = try TemporaryFolder()
        var configuration = SimBridgeConfiguration(
            database: try TestDatabase.location(folder.file("relay.db")),
            secret: try SigningSecret(String(repeating: "s", count: 40), source: "test"))
        configuration.passwordCost = .init(logN: 4)
        if let quota { configuration.keptBytesPerAccount = quota }
        let parts = try await SimBridgeService.build(
            configuration, fetch: { _ in throw NeverCame() }, metrics: MetricsRegistry(), logger: .quiet)
        self.parts = parts
        transport = InProcessTransport(services: [parts], logger: .quiet)
        isServing = Task {
            await withTaskGroup(of: Void.self) { group in
                for service in parts.background { group.addTask { try? await service.run() } }
            }
        }
    }

    deinit { isServing.cancel() }

    var address: URL { InProcessTransport.address.appending(path: "simbridge") }

    /// Breaks every open line.
    func cut() {
        let open = way.withLock { way in
            defer { way.open = [] }
            return way.open
        }
        for connection in open { connection.close(.goingAway) }
    }

    // MARK: The host's network

    func stream(_ request: HTTPRequest, body: HTTPBody) async throws -> HTTPStream {
        let (isDown, answer) = way.withLock { way in
            if request.path?.hasSuffix("/auth/login") == true { way.logins += 1 }
            return (way.isDown || way.unreachable.contains(request.authority ?? ""), way.answer)
        }
        if isDown { throw TransportError(.network, "no way") }
        if let answer {
            return HTTPStream(
                head: HTTPResponse(status: .init(code: answer.status)),
                body: HTTPBytes {
                    let left = Locked<Data?>(Data(answer.body.utf8))
                    return {
                        left.withLock { left in
                            defer { left = nil }
                            return left
                        }
                    }
                })
        }
        let reply = try await transport.stream(request, body: body)
        if request.path?.hasSuffix("/auth/register") == true, breaks(\.losesRegistrations) {
            throw TransportError(.ended, "the reply is lost")
        }
        return reply
    }

    func connect(_ request: HTTPRequest, maximumMessageSize: Int) async throws -> any SocketConnection {
        let (isDown, isOld) = way.withLock { ($0.isDown, $0.isOld) }
        if isDown { throw TransportError(.network, "no way") }
        var request = request
        if isOld, let path = request.path, let query = path.range(of: "&v=2") { request.path = String(path[..<query.lowerBound]) }
        let connection = HostSocket(try await transport.connect(request, maximumMessageSize: maximumMessageSize), relay: self)
        way.withLock { $0.open.append(connection) }
        return connection
    }

    /// The host's socket, which records messages and breaks on demand.
    private final class HostSocket: SocketConnection {
        private let socket: any SocketConnection
        private let relay: RelayOfTests
        /// Read before anything else from the socket.
        private let pending = Locked<[SocketMessage]>([])

        init(_ socket: any SocketConnection, relay: RelayOfTests) { (self.socket, self.relay) = (socket, relay) }

        func receive() async throws -> SocketMessage? {
            if let message = pending.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { return message }
            let message = try await socket.receive()
            let inserted = relay.way.withLock { way in
                defer { way.inserted = [] }
                return way.inserted.map { SocketMessage.text($0) }
            }
            if let message, let first = inserted.first {
                pending.withLock { $0 = inserted.dropFirst() + [message] }
                return first
            }
            if case .text(let text)? = message, text.contains(#""type":"command""#), relay.breaks(\.breaksAfterCommands) {
                // Later messages of the host do not arrive.
                socket.close(.goingAway)
            }
            return message
        }

        func send(_ message: SocketMessage) async throws {
            try await socket.send(message)
            guard case .text(let text) = message else { return }
            relay.way.withLock { $0.written.append(text) }
            if text.contains(#""type":"ack""#), relay.breaks(\.breaksAfterAcknowledgements) {
                socket.close(.goingAway)
                throw TransportError(.ended, "the line broke")
            }
            if text.contains(#""msg_id""#), relay.breaks(\.breaksAfterReports) {
                // The relay has the report once its next answer arrives.
                try await socket.send(.text(DeviceMessage.ping.text))
                while case .text(let said)? = try await socket.receive(), !said.contains("stored"), !said.contains("pong") {}
                socket.close(.goingAway)
            }
        }

        func ping() async throws { try await socket.ping() }
        func close(_ end: SocketEnd) { socket.close(end) }
        var end: SocketEnd? { socket.end }
    }

    private func breaks(_ count: WritableKeyPath<Way, Int>) -> Bool {
        let count = UncheckedPath(path: count)
        return way.withLock { way in
            guard way[keyPath: count.path] > 0 else { return false }
            way[keyPath: count.path] -= 1
            return true
        }
    }

    /// A key path to a stored property of a plain structure can be passed between threads.
    private struct UncheckedPath: @unchecked Sendable { let path: WritableKeyPath<Way, Int> }

    // MARK: The account and its clients

    /// Makes an account.
    func register(_ name: String = "ada") async throws {
        let _: Registered = try await call(
            .post, "/auth/register", Credentials(username: name, password: Self.password), token: nil)
    }

    func token(_ name: String = "ada") async throws -> String {
        let reply: LoggedIn = try await call(
            .post, "/auth/login", Credentials(username: name, password: Self.password), token: nil)
        return reply.token
    }

    /// A client of the account, paired with its host by `code`.
    func client(code: String, token: String) async throws -> ClientOfTests {
        let device: RegisteredDevice = try await call(
            .post, "/devices", DeviceRegistration(name: "client", type: .client), token: token)
        let paired: Paired = try await call(
            .post, "/pair/confirm", PairConfirmation(code: code, clientDeviceId: device.id), token: token)
        guard let host = paired.hostDeviceId else { throw NeverCame() }
        return try await ClientOfTests(self, device: device.id, host: host, token: token)
    }

    func call<Reply: Decodable>(
        _ method: HTTPRequest.Method, _ path: String, _ body: (some Encodable)?, token: String?
    ) async throws -> Reply {
        var headers: HTTPFields = [.contentType: "application/json"]
        if let token { headers[.authorization] = "Bearer \(token)" }
        let request = try HTTPRequest(method, path, below: address, headers: headers)
        let reply = try await transport.send(request, body: body.map { .data(try WireJSON.encode($0)) } ?? .none)
        guard reply.head.status.code == 200 else { throw Refused(status: reply.head.status.code, body: reply.body) }
        return try WireJSON.decode(from: reply.body)
    }

    struct Refused: Error {
        var status: Int
        var body: Data
    }

    func socket(_ path: String) async throws -> any SocketConnection {
        try await transport.connect(try HTTPRequest(.get, path, below: address), maximumMessageSize: 1_048_576)
    }
}

/// A client's end of the line.
final class ClientOfTests: Sendable {
    let relay: RelayOfTests
    let device: Device.ID
    let host: Device.ID
    let token: String
    private let connection: any SocketConnection
    private let messages = Locked<[RelayMessage]>([])
    private let reading: Task<Void, Never>

    /// - Parameter acknowledges: True to acknowledge received messages, so that the relay can remove them.
    init(_ relay: RelayOfTests, device: Device.ID, host: Device.ID, token: String, acknowledges: Bool = false) async throws {
        (self.relay, self.device, self.host, self.token) = (relay, device, host, token)
        let connection = try await relay.socket("\(SimBridgeLine.path(.client, device))?token=\(token)&v=2")
        self.connection = connection
        reading = Task { [messages] in
            while case .text(let text)? = try? await connection.receive() {
                guard let message = RelayMessage(text: text) else { continue }
                messages.withLock { $0.append(message) }
                if acknowledges, let seq = message.seq { try? await connection.send(.text(DeviceMessage.ack(seq: seq).text)) }
            }
        }
        try await until { $0.contains { if case .connected = $0.content { true } else { false } } }
    }

    deinit { reading.cancel() }

    var all: [RelayMessage] { messages.withLock { $0 } }

    /// The events of the host, without its SIM cards.
    var events: [PhoneEvent] {
        all.compactMap {
            switch $0.content {
            case .event(.simInfo), .event(.deviceOffline): nil
            case .event(let event): event
            default: nil
            }
        }
    }

    func until(_ isTrue: @escaping @Sendable ([RelayMessage]) -> Bool) async throws {
        try await eventually { isTrue(self.all) }
    }

    func untilEvents(_ count: Int) async throws {
        try await eventually { self.events.count >= count }
    }

    /// Disconnects. Later messages wait at the relay.
    func leave() { connection.close(.goingAway) }

    func write(_ message: DeviceMessage) async throws { try await connection.send(.text(message.text)) }

    @discardableResult
    func sendText(_ body: String, to number: String = "+4917012345", sim: Int = 1, reqId: RequestID? = nil) async throws
        -> CommandReceipt
    {
        try await relay.call(
            .post, "/sms", TextCommand(toDeviceId: host, sim: sim, to: number, body: body, reqId: reqId), token: token)
    }

    @discardableResult
    func call(_ number: String, sim: Int = 1) async throws -> CommandReceipt {
        try await relay.call(.post, "/call", CallCommand(toDeviceId: host, sim: sim, to: number), token: token)
    }
}
