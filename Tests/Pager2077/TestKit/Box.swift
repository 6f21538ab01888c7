import Foundation
import Logging
package import NetworkingKit
package import Pager2077Client
package import Pager2077Wire
package import PhoneTestKit
import PlatformKit
import PushKit
import ServerKit
import StorageKit
package import TestKit
package import WireKit

@testable import Pager2077Service

/// A real pager service on a real database, and pagers that reach it in process.
package final class Box: Sendable {
    package let folder: TemporaryFolder
    private let parts: ServiceParts
    package let network: TestNetwork

    /// - Parameters:
    ///   - hasWebPush: True if browsers can have an address.
    ///   - hasNtfy: True if phones can have a topic of ntfy.
    ///   - sends: True to send notifications while ``serve(_:)`` runs, to push services that accept all of them.
    ///   - now: The service's clock.
    package init(
        hasWebPush: Bool = false, hasNtfy: Bool = false, sends: Bool = false, now: @escaping @Sendable () -> Timestamp = { .now }
    ) async throws {
        folder = try TemporaryFolder()
        let secret = try SigningSecret(String(repeating: "s", count: 40), source: "test")
        var configuration = PagerConfiguration(database: try TestDatabase.location(folder.file("pager.db")), secret: secret)
        if hasWebPush { configuration.push.webPush = try WebPushConfiguration() }
        if hasNtfy { configuration.push.ntfy = NtfyConfiguration(address: URL(string: "https://ntfy.example.com/")!) }
        parts = try await PagerService.build(
            configuration, store: try Database(at: configuration.database, migrations: PagerMigrations.all),
            senders: sends ? PushChannel.allCases.map(AcceptingSender.init) : nil, metrics: MetricsRegistry(), logger: .quiet,
            now: now)
        network = TestNetwork(InProcessTransport(services: [parts], logger: .quiet), keeping: folder)
    }

    package var service: RemoteService { service(over: network) }

    /// The service at the address of one phone.
    package func service(over network: some HTTPTransport & SocketTransport) -> RemoteService {
        RemoteService(address: InProcessTransport.address.appending(path: "pager2077"), http: network, sockets: network)
    }

    /// Runs the service on a port as well, beside `body`.
    package func serve<Value: Sendable>(_ body: @escaping @Sendable (Int) async throws -> Value) async throws -> Value {
        try await ServerUnderTest.run([parts]) { try await body($0.port) }
    }

    /// A pager with its user.
    ///
    /// - Parameter network: The phone's own network, which a test can cut alone; nil for the network of all phones.
    @MainActor
    package func pager(
        _ phone: TestPhone = TestPhone(), clock: any Clock<Duration> = ContinuousClock(), network: TestNetwork? = nil
    ) -> Person {
        Person(phone, Pager(phone: phone.phone(clock: clock), service: service(over: network ?? self.network)))
    }

    /// A pager that is registered, in front, and has a name.
    @MainActor
    package func registered(
        _ name: String? = nil, phone: TestPhone = TestPhone(), network: TestNetwork? = nil
    ) async throws -> Person {
        try await .registered(pager(phone, network: network), name)
    }

    /// Two users who are friends.
    @MainActor
    package func friends() async throws -> (ada: Person, bob: Person) {
        let (ada, bob) = (try await registered("Ada"), try await registered("Bob"))
        try await Person.befriend(ada, bob)
        return (ada, bob)
    }
}

private struct AcceptingSender: PushSender {
    let channel: PushChannel
    func send(_ entry: PushEntry, by route: PushRoute) async -> PushResult { .accepted(PushReceipt(route: route)) }
}

/// A user with a pager. The app runs for the lifetime of the value.
@MainActor
package final class Person {
    package let phone: TestPhone
    package let pager: Pager
    private let running: Task<Void, Never>

    /// With a new phone.
    package convenience init(over service: RemoteService, clock: any Clock<Duration> = ContinuousClock()) {
        let phone = TestPhone()
        self.init(phone, Pager(phone: phone.phone(clock: clock), service: service))
    }

    package init(_ phone: TestPhone, _ pager: Pager) {
        self.phone = phone
        self.pager = pager
        running = Task { await pager.run() }
    }

    deinit { running.cancel() }

    package var code: String { pager.me?.hexCode.rawValue ?? "" }
    package var id: User.ID { pager.me?.id ?? User.ID("") }

    /// Registers a user whose pager is in front.
    package static func registered(_ person: Person, _ name: String? = nil) async throws -> Person {
        try await person.until { $0.phase == .welcome }
        await person.pager.begin()
        if let name { try await person.pager.setDisplayName(name) } else { person.pager.skipName() }
        person.pager.setAttention(.full, screen: person)
        try await person.until { $0.signal == .full && $0.friends.phase == .ready && $0.conversations.phase == .ready }
        return person
    }

    package static func befriend(_ ada: Person, _ bob: Person) async throws {
        try await ada.pager.requestFriend(bob.code)
        try await bob.until { !$0.requests.items.isEmpty }
        try await bob.pager.accept(bob.pager.requests.items[0])
        try await ada.until { $0.friends.items.contains { $0.id == bob.id } }
    }

    /// Closes the app.
    package func quit() async {
        running.cancel()
        await running.value
    }

    package func until(_ isTrue: @escaping @MainActor (Pager) -> Bool) async throws {
        let pager = pager
        try await eventually { await MainActor.run { isTrue(pager) } }
    }

    /// Shows a conversation until the returned task is cancelled.
    package func open(_ friend: Person) async throws -> (Chat, Task<Void, Never>) {
        let chat = pager.chat(with: friend.id)
        pager.setAttention(.full, screen: self)
        let looking = Task { [weak self, pager] in if let self { await pager.follow(chat, on: self) } }
        try await until { _ in chat.phase == .ready }
        return (chat, looking)
    }
}

extension TestNetwork.Answer {
    /// - Parameter code: The error code of the service; nil for the reply of a proxy.
    package init(_ status: Int, code: String? = nil, path: String? = nil) {
        let failure = code.map { #"{"success":false,"error":{"code":"\#($0)","message":"so"}}"# }
        self.init(status, failure ?? "<h1>Bad gateway</h1>", path: path)
    }
}
