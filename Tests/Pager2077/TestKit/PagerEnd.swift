package import Foundation
import NIOTransport
import NetworkingKit
import Observation
package import Pager2077Client
import Pager2077Wire
import PhoneTestKit
import PlatformKit
import TestKit

/// A pager at the end of a line, with the chat of one friend in front.
@MainActor
package final class PagerEnd: LineEnd {
    private let person: Person
    private let chat: Chat
    private var seen: [Message] = []
    private let following: Task<Void, Never>

    private init(_ person: Person, friend: Person) {
        self.person = person
        let chat = person.pager.chat(with: friend.id)
        self.chat = chat
        following = Task { await person.pager.follow(chat, on: person) }
        look()
    }

    deinit { following.cancel() }

    /// Inserts new messages in the order in which the chat shows them.
    private func look() {
        let messages = withObservationTracking {
            chat.messages
        } onChange: {
            Task { @MainActor [weak self] in self?.look() }
        }
        let shown = messages.filter { $0.senderId == chat.friend }
        // A fetched message may be newer than one that the line still delivers: the later one stands before it.
        var place = shown.lazy.compactMap { message in self.seen.firstIndex { $0.id == message.id } }.first ?? seen.endIndex
        for message in shown {
            if let known = seen.firstIndex(where: { $0.id == message.id }) {
                place = known + 1
            } else {
                seen.insert(message, at: place)
                place += 1
            }
        }
    }

    /// Two friends, each with a separate line to a service.
    ///
    /// - Parameter addresses: The address of the service for each phone.
    package static func friends(at addresses: [URL]) async throws -> [PagerEnd] {
        var people: [Person] = []
        for address in addresses {
            let service = RemoteService(address: address, http: AsyncHTTP(), sockets: NIOSocket())
            let phone = TestPhone()
            people.append(try await .registered(Person(phone, Pager(phone: phone.phone(), service: service))))
        }
        try await Person.befriend(people[0], people[1])
        return [PagerEnd(people[0], friend: people[1]), PagerEnd(people[1], friend: people[0])]
    }

    package func send(_ text: String) async throws { try await person.pager.send(text, in: chat) }
    package func arrived() -> [String] { seen.map(\.text) }
    package func waiting() -> Int { chat.waiting.count }
    package func isConnected() -> Bool { person.pager.signal == .full }
    package func setAwake(_ isAwake: Bool) { person.pager.setAttention(isAwake ? .full : .away, screen: person) }
}

extension Pager {
    /// Types a message and sends it.
    package func send(_ text: String, in chat: Chat) async throws {
        chat.draft = text
        try await sendDraft(of: chat)
    }
}
