import Foundation
import HTTPTypes
import StorageKit
import TalkCoWire
import TestKit
import Testing
import WireKit

@testable import TalkCoService

/// The recordings of a learner who allows that they are kept for the review.
@Suite struct KeptRecordingTests {
    private static func opened(_ backend: TestBackend, user: String = "ada", keeps: Bool? = true) async throws -> Session.ID {
        let request = SessionCreation(userId: Learner.ID(user), topicId: Topic.ID("travel"), keepsRecordings: keeps)
        let id = try await backend.parts.call(TalkCoEndpoints.createSession, request).value(CreatedSession.self).sessionId
        expect(try await backend.start(id), 200)
        return id
    }

    private static func recording(_ segment: Segment.ID, of id: Session.ID, _ backend: TestBackend) async throws -> ServiceReply {
        try await backend.parts.call(TalkCoEndpoints.recording, ["id": id.rawValue, "segment": "\(segment)"])
    }

    private static func count(_ backend: TestBackend) async throws -> Int {
        try await backend.store.read { try $0.one("SELECT COUNT(*) FROM recordings", as: Int.self) }
    }

    @Test func recordingOfASentenceIsHeardInTheReview() async throws {
        let backend = try await TestBackend()
        let id = try await Self.opened(backend)
        expect(try await backend.speak(TestForm(sampleCount: 30_000, turn: "a"), in: id), 200)
        expect(try await backend.speak(TestForm(sampleCount: 30_000, turn: "a"), in: id), 200)
        expect(try await backend.say("typed", in: id), 200)
        let segments = try await backend.review(id).segments
        #expect(segments.map(\.hasRecording) == [true, nil])
        let reply = try await Self.recording(segments[0].id, of: id, backend)
        expect(reply, 200)
        let events = try reply.events
        #expect(events.audio == ScriptedEngine.sound(30_000) && events.last == .done && events.count == 4)
        for (segment, session) in [(segments[1].id, id), (0, id), (segments[0].id, Session.ID("other"))] {
            expect(try await Self.recording(segment, of: session, backend), 404)
        }
        expect(try await backend.call(.get, "/sessions/\(id.rawValue)/segments/x/recording"), 404, "The segment has no recording")
        expect(try await backend.call(.post, "/sessions/\(id.rawValue)/segments/1/recording"), 405)
    }

    @Test func nothingIsKeptWithoutTheLearnersWish() async throws {
        let backend = try await TestBackend()
        for keeps in [nil, false] as [Bool?] {
            let id = try await Self.opened(backend, keeps: keeps)
            expect(try await backend.speak(TestForm(sampleCount: 30_000), in: id), 200)
            #expect(try await backend.review(id).segments.map(\.hasRecording) == [nil])
        }
        // Another type is no wish.
        let body = #"{"user_id":"ada","topic_id":"travel","keep_recordings":"yes"}"#
        let id = try await backend.call(.post, "/sessions", body: body).value(CreatedSession.self).sessionId
        expect(try await backend.start(id), 200)
        expect(try await backend.speak(TestForm(sampleCount: 30_000), in: id), 200)
        #expect(try await Self.count(backend) == 0)
    }

    @Test func recordingGoesWithItsReviewItsSessionAndTheLearner() async throws {
        let backend = try await TestBackend { $0.talksPerUser = 1 }
        let ended = try await Self.opened(backend)
        expect(try await backend.speak(TestForm(sampleCount: 30_000), in: ended), 200)
        expect(try await backend.close(ended), 200)
        #expect(try await Self.count(backend) == 1)
        expect(try await backend.end(ended), 200)
        #expect(try await Self.count(backend) == 0)
        let removed = try await Self.opened(backend, user: "bob")
        expect(try await backend.speak(TestForm(sampleCount: 30_000), in: removed), 200)
        expect(try await backend.close(removed), 200)
        let last = try await Self.opened(backend, user: "bob")
        #expect(try await Self.count(backend) == 0)
        expect(try await backend.speak(TestForm(sampleCount: 30_000), in: last), 200)
        #expect(try await Self.count(backend) == 1)
        expect(try await backend.parts.call(TalkCoEndpoints.deleteLearner, ["id": "bob"]), 200)
        #expect(try await Self.count(backend) == 0)
    }

    @Test func recordingsAreBoundedAndAge() async throws {
        let backend = try await TestBackend { $0.recordingsSize = 150_000 }
        let id = try await Self.opened(backend)
        for _ in 0..<3 { expect(try await backend.speak(TestForm(sampleCount: 30_000), in: id), 200) }
        // The oldest went; a recording beyond the whole space is not kept.
        #expect(try await backend.review(id).segments.map(\.hasRecording) == [nil, true, true])
        expect(try await backend.speak(TestForm(sampleCount: 80_000), in: id), 200)
        #expect(try await backend.review(id).segments.map(\.hasRecording) == [nil, true, true, nil])
        backend.advance(Reviews.recordingAge + .seconds(1))
        let limit = backend.now - Reviews.recordingAge
        #expect(try await !backend.store.write { try $0.dropRecordings(before: limit) })
        #expect(try await Self.count(backend) == 0)
    }
}
