import Foundation
import HTTPTypes
import Pager2077Wire
import TestKit
import Testing
import WireKit

@testable import Pager2077Service

/// The limits for those who try hex codes.
@Suite struct UnknownHexCodesTests {
    private static let noon = Timestamp("2026-11-20T12:00:00.000Z")!

    private let elapsed = Locked(Duration.zero)

    /// Limits of 60 a minute for one user, and 40 an hour in all.
    private func limits(perHour: Int = 40) -> UnknownHexCodes {
        let start = ContinuousClock.now
        return UnknownHexCodes(
            perMinute: 60, perHour: perHour, now: { Self.noon },
            uptime: { [elapsed] in start + elapsed.withLock { $0 } })
    }

    private func user(_ number: Int, age: Duration = .seconds(30 * 86_400)) -> OwnUser {
        let created = Self.noon - age
        return OwnUser(
            id: User.ID("user \(number)"), hexCode: HexCode(UInt32(number)), displayName: nil, status: .offline,
            lastSeen: created, createdAt: created, updatedAt: created, deviceToken: "", liveActivityToken: nil)
    }

    private enum Answer: Equatable { case found, unknown, refused }

    private func attempt(_ limits: UnknownHexCodes, _ user: OwnUser, from address: String, exists: Bool = false) async throws
        -> Answer
    {
        do {
            return try await limits.attempt(by: user, from: address) {
                await Task.yield()
                if !exists { throw PagerError.userNotFound() }
                return .found
            }
        } catch let error as PagerError {
            #expect(error.code == .userNotFound || error.retryAfter != nil)
            return error.code == .userNotFound ? .unknown : .refused
        }
    }

    @Test func manyAccountsAndAddressesMeetACommonLimit() async throws {
        let limits = limits()
        for number in 0..<40 {
            #expect(try await attempt(limits, user(number), from: "\(number)") == .unknown)
        }
        #expect(try await attempt(limits, user(100), from: "100") == .refused)
        // The refusal must not tell which codes exist.
        #expect(try await attempt(limits, user(100), from: "100", exists: true) == .refused)
        elapsed.withLock { $0 = .seconds(3599) }
        #expect(try await attempt(limits, user(100), from: "100") == .refused)
        elapsed.withLock { $0 = .seconds(3600) }
        #expect(try await attempt(limits, user(100), from: "100") == .unknown)
    }

    @Test func youngAccountsLeaveHalfToTheOthers() async throws {
        let limits = limits()
        let day = UnknownHexCodes.youth
        for number in 0..<20 {
            #expect(try await attempt(limits, user(number, age: .zero), from: "\(number)") == .unknown)
        }
        #expect(try await attempt(limits, user(50, age: day - .milliseconds(1)), from: "50") == .refused)
        for number in 60..<80 {
            #expect(try await attempt(limits, user(number, age: day), from: "\(number)") == .unknown)
        }
        #expect(try await attempt(limits, user(90), from: "90") == .refused)
    }

    @Test func oneAddressGetsAQuarter() async throws {
        let limits = limits()
        for number in 0..<10 { #expect(try await attempt(limits, user(number), from: "here") == .unknown) }
        #expect(try await attempt(limits, user(10), from: "here") == .refused)
        #expect(try await attempt(limits, user(10), from: "elsewhere") == .unknown)
    }

    @Test func knownCodesAreNotCounted() async throws {
        let limits = limits()
        for _ in 0..<100 { #expect(try await attempt(limits, user(1, age: .zero), from: "here", exists: true) == .found) }
        #expect(try await attempt(limits, user(1, age: .zero), from: "here") == .unknown)
    }

    /// Requests at the same time are counted before any of them is answered.
    @Test func manyAtOnceDoNotPassTogether() async throws {
        let limits = limits()
        let answers = try await withThrowingTaskGroup(of: Answer.self) { group in
            for number in 0..<200 {
                group.addTask { try await attempt(limits, user(number), from: "\(number)") }
            }
            return try await group.reduce(into: [Answer]()) { $0.append($1) }
        }
        #expect(answers.count { $0 == .unknown } == 40)
        #expect(answers.count { $0 == .refused } == 160)
    }

    /// One who is refused because of others has used up nothing of their own.
    @Test func refusalCostsNothing() async throws {
        let limits = limits(perHour: 4)
        for number in 0..<4 { _ = try await attempt(limits, user(number), from: "\(number)") }
        for _ in 0..<10 { #expect(try await attempt(limits, user(9), from: "here") == .refused) }
        elapsed.withLock { $0 = .seconds(3600) }
        #expect(try await attempt(limits, user(9), from: "here") == .unknown)
    }

    /// The route counts by account and address: all calls of this test come from one.
    @Test func routeIsLimited() async throws {
        let pager = try await Pager(unknownHexCodesPerHour: 8, drawHexCode: { HexCode(.random(in: 0x1000_0000 ... .max)) })
        let bob = try await pager.person()
        func ask(_ code: String) async throws -> Pager.Reply {
            let eve = try await pager.person()
            return try await pager.call(PagerEndpoints.requestFriend, FriendRequestCreation(toHexCode: code), by: eve)
        }
        for number in 0..<2 {
            #expect(try await ask(bob.hexCode.rawValue).status == 201)
            expect(try await ask("0000000\(number)"), 404, .userNotFound)
        }
        let (unknown, known) = (try await ask("00000009"), try await ask(bob.hexCode.rawValue))
        expect(unknown, 429, .rateLimited)
        #expect((known.status, known.text) == (unknown.status, unknown.text))
        #expect(known.headers[.retryAfter] == unknown.headers[.retryAfter])
        pager.advance(.seconds(3600))
        expect(try await ask("00000009"), 404, .userNotFound)
    }
}
