import Foundation
import HTTPTypes
import ServerKit
import StorageKit
import TalkCoWire
import TestKit
import Testing
import WireKit

@testable import TalkCoService

/// Contract: "Review", and the states of a session.
@Suite struct ReviewTests {
    let backend: TestBackend
    private let mark = MarkDraft(
        turnIndex: 0, issueTypes: ["grammar"], original: "I go", suggestion: "I went", explanation: "過去式")

    init() async throws { backend = try await TestBackend() }

    @Test func sessionIsReviewedAndCompleted() async throws {
        let (backend, mark) = (backend, mark)
        backend.judge.change {
            $0.marks = { _ in [mark, MarkDraft(turnIndex: 9, issueTypes: [], original: "", suggestion: "", explanation: "")] }
        }
        try await backend.working {
            let id = try await backend.reviewed(["Yesterday I go home", "Nice"])
            let review = try await backend.review(id)
            #expect(review.segments.map(\.aiMarks.count) == [1, 0])
            #expect(review.segments[0].aiMarks[0].original == "I go" && review.summary == nil)
            let ended = try await backend.end(id)
            #expect(ended.text == #"{"session_id":"\#(id)","status":"completing"}"#)
            try await backend.waitFor(.completed, id)
            let summary = try #require(try await backend.review(id).summary)
            #expect(summary.weaknesses.keys.sorted() == IssueType.allCases.map(\.rawValue).sorted())
            #expect(summary.weaknesses["grammar"] == "時態" && summary.weaknesses["vocabulary"] == .some(nil))
            #expect(summary.levelAssessment == "B1" && summary.overall == "不錯")
            expect(try await backend.end(id), 400, "Session already completed")
            #expect(backend.metrics.text().contains(#"talkco_marks_dropped_total{reason="unknown_turn"} 1"#))
        }
    }

    @Test func silentSessionIsCompletedAtOnce() async throws {
        try await backend.working { [backend] in
            let id = try await backend.reviewed([])
            #expect(try await backend.end(id).value(EndedSession.self).status == .completed)
            #expect(try await backend.review(id).summary == nil)
            #expect(backend.judge.calls.withLock { $0.isEmpty })
        }
    }

    @Test func openSessionCannotBeEnded() async throws {
        let id = try await backend.opened()
        expect(try await backend.end(id), 409, "Session is still active")
        expect(try await backend.call(.post, "/sessions/\(id)/end", body: "[]"), 422)
        let closed = try await backend.close(id)
        expect(closed, 200)
        expect(try await backend.call(.post, "/sessions/\(id)/end"), 200)
    }

    @Test func secondEndStartsNothing() async throws {
        let backend = backend
        let door = Door()
        backend.judge.change {
            $0.summary = { _ in
                try await door.wait()
                return SessionSummary(strengths: ["a"], weaknesses: [:], levelAssessment: nil, overall: "")
            }
        }
        try await backend.working {
            let id = try await backend.reviewed(["hello"])
            for _ in 0..<5 { #expect(try await backend.end(id).value(EndedSession.self).status == .completing) }
            door.open()
            try await backend.waitFor(.completed, id)
            #expect(try await backend.review(id).summary?.levelAssessment == "")
        }
        #expect(backend.judge.count(of: "summary") == 1 && backend.judge.count(of: "profile") == 1)
    }

    /// The summary waits for the marks, and the state never steps back.
    @Test func endBeforeTheMarksAreWritten() async throws {
        let (backend, mark) = (backend, mark)
        let door = Door()
        backend.judge.change {
            $0.marks = { _ in
                try await door.wait()
                return [mark]
            }
        }
        try await backend.working {
            let id = try await backend.opened()
            _ = try await backend.say("I go home", in: id)
            _ = try await backend.close(id)
            #expect(try await backend.end(id).value(EndedSession.self).status == .completing)
            try await eventually { backend.judge.count(of: "marks") == 1 }
            #expect(backend.judge.count(of: "summary") == 0)
            door.open()
            try await backend.waitFor(.completed, id)
            let review = try await backend.review(id)
            #expect(review.segments[0].aiMarks.count == 1 && review.summary != nil)
        }
        #expect(backend.judge.count(of: "marks") == 1)
    }

    @Test func judgeIsAskedAgainAfterAFailure() async throws {
        let (backend, mark) = (backend, mark)
        backend.judge.change {
            $0.marks = { [judge = backend.judge] _ in
                if judge.count(of: "marks") < 3 { throw EngineError(.failed, "Not now.") }
                return [mark]
            }
        }
        try await backend.working {
            let id = try await backend.opened()
            _ = try await backend.say("I go home", in: id)
            _ = try await backend.close(id)
            for pause in Jobs.pauses {
                try await eventually { backend.clock.hasSleeper(for: pause) }
                #expect(try await backend.review(id).status == .reviewing)
                try await backend.clock.advance(by: pause)
            }
            try await backend.waitFor(.reviewed, id)
            #expect(try await backend.review(id).segments[0].aiMarks.count == 1)
        }
    }

    @Test func stateMovesOnWhenTheJudgeFailsForGood() async throws {
        let backend = backend
        backend.judge.change {
            $0.marks = { _ in throw EngineError(.failed, "Never.") }
            $0.summary = { _ in SessionSummary(strengths: [" "], weaknesses: [:], levelAssessment: nil, overall: " ") }
            $0.talkSummary = { _ in throw CancellationError() }
        }
        try await backend.working {
            let id = try await backend.opened()
            _ = try await backend.say("hello", in: id)
            _ = try await backend.close(id)
            try await backend.clock.advance(by: .seconds(10)) { try await backend.review(id).status == .reviewed }
            _ = try await backend.end(id)
            try await backend.clock.advance(by: .seconds(10)) { try await backend.review(id).status == .completed }
            #expect(try await backend.review(id).summary == nil)
        }
        #expect(backend.judge.count(of: "marks") == 3 && backend.judge.count(of: "summary") == 3)
        #expect(backend.metrics.text().contains(#"talkco_jobs_total{kind="marks",result="failed"} 1"#))
        #expect(try await backend.profile().profileData.sessionCount == 1)
    }

    @Test func judgeThatHangsIsGivenUp() async throws {
        let backend = backend
        backend.judge.change {
            $0.marks = { _ in
                try await Door().wait()
                return []
            }
        }
        try await backend.working {
            let id = try await backend.opened()
            _ = try await backend.say("hello", in: id)
            _ = try await backend.close(id)
            try await backend.clock.advance(by: .seconds(60)) { try await backend.review(id).status == .reviewed }
        }
        #expect(backend.judge.count(of: "marks") == 3)
    }

    @Test func unfinishedJobsAreResumedAfterACrash() async throws {
        let (backend, mark) = (backend, mark)
        // No background work: as if the process had ended at once.
        let talk = try await backend.opened()
        _ = try await backend.say("I go home", in: talk)
        _ = try await backend.close(talk)
        let ended = try await backend.opened()
        _ = try await backend.say("I go out", in: ended)
        _ = try await backend.close(ended)
        _ = try await backend.end(ended)
        backend.judge.change { $0.marks = { _ in [mark] } }
        let later = try await backend.restarted()
        #expect(try await later.review(talk).status == .reviewing)
        try await later.working {
            try await later.waitFor(.reviewed, talk)
            try await later.waitFor(.completed, ended)
            #expect(try await later.review(ended).segments[0].aiMarks.count == 1)
        }
    }

    /// An attempt that ends the process counts as well.
    @Test func jobThatCrashesTheProcessIsGivenUp() async throws {
        let id = try await backend.opened()
        _ = try await backend.say("hello", in: id)
        _ = try await backend.close(id)
        _ = try await backend.store.write { try $0.execute("UPDATE jobs SET attempts = 3") }
        try await backend.working { [backend] in try await backend.waitFor(.reviewed, id) }
        #expect(backend.judge.count(of: "marks") == 0)
    }

    @Test func attemptThatAShutdownEndsDoesNotCount() async throws {
        let backend = backend
        backend.judge.change {
            $0.marks = { _ in
                try await Door().wait()
                return []
            }
        }
        let id = try await backend.opened()
        _ = try await backend.say("hello", in: id)
        _ = try await backend.close(id)
        try await backend.working { try await eventually { backend.judge.count(of: "marks") == 1 } }
        #expect(try await backend.store.read { try $0.jobs(of: id) } == [Job(session: id, kind: .marks, attempts: 0)])
    }

    // MARK: Questions

    @Test func questionIsAnswered() async throws {
        let backend = backend
        try await backend.working {
            let id = try await backend.reviewed(["hello"])
            let segment = try await backend.review(id).segments[0].id
            let correction = try await backend.ask(" why? ", about: segment, in: id).value(Correction.self)
            #expect(correction.segmentId == segment && correction.userMessage == "why?" && correction.correction == "Better: why?")
            _ = try await backend.ask("how?", about: segment, in: id)
            #expect(try await backend.review(id).segments[0].corrections.map(\.userMessage) == ["why?", "how?"])
            _ = try await backend.end(id)
            try await backend.waitFor(.completed, id)
            expect(try await backend.ask("again?", about: segment, in: id), 200)
        }
    }

    @Test func questionsThatAreRefused() async throws {
        let backend = backend
        let open = try await backend.opened()
        _ = try await backend.say("hello", in: open)
        let segment = try await backend.review(open).segments[0].id
        expect(try await backend.ask("why?", about: segment, in: open), 400, "Session is not in review state")
        let other = try await backend.opened()
        _ = try await backend.close(other)
        for id in [segment, 0, -1, .max] {
            expect(try await backend.ask("why?", about: id, in: other), 404, "Segment not found in this session")
        }
        for body in [
            "{}", "", "[", #"{"segment_id":"1","user_message":"a"}"#, #"{"segment_id":1}"#, #"{"segment_id":1,"user_message":" "}"#,
            #"{"segment_id":1.5,"user_message":"a"}"#,
            #"{"segment_id":1,"user_message":"\#(String(repeating: "x", count: 2_001))"}"#,
        ] {
            expect(try await backend.call(.post, "/sessions/\(other)/corrections", body: body), 422)
        }
    }

    @Test func judgeThatFailsIsReported() async throws {
        let id = try await backend.opened()
        _ = try await backend.say("hello", in: id)
        _ = try await backend.close(id)
        let segment = try await backend.review(id).segments[0].id
        backend.judge.change { $0.correction = { _, _, _ in throw EngineError(.timedOut, "The judge sleeps.") } }
        expect(try await backend.ask("why?", about: segment, in: id), 504, "The judge sleeps.")
        backend.judge.change { $0.correction = { _, _, _ in CorrectionDraft(correction: " ", explanation: "x") } }
        expect(try await backend.ask("why?", about: segment, in: id), 502)
        #expect(try await backend.review(id).segments[0].corrections.isEmpty)
    }
}
