/// A failure, with the details that the user needs. The app chooses the words.
public struct ChatProblem: Error, Hashable, Sendable {
    /// The cause of a failure whose code has several causes.
    public enum Cause: String, Hashable, Sendable, Codable {
        /// No node of the network answered.
        case network
        /// This network has IPv6 only, and hosts are reached by IPv4.
        case noIPv4
        /// The host is announced, but no path to it was found.
        case unreachable
        /// The stream is open, but the host did not introduce itself.
        case noIntroduction
        /// Another peer answered under an ID that its owner has proved before.
        case impostor
        /// The user did not accept the host's changed key.
        case keyRefused
        /// The phone could not read or store its own key.
        case keychain
        /// The answer is older than hosts keep answers.
        case expired
    }

    public var code: ErrorCode
    public var cause: Cause?
    /// The host's sentence, or details for the log; empty without either.
    public var message: String

    public init(_ code: ErrorCode, _ cause: Cause? = nil, message: String = "") {
        (self.code, self.cause, self.message) = (code, cause, message)
    }

    /// The host's own sentence about its model or the model's server; nil if there is none. In the language of the host.
    public var hostReason: String? {
        guard cause == nil, !message.isEmpty else { return nil }
        return [.generationFailed, .contextExceeded, .ollamaNotFound, .ollamaModelNotAvailable].contains(code) ? message : nil
    }

    /// Creates a failure that the host has reported.
    package init(_ report: ErrorReport) {
        let shown = report.shown
        self.init(shown.code, message: shown.message)
    }
}

extension ChatProblem: Codable {
    private enum CodingKeys: String, CodingKey { case code, cause, message }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        code = ErrorCode(rawValue: try values.decode(String.self, forKey: .code))
        cause = (try? values.decodeIfPresent(String.self, forKey: .cause)).flatMap { $0 }.flatMap(Cause.init)
        message = try values.decode(String.self, forKey: .message)
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(code.rawValue, forKey: .code)
        try values.encodeIfPresent(cause, forKey: .cause)
        try values.encode(message, forKey: .message)
    }
}
