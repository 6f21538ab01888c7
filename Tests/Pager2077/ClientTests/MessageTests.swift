import ClientKit
import Foundation
import HTTPTypes
import NetworkingKit
import Pager2077Client
import Pager2077TestKit
import Pager2077Wire
import PhoneTestKit
import PlatformKit
import StorageKit
import TestKit
import Testing
import WireKit

/// Messages and the line that carries them (`Docs/Requirements.md`, Pager2077, 6, 7 and 10).
@MainActor
@Suite struct MessageTests {
    @Test func aSentMessageAppearsOnTheOtherPhone() async throws {
        let box = try await Box()
        let toBob = TestNetwork(box.network)
        let (ada, bob) = (try await box.registered("Ada"), try await box.registered("Bob", network: toBob))
        try await Person.befriend(ada, bob)
        let (chat, _) = try await ada.open(bob)
        let (other, _) = try await bob.open(ada)
        #expect(chat.isEmpty)
        // No call of Bob's is answered: only the line can deliver the message.
        toBob.set { $0.hangs = true }
        try await ada.pager.send(" hello ", in: chat)
        try await ada.until { _ in chat.notice == .sent && chat.waiting == [] }
        #expect(chat.messages.map(\.text) == ["hello"])
        // The screen scrolls to it, also where it was never seen waiting.
        #expect(chat.sendCount == 1)
        #expect(chat.isWaitingForReply)
        try await bob.until { _ in other.messages.map(\.text) == ["hello"] }
        #expect(other.messages[0].senderDisplayName == "Ada")
        #expect(!other.isWaitingForReply)
        #expect(chat.messages.first?.isRead == false)
        toBob.set { $0.hangs = false }
        // Bob looks at the chat: the message is read, and no notification appears.
        try await ada.until { _ in chat.messages.first?.isRead == true }
        #expect(bob.phone.shown == [])
        try await bob.pager.send("hi", in: other)
        try await ada.until { _ in chat.messages.map(\.text) == ["hello", "hi"] }
        #expect(!chat.isWaitingForReply)
        #expect(chat.sendCount == 1)
    }

    @Test func invalidMessagesAreRefusedAtOnce() async throws {
        let (ada, bob) = try await Box().friends()
        let (chat, _) = try await ada.open(bob)
        await #expect(throws: PagerProblem.messageEmpty) { try await ada.pager.send(" \n", in: chat) }
        await #expect(throws: PagerProblem.messageTooLong) {
            try await ada.pager.send(String(repeating: "x", count: 501), in: chat)
        }
        #expect(chat.waiting == [])
    }

    @Test func offlineMessagesAreSentOnceAndInOrder() async throws {
        let box = try await Box()
        let (ada, bob) = try await box.friends()
        let (chat, _) = try await ada.open(bob)
        box.network.cut()
        for number in 1...3 { try await ada.pager.send("\(number)", in: chat) }
        try await ada.until { _ in chat.notice == .problem(.network) }
        #expect(chat.waiting.map(\.text) == ["1", "2", "3"])
        box.network.mend()
        ada.pager.setAttention(.away, screen: ada)
        ada.pager.setAttention(.full, screen: ada)
        bob.pager.setAttention(.away, screen: bob)
        bob.pager.setAttention(.full, screen: bob)
        try await ada.until { _ in chat.messages.map(\.text) == ["1", "2", "3"] && chat.waiting == [] }
        let (other, _) = try await bob.open(ada)
        try await bob.until { _ in other.messages.map(\.text) == ["1", "2", "3"] }
    }

    @Test func aLostReplyDoesNotDuplicateTheMessage() async throws {
        let box = try await Box()
        let (ada, bob) = try await box.friends()
        let (chat, _) = try await ada.open(bob)
        box.network.set { $0.losesReplies = "/api/messages" }
        try await ada.pager.send("once", in: chat)
        try await ada.until { _ in chat.notice == .problem(.network) }
        box.network.set { $0.losesReplies = nil }
        await ada.pager.retry(try #require(chat.waiting.first), in: chat)
        try await ada.until { _ in chat.notice == .sent && chat.waiting == [] }
        let (other, _) = try await bob.open(ada)
        #expect(other.messages.map(\.text) == ["once"])
    }

    @Test(arguments: [(9, Chat.Notice.sent), (10, .problem(.timeout))])
    func aReplyMayTakeTenSeconds(_ seconds: Int, _ expected: Chat.Notice) async throws {
        let box = try await Box()
        let (ada, bob) = try await box.friends()
        await ada.quit()
        let clock = TestClock()
        let second = box.pager(ada.phone, clock: clock)
        try await second.until { $0.signal == .full && $0.friends.phase == .ready && $0.conversations.phase == .ready }
        let chat = second.pager.chat(with: bob.id)
        await second.pager.load(chat)
        box.network.set { $0.hangs = true }
        try await second.pager.send("anybody?", in: chat)
        try await eventually { box.network.calls.contains("POST /pager2077/api/messages") }
        try await clock.advance(by: .seconds(seconds))
        if expected == .sent {
            box.network.set { $0.hangs = false }
            try await second.until { _ in chat.notice != .sending }
        } else {
            // The timeout may have begun after the clock had advanced.
            try await clock.advance(by: .seconds(1)) { await MainActor.run { chat.notice != .sending } }
        }
        #expect(chat.notice == expected)
        #expect(chat.waiting.map(\.text) == (expected == .sent ? [] : ["anybody?"]))
    }

    @Test func aMessageFailsAfterADayOfWaiting() async throws {
        let box = try await Box()
        let (ada, bob) = try await box.friends()
        await ada.quit()
        let outbox = try ClientStore(folder: try ada.phone.phone().folder())
        let message = #"{"recipientId":"\#(bob.id)","text":"old news"}"#
        let longAgo = Date(timeIntervalSinceNow: -2 * 24 * 3600)
        try await outbox.append(OutboxItem(lane: bob.id.rawValue, payload: Data(message.utf8), createdAt: longAgo))
        let second = box.pager(ada.phone)
        let chat = second.pager.chat(with: bob.id)
        try await second.until { _ in chat.waiting.map(\.failure) == [.expired] }
        // Earlier versions stored a message without its idempotency key.
        let stored = try #require(try await outbox.items().first)
        #expect(stored.content(MessageCreation.self)?.clientId == stored.id)
        await second.pager.retry(chat.waiting[0], in: chat)
        try await second.until { _ in chat.notice == .sent }
    }

    @Test func aFullOutboxRefusesMessages() async throws {
        let box = try await Box()
        let (ada, bob) = try await box.friends()
        let chat = ada.pager.chat(with: bob.id)
        box.network.cut()
        await #expect(throws: PagerProblem.full) {
            for number in 1...201 { try await ada.pager.send("\(number)", in: chat) }
        }
        #expect(chat.waiting.count == 200)
    }

    @Test func waitingMessagesSurviveARestart() async throws {
        let box = try await Box()
        let (ada, bob) = try await box.friends()
        let (chat, _) = try await ada.open(bob)
        box.network.cut()
        try await ada.pager.send("later", in: chat)
        try await ada.until { _ in chat.waiting.count == 1 }
        await ada.quit()
        box.network.mend()
        let second = box.pager(ada.phone)
        let again = second.pager.chat(with: bob.id)
        try await second.until { _ in again.notice == .sent }
        let (other, _) = try await bob.open(ada)
        #expect(other.messages.map(\.text) == ["later"])
    }

    @Test func messagesToFormerFriendsFailAndCanBeWithdrawn() async throws {
        let box = try await Box()
        let (ada, bob) = try await box.friends()
        let (chat, _) = try await ada.open(bob)
        try await bob.pager.remove(ada.id)
        try await ada.pager.send("still there?", in: chat)
        try await ada.until { _ in chat.waiting.first?.failure == .notFriends && chat.notice == .problem(.notFriends) }
        await ada.pager.discard(try #require(chat.waiting.first), in: chat)
        try await ada.until { _ in chat.waiting == [] }
    }

    @Test func unreadMessagesAreCountedUnlessTheChatIsWatched() async throws {
        let box = try await Box()
        let (ada, bob) = try await box.friends()
        #expect(bob.pager.conversations.isEmpty)
        let (chat, _) = try await ada.open(bob)
        for text in ["one", "two"] { try await ada.pager.send(text, in: chat) }
        try await bob.until { $0.unreadCount == 2 }
        #expect(bob.pager.conversations.items.first?.lastMessage?.text == "two")
        await bob.pager.loadConversations()
        #expect(bob.pager.unreadCount == 2)
        let (_, looking) = try await bob.open(ada)
        #expect(bob.pager.conversations.items == [])
        looking.cancel()
    }

    @Test func backgroundMessagesBecomeNotificationsThatOpenTheChat() async throws {
        let (ada, bob) = try await Box().friends()
        bob.pager.setAttention(.away, screen: bob)
        let (chat, _) = try await ada.open(bob)
        try await ada.pager.send(String(repeating: "long ", count: 30), in: chat)
        try await eventually { await MainActor.run { bob.phone.shown.count == 1 } }
        let shown = bob.phone.shown[0]
        #expect(shown.title == "📟 Ada")
        #expect(shown.body.count == 100 && shown.body.hasSuffix("..."))
        bob.phone.tapNotification(id: shown.id)
        try await bob.until { $0.destination == .chat(ada.id) }
        _ = try await bob.open(ada)
        try await eventually { await MainActor.run { bob.phone.shown == [] } }
    }

    @Test func notificationTapsSurviveTheStartOfTheApp() async throws {
        let box = try await Box()
        let (ada, bob) = try await box.friends()
        await bob.quit()
        bob.phone.tapNotification(id: "chat-\(ada.id)")
        let second = box.pager(bob.phone)
        try await second.until { $0.destination == .chat(ada.id) }
    }

    @Test func aMessageIsReadOnlyOnAScreenInFront() async throws {
        let (ada, bob) = try await Box().friends()
        let (chat, _) = try await ada.open(bob)
        let (other, _) = try await bob.open(ada)
        // Bob has the chat open, but his phone is in his pocket.
        bob.pager.setAttention(.away, screen: bob)
        try await ada.pager.send("psst", in: chat)
        try await bob.until { $0.unreadCount == 1 && other.messages.map(\.text) == ["psst"] && bob.phone.shown.count == 1 }
        #expect(chat.messages.last?.isRead != true)
        bob.pager.setAttention(.full, screen: bob)
        try await ada.until { _ in chat.messages.last?.isRead == true }
        try await bob.until { $0.unreadCount == 0 && bob.phone.shown.isEmpty }
    }

    @Test func aProxysReplyFailsNoMessage() async throws {
        let box = try await Box()
        let (ada, bob) = try await box.friends()
        let (chat, _) = try await ada.open(bob)
        box.network.set { $0.answer = .init(502) }
        for text in ["1", "2"] { try await ada.pager.send(text, in: chat) }
        try await ada.until { _ in chat.notice == .problem(.service("HTTP_502")) }
        box.network.set { $0.answer = nil }
        await ada.pager.retry(try #require(chat.waiting.first), in: chat)
        try await ada.until { _ in chat.messages.map(\.text) == ["1", "2"] && chat.waiting == [] }
    }

    /// A message with which the service fails each time holds back its own conversation only, and not for ever.
    @Test func aFailureOfTheServiceWithOneMessageDelaysNoOtherConversation() async throws {
        let box = try await Box()
        let (ada, bob) = try await box.friends()
        let cleo = try await box.registered("Cleo")
        try await Person.befriend(ada, cleo)
        let ((toBob, _), (toCleo, _)) = (try await ada.open(bob), try await ada.open(cleo))
        box.network.set { state in
            state.answer = .init(500, code: "INTERNAL_ERROR", path: "/api/messages")
            state.answer?.content = "poison"
        }
        try await ada.pager.send("poison", in: toBob)
        try await ada.until { _ in toBob.notice == .problem(.service("INTERNAL_ERROR")) }
        try await ada.pager.send("later", in: toBob)
        try await ada.pager.send("hello", in: toCleo)
        try await ada.until { _ in toCleo.messages.map(\.text) == ["hello"] && toCleo.waiting == [] }
        #expect(toBob.waiting.map(\.text) == ["poison", "later"])
        try await ada.until { pager in
            pager.setAttention(.away, screen: ada)
            pager.setAttention(.full, screen: ada)
            return toBob.messages.map(\.text) == ["later"] && toBob.waiting.count == 1
        }
        let failed = try #require(toBob.waiting.first)
        #expect(failed.failure == .service("INTERNAL_ERROR"))
        box.network.set { $0.answer = nil }
        await ada.pager.retry(failed, in: toBob)
        try await ada.until { _ in toBob.messages.map(\.text) == ["later", "poison"] && toBob.waiting == [] }
    }

    @Test func lostAndRepeatedEventsChangeNothing() async throws {
        let box = try await Box()
        let (ada, bob) = try await box.friends()
        box.network.cut()
        box.network.set { $0.wrap = { LossySocket($0) } }
        box.network.mend()
        let (chat, _) = try await ada.open(bob)
        let (other, _) = try await bob.open(ada)
        // Nothing is fetched now: only the line delivers the messages.
        bob.pager.setAttention(.partial, screen: bob)
        for number in 1...40 { try await ada.pager.send("\(number)", in: chat) }
        try await bob.until { _ in
            bob.phone.setOnline(true)
            return other.messages.count == 40
        }
        #expect(other.messages.map(\.text) == (1...40).map { "\($0)" })
        try await bob.until { $0.unreadCount == 40 }
    }

    @Test func shownMessagesStayWhenAChatIsFetchedAgain() async throws {
        let (ada, bob) = try await Box().friends()
        let (chat, _) = try await ada.open(bob)
        // More messages than one page of the service.
        for number in 1...120 { try await ada.pager.send("\(number)", in: chat) }
        try await ada.until { _ in chat.messages.count == 120 }
        await ada.pager.load(chat)
        #expect(chat.messages.map(\.text) == (1...120).map { "\($0)" })
    }

    @Test func messagesOfTheSameMillisecondAreAllCounted() async throws {
        let instant = Timestamp.now
        let (ada, bob) = try await Box(now: { instant }).friends()
        let (chat, _) = try await ada.open(bob)
        for number in 1...30 { try await ada.pager.send("\(number)", in: chat) }
        try await bob.until { $0.unreadCount == 30 }
        // The last message may reach Bob before its receipt reaches Ada.
        try await ada.until { _ in chat.messages.count == 30 }
        #expect(chat.messages.map(\.text) == (1...30).map { "\($0)" })
    }

    @Test func storageFailuresAreReportedAndTheLineContinues() async throws {
        let box = try await Box()
        let (ada, bob) = try await box.friends()
        let (chat, _) = try await ada.open(bob)
        let (other, _) = try await bob.open(ada)
        let lines = box.network.opened.count
        // Nothing can be written without the table.
        let database = try Database(
            phonePath: ClientStore.file(in: bob.phone.phone().folder()).path, migrations: ClientStore.migrations)
        _ = try await database.write { try $0.execute("ALTER TABLE saved RENAME TO hidden") }
        for number in 1...5 { try await ada.pager.send("\(number)", in: chat) }
        try await bob.until { _ in other.messages.map(\.text) == ["1", "2", "3", "4", "5"] }
        try await bob.until { $0.storageProblem == .storage }
        #expect(box.network.opened.count == lines, "the line goes on")
        _ = try await database.write { try $0.execute("ALTER TABLE hidden RENAME TO saved") }
        try await ada.pager.send("6", in: chat)
        try await bob.until { $0.storageProblem == nil && other.messages.count == 6 }
    }

    @Test func aSentDraftIsAWaitingMessageAfterARestart() async throws {
        let box = try await Box()
        let (ada, bob) = try await box.friends()
        let chat = ada.pager.chat(with: bob.id)
        box.network.cut()
        chat.draft = "see you"
        try await ada.pager.sendDraft(of: chat)
        #expect(chat.draft == "")
        await ada.quit()
        let second = box.pager(ada.phone)
        let again = second.pager.chat(with: bob.id)
        try await second.until { _ in again.waiting.map(\.text) == ["see you"] }
        #expect(again.draft == "")
    }

    @Test func anUnsendableDraftIsRestored() async throws {
        let (ada, bob) = try await Box().friends()
        let chat = ada.pager.chat(with: bob.id)
        chat.draft = String(repeating: "x", count: 501)
        await #expect(throws: PagerProblem.messageTooLong) { try await ada.pager.sendDraft(of: chat) }
        #expect(chat.draft.count == 501)
    }

    /// Migrates the data of versions whose database held the outbox only.
    @Test func dataOfEarlierVersionsIsMigratedOnce() async throws {
        let box = try await Box()
        let (ada, bob) = try await box.friends()
        await ada.quit()
        let folder = try ada.phone.phone().folder()
        // There is none while the phone has kept nothing.
        try? FileManager.default.removeItem(at: ClientStore.file(in: folder))
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let old = try Database(phonePath: folder.appending(path: "outbox.db").path, migrations: [ClientStore.formerOutbox])
        _ = try await old.write { [id = bob.id.rawValue] transaction in
            try transaction.execute(
                "INSERT INTO items (id, lane, payload, created_at) VALUES (?, ?, ?, ?)", "an-id", id,
                Data(#"{"recipientId":"\#(id)","text":"from the old outbox"}"#.utf8), Date().timeIntervalSince1970)
        }
        old.close()
        let preferences = ada.phone.phone().preferences
        preferences.set(Int64(1), for: "cursor")
        preferences.set(["drafts": [["friend": bob.id.rawValue, "text": "half a"]]], for: "drafts")
        let second = box.pager(ada.phone)
        let chat = second.pager.chat(with: bob.id)
        try await second.until { _ in chat.notice == .sent && chat.draft == "half a" }
        // The line goes on after the event that was applied last.
        try await second.until { _ in box.network.opened.contains { $0.path?.hasSuffix("after=1") == true } }
        #expect(ada.phone.settings["cursor"] == nil && ada.phone.settings["drafts"] == nil)
        #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "outbox.db").path))
        await second.quit()
        let third = box.pager(ada.phone)
        let again = third.pager.chat(with: bob.id)
        try await third.until { $0.signal == .full && again.draft == "half a" }
        #expect(again.waiting.isEmpty)
    }

    @Test func missedMessagesArriveOnceAndInOrder() async throws {
        let box = try await Box()
        let (ada, bob) = try await box.friends()
        await bob.quit()
        let (chat, _) = try await ada.open(bob)
        for number in 1...5 { try await ada.pager.send("\(number)", in: chat) }
        try await ada.until { _ in chat.messages.count == 5 }
        let second = box.pager(bob.phone)
        // One notification for a chat: the latest.
        try await second.until { $0.unreadCount == 5 && bob.phone.shown.map(\.body) == ["5"] }
        let (other, _) = try await second.open(ada)
        #expect(other.messages.map(\.text) == ["1", "2", "3", "4", "5"])
    }
}
