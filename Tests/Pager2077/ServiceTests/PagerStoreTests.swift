import Foundation
import Pager2077Wire
import StorageKit
import TestKit
import Testing
import WireKit

@testable import Pager2077Service

/// What every implementation of `PagerStore` must do, beyond what the rules' tests show of it. Another one is added to ``stores``.
@Suite struct PagerStoreTests {
    /// Makes an empty store below a folder.
    struct Maker: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var make: @Sendable (TemporaryFolder) throws -> any PagerStore
    }

    static let stores = [Maker(testDescription: "SQLite") { try SQLitePagerStore(path: $0.file("pager.db")) }]

    private static let time = Timestamp("2026-11-20T12:00:00.000Z")!

    private func user(_ number: UInt32) -> UserRecord {
        UserRecord(
            id: .random(), hexCode: HexCode(number), deviceToken: "t\(number)", lastSeen: Self.time, createdAt: Self.time,
            updatedAt: Self.time)
    }

    private func run(_ maker: Maker, _ body: (any PagerStore) async throws -> Void) async throws {
        let folder = try TemporaryFolder()
        let store = try maker.make(folder)
        try await body(store)
        store.close()
    }

    @Test(arguments: stores) func aUserIsFoundByEveryKeyWithEveryField(_ maker: Maker) async throws {
        try await run(maker) { store async throws in
            var record = user(7)
            try await store.write { [record] in try $0.insert(record) }
            record.displayName = "Neo"
            record.status = .online
            record.lastSeen = Self.time + .milliseconds(1)
            record.liveActivityToken = "live"
            record.isWatchedLive = true
            try await store.write { [record] in try $0.update(record) }

            let found = try await store.read { [record] in
                [try $0.user(record.id), try $0.user(hexCode: record.hexCode), try $0.user(deviceToken: record.deviceToken)]
            }
            #expect(found == [record, record, record])
            let absent = try await store.read {
                [try $0.user(User.ID("x")), try $0.user(hexCode: HexCode(8)), try $0.user(deviceToken: "")]
            }
            #expect(absent == [nil, nil, nil])
            #expect(try await store.read { try $0.usersWatchedLive() } == [record.id])
        }
    }

    @Test(arguments: stores) func codesAndDeviceTokensAreUnique(_ maker: Maker) async throws {
        try await run(maker) { store async throws in
            try await store.write { try $0.insert(user(1)) }
            await #expect(throws: (any Error).self) { try await store.write { try $0.insert(user(1)) } }
        }
    }

    @Test(arguments: stores) func whatThrowsUndoesEverything(_ maker: Maker) async throws {
        struct Refused: Error {}
        try await run(maker) { store async throws in
            let record = user(1)
            await #expect(throws: Refused.self) {
                try await store.write { transaction in
                    try transaction.insert(record)
                    try transaction.append(.friendRemoved(friendId: record.id), for: record.id, at: Self.time)
                    try transaction.enqueue(.friendAccepted(friendHexCode: record.hexCode), for: record.id, cause: 1, at: Self.time)
                    throw Refused()
                }
            }
            #expect(try await store.read { try $0.user(record.id) } == nil)
            #expect(try await store.feed(of: record.id, after: nil).latest == 0)
            #expect(try await store.notificationCounts().isEmpty)
        }
    }

    @Test(arguments: stores) func aReadSeesItsOwnTransaction(_ maker: Maker) async throws {
        try await run(maker) { store async throws in
            let (a, b) = (user(1), user(2))
            let seen = try await store.write { transaction in
                try transaction.insert(a)
                try transaction.insert(b)
                try transaction.befriend(a.id, b.id, at: Self.time)
                return (
                    try transaction.areFriends(a.id, b.id), try transaction.areFriends(b.id, a.id), try transaction.part(b.id, a.id)
                )
            }
            #expect(seen == (true, true, true))
            #expect(try await store.write { try $0.part(a.id, b.id) } == false)
        }
    }

    @Test(arguments: stores) func textsOfEveryKindComeBackAsTheyWere(_ maker: Maker) async throws {
        try await run(maker) { store async throws in
            let (a, b) = (user(1), user(2))
            let texts = ["plain", "'; DROP TABLE users; --", "😀👩‍👩‍👧", "e\u{301}", "\u{202e}rtl", "line\nend", "%_\\"]
            try await store.write { transaction in
                try transaction.insert(a)
                try transaction.insert(b)
                for text in texts {
                    try transaction.insert(
                        Message(
                            id: .random(), senderId: a.id, recipientId: b.id, text: text, isRead: false, timestamp: Self.time,
                            senderDisplayName: ""))
                }
            }
            let read = try await store.read { try $0.messages(between: b.id, and: a.id, limit: 100).map(\.text) }
            #expect(read.map { Array($0.unicodeScalars) } == texts.map { Array($0.unicodeScalars) })
        }
    }

    @Test(arguments: stores) func aFeedReplaysAndFollows(_ maker: Maker) async throws {
        try await run(maker) { store async throws in
            let record = user(1)
            try await store.write { transaction in
                try transaction.insert(record)
                try transaction.append(.friendRemoved(friendId: record.id), for: record.id, at: Self.time)
            }
            let (feed, latest) = try await store.feed(of: record.id, after: 0)
            #expect(latest == 1)
            let reader = Task {
                var seen: [Int64] = []
                while seen.count < 2 {
                    guard case .events(let events)? = try await feed.next() else {
                        await withCheckedContinuation { continuation in feed.onNews { continuation.resume() } }
                        continue
                    }
                    seen += events.map(\.seq)
                }
                return seen
            }
            try await store.write { _ = try $0.append(.friendRemoved(friendId: record.id), for: record.id, at: Self.time) }
            #expect(try await within { try await reader.value } == [1, 2])
            feed.end()
        }
    }
}
