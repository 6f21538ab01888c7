import Foundation
import Logging
import ServerKit
import TalkCoWire
import TestKit
import Testing
import WireKit

@testable import TalkCoService

/// A learner's words stay out of log and metrics.
@Suite struct PrivacyTests {
    @Test func logAndMetricsContainNoWords() async throws {
        let lines = Locked<[String]>([])
        let backend = try await TestBackend(logger: Logger(label: "test") { _ in LineCollector(lines: lines) })
        backend.judge.change {
            $0.marks = { turns in
                [
                    MarkDraft(turnIndex: 0, issueTypes: ["grammar"], original: "absent", suggestion: "s", explanation: "e"),
                    MarkDraft(turnIndex: 0, issueTypes: ["grammar"], original: turns[0].learner, suggestion: "s", explanation: "e"),
                ]
            }
            $0.summary = { talk in
                throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "bad: \(talk.turns[0].learner)"))
            }
        }
        let id = try await backend.working {
            let id = try await backend.opened(user: "secretuser")
            _ = try await backend.say("xyzzy secret", in: id, turn: "t")
            backend.engine.onAnswer { input, output in output.finish(throwing: Odd(text: input.text)) }
            _ = try await backend.say("xyzzy again", in: id)
            _ = try await backend.close(id)
            try await backend.waitFor(.reviewed, id)
            _ = try await backend.end(id)
            try await backend.clock.advance(by: .seconds(10)) { try await backend.review(id).status == .completed }
            return id
        }
        #expect(try await backend.review(id).segments[0].aiMarks.count == 1)
        let log = lines.withLock { $0 }
        #expect(log.contains { $0.contains("Marks were dropped") } && log.contains { $0.contains("A job failed") })
        for text in log + [backend.metrics.text()] {
            for word in ["xyzzy", "absent", "secretuser", "進步"] { #expect(!text.contains(word), "\(text)") }
        }
    }
}

/// An error whose description contains what was said.
private struct Odd: Error, CustomStringConvertible {
    var text: String
    var description: String { text }
}

private struct LineCollector: LogHandler {
    let lines: Locked<[String]>
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace
    var metadataProvider: Logger.MetadataProvider?

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let line = "\(event.level) \(event.message) \(event.metadata ?? [:])"
        lines.withLock { $0.append(line) }
    }
}
