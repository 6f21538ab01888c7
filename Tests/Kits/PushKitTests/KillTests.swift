import Foundation
import StorageKit
import TestKit
import Testing
import WireKit

@testable import PushKit

/// Senders that are killed at any moment between claim and result.
@Suite(.seeded) struct KillTests {
    /// The numbers of an entry's requests at the push service, and of its completions at the sending service.
    private struct Fate {
        var sent = 0
        var completed = 0
    }

    @Test func eachEntryIsSentAtLeastOnceAndCompletedOnceInOrder() async throws {
        var random = SeededGenerator(seed: Seed.current, number: 18)
        let test = try OutboxUnderTest()
        let recipients = (0..<7).map { "user \($0)" }
        for recipient in recipients { test.directory.set([.test("phone"), .test("tablet")], of: recipient) }
        let count = Effort.count(300, soak: 10_000)
        let expected = count * 2
        var fates: [String: Fate] = [:]
        var order: [String: [Int]] = [:]
        var zombies: [PushClaim] = []
        var enqueued = 0

        while test.directory.ended.count < expected {
            for _ in 0..<Int.random(in: 0...20, using: &random)
            where enqueued < count && enqueued * 2 - test.directory.ended.count < 100 {
                let recipient = recipients.randomElement(using: &random)!
                try await test.enqueue("\(enqueued)", for: recipient)
                enqueued += 1
            }
            for claim in try await test.outbox.claim(10).claims {
                let key = "\(claim.entry.text) \(claim.entry.target ?? "")"
                switch Int.random(in: 0..<10, using: &random) {
                case 0: zombies.append(claim)  // killed before the request
                case 1:  // killed after it
                    fates[key, default: Fate()].sent += 1
                    zombies.append(claim)
                case 2:
                    // The push service is busy. Its limit of attempts is not what this test is about.
                    if claim.entry.attempts < 2 {
                        try await test.outbox.complete(claim, .retry("busy", by: .ntfy, after: nil))
                    } else {
                        fallthrough
                    }
                default:
                    fates[key, default: Fate()].sent += 1
                    let receipt = PushReceipt(route: claim.routes[0])
                    if try await test.outbox.complete(claim, .accepted(receipt)) == .completed {
                        fates[key, default: Fate()].completed += 1
                        order["\(claim.entry.recipient) \(claim.entry.target ?? "")", default: []].append(Int(claim.entry.text)!)
                    }
                }
            }
            // A sender that was only slow comes back after its lease.
            if Bool.random(using: &random), let late = zombies.popLast() {
                test.clock.advance(by: .seconds(60))
                _ = try await test.outbox.claim(0)
                #expect(try await test.outbox.complete(late, .accepted(PushReceipt(route: late.routes[0]))) == nil)
            }
            test.clock.advance(by: .seconds(Int64.random(in: 0...20, using: &random)))
        }

        #expect(test.directory.ended.count == expected)
        #expect(test.directory.ended.allSatisfy { $0.state == .completed })
        #expect(fates.count == expected)
        #expect(fates.values.allSatisfy { $0.sent >= 1 && $0.completed == 1 })
        #expect(order.values.allSatisfy { $0 == $0.sorted() })
        #expect(try await test.states() == [.completed: expected])
    }
}
