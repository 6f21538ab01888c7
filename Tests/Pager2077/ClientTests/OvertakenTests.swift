import HTTPTypes
import NetworkingKit
import Pager2077TestKit
import Pager2077Wire
import PlatformKit
import TestKit
import Testing
import WireKit

@testable import Pager2077Client

/// Lists whose replies are older than the events that arrive before them.
@MainActor
@Suite struct OvertakenTests {
    /// A network that delivers an event while each reply with the conversations is in transit.
    private final class BusyNetwork: HTTPTransport, SocketTransport {
        private let network: TestNetwork
        private let happen = Locked<(@Sendable () async -> Void)?>(nil)

        init(_ network: TestNetwork) { self.network = network }

        func set(_ happen: (@Sendable () async -> Void)?) { self.happen.withLock { $0 = happen } }

        func stream(_ request: HTTPRequest, body: HTTPBody) async throws -> HTTPStream {
            let reply = try await network.stream(request, body: body)
            if request.path?.hasSuffix("/conversations") == true { await happen.withLock { $0 }?() }
            return reply
        }

        func connect(_ request: HTTPRequest, maximumMessageSize: Int) async throws -> any SocketConnection {
            try await network.connect(request, maximumMessageSize: maximumMessageSize)
        }
    }

    @Test func aListIsShownAlthoughEventsOvertakeEachReply() async throws {
        let box = try await Box()
        let network = BusyNetwork(box.network)
        // A call that waits for an event has no timeout.
        let ada = try await Person.registered(Person(over: box.service(over: network), clock: TestClock()), "Ada")
        let bob = try await box.registered("Bob")
        try await Person.befriend(ada, bob)
        let chat = bob.pager.chat(with: ada.id)
        let sent = Locked(0)
        network.set {
            let number = sent.withLock { sent in
                sent += 1
                return sent
            }
            guard number <= 200 else { return }
            let changeCount = await ada.pager.conversations.changeCount
            // An event that is not sent overtakes no reply, and the count below would be wrong.
            try? await bob.pager.send("\(number)", in: chat)
            try? await ada.until { $0.conversations.changeCount > changeCount }
        }
        await ada.pager.loadConversations()
        let count = sent.withLock { $0 }
        #expect(count < 200, "it waited until nothing happened any more")
        #expect(ada.pager.conversations.phase == .ready && ada.pager.unreadCount > 0)
        network.set(nil)
        try await bob.until { _ in chat.waiting.isEmpty }
        try await ada.until { $0.unreadCount == chat.messages.count }
    }
}
