import ClientKit
import Foundation
import NetworkingKit
import PhoneTestKit
import PlatformKit
import SimBridgeTestKit
import SimBridgeWire
import TestKit
import Testing
import WireKit

@testable import SimBridgeClient

/// One person has one conversation, and answers go out by its SIM card.
@MainActor
@Suite struct PersonTests {
    private static let korean = SIMCard(slot: 1, carrier: "KT", number: nil, mcc: "450")
    private static let american = SIMCard(slot: 2, carrier: "Northern", number: "+15550100001")

    private func item(_ id: Int64, _ message: RelayMessage, at seconds: TimeInterval) -> HistoryItem {
        HistoryItem(
            id: .init(id), fromDeviceId: 1, toDeviceId: 2, msgType: .event, payload: message.asJSON,
            createdAt: RelayTime(Timestamp(Date(timeIntervalSince1970: seconds))))
    }

    /// - Parameter senders: Of one text each, the oldest first.
    private func conversations(_ senders: [String], cards: [SIMCard] = [], sim: Int? = 1) -> [Conversation] {
        var fold = ConversationFold(numbers: PhoneNumberMatcher(cards))
        let items = senders.enumerated().map { place, sender in
            item(
                Int64(place), RelayMessage(.event(.incomingText(sim: sim, from: sender, body: "\(place)"))), at: TimeInterval(place)
            )
        }
        fold.add(items.reversed())
        return fold.conversations
    }

    private func bodies(_ conversations: [Conversation]) -> [String: [String]] {
        Dictionary(uniqueKeysWithValues: conversations.map { ($0.number, $0.messages.map(\.body)) })
    }

    @Test func spellingsOfOneNumberAreOneConversation() {
        let senders = [
            "010-0000-1234", "+821000001234", "+82 (0)10 0000 1234", "\u{202a}0082 10-0000-1234\u{202c}", "+12125550143",
        ]
        #expect(
            bodies(conversations(senders, cards: [Self.korean])) == ["+821000001234": ["0", "1", "2", "3"], "+12125550143": ["4"]])
        // The country of the card is not known, or is another one.
        for cards in [[], [Self.american]] {
            let found = bodies(conversations(senders, cards: cards, sim: 2))
            #expect(found == ["+821000001234": ["0", "1", "2", "3"], "+12125550143": ["4"]])
        }
    }

    @Test func othersStayTwoConversations() {
        let senders = ["+12125550143", "+13105550143", "114", "BANK", "Bank", "", "0044 20 7946 0000"]
        #expect(
            Set(conversations(senders).map(\.number)) == [
                "+12125550143", "+13105550143", "114", "BANK", "Bank", "", "+442079460000",
            ])
        // Two people whose national numbers are the same.
        let national = conversations(["010 0000 1234", "+821000001234", "+491000001234"])
        #expect(Set(national.map(\.number)) == ["01000001234", "+821000001234", "+491000001234"])
    }

    @Test func reportInAnotherSpellingEndsTheCall() {
        var fold = ConversationFold(numbers: PhoneNumberMatcher([Self.korean]), now: Date(timeIntervalSince1970: 2))
        fold.add([
            item(2, RelayMessage(.event(.callState(.ended, sim: 1, from: "010-0000-1234", reason: nil))), at: 2),
            item(1, RelayMessage(.event(.incomingCall(sim: 1, from: "+821000001234"))), at: 1),
        ])
        guard case .call(let call)? = fold.conversations.first?.last else {
            Issue.record("no call")
            return
        }
        #expect(call.outcome == .missed && fold.conversations.count == 1)
    }

    // MARK: Clocks

    @Test func conversationsFollowTheNumberAfterTheClockWasSetBack() {
        var fold = ConversationFold()
        fold.add([
            item(3, RelayMessage(.event(.incomingText(sim: 1, from: "+1", body: "third"))), at: 10),
            item(2, RelayMessage(.event(.incomingText(sim: 1, from: "+2", body: "second"))), at: 3600),
            item(1, RelayMessage(.event(.incomingText(sim: 1, from: "+1", body: "first"))), at: 3500),
        ])
        #expect(fold.conversations.map(\.number) == ["+1", "+2"])
        #expect(fold.conversations[0].messages.map(\.body) == ["first", "third"])
        #expect(fold.latestText?.body == "third")
    }

    @Test func textOfThisPhoneHasItsRankByTime() throws {
        var fold = ConversationFold()
        fold.add([
            item(2, RelayMessage(.event(.incomingText(sim: 1, from: "+2", body: "second"))), at: 20),
            item(1, RelayMessage(.event(.incomingText(sim: 1, from: "+1", body: "first"))), at: 10),
        ])
        let text = TextCommand(toDeviceId: 1, sim: 1, to: "+3", body: "waiting")
        fold.add([AcceptedText(id: RequestID("a"), text: text, time: Date(timeIntervalSince1970: 15), status: .sent)])
        #expect(fold.conversations.map(\.number) == ["+2", "+3", "+1"])
    }

    @Test func listFollowsTheNumber() {
        let list = HistoryList(device: nil)
        func page(_ entries: (Int64, TimeInterval)..., offset: Int) -> HistoryPage {
            HistoryPage(
                items: entries.map { item($0, RelayMessage(.event(.error(nil))), at: $1) }, total: 5, offset: offset, limit: 3)
        }
        // A relay that orders by time, after its clock was set back an hour.
        list.take(newest: page((3, 3600), (5, 20), (4, 10), offset: 0))
        #expect(list.take(older: page((2, 5), (1, 1), offset: 3)))
        #expect(list.items.map(\.id) == [5, 4, 3, 2, 1])
    }

    // MARK: SIM cards

    @Test func answersGoOutByTheCardOfTheConversation() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let phone = TestPhone()
        let remote = try await box.paired(with: host, user: "ada", phone: phone)
        let bridge = remote.bridge
        try await remote.until { $0.sims == RawHost.cards && $0.history.phase == .ready }
        #expect(bridge.sim(for: "+1555", isOpen: false) == 1)
        try await host.report(.incomingText(sim: 2, from: "+1 555", body: "Hello"))
        try await remote.until { $0.sim(for: "+1555", isOpen: true) == 2 }
        #expect(bridge.sim(for: "001 555", isOpen: false) == 1 && bridge.sim(for: "tel:+1-555", isOpen: false) == 2)
        #expect(bridge.sim(for: "+1555", isOpen: true, chosen: 1) == 1)
        #expect(bridge.sim(for: "+1555", isOpen: true, chosen: 7) == 2, "the card is gone")
        await remote.quit()

        // The app starts again with the conversation on screen, and the history does not come.
        box.network.set { $0.answer = .init(503, "{}", path: "/history") }
        let again = box.remote(phone)
        again.bridge.setInFront(true, page: again.page)
        try await again.until { $0.phase == .ready }
        #expect(again.bridge.knownSIMs == RawHost.cards)
        #expect(again.bridge.sim(for: "+1555", isOpen: true) == nil)
        #expect(again.bridge.sim(for: "+1555", isOpen: true, chosen: 1) == 1)
        try await again.until { if case .failed = $0.history.phase { true } else { false } }
        #expect(again.bridge.sim(for: "+1555", isOpen: true) == nil)
        box.network.set { $0.answer = nil }
        await again.bridge.refresh(again.bridge.history)
        #expect(again.bridge.sim(for: "+1555", isOpen: true) == 2)
    }

    @Test func onlyCardNeedsNoHistory() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let remote = try await box.paired(with: host, user: "ada")
        try await remote.until { $0.sims == RawHost.cards }
        try await host.report(.simInfo([SIMCard(slot: 2, carrier: "KT", number: nil)]))
        try await remote.until { $0.sims.count == 1 }
        #expect(remote.bridge.sim(for: nil, isOpen: false) == 2)
    }

    /// A text with which the relay fails each time holds back its own conversation only, and not for ever.
    @Test func aFailureOfTheRelayWithOneTextDelaysNoOtherConversation() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let remote = try await box.paired(with: host, user: "ada")
        box.network.set { state in
            state.answer = .init(500, #"{"detail":"Internal Server Error"}"#, path: "/sms")
            state.answer?.content = "poison"
        }
        try await remote.bridge.sendText(to: "+15550101", body: "poison", sim: 1)
        try await remote.bridge.sendText(to: "+15550101", body: "later", sim: 1)
        try await remote.bridge.sendText(to: "+15550102", body: "hello", sim: 1)
        try await eventually { host.commands.map(\.body) == ["hello"] }
        try await remote.until { bridge in
            bridge.wake()
            return host.commands.map(\.body) == ["hello", "later"]
        }
        try await remote.until { _ in remote.texts("+15550101").contains { $0.isFailed } }
        let failed = try #require(remote.texts("+15550101").first { $0.isFailed })
        #expect(failed.body == "poison" && failed.state == .failed(.refused(.relay("Internal Server Error"))))
        box.network.set { $0.answer = nil }
        try await remote.bridge.retry(failed)
        try await eventually { host.commands.map(\.body) == ["hello", "later", "poison"] }
    }

    @Test func textsToOnePersonAreDeliveredInOrder() async throws {
        let box = try await RelayBox()
        let host = try await box.host("ada")
        let remote = try await box.paired(with: host, user: "ada")
        try await host.report(.simInfo([Self.korean]))
        try await remote.until { $0.sims == [Self.korean] }
        box.network.cut()
        try await remote.bridge.sendText(to: "010-0000-1234", body: "one", sim: 1)
        try await remote.bridge.sendText(to: "+82 10 0000 1234", body: "two", sim: 1)
        try await remote.until { $0.waiting.count == 2 }
        #expect(Set(remote.bridge.waiting.map(\.lane)) == ["+821000001234"])
        #expect(remote.texts("010-0000-1234").map(\.body) == ["one", "two"])
        box.network.mend()
        remote.bridge.wake()
        try await eventually { host.commands.count == 2 }
        // What the user typed is dialled.
        #expect(host.commands.map(\.to) == ["01000001234", "+821000001234"])
    }
}
