import PlatformKit
import SwiftUI
import TalkCoClient
import TalkCoTestKit
import TalkCoWire
import TestKit
import Testing
import WireKit

/// *Delete My Data*: everything of the learner, on the service and on the phone.
@Suite struct DeletionTests {
    @Test func everythingIsDeletedAfterAQuestion() async throws {
        let box = try await TalkBox()
        let hand = try await TalkHand.talking(box)
        try await hand.write("I like tea.")
        let learner = try #require(hand.talk.learner)
        hand.talk.leave()
        try await hand.screen.wait(for: "Me")
        try hand.screen.tap("Me")
        try await hand.screen.wait(for: "delete-data")
        try hand.screen.tap("delete-data")
        try await hand.screen.wait(for: "Delete all your data?")
        try hand.screen.tap("Delete Everything")
        try await hand.screen.wait { hand.talk.learner != learner }
        try await hand.screen.wait { hand.talk.profile.profile?.userId == hand.talk.learner }
        #expect(hand.talk.openSession == nil)
        #expect(box.network.calls.contains("DELETE /talkco/users/\(learner.rawValue)"), "\(box.network.calls)")
    }

    @Test func failureIsShownAndChangesNothing() async throws {
        let box = try await TalkBox()
        let hand = TalkHand(box)
        try await hand.screen.wait(for: "Me")
        try hand.screen.tap("Me")
        try await hand.screen.wait { hand.talk.profile.profile != nil }
        let learner = hand.talk.learner
        box.network.cut()
        try hand.screen.tap("delete-data")
        try await hand.screen.wait(for: "Delete Everything")
        try hand.screen.tap("Delete Everything")
        try await hand.screen.wait(for: "problem")
        #expect(hand.talk.learner == learner)
    }
}
