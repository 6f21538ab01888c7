import EndlessCodeClient
import EndlessCodeTestKit
import EndlessCodeWire
import Foundation
import TestKit
import Testing
import WireKit

/// Prompts that the server has and the agent has not: their place, and that every phone shows the same.
@MainActor
@Suite struct QueuedPromptTests {
    let box: AgentBox
    let ada: AgentPhone
    let bob: AgentPhone

    init() async throws {
        // The first turn does not end by itself.
        box = try await AgentBox(.demo(pace: .milliseconds(400)))
        (ada, bob) = (try await box.connected("Ada"), try await box.connected("Bob"))
    }

    /// The conversation of one session on both phones.
    private func conversations() async throws -> [Conversation] {
        let own = try await ada.startSession()
        try await bob.until { $0.sessions[own.id] != nil }
        return [own, bob.client.conversation(own.id)]
    }

    /// A turn that writes for a while, and prompts behind it. The agent has the first one in its queue, the host keeps the others.
    private func queued(_ others: String...) async throws -> [Conversation] {
        let conversations = try await conversations()
        try await ada.client.send("count slow", in: conversations[0])
        try await ada.until { _ in conversations.allSatisfy { $0.writing != nil } }
        try await bob.client.send("list", in: conversations[1])
        try await ada.until { _ in conversations.allSatisfy { $0.outline.last == "queued: list" } }
        for text in others {
            try await ada.client.send(text, in: conversations[0])
            try await ada.until { _ in conversations.allSatisfy { $0.outline.last == "queued: \(text)" } }
        }
        return conversations
    }

    @Test func promptOfATurnStandsBehindItAndThenWhereItsTurnBegins() async throws {
        let conversations = try await queued()
        for conversation in conversations {
            #expect(conversation.outline.first == "user: count slow")
            #expect(conversation.outline.dropLast().last?.hasPrefix("writing: ") == true)
        }
        let id = try #require(conversations[0].entries.last?.id)
        ada.client.stop(conversations[0].id)
        try await ada.until { _ in conversations.allSatisfy { $0.resultCount == 2 } }
        for conversation in conversations {
            let kinds = conversation.outline.map { String($0.prefix { $0 != ":" }) }
            #expect(kinds == ["user", "agent", "result", "user", "agent", "tool", "agent", "result"])
            #expect(conversation.entries[3].id == id && conversation.prompts == ["count slow", "list"])
            // Nothing is counted twice: the use of a tool and its result are one entry.
            #expect(ada.client.sessions[conversation.id]?.messageCount == 9)
        }
        #expect(conversations[0].outline == conversations[1].outline)
        // A phone that comes later reads the same.
        let eve = try await box.connected("Eve")
        let read = eve.client.conversation(conversations[0].id)
        await eve.client.open(read)
        #expect(read.outline == conversations[0].outline)
    }

    @Test func promptThatWaitsSurvivesTheServerAndIsToldAfterResume() async throws {
        let conversations = try await queued("read")
        try await box.restart()
        for phone in [ada, bob] {
            phone.client.reconnect()
            try await phone.until { $0.status == .connected && $0.sessions[conversations[0].id]?.state == .paused }
        }
        try await ada.until { _ in conversations.allSatisfy { $0.outline.last == "queued: read" } }
        try await ada.client.resume(conversations[0].id)
        try await ada.until { _ in
            conversations.allSatisfy { $0.prompts == ["count slow", "list", "read"] && $0.outline.last == "result: success" }
        }
    }

    @Test func undeliveredPromptIsSentAgainFromAnyPhone() async throws {
        let conversations = try await queued("read")
        try await ada.client.terminate(conversations[0].id)
        try await ada.until { _ in conversations.allSatisfy { $0.outline.contains("undelivered: read") } }
        let entry = try #require(conversations[0].entries.first { $0.content == .undelivered("read") })
        // The server refuses it, and the words say why.
        ada.client.sendAgain(entry, of: conversations[0])
        try await ada.until { $0.alert == .server(.sessionNotActive, "The session is terminated.") }
        try await ada.client.resume(conversations[0].id)
        for _ in 1...2 { ada.client.sendAgain(entry, of: conversations[0]) }
        try await ada.until { _ in
            conversations.allSatisfy { $0.prompts.last == "read" && $0.outline.last == "result: success" }
        }
        for conversation in conversations { #expect(!conversation.outline.contains("undelivered: read")) }
        box.network.cut()
        try await ada.until { $0.status != .connected }
        ada.client.dismissAlert()
        ada.client.sendAgain(entry, of: conversations[0])
        #expect(ada.client.alert == .notConnected)
    }
}
