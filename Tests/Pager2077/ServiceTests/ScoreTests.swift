import Foundation
import HTTPTypes
import Pager2077Wire
import TestKit
import Testing

@testable import Pager2077Service

@Suite struct ScoreTests {
    let pager: Pager
    let ada: Pager.Person
    let bob: Pager.Person

    init() async throws {
        pager = try await Pager()
        (ada, bob) = try await pager.friends()
    }

    private func submit(_ score: Int, _ game: Game = .snake, by person: Pager.Person) async throws -> ScoreResult {
        try await pager.call(PagerEndpoints.submitScore, ScoreSubmission(game: game, score: score), by: person).data()
    }

    @Test func onlyABetterScoreIsAnUpdate() async throws {
        let start = pager.now
        #expect(try await submit(10, by: ada) == ScoreResult(updated: true, score: 10, updatedAt: start))
        pager.advance(.seconds(1))
        #expect(try await submit(10, by: ada) == ScoreResult(updated: false, score: 10, updatedAt: start))
        #expect(try await submit(9, by: ada) == ScoreResult(updated: false, score: 10, updatedAt: start))
        #expect(try await submit(11, by: ada) == ScoreResult(updated: true, score: 11, updatedAt: pager.now))
        #expect(try await submit(0, .tetris, by: ada) == ScoreResult(updated: true, score: 0, updatedAt: pager.now))
    }

    @Test func theBoardShowsOneselfAndFriendsBestFirst() async throws {
        let eve = try await pager.person()
        _ = try await submit(5, by: ada)
        _ = try await submit(7, by: bob)
        _ = try await submit(99, by: eve)
        _ = try await submit(50, .tetris, by: bob)
        let entries = try await pager.call(PagerEndpoints.leaderboard, by: ada, ["game": "snake"]).data(Leaderboard.self).entries
        #expect(
            entries
                == [
                    .init(userId: bob.id, displayName: nil, hexCode: bob.hexCode, score: 7, updatedAt: pager.now),
                    .init(userId: ada.id, displayName: nil, hexCode: ada.hexCode, score: 5, updatedAt: pager.now),
                ])
    }

    @Test func equalScoresAreOrderedByTime() async throws {
        _ = try await submit(5, by: bob)
        pager.advance(.seconds(1))
        _ = try await submit(5, by: ada)
        let entries = try await pager.call(PagerEndpoints.leaderboard, by: ada, ["game": "snake"]).data(Leaderboard.self).entries
        #expect(entries.map(\.userId) == [bob.id, ada.id])
    }

    @Test(arguments: [
        (#"{"game":"chess","score":1}"#, ErrorCode.invalidGame), (#"{"score":1}"#, .invalidGame),
        (#"{"game":5,"score":1}"#, .invalidGame),
        (#"{"game":"snake"}"#, .invalidScore), (#"{"game":"snake","score":-1}"#, .invalidScore),
        (#"{"game":"snake","score":1.5}"#, .invalidScore), (#"{"game":"snake","score":"1"}"#, .invalidScore),
        (#"{"game":"snake","score":1e300}"#, .invalidScore), (#"{"game":"snake","score":null}"#, .invalidScore),
    ])
    func otherGamesAndScoresAreRefused(_ body: String, _ code: ErrorCode) async throws {
        expect(try await pager.call(.post, "/api/scores", token: ada.token, body: Data(body.utf8)), 400, code)
    }

    @Test func theBoardOfAnotherGameIsRefused() async throws {
        let reply = try await pager.call(PagerEndpoints.leaderboard, by: ada, ["game": "chess"])
        expect(reply, 400, .invalidGame, "Game must be one of: snake, tetris")
    }
}
