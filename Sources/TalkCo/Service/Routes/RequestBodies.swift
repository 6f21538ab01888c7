import HummingbirdCore
package import ServerKit
package import TalkCoWire
import WireKit

// The decoding of each body (`Docs/Protocols/TalkCo.md`, section 2).

extension SessionCreation: FieldDecodable {
    package init(from fields: inout FieldReader) {
        self.init(
            userId: Learner.ID(fields.string("user_id", length: Learner.idLength)),
            topicId: fields.optionalString("topic_id").map { Topic.ID($0) }, userName: fields.optionalString("user_name"))
        mode = fields.optionalString("mode")
        accept = fields.extensions
        if case .bool(true) = fields["keep_recordings"] { keepsRecordings = true }
    }
}

extension ResumeRequest: FieldDecodable {
    package init(from fields: inout FieldReader) { self.init(accept: fields.extensions) }
}

extension FieldReader {
    /// The extensions that a client accepts; those that this service does not know are ignored.
    fileprivate var extensions: [SessionCreation.Extension]? {
        guard case .array(let names) = self["accept"] else { return nil }
        return names.compactMap { if case .string(let name) = $0 { SessionCreation.Extension(rawValue: name) } else { nil } }
    }
}

extension TypedTurn: FieldDecodable {
    package init(from fields: inout FieldReader) throws {
        let text = fields.string("text").trimmed
        let id = fields.optionalString("turn_id", length: Turn.idLength).map { Turn.ID($0) }
        if text.unicodeScalars.count > Turn.maximumTextLength {
            fields.report("text", .wrongLength(allowed: 1...Turn.maximumTextLength))
        }
        try fields.finish()
        guard !text.isEmpty else { throw TalkError(.badRequest, "Empty text") }
        self.init(text: text, turnId: id)
    }
}

extension CorrectionRequest: FieldDecodable {
    package init(from fields: inout FieldReader) {
        let segment = fields.integer("segment_id")
        let message = fields.string("user_message")
        let trimmed = message.trimmed
        if fields.issues.isEmpty, !Self.messageLength.contains(trimmed.unicodeScalars.count) {
            fields.report("user_message", .wrongLength(allowed: Self.messageLength))
        }
        self.init(segmentId: Segment.ID(segment), userMessage: trimmed)
    }
}

extension LearningGoal: FieldDecodable {
    package init(from fields: inout FieldReader) {
        // An absent field does not remove the goal; null does.
        if !fields.contains("learning_goal") { fields.report("learning_goal", .missing) }
        let goal = fields.optionalString("learning_goal")?.trimmed
        if let goal, goal.unicodeScalars.count > Learner.maximumGoalLength {
            fields.report("learning_goal", .wrongLength(allowed: 0...Learner.maximumGoalLength))
        }
        self.init(learningGoal: goal)
    }
}

extension TutorModelChoice: FieldDecodable {
    package init(from fields: inout FieldReader) {
        // An absent field does not remove the choice; null does.
        if !fields.contains("server_id") { fields.report("server_id", .missing) }
        let text = fields.optionalString("server_id")
        if let text, text.unicodeScalars.count > Self.maximumLength {
            fields.report("server_id", .wrongLength(allowed: 0...Self.maximumLength))
        }
        self.init(serverId: text)
    }
}

extension MeaningRequest: FieldDecodable {
    package init(from fields: inout FieldReader) {
        let word = fields.string("word").trimmed
        let sentence = fields.optionalString("sentence")?.trimmed
        if fields.issues.isEmpty, !Self.wordLength.contains(word.unicodeScalars.count) {
            fields.report("word", .wrongLength(allowed: Self.wordLength))
        }
        if let sentence, sentence.unicodeScalars.count > Self.maximumSentenceLength {
            fields.report("sentence", .wrongLength(allowed: 0...Self.maximumSentenceLength))
        }
        self.init(word: word, sentence: sentence)
    }
}

extension TranslationRequest: FieldDecodable {
    package init(from fields: inout FieldReader) {
        let text = fields.string("text").trimmed
        if fields.issues.isEmpty, !Self.textLength.contains(text.unicodeScalars.count) {
            fields.report("text", .wrongLength(allowed: Self.textLength))
        }
        self.init(text: text)
    }
}

extension SpeechRequest: FieldDecodable {
    package init(from fields: inout FieldReader) {
        let text = fields.string("text").trimmed
        if fields.issues.isEmpty, !Self.textLength.contains(text.unicodeScalars.count) {
            fields.report("text", .wrongLength(allowed: Self.textLength))
        }
        self.init(text: text)
    }
}

extension Request {
    /// Checks a body that may be absent, and must otherwise be a JSON object, whose fields are ignored.
    func checkOptionalObject() async throws {
        do {
            _ = try await AnyObjectBody(bodyOf: self)
        } catch BodyError.malformed(FieldReader.emptyBodyMessage) {
            // Nothing was sent.
        }
    }
}

/// A JSON object whose fields are ignored.
private struct AnyObjectBody: FieldDecodable {
    init(from fields: inout FieldReader) {}
}
