import StorageKit
import Testing
import WireKit

@testable import PushKit

/// Entries of which only the latest on a topic is sent.
@Suite struct TopicTests {
    let test: OutboxUnderTest

    init() throws {
        test = try OutboxUnderTest()
        test.directory.set([.test("phone")], of: "ada")
        test.directory.set([.test("phone")], of: "bob")
    }

    private func enqueue(_ content: String, for recipient: String = "ada") async throws {
        try await test.enqueue(content, for: recipient, urgency: .silent, topic: "t", spacing: .seconds(600))
    }

    /// Claims the next entry, and completes it.
    private func send() async throws -> String? {
        guard let claim = try await test.claim() else { return nil }
        try await test.outbox.complete(claim, .accepted(PushReceipt(route: claim.routes[0])))
        return claim.entry.text
    }

    /// Silent entries report states: that of one subject does not wait for that of another.
    @Test func silentEntryWaitsForItsOwnTopicOnly() async throws {
        try await test.enqueue("bob", urgency: .silent, topic: "bob", delay: .seconds(60))
        try await test.enqueue("cyd", urgency: .silent, topic: "cyd")
        let claim = try #require(try await test.claim())
        #expect(claim.entry.text == "cyd")
        try await test.enqueue("cyd again", urgency: .silent, topic: "cyd")
        #expect(try await test.claimed() == [])
        try await test.outbox.complete(claim, .accepted(PushReceipt(route: claim.routes[0])))
        #expect(try await test.claimed() == ["cyd again"])
    }

    @Test func alertWaitsForAnEarlierOneOfAnotherTopic() async throws {
        try await test.enqueue("one", topic: "bob", delay: .seconds(60))
        try await test.enqueue("two", topic: "cyd")
        #expect(try await test.claimed() == [])
    }

    @Test func latestIsSentAfterTheSpacing() async throws {
        try await enqueue("1")
        let first = try #require(try await test.claim())
        // While the first is being sent.
        try await enqueue("2")
        try await test.outbox.complete(first, .accepted(PushReceipt(route: first.routes[0])))
        try await enqueue("3")
        #expect(try await test.outbox.claim(1).next == test.clock.now + .seconds(600))
        test.clock.advance(by: .seconds(599))
        try await enqueue("4")
        #expect(try await send() == nil)
        test.clock.advance(by: .seconds(1))
        #expect(try await send() == "4")
        test.clock.advance(by: .seconds(600))
        try await enqueue("5")
        #expect(try await send() == "5")
    }

    @Test func entryThatWasNotSentSpacesNothing() async throws {
        test.directory.set([], of: "ada")
        try await enqueue("1")
        #expect(try await send() == nil)
        test.directory.set([.test("phone")], of: "ada")
        try await enqueue("2")
        #expect(try await send() == "2")
    }

    @Test func spacingIsOfOneRecipient() async throws {
        for recipient in ["ada", "bob"] {
            try await enqueue("to \(recipient)", for: recipient)
            #expect(try await send() == "to \(recipient)")
        }
    }

    @Test func clockThatWasSetBackDelaysByTheSpacingAtMost() async throws {
        try await enqueue("1")
        #expect(try await send() == "1")
        test.clock.advance(by: .seconds(-86_400))
        try await enqueue("2")
        test.clock.advance(by: .seconds(600))
        #expect(try await send() == "2")
    }

    @Test func topicIsWithdrawn() async throws {
        try await enqueue("1")
        try await test.enqueue("other", urgency: .silent, topic: "other")
        try await test.database.write { [outbox = test.outbox] in try outbox.withdraw(for: "ada", topic: "t", in: $0) }
        #expect(try await test.claimed() == ["other"])
        #expect(test.directory.ended == [.init(recipient: "ada", content: "1", state: .withdrawn)])
    }
}
