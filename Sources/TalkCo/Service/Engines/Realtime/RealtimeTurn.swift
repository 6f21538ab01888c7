import Foundation

/// The state machine of one turn, which translates events of the server to actions.
///
/// ```
///   response.created → audio, text → response.done ──┬─ with calls ──▶ outputs, response.create ─▶ …
///   transcript (any time) ───────────────────────────┴─ without, and the transcript is known ──▶ response, end
/// ```
struct RealtimeTurn {
    enum Action: Hashable {
        case send(TurnPiece)
        /// Call the function and send its output.
        case call(RealtimeCall)
        /// Request the answer that uses the outputs.
        case respond
        /// End the turn, with the reason of a failure; nil for a complete turn.
        case end(String?)
    }

    /// Maximum count of responses with calls in one turn.
    private static let maximumCallRounds = 4
    /// Maximum length of an answer, in characters.
    private static let maximumTextLength = 20_000

    /// True once the learner's words are known or given up; from the beginning in a typed turn.
    private(set) var hasTranscript: Bool
    /// True once the transcript has failed or was empty. Words may still come before the end of the answer.
    private var isUnintelligible = false
    /// True once the last response is done.
    private(set) var isAnswered = false
    /// True while the model has called a function in a response that is not done.
    private(set) var hasOpenCalls = false
    private(set) var text = ""
    /// The text of the response that is arriving.
    private var arriving = ""
    /// The calls of the response that is arriving. A later response may use their identifiers again.
    private var calls: Set<RealtimeCall> = []
    /// The response whose calls were answered before it ended; nil for none, or without an identifier.
    private var abandoned: String?
    private var callingResponse: String?
    private var roundCount = 0
    private var oddByte: UInt8?
    private var hasEnded = false

    init(isSpoken: Bool) { hasTranscript = !isSpoken }

    mutating func receive(_ event: RealtimeEvent) -> [Action] {
        guard !hasEnded else { return [] }
        switch event.kind {
        case .transcriptCompleted: return transcript(event.transcript ?? "")
        case .transcriptFailed: return transcript("")
        case .responseCreated:
            if abandoned == event.responseID { abandoned = nil }
            return []
        case .audioDelta: return audio(event.audio)
        case .textDelta:
            if arriving.count < Self.maximumTextLength { arriving += event.textDelta ?? "" }
            return []
        case .textDone:
            // The event has the whole text, of which deltas may be missing.
            if let whole = event.transcript, whole.count > arriving.count {
                arriving = String(whole.prefix(Self.maximumTextLength))
            }
            return []
        case .itemDone: return event.call.map { call($0, of: event.responseID) } ?? []
        case .responseDone: return responseDone(event)
        case .error:
            // The recording was shorter than the server accepts.
            let isEmpty = event.errorCode == "input_audio_buffer_commit_empty"
            return (isEmpty ? setTranscript("") : []) + end("The model reports: \(event.errorMessage)")
        default: return []
        }
    }

    /// Ends the wait for a transcript that does not come.
    mutating func giveUpTranscript() -> [Action] { hasTranscript ? [] : setTranscript("") }

    /// Requests the next answer although the server has not ended the response with the calls.
    mutating func giveUpResponse() -> [Action] {
        guard hasOpenCalls else { return [] }
        abandoned = callingResponse
        return nextRound()
    }

    private mutating func transcript(_ text: String) -> [Action] {
        guard !hasTranscript else { return [] }
        let text = NonSpeech.removed(from: text)
        guard text.isEmpty, !isAnswered else { return setTranscript(text) }
        isUnintelligible = true
        return []
    }

    private mutating func setTranscript(_ text: String) -> [Action] {
        hasTranscript = true
        return [.send(.transcript(text))] + (isAnswered ? complete() : [])
    }

    private mutating func audio(_ samples: Data?) -> [Action] {
        guard var samples, !isAnswered else { return [] }
        if let byte = oddByte { samples = Data([byte]) + samples }
        oddByte = samples.count % 2 == 0 ? nil : samples.removeLast()
        return samples.isEmpty ? [] : [.send(.audio(samples))]
    }

    private mutating func call(_ call: RealtimeCall, of response: String?) -> [Action] {
        guard calls.insert(call).inserted else { return [] }
        hasOpenCalls = true
        callingResponse = response
        return [.call(call)]
    }

    private mutating func responseDone(_ event: RealtimeEvent) -> [Action] {
        guard !isAnswered else { return [] }
        if let abandoned, abandoned == event.responseID {
            self.abandoned = nil
            return []
        }
        switch event.status {
        case "failed": return end("The model reports: \(event.errorMessage)")
        case "cancelled": return end("The model cancelled its answer.")
        default: break
        }
        // Calls that have arrived in events of their own are not repeated.
        let new = calls.isEmpty ? event.calls.flatMap { call($0, of: event.responseID) } : []
        if arriving.isEmpty { arriving = String(event.output.prefix(Self.maximumTextLength)) }
        text = [text, arriving.trimmingCharacters(in: .whitespacesAndNewlines)].filter { !$0.isEmpty }.joined(separator: " ")
        arriving = ""
        if hasOpenCalls { return new + nextRound() }
        isAnswered = true
        if hasTranscript { return complete() }
        return isUnintelligible ? setTranscript("") : []
    }

    private mutating func nextRound() -> [Action] {
        hasOpenCalls = false
        calls = []
        roundCount += 1
        return roundCount <= Self.maximumCallRounds ? [.respond] : end("The model calls functions without end.")
    }

    private mutating func complete() -> [Action] { (text.isEmpty ? [] : [.send(.response(text))]) + end(nil) }

    private mutating func end(_ reason: String?) -> [Action] {
        hasEnded = true
        return [.end(reason)]
    }
}
