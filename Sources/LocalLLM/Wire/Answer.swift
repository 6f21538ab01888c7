/// A piece of an answer.
public struct ChatChunk: Hashable, Sendable {
    /// Text to append; never empty, and smaller than ``Limits/chunkSize``.
    public var text: String
    /// The number of the piece in its request, from 1. Where pieces were joined, the last one's. With ``Feature/resume``.
    public var seq: Int64?

    public init(_ text: String, seq: Int64? = nil) { (self.text, self.seq) = (text, seq) }
}

/// The work that the engine does before the first piece. With ``Feature/progress``.
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
    /// The finished part of the stage, 0…1; nil where the engine does not tell.
    public var fraction: Double?

    public init(_ stage: Stage, fraction: Double? = nil) { (self.stage, self.fraction) = (stage, fraction) }
}

/// The reason why an answer ended.
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
