import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NetworkingKit
import PushKit
import ServerKit
import ServiceLifecycle
import SimBridgeWire
import StorageKit
import TestKit
import Testing
import WireKit

@testable import SimBridgeService

/// A whole relay on a real database, called in process through its real routes.
final class TestRelay: Sendable {
    let folder: TemporaryFolder
    let relay: Relay
    let secret: SigningSecret
    private let transport: InProcessTransport
    private let clock: Locked<Timestamp>
    private let uptime: Locked<ContinuousClock.Instant>

    var parts: ServiceParts { relay.parts }

    init(
        drawCode: (@Sendable () -> String)? = nil, configure: (inout SimBridgeConfiguration) -> Void = { _ in },
        fetch: @escaping @Sendable (URL) async throws -> Data = { _ in throw CancellationError() },
        senders: [any PushSender]? = nil, folder: TemporaryFolder? = nil, now: Timestamp = Timestamp("2026-11-20T12:00:00.000Z")!
    ) async throws {
        self.folder = try folder ?? TemporaryFolder()
        secret = try SigningSecret(String(repeating: "s", count: 40), source: "test")
        var configuration = SimBridgeConfiguration(
            database: try TestDatabase.location(self.folder.file("simbridge.db")), secret: secret)
        configuration.registrationsPerMinute = 1_000_000
        configuration.loginsPerMinute = 1_000_000
        configuration.passwordCost = .init(logN: 4)
        configuration.push = PushServices(
            webPush: try WebPushConfiguration(), ntfy: NtfyConfiguration(address: URL(string: "https://ntfy.example.com")!))
        configure(&configuration)
        let clock = Locked(now)
        self.clock = clock
        let uptime = Locked(ContinuousClock.now)
        self.uptime = uptime
        let store = try Database(at: configuration.database, migrations: RelayMigrations.all)
        relay = try await Relay(
            configuration, store: store, fetch: fetch, senders: senders, metrics: MetricsRegistry(), logger: .quiet,
            now: { clock.withLock { $0 } }, uptime: { uptime.withLock { $0 } },
            drawCode: drawCode ?? Pairings.randomCode)
        transport = InProcessTransport(services: [relay.parts], logger: .quiet)
    }

    /// The same data in another process, as it were.
    func restarted(configure: (inout SimBridgeConfiguration) -> Void = { _ in }, after pause: Duration = .zero) async throws
        -> TestRelay
    {
        await parts.close()
        let folder = try TestDatabase.leftBehind("simbridge.db", in: folder)
        return try await TestRelay(configure: configure, folder: folder, now: now + pause)
    }

    /// Runs the relay's background work until the calling task is cancelled.
    func work() async {
        await withTaskGroup(of: Void.self) { group in
            for service in parts.background { group.addTask { try? await service.run() } }
        }
    }

    var now: Timestamp { clock.withLock { $0 } }
    /// Lets time pass.
    func advance(_ duration: Duration) {
        setClock(by: duration)
        uptime.withLock { $0 += duration }
    }
    /// Sets the clock on the wall forward or back. No time passes.
    func setClock(by duration: Duration) { clock.withLock { $0 = $0 + duration } }

    // MARK: Calls

    typealias Reply = ServiceReply

    func call(
        _ method: HTTPRequest.Method, _ path: String, token: String? = nil, headers: HTTPFields = [:], body: String = ""
    ) async throws -> Reply {
        try await parts.call(method, path, token: token, headers: headers, body: Data(body.utf8))
    }

    func call<Body: Encodable, Value>(_ endpoint: Endpoint<Body, Value>, _ body: Body, by caller: Person? = nil) async throws
        -> Reply
    {
        try await parts.call(endpoint, body, token: caller?.token)
    }

    func call<Value>(_ endpoint: Endpoint<NoBody, Value>, by caller: Person? = nil, query: String = "") async throws -> Reply {
        try await parts.call(endpoint, query: query, token: caller?.token)
    }

    // MARK: People and phones

    struct Person: Sendable {
        var id: Account.ID
        var token: String
    }

    /// A host and a client that are paired.
    struct Pair: Sendable {
        var owner: Person
        var host: Device.ID
        var client: Device.ID
    }

    func person(_ name: String = UUID().uuidString) async throws -> Person {
        let credentials = Credentials(username: name, password: "secret")
        #expect(try await call(SimBridgeEndpoints.register, credentials).status == 200)
        let reply = try await call(SimBridgeEndpoints.login, credentials).value(LoggedIn.self)
        return Person(id: reply.userId, token: reply.token)
    }

    func device(_ kind: Device.Kind, of owner: Person, name: String = "phone") async throws -> Device.ID {
        try await call(SimBridgeEndpoints.addDevice, DeviceRegistration(name: name, type: kind), by: owner).value(
            RegisteredDevice.self
        ).id
    }

    @discardableResult
    func pair(_ host: Device.ID, _ client: Device.ID, by owner: Person) async throws -> Paired {
        let code = try await call(SimBridgeEndpoints.pair, by: owner, query: "?host_device_id=\(host)").value(PairingCode.self)
        return try await call(
            SimBridgeEndpoints.confirmPairing, PairConfirmation(code: code.code, clientDeviceId: client), by: owner
        ).value()
    }

    func pair() async throws -> Pair {
        let owner = try await person()
        let host = try await device(.host, of: owner)
        let client = try await device(.client, of: owner)
        try await pair(host, client, by: owner)
        return Pair(owner: owner, host: host, client: client)
    }

    func devices(of owner: Person) async throws -> [Device] { try await call(SimBridgeEndpoints.devices, by: owner).value() }

    func history(of owner: Person, query: String = "") async throws -> [HistoryItem] {
        try await call(SimBridgeEndpoints.history, by: owner, query: query).value(HistoryPage.self).items
    }

    @discardableResult
    func text(_ body: String, to host: Device.ID, by owner: Person, reqId: SimBridgeWire.RequestID? = nil) async throws
        -> CommandReceipt
    {
        let reply = try await call(
            SimBridgeEndpoints.sendText, TextCommand(toDeviceId: host, sim: 1, to: "+1", body: body, reqId: reqId), by: owner)
        #expect(reply.status == 200, "\(reply.text)")
        return try reply.value()
    }

    // MARK: Lines

    func connect(_ path: String) async throws -> TestLine {
        let request = try HTTPRequest(.get, "/simbridge" + path, below: InProcessTransport.address)
        return TestLine(try await transport.connect(request, maximumMessageSize: SimBridgeLine.maximumMessageSize))
    }

    /// Opens a line, and reads up to `connected`.
    ///
    /// - Returns: The line, and the messages before `connected`.
    func open(
        _ kind: Device.Kind, _ id: Device.ID, of owner: Person, query: String = ""
    ) async throws -> (line: TestLine, before: [RelayMessage]) {
        let line = try await connect(SimBridgeLine.path(kind, id) + "?token=\(owner.token)\(query)")
        var before: [RelayMessage] = []
        while true {
            let message = try await line.next()
            if message.content == .connected(id) { return (line, before) }
            before.append(message)
        }
    }

    func line(_ kind: Device.Kind, _ id: Device.ID, of owner: Person, query: String = "") async throws -> TestLine {
        let (line, before) = try await open(kind, id, of: owner, query: query)
        #expect(before.isEmpty)
        return line
    }
}

/// One device's end of a line.
final class TestLine: Sendable {
    let connection: any SocketConnection

    init(_ connection: any SocketConnection) { self.connection = connection }

    func nextText() async throws -> String {
        try await within(.seconds(20)) { [connection] in
            guard case .text(let text) = try await connection.receive() else { throw Ended() }
            return text
        }
    }

    func next() async throws -> RelayMessage { try #require(RelayMessage(text: try await nextText())) }

    func send(_ text: String) async throws { try await connection.send(.text(text)) }
    func send(_ message: DeviceMessage) async throws { try await send(message.text) }

    /// Checks that nothing has come: the answer to a ping is the next message.
    func expectQuiet(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await send(.ping)
        #expect(try await next().content == .pong, sourceLocation: sourceLocation)
    }

    /// Waits for the relay to close.
    func ending() async throws -> SocketEnd? {
        try await within(.seconds(20)) { [connection] in
            while try await connection.receive() != nil {}
            return connection.end
        }
    }

    func close() { connection.close(.normal) }

    struct Ended: Error {}
}

extension ServiceReply {
    /// The text of a simple failure.
    var detail: String? {
        guard case .text(let text) = (try? value(DetailReply.self))?.detail else { return nil }
        return text
    }
    /// The invalid fields, with the reasons.
    var issues: [DetailReply.Issue] {
        guard case .issues(let issues) = (try? value(DetailReply.self))?.detail else { return [] }
        return issues
    }
}

func expect(
    _ reply: TestRelay.Reply, _ status: Int, _ detail: String? = nil, sourceLocation: SourceLocation = #_sourceLocation
) {
    #expect(reply.status == status, "\(reply.text)", sourceLocation: sourceLocation)
    if let detail { #expect(reply.detail == detail, "\(reply.text)", sourceLocation: sourceLocation) }
}

/// Tokens that a test makes itself, for after the first has ended.
enum RelayTokensForTests {
    static func token(for account: Account.ID, at time: Timestamp, secret: SigningSecret) async throws -> String {
        let seconds = Int(time.milliseconds / 1000)
        return try await TokenSigner<RelayClaims>(secret: secret).sign(
            RelayClaims(userId: account, iat: seconds, exp: seconds + 86_400))
    }
}
