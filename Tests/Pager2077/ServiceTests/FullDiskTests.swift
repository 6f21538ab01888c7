import HTTPTypes
import Pager2077Wire
import StorageKit
import TestKit
import Testing
import WireKit

@testable import Pager2077Service

/// A disk without room: what was accepted arrives, and what was refused is sent once there is room.
@Suite(.onSQLite) struct FullDiskTests {
    @Test func refusedMessageArrivesOnceWhenThereIsRoom() async throws {
        let pager = try await Pager()
        let (ada, bob) = try await pager.friends()
        try await pager.store.limitGrowth(toPages: 0)
        var number = 0
        var reply = try await pager.send("0", from: ada, to: bob, clientId: "0")
        while reply.status < 300, number < 1000 {
            number += 1
            reply = try await pager.send("\(number)", from: ada, to: bob, clientId: "\(number)")
        }
        expect(reply, 507, .storageFull, "The disk of the service is full")
        #expect(reply.headers[.retryAfter] != nil)
        try await pager.store.limitGrowth(toPages: nil)
        for _ in 0..<2 { #expect(try await pager.send("\(number)", from: ada, to: bob, clientId: "\(number)").status < 300) }
        let texts = try await pager.events(of: bob).compactMap { event in
            if case .message(let message) = event { message.text } else { nil }
        }
        #expect(texts == (0...number).map(String.init))
    }
}
