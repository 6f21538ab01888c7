/// The refusal of a call. Sentences are the contract's (`Docs/Protocols/TalkCo.md`, section 2).
struct TalkError: Error, Equatable {
    enum Kind: Hashable, Sendable {
        case badRequest, forbidden, notFound, requestTimeout, conflict, tooMany, notImplemented, badGateway, unavailable,
            gatewayTimeout
        case insufficientStorage
    }

    var kind: Kind
    var detail: String
    /// The time that the client should wait before a retry; nil for none.
    var retryAfter: Duration?

    init(_ kind: Kind, _ detail: String, retryAfter: Duration? = nil) {
        self.kind = kind
        self.detail = detail
        self.retryAfter = retryAfter
    }

    static let sessionNotFound = TalkError(.notFound, "Session not found")
    /// The talk has reached ``SessionRecord/maximumSize``.
    static let conversationFull = TalkError(.conflict, "This conversation is full")
    static let connecting = TalkError(.unavailable, "Session still connecting, try again shortly", retryAfter: .seconds(1))
    static let diskIsFull = TalkError(.insufficientStorage, "The disk of the service is full", retryAfter: .seconds(10))
    static let connectionTimedOut = TalkError(.gatewayTimeout, "Session connection timed out")
}

extension TalkError {
    /// Creates the refusal after a failure of an engine.
    init(_ error: EngineError) {
        self.init(error.code == .timedOut ? .gatewayTimeout : .badGateway, error.description)
    }
}
