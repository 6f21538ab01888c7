import Foundation
import Pager2077Wire
import StorageKit
import TestKit
import Testing
import WireKit

@testable import Pager2077Service

/// Properties of the pager's tables that the tests of the rules do not cover.
@Suite struct StoreTests {
    private static let time = Timestamp("2026-11-20T12:00:00.000Z")!

    private let folder: TemporaryFolder
    private let store: Database

    init() throws {
        folder = try TemporaryFolder()
        store = try TestDatabase.open(folder.file("pager.db"), migrations: PagerMigrations.all)
    }

    private func user(_ number: UInt32) -> UserRecord {
        UserRecord(
            id: .random(), hexCode: HexCode(number), deviceToken: "t\(number)", lastSeen: Self.time, createdAt: Self.time,
            updatedAt: Self.time)
    }

    @Test func aUserIsFoundByEveryKeyWithEveryField() async throws {
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
    }

    @Test func hexCodesAndDeviceTokensAreUnique() async throws {
        try await store.write { try $0.insert(user(1)) }
        await #expect(throws: StorageError.self) { try await store.write { try $0.insert(user(1)) } }
    }

    @Test func aFriendshipHoldsInBothDirections() async throws {
        let (a, b) = (user(1), user(2))
        let seen = try await store.write { transaction in
            try transaction.insert(a)
            try transaction.insert(b)
            try transaction.befriend(a.id, b.id, at: Self.time)
            return (
                try transaction.areFriends(a.id, b.id), try transaction.areFriends(b.id, a.id), try transaction.unfriend(b.id, a.id)
            )
        }
        #expect(seen == (true, true, true))
        #expect(try await store.write { try $0.unfriend(a.id, b.id) } == false)
    }

    @Test func textsOfEveryKindAreReadAsWritten() async throws {
        let (a, b) = (user(1), user(2))
        let texts = ["plain", "'; DROP TABLE users; --", "😀👩‍👩‍👧", "e\u{301}", "\u{202e}rtl", "line\nend", "%_\\"]
        try await store.write { transaction in
            try transaction.insert(a)
            try transaction.insert(b)
            for text in texts {
                _ = try transaction.insert(
                    Message(
                        id: .random(), senderId: a.id, recipientId: b.id, text: text, isRead: false, timestamp: Self.time,
                        senderDisplayName: ""), event: 1)
            }
        }
        let read = try await store.read { try $0.messages(of: b.id, with: a.id, limit: 100).map(\.text) }
        #expect(read.map { Array($0.unicodeScalars) } == texts.map { Array($0.unicodeScalars) })
    }
}
