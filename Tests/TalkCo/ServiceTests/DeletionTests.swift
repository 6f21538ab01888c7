import Foundation
import HTTPTypes
import StorageKit
import TalkCoWire
import TestKit
import Testing
import WireKit

@testable import TalkCoService

/// `DELETE /users/{id}`: everything of a learner goes, and nothing of the others.
@Suite struct DeletionTests {
    /// Every value of every table.
    private func values(_ backend: TestBackend) async throws -> [String: [String: [String?]]] {
        try await backend.store.read { try $0.values() }
    }

    private func delete(_ user: String, _ backend: TestBackend) async throws -> ServiceReply {
        try await backend.parts.call(TalkCoEndpoints.deleteLearner, ["id": user])
    }

    @Test func nothingOfADeletedLearnerIsLeftInAnyTable() async throws {
        let backend = try await TestBackend()
        _ = try await backend.opened(user: "bob")
        let before = try await values(backend)
        try await backend.working {
            let id = try await backend.completed(["I goed home"])
            _ = try await backend.ask("why?", about: try await backend.review(id).segments[0].id, in: id)
        }
        let open = try await backend.opened()
        expect(try await backend.say("still talking", in: open, turn: "t"), 200)
        #expect(try await values(backend) != before)

        let user = try await backend.profile().userId.rawValue
        let reply = try await delete(user, backend)
        expect(reply, 200)
        #expect(try reply.value(DeletedLearner.self) == DeletedLearner(userId: Learner.ID(user)))
        #expect(try await values(backend) == before)
        expect(try await backend.say("more", in: open), 404, "Session not found")
        // Again, and for somebody who was never there.
        expect(try await delete(user, backend), 200)
        expect(try await delete("nobody", backend), 200)
        // A deleted learner who comes back is new.
        #expect(try await backend.profile().level == nil)
    }

    /// The learner is deleted while the judge works on a profile and on an evaluation.
    @Test func workUnderWayDoesNotBringALearnerBack() async throws {
        let backend = try await TestBackend()
        let before = try await values(backend)
        let deletions = Locked(0)
        backend.judge.change {
            $0.profile = { _, _ in
                _ = try await self.delete("ada", backend)
                deletions.withLock { $0 += 1 }
                return ProfileChanges(level: .b1)
            }
            $0.progressNotes = { _ in
                _ = try await self.delete("ada", backend)
                deletions.withLock { $0 += 1 }
                return "notes"
            }
        }
        try await backend.working {
            let id = try await backend.opened()
            expect(try await backend.say("I goed home", in: id), 200)
            expect(try await backend.close(id), 200)
            try await eventually { (try? await backend.review(id).status) == .reviewed }
            expect(try await backend.end(id), 200)
            try await eventually { deletions.withLock { $0 } == 1 }
        }
        #expect(try await values(backend) == before)
        _ = try await backend.profile()
        let evaluation = try await backend.parts.call(TalkCoEndpoints.evaluate, EvaluationRequest(), ["id": "ada"])
        expect(evaluation, 409, "The learner has been deleted")
        #expect(try await values(backend) == before)
    }
}
