package import Foundation
package import HTTPTypes
import Logging
import NIOTransport
package import NetworkingKit
package import PhoneTestKit
import PlatformKit
import PushKit
import ServerKit
package import SimBridgeClient
import SimBridgeService
import SimBridgeWire
package import TestKit
import WireKit

/// A real relay on a real database, and remote controls that reach it in process.
package final class RelayBox: Sendable {
    package let folder: TemporaryFolder
    private let parts: ServiceParts
    /// A transport without faults.
    let transport: InProcessTransport
    /// The network of the remote controls.
    package let network: TestNetwork

    /// The push service, for phones with an address at ntfy.
    package let pushes = PushRecorder()
    private let background: Task<Void, Never>

    /// - Parameters:
    ///   - hasNtfy: True if devices can have a topic of ntfy.
    ///   - confirmationTime: The time in which a client in the foreground confirms. Longer than the product's, so that a busy machine is in time.
    package init(hasNtfy: Bool = true, confirmationTime: Duration = .seconds(600)) async throws {
        folder = try TemporaryFolder()
        var configuration = SimBridgeConfiguration(
            database: try TestDatabase.location(folder.file("relay.db")),
            secret: try SigningSecret(String(repeating: "s", count: 40), source: "test"))
        configuration.passwordCost = .init(logN: 4)
        configuration.confirmationTime = confirmationTime
        if hasNtfy { configuration.push.ntfy = NtfyConfiguration(address: URL(string: "https://ntfy.example.com")!) }
        parts = try await SimBridgeService.build(
            configuration, fetch: { _ in throw TransportError(.network, "no identity provider") }, senders: [pushes],
            metrics: MetricsRegistry(), logger: .quiet)
        // Sends notifications. The others keep time.
        let delivery = parts.background.compactMap { $0 as? PushDelivery }
        background = Task { for service in delivery { try? await service.run() } }
        transport = InProcessTransport(services: [parts], logger: .quiet)
        network = TestNetwork(transport, keeping: folder)
    }

    deinit { background.cancel() }

    package static let address = InProcessTransport.address.appending(path: "simbridge")
    package static let password = "correct horse"

    package var relay: RemoteService { RemoteService(address: Self.address, http: network, sockets: network) }
    package var relays: Relays { .only(relay, deviceName: "Test phone") }

    /// The relay on a port, by real HTTP and real sockets.
    package static func relays(port: Int) -> Relays {
        .only(
            RemoteService(address: URL(string: "http://127.0.0.1:\(port)")!, http: AsyncHTTP(), sockets: NIOSocket()),
            deviceName: "Test phone")
    }

    /// Runs the relay on a port as well, beside `body`.
    package func serve<Value: Sendable>(_ body: @escaping @Sendable (Int) async throws -> Value) async throws -> Value {
        // The server sends notifications too, and a delivery runs once at a time.
        background.cancel()
        await background.value
        return try await ServerUnderTest.run([parts]) { try await body($0.port) }
    }

    // MARK: Direct calls to the relay

    /// Creates an account and logs in.
    package func token(_ user: String, registers: Bool = true) async throws -> String {
        let credentials = Credentials(username: user, password: Self.password)
        if registers { let _: Registered = try await call(.post, "/auth/register", credentials) }
        let reply: LoggedIn = try await call(.post, "/auth/login", credentials)
        return reply.token
    }

    package func call<Reply: Decodable>(
        _ method: HTTPRequest.Method, _ path: String, _ body: (some Encodable & Sendable)? = String?.none, token: String? = nil
    ) async throws -> Reply {
        var headers: HTTPFields = [:]
        if let token { headers[.authorization] = "Bearer \(token)" }
        if body != nil { headers[.contentType] = "application/json" }
        let request = try HTTPRequest(method, path, below: Self.address, headers: headers)
        let reply = try await transport.send(request, body: body.map { .data(try WireJSON.encode($0)) } ?? .none)
        guard reply.head.status == .ok else {
            throw TransportError(.refused, String(decoding: reply.body, as: UTF8.self), reply: reply)
        }
        return try WireJSON.decode(from: reply.body)
    }

    /// A host of an account, with its line open.
    package func host(_ user: String, name: String = "Pixel", registers: Bool = true) async throws -> RawHost {
        let token = try await token(user, registers: registers)
        let device: RegisteredDevice = try await call(
            .post, "/devices", DeviceRegistration(name: name, type: .host), token: token)
        let host = RawHost(self, id: device.id, token: token)
        try await host.connect()
        return host
    }

    // MARK: Remote controls

    /// A remote control with its user. In real time its calls have ten minutes, so that a busy machine does not expire them.
    @MainActor
    package func remote(_ phone: TestPhone = TestPhone(), clock: any Clock<Duration> = ContinuousClock()) -> Remote {
        let callLimit: Duration = clock is TestClock ? .seconds(10) : .seconds(600)
        return Remote(phone, Bridge(phone: phone.phone(clock: clock), relays: relays, callLimit: callLimit, random: { 0.5 }))
    }

    /// A remote control that is logged in, paired with `host`, in front, and connected.
    @MainActor
    package func paired(
        with host: RawHost, user: String, phone: TestPhone = TestPhone(), clock: any Clock<Duration> = ContinuousClock()
    ) async throws -> Remote {
        let remote = remote(phone, clock: clock)
        try await remote.until { $0.phase == .login }
        try await remote.bridge.logIn(server: Self.address.absoluteString, username: user, password: Self.password)
        try await remote.bridge.pair(code: try await host.code())
        remote.bridge.setInFront(true, page: remote.page)
        try await remote.until { $0.phase == .ready && $0.status == .connected && $0.isHostOnline }
        return remote
    }
}

/// A user with a remote control. The app runs for the lifetime of the value.
@MainActor
package final class Remote {
    package let phone: TestPhone
    package let bridge: Bridge
    /// The page that shows the app.
    package let page = BridgePage()
    private let running: Task<Void, Never>

    package init(_ phone: TestPhone, _ bridge: Bridge) {
        self.phone = phone
        self.bridge = bridge
        running = Task { await bridge.run() }
    }

    deinit { running.cancel() }

    /// Closes the app.
    package func quit() async {
        running.cancel()
        await running.value
    }

    /// Disconnects the host, and waits until the remote control shows that.
    package func isLeft(by host: RawHost) async throws {
        host.disconnect()
        try await until { !$0.isHostOnline }
    }

    package func until(_ isTrue: @escaping @MainActor (Bridge) -> Bool) async throws {
        let bridge = bridge
        try await eventually { await MainActor.run { isTrue(bridge) } }
    }

    /// Advances the clock step by step until the condition holds.
    package func until(
        advancing clock: TestClock, by step: Duration, _ isTrue: @escaping @MainActor (Bridge) -> Bool
    ) async throws {
        let bridge = bridge
        try await clock.advance(by: step, pause: .milliseconds(50)) { await isTrue(bridge) }
    }

    /// The texts with a number, oldest first.
    package func texts(_ number: String) -> [TextMessage] { bridge.conversation(with: number)?.messages ?? [] }
}
