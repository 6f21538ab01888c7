/// A piece of an answer.
public struct ChatChunk: Hashable, Sendable {
    /// Text to append; never empty, and smaller than ``Limits/chunkSize``.
    public var text: String
    /// The sequence number in the request, from 1; that of the last piece if pieces were joined. Nil without ``Feature/resume``.
    public var seq: Int64?

    public init(_ text: String, seq: Int64? = nil) { (self.text, self.seq) = (text, seq) }
}

/// The progress of the engine before the first piece. Requires ``Feature/progress``.
public struct ChatProgress: Hashable, Sendable {
    public enum Stage: String, Hashable, Sendable {
        /// The engine loads the model into memory.
        case loading
        /// The engine reads the prompt.
        case reading
        /// The model thinks. The text of its thoughts is not sent.
        case thinking
    }

    public var stage: Stage
    /// The finished part of the stage, 0…1; nil if the engine does not report it.
    public var fraction: Double?

    public init(_ stage: Stage, fraction: Double? = nil) { (self.stage, self.fraction) = (stage, fraction) }
}

/// The reason for the end of an answer.
public enum FinishReason: String, Hashable, Sendable {
    /// The model finished.
    case stop
    /// The answer reached a limit of the model, or ``Limits/answerSize``.
    case length
    /// The client sent ``Message/abort(_:)``.
    case abort
}

/// An error on the wire.
public struct ErrorReport: Error, Hashable, Sendable {
    public var code: ErrorCode
    /// A sentence for people, for clients that do not know the code.
    public var message: String

    public init(_ code: ErrorCode, _ message: String) { (self.code, self.message) = (code, message) }
}
