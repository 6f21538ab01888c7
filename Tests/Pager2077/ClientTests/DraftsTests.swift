import Foundation
import Pager2077TestKit
import Pager2077Wire
import PhoneTestKit
import PlatformKit
import Testing
import WireKit

@testable import Pager2077Client

/// The bounded store of unsent text.
@Suite struct DraftsTests {
    private func friend(_ number: Int) -> User.ID { User.ID("\(number)") }

    @Test func theOldestDraftIsRemovedFirst() {
        var drafts = Drafts()
        for number in 0..<Drafts.maximumCount { drafts[friend(number)] = "draft \(number)" }
        drafts[friend(0)] = "changed"
        drafts[friend(1000)] = "one more"
        #expect(drafts[friend(0)] == "changed" && drafts[friend(1)] == "" && drafts[friend(2)] == "draft 2")
        #expect(drafts[friend(1000)] == "one more")
    }

    @Test func theTotalLengthOfDraftsIsBounded() throws {
        var drafts = Drafts()
        // Each byte of the draft becomes six bytes of JSON.
        let text = String(repeating: "\u{1}", count: Drafts.maximumDraftLength)
        for number in 0..<Drafts.maximumCount { drafts[friend(number)] = text }
        let count = (0..<Drafts.maximumCount).count { drafts[friend($0)] == text }
        #expect(count == Drafts.maximumLength / Drafts.maximumDraftLength)
        // The phone keeps it in base64, with room for all other settings.
        #expect(try WireJSON.encode(drafts).count * 4 / 3 < 240_000)
    }

    @MainActor
    @Test func draftsOfEarlierVersionsAreMigrated() async throws {
        let (box, phone) = (try await Box(), TestPhone())
        let preferences = phone.phone().preferences
        preferences.set("half a", for: "draft-ada")
        preferences.set("old", for: "draft-bob")
        func draft(_ friend: String) async throws -> String {
            let person = box.pager(phone)
            try await person.until { $0.phase == .welcome }
            let draft = person.pager.chat(with: User.ID(friend)).draft
            await person.quit()
            return draft
        }
        #expect(try await draft("ada") == "half a")
        #expect(try await draft("bob") == "old")
        #expect(phone.settings.keys.allSatisfy { !$0.hasPrefix("draft-") })
        #expect(try await draft("ada") == "half a")
        // A draft that was written later wins.
        preferences.set("older", for: "draft-ada")
        #expect(try await draft("ada") == "half a")
        #expect(phone.settings["draft-ada"] == nil)
    }

    @Test func emptyAndOversizedDraftsAreNotStored() {
        var drafts = Drafts()
        drafts[friend(1)] = "half a"
        drafts[friend(1)] = ""
        drafts[friend(2)] = String(repeating: "x", count: Drafts.maximumDraftLength + 1)
        #expect(drafts == Drafts())
    }
}
