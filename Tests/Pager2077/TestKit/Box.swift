import Foundation
package import HTTPTypes
import Logging
package import NetworkingKit
package import Pager2077Client
import Pager2077Service
package import Pager2077Wire
package import PlatformKit
import ServerKit
package import TestKit
import WireKit

/// A real pager service on a real database, and pagers that reach it in process.
package final class Box: Sendable {
    package let folder: TemporaryFolder
    private let parts: ServiceParts
    package let network: Network

    package init() async throws {
        folder = try TemporaryFolder()
        let secret = try SigningSecret(String(repeating: "s", count: 40), source: "test")
        let configuration = PagerConfiguration(database: folder.url.appending(path: "pager.db"), secret: secret)
        parts = try await PagerService.build(configuration, metrics: MetricsRegistry(), logger: .quiet)
        network = Network(InProcessTransport(services: [parts], logger: .quiet))
    }

    package var server: PagerServer {
        PagerServer(address: InProcessTransport.address.appending(path: "pager2077"), http: network, sockets: network)
    }

    /// Runs the service on a port as well, beside `body`.
    package func serve<Value: Sendable>(_ body: @escaping @Sendable (Int) async throws -> Value) async throws -> Value {
        try await ServerUnderTest.run([parts]) { try await body($0.port) }
    }

    /// A pager that is being used.
    @MainActor
    package func pager(_ phone: TestPhone = TestPhone(), clock: any Clock<Duration> = ContinuousClock()) -> Person {
        Person(phone, Pager(phone: phone.phone(clock: clock), server: server))
    }

    /// A pager that is registered, in front, and has a name.
    @MainActor
    package func registered(_ name: String? = nil, phone: TestPhone = TestPhone()) async throws -> Person {
        try await .registered(pager(phone), name)
    }

    /// Two who are friends.
    @MainActor
    package func friends() async throws -> (ada: Person, bob: Person) {
        let (ada, bob) = (try await registered("Ada"), try await registered("Bob"))
        try await Person.befriend(ada, bob)
        return (ada, bob)
    }
}

/// Somebody with a pager, for as long as the value is held.
@MainActor
package final class Person {
    package let phone: TestPhone
    package let pager: Pager
    private let running: Task<Void, Never>

    package init(_ phone: TestPhone, _ pager: Pager) {
        self.phone = phone
        self.pager = pager
        running = Task { await pager.run() }
    }

    deinit { running.cancel() }

    package var code: String { pager.me?.hexCode.rawValue ?? "" }
    package var id: User.ID { pager.me?.id ?? User.ID("") }

    /// Registers somebody who looks at their pager.
    static func registered(_ person: Person, _ name: String? = nil) async throws -> Person {
        try await person.until { $0.phase == .welcome }
        await person.pager.begin()
        if let name { try await person.pager.setDisplayName(name) } else { person.pager.skipName() }
        person.pager.setAttention(.full, screen: person)
        try await person.until { $0.signal == .full && $0.friends.phase == .ready && $0.conversations.phase == .ready }
        return person
    }

    static func befriend(_ ada: Person, _ bob: Person) async throws {
        try await ada.pager.requestFriend(bob.code)
        try await bob.until { !$0.requests.items.isEmpty }
        try await bob.pager.accept(bob.pager.requests.items[0])
        try await ada.until { $0.friends.items.count == 1 }
    }

    /// The app is closed.
    package func quit() async {
        running.cancel()
        await running.value
    }

    package func until(_ isTrue: @escaping @MainActor (Pager) -> Bool) async throws {
        let pager = pager
        try await eventually { await MainActor.run { isTrue(pager) } }
    }

    /// Looks at a conversation until the returned task is cancelled.
    package func open(_ friend: Person) async throws -> (Chat, Task<Void, Never>) {
        let chat = pager.chat(with: friend.id)
        pager.setAttention(.full, screen: self)
        let looking = Task { [weak self, pager] in if let self { await pager.follow(chat, on: self) } }
        try await until { _ in chat.phase == .ready }
        return (chat, looking)
    }
}

/// The way to the service: as good as in process, or as bad as a test wants.
package final class Network: HTTPTransport, SocketTransport {
    package struct State {
        package var isDown = false
        /// Replies of this path are lost, although the service did what was asked.
        package var losesReplies: String?
        /// Answers in the service's place.
        package var answer: Answer?
        /// Some events do not arrive, others twice.
        package var losesEvents = false
        /// The service does not answer, for now.
        package var hangs = false
        package var calls: [String] = []
        package var open: [any SocketConnection] = []
    }
    package struct Answer {
        package var status: Int
        /// In the service's words; nil: something on the way answers, in its own.
        package var code: String?
        /// Only where a path ends with this.
        package var path = ""

        package init(_ status: Int, code: String? = nil, path: String = "") {
            (self.status, self.code, self.path) = (status, code, path)
        }
    }
    private let transport: Locked<InProcessTransport>
    private let state = Locked(State())

    init(_ transport: InProcessTransport) { self.transport = Locked(transport) }

    /// From now on there is another service at the same address.
    package func lead(to other: Network) {
        let new = other.transport.withLock { $0 }
        transport.withLock { $0 = new }
    }

    package var calls: [String] { state.withLock { $0.calls } }
    package func set(_ change: @Sendable (inout State) -> Void) { state.withLock { change(&$0) } }

    /// Cuts every open line, and lets nothing through until it is mended.
    package func cut() {
        let open = state.withLock { state in
            state.isDown = true
            defer { state.open = [] }
            return state.open
        }
        for socket in open { socket.close(.goingAway) }
    }
    package func mend() { state.withLock { $0.isDown = false } }

    private static let down = TransportError(.network, "the test has cut the line")

    package func stream(_ request: HTTPRequest, body: HTTPBody) async throws -> HTTPStream {
        let path = request.path ?? ""
        let now = state.withLock { state in
            state.calls.append("\(request.method.rawValue) \(path)")
            return state
        }
        if now.isDown { throw Self.down }
        if let answer = now.answer, path.hasSuffix(answer.path) {
            let page = answer.code.map { Data(#"{"success":false,"error":{"code":"\#($0)","message":"so"}}"#.utf8) }
            return HTTPStream(
                head: HTTPResponse(status: .init(code: answer.status)),
                body: HTTPBytes {
                    var pieces = [page ?? Data("<h1>Bad gateway</h1>".utf8)]
                    return { pieces.popLast() }
                })
        }
        while state.withLock({ $0.hangs }) { try await Task.sleep(for: .milliseconds(5)) }
        let reply = try await transport.withLock({ $0 }).stream(request, body: body)
        if let lost = now.losesReplies, path.contains(lost) { throw TransportError(.ended, "the reply is lost") }
        return reply
    }

    package func connect(_ request: HTTPRequest, maximumMessageSize: Int) async throws -> any SocketConnection {
        if state.withLock({ $0.isDown }) { throw Self.down }
        let socket = try await transport.withLock({ $0 }).connect(request, maximumMessageSize: maximumMessageSize)
        state.withLock { $0.open.append(socket) }
        return state.withLock({ $0.losesEvents }) ? LossySocket(socket) : socket
    }
}
