import ClientKit
import EndlessCodeTestKit
import EndlessCodeWire
import Foundation
import PhoneTestKit
import TestKit
import Testing

@testable import EndlessCodeClient

/// Conversations as a phone stores them.
@MainActor
@Suite struct SavedThreadTests {
    private let box: AgentBox
    private let device = TestPhone()

    init() async throws { box = try await AgentBox() }

    /// A phone with the conversation of one turn.
    private func talk() async throws -> (AgentPhone, Conversation) {
        let phone = try await box.connected("Test phone", device)
        let conversation = try await phone.startSession()
        try await phone.turn("list", in: conversation)
        return (phone, conversation)
    }

    private func keys(_ phone: AgentPhone, _ session: Session.ID) throws -> (thread: String, message: (Int64) -> String) {
        let server = try #require(phone.client.current)
        return (
            AgentClient.Key.thread(session, of: server), { AgentClient.Key.message($0, in: session, of: server) }
        )
    }

    @Test func eachMessageHasAValueOfItsOwn() async throws {
        let (phone, conversation) = try await talk()
        phone.client.persist()
        let keys = try keys(phone, conversation.id)
        let saved = phone.client.engine.saved
        let thread: Conversation.Saved = try #require(saved.value(for: keys.thread))
        #expect(thread.seqs == conversation.log.map(\.seq) && !thread.seqs.isEmpty)
        for logged in conversation.log { #expect(saved.value(LoggedMessage.self, for: keys.message(logged.seq)) == logged) }

        // A message that left the log leaves the store.
        conversation.reset(Array(conversation.log.dropFirst(2)), hasEarlier: true)
        phone.client.threadDidChange(conversation)
        phone.client.persist()
        #expect(saved.value(LoggedMessage.self, for: keys.message(thread.seqs[0])) == nil)
        #expect(saved.value(LoggedMessage.self, for: keys.message(thread.seqs[2])) != nil)
        let outline = conversation.outline
        await phone.quit()

        box.network.cut()
        let again = box.phone("Test phone", device)
        try await again.until { $0.conversation(conversation.id).outline == outline }
        #expect(again.client.conversation(conversation.id).hasEarlier)
    }

    /// The whole text of a message that came cut is saved in its place.
    @Test func wholeMessagesReplaceCutOnes() async throws {
        let (phone, conversation) = try await talk()
        let key = try keys(phone, conversation.id).message
        var cut = try #require(conversation.log.last)
        let whole = cut
        cut.message.isLarge = true
        for message in [cut, whole] {
            conversation.replace(message)
            phone.client.threadDidChange(conversation)
            phone.client.persist()
            #expect(phone.client.engine.saved.value(LoggedMessage.self, for: key(cut.seq)) == message)
        }
    }

    @Test func conversationsOfEarlierVersionsAreTakenOver() async throws {
        let (phone, conversation) = try await talk()
        phone.client.persist()
        let (keys, saved) = (try keys(phone, conversation.id), phone.client.engine.saved)
        let thread: Conversation.Saved = try #require(saved.value(for: keys.thread))
        phone.client.engine.save(
            Conversation.SavedWhole(
                cursor: thread.cursor, messages: conversation.log, hasEarlier: false, closed: thread.closed,
                permissions: thread.permissions), for: keys.thread)
        for seq in thread.seqs { phone.client.engine.save(Bool?.none, for: keys.message(seq)) }
        let outline = conversation.outline
        try await phone.client.engine.flush()
        await phone.quit()

        box.network.cut()
        let again = box.phone("Test phone", device)
        try await again.until { $0.conversation(conversation.id).outline == outline }
        again.client.persist()
        let later: Conversation.Saved = try #require(again.client.engine.saved.value(for: keys.thread))
        #expect(later.seqs == thread.seqs && later.cursor == thread.cursor)
        #expect(again.client.engine.saved.value(LoggedMessage.self, for: keys.message(thread.seqs[0])) != nil)
    }

    /// A message that cannot be read any more: the conversation is fetched from the server.
    @Test func threadsWithAnUnreadableMessageAreFetched() async throws {
        let (phone, conversation) = try await talk()
        phone.client.persist()
        let keys = try keys(phone, conversation.id)
        let seq = try #require(conversation.log.first?.seq)
        phone.client.engine.save("no message", for: keys.message(seq))
        let outline = conversation.outline
        try await phone.client.engine.flush()
        await phone.quit()

        let again = box.phone("Test phone", device)
        again.client.setInFront(true, screen: again)
        try await again.until { $0.status == .connected }
        await again.client.open(again.client.conversation(conversation.id))
        try await again.until { $0.conversation(conversation.id).outline == outline }
    }
}
