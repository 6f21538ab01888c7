import Foundation
import HTTPTypes
import StorageKit
import TalkCoWire
import TestKit
import Testing
import WireKit

@testable import TalkCoService

/// Marked sentences come back as cards, and talks go on after a pause.
@Suite struct PracticeTests {
    let backend: TestBackend

    init() async throws {
        backend = try await TestBackend()
        backend.judge.change {
            $0.marks = { turns in
                turns.filter { $0.learner.contains("goed") }.map {
                    MarkDraft(
                        turnIndex: $0.index, issueTypes: ["grammar"], original: "goed", suggestion: "went", explanation: "過去式")
                }
            }
        }
    }

    private static func sentence(_ place: String) -> WeakPoint.Example {
        WeakPoint.Example(wrong: "I goed \(place) yesterday.", correct: "I went \(place) yesterday.")
    }

    /// A practice in which `words` are said. Needs the background work.
    ///
    /// - Returns: The sentences with which it began.
    private static func practise(_ backend: TestBackend, _ words: [String]) async throws -> [WeakPoint.Example] {
        let id = try await backend.opened(topic: nil, mode: .review)
        let cards = try #require(backend.engine.briefs.last).cards
        for text in words { expect(try await backend.say(text, in: id), 200) }
        backend.advance(.seconds(60))
        expect(try await backend.close(id), 200)
        return cards
    }

    @Test func practiceBeginsWithTwoMarkedSentencesUntilTheyRest() async throws {
        let backend = backend
        try await backend.working {
            _ = try await backend.reviewed([
                "I goed home yesterday. It was late.", "I goed out yesterday.", "I goed away yesterday.",
            ])
            #expect(try await backend.profile().practice == PracticeState(waitingCount: 3))
            let (home, out, away) = (Self.sentence("home"), Self.sentence("out"), Self.sentence("away"))
            #expect(try await Self.practise(backend, ["I went home yesterday!", "Well, I goed out yesterday"]) == [home, out])
            // One that has begun, and a new one: neither waits for all of the others.
            #expect(try await Self.practise(backend, ["I went away yesterday"]) == [home, away])
            #expect(try await Self.practise(backend, ["I went out yesterday", "I went home yesterday"]) == [out, home])
            #expect(try await backend.profile().practice?.learnedCount == 0)
            #expect(try await Self.practise(backend, ["Yes, I went home yesterday"]) == [away, home])
            let practice = try await backend.profile().practice
            #expect(practice == PracticeState(waitingCount: 2, learnedCount: 1, learned: [home]))
            // A card that rests comes back with the next mark.
            _ = try await backend.reviewed(["I goed home yesterday."])
            #expect(try await backend.profile().practice == PracticeState(waitingCount: 3))
        }
    }

    @Test(
        arguments: [
            (["I went home"], CardPractice.Result.right), (["i WENT home, and slept"], .right), (["I goed home"], .wrong),
            (["I goed home", "I went home"], .wrong), (["Hm", "I went home"], .right), (["What?"], .open), ([], .open),
        ] as [([String], CardPractice.Result)]) func firstAttemptCounts(_ words: [String], _ result: CardPractice.Result)
    {
        let turns = words.enumerated().map { TalkTurn(index: $0.offset, learner: $0.element, tutor: "Go on.") }
        #expect(CardPractice(of: WeakPoint.Example(wrong: "I goed home.", correct: "I went home."), in: turns).result == result)
    }

    @Test func sentenceThatTheTutorHasJustSaidDoesNotCount() {
        let sentence = WeakPoint.Example(wrong: "I goed home.", correct: "I went home.")
        func result(_ tutor: String) -> CardPractice.Result {
            CardPractice(
                of: sentence,
                in: [TalkTurn(index: 0, learner: "Hm", tutor: tutor), TalkTurn(index: 1, learner: "I went home", tutor: "Yes.")]
            ).result
        }
        #expect(result("The better sentence is: “I went home.” Please say it.") == .open)
        #expect(result("Which is right? “I goed home.” or “I went home.”") == .right)
    }

    /// Words that were added, left out, or stand elsewhere.
    @Test(arguments: [
        ("I listen music.", "I listen to music.", "I often listen to music"),
        ("I discussed about it.", "I discussed it.", "We said that I discussed it"),
        ("I very like tea.", "I like tea very much.", "I like tea very much"), ("He go.", "He goes.", "He goes"),
    ]) func everyKindOfChangeIsTold(_ wrong: String, _ correct: String, _ said: String) {
        let sentence = WeakPoint.Example(wrong: wrong, correct: correct)
        for (words, result) in [(said, CardPractice.Result.right), (wrong, .wrong)] {
            #expect(CardPractice(of: sentence, in: [TalkTurn(index: 0, learner: words, tutor: "")]).result == result, "\(words)")
        }
    }

    @Test func cardsAreBoundedAndGoWithTheLearner() async throws {
        let user = Learner.ID("ada")
        _ = try await backend.profile()
        let time = backend.now
        try await backend.store.write { transaction in
            for number in 0..<CardRecord.maximumCount { try transaction.addCard(Self.sentence("\(number)"), of: user, at: time) }
            try transaction.execute("UPDATE cards SET right_count = 3 WHERE correct = ?", Self.sentence("7").correct)
            try transaction.addCard(Self.sentence("new"), of: user, at: time)
        }
        // The one that rests went first.
        #expect(try await backend.profile().practice == PracticeState(waitingCount: CardRecord.maximumCount))
        expect(try await backend.parts.call(TalkCoEndpoints.deleteLearner, ["id": "ada"]), 200)
        #expect(try await backend.store.read { try $0.one("SELECT COUNT(*) FROM cards", as: Int.self) } == 0)
    }

    @Test func profileShowsTheRatesOfEachTalk() async throws {
        let backend = backend
        try await backend.working {
            _ = try await backend.reviewed(["I goed home", "it was late"])
            _ = try await backend.reviewed([])
            backend.advance(.seconds(60))
            _ = try await backend.reviewed(["I went home"])
        }
        let rates = try #require(try await backend.profile().talkRates)
        #expect(rates.map { $0.rates["grammar"] } == [16.67, 0] && rates[0].endedAt < rates[1].endedAt)
    }

    // MARK: Talks

    @Test func endedTalkCountsBeforeItsSummaryIsWritten() async throws {
        let backend = backend
        let door = Door()
        backend.judge.change {
            $0.summary = { _ in
                try await door.wait()
                return SessionSummary(strengths: [], weaknesses: [:], levelAssessment: nil, overall: "好")
            }
        }
        try await backend.working {
            let id = try await backend.reviewed(["I like tea"])
            #expect(try await backend.profile().profileData.sessionCount == 0)
            expect(try await backend.end(id), 200)
            #expect(try await backend.profile().profileData.sessionCount == 1)
            door.open()
            try await backend.waitFor(.completed, id)
            #expect(try await backend.profile().profileData.sessionCount == 1)
        }
    }

    @Test func pausedTalkGoesOnAfterARestart() async throws {
        let id = try await backend.opened(accept: [.text])
        expect(try await backend.say("I like tea", in: id), 200)
        let later = try await backend.restarted()
        expect(try await later.say("and coffee", in: id), 404, "Session not found")
        for _ in 0..<2 {
            let reply = try await later.parts.call(TalkCoEndpoints.resume, ResumeRequest(accept: [.text]), id.parameters)
            expect(reply, 200)
            #expect(try reply.value(ResumedSession.self) == ResumedSession(sessionId: id))
        }
        try await eventually { later.engine.record.withLock { $0.openCount } == 1 }
        #expect(later.engine.briefs.map(\.turns) == [[TalkTurn(index: 0, learner: "I like tea", tutor: "Answer to I like tea")]])
        try await eventually { try await later.say("and coffee", in: id).status == 200 }
        // A conversation that goes on has no greeting.
        #expect(try await later.start(id).events == [.done])
        #expect(try await later.review(id).segments.map(\.turnIndex) == [0, 1])
    }

    @Test func talkThatIsOverIsNotResumed() async throws {
        let id = try await backend.opened()
        expect(try await backend.close(id), 200)
        for path in [id.rawValue, "unknown"] {
            expect(try await backend.call(.post, "/sessions/\(path)/resume", body: "{}"), 404, "Session not found")
        }
        expect(try await backend.call(.post, "/sessions/\(id.rawValue)/resume", body: "["), 422)
        expect(try await backend.call(.get, "/sessions/\(id.rawValue)/resume"), 405)
    }
}
