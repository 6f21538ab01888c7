/// The code of an error. Readers accept unknown codes, and show the message that came with them.
public struct ErrorCode: RawRepresentable, Codable, Hashable, Sendable {
    public var rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    private init(_ rawValue: String) { self.init(rawValue: rawValue) }

    // MARK: The request

    /// Bad JSON, an unknown type, or a field with a wrong value. The socket, if any, stays open.
    public static let invalidMessage = ErrorCode("INVALID_MESSAGE")
    /// The token is missing or wrong.
    public static let authFailed = ErrorCode("AUTH_FAILED")
    /// The token was replaced while the socket was open. The server then closes the socket with ``CloseCode/tokenExpired``.
    public static let tokenExpired = ErrorCode("token_expired")
    /// The path leads out of the project.
    public static let pathForbidden = ErrorCode("PATH_FORBIDDEN")
    public static let projectNotFound = ErrorCode("PROJECT_NOT_FOUND")
    public static let sessionNotFound = ErrorCode("SESSION_NOT_FOUND")
    public static let fileNotFound = ErrorCode("FILE_NOT_FOUND")
    /// No call has the path of the request.
    public static let notFound = ErrorCode("NOT_FOUND")
    /// The file exceeds ``Limits/fullFileSize``, or the body of the request exceeds its limit.
    public static let fileTooLarge = ErrorCode("FILE_TOO_LARGE")
    /// ``Limits/runningSessionCount`` agents are running.
    public static let sessionLimit = ErrorCode("SESSION_LIMIT")
    /// The session must be resumed before it accepts prompts.
    public static let sessionNotActive = ErrorCode("SESSION_NOT_ACTIVE")
    /// ``Limits/queuedPromptCount`` prompts of the session wait for the agent.
    public static let queueFull = ErrorCode("QUEUE_FULL")
    /// The prompt was already answered, has expired, or was withdrawn.
    public static let promptClosed = ErrorCode("PROMPT_CLOSED")

    // MARK: The agent

    /// The agent's program is not installed.
    public static let agentNotFound = ErrorCode("CLI_NOT_FOUND")
    /// The agent ended unexpectedly. The message has the last lines of its standard error.
    public static let agentCrashed = ErrorCode("CLI_CRASHED")
    /// The agent wrote nothing for 30 s after a prompt. It keeps running.
    public static let agentSilent = ErrorCode("CLI_TIMEOUT")
    /// The server could not read a line of the agent's output and dropped it.
    public static let parseError = ErrorCode("PARSE_ERROR")

    /// The server's disk is full. Nothing was stored; the same command succeeds once there is room.
    public static let storageFull = ErrorCode("STORAGE_FULL")
    public static let internalError = ErrorCode("INTERNAL_ERROR")

    /// The HTTP status of a reply with this code. Codes that only sockets carry, and unknown ones, have 500.
    public var httpStatus: Int {
        switch self {
        case .invalidMessage: 400
        case .authFailed, .tokenExpired: 401
        case .pathForbidden: 403
        case .projectNotFound, .sessionNotFound, .fileNotFound, .notFound: 404
        case .sessionLimit, .sessionNotActive, .promptClosed, .queueFull: 409
        case .fileTooLarge: 413
        case .agentNotFound: 503
        case .storageFull: 507
        default: 500
        }
    }

    public init(from decoder: any Decoder) throws { self.init(try decoder.singleValueContainer().decode(String.self)) }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
}

/// The reply to a failed call: `{"error":{"code":…,"message":…}}`.
public struct ErrorReply: Codable, Hashable, Sendable {
    public struct Reason: Codable, Hashable, Sendable {
        public var code: ErrorCode
        /// A sentence for developers.
        public var message: String

        public init(_ code: ErrorCode, _ message: String) { (self.code, self.message) = (code, message) }
    }

    public var error: Reason

    public init(_ code: ErrorCode, _ message: String) { error = Reason(code, message) }
}
