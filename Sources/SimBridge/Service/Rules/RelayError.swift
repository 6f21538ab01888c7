import SimBridgeWire

/// The refusal of a call by one of the relay's rules. Sentences are the contract's (`Docs/Protocols/SimBridge.md`, section 2).
struct RelayError: Error, Equatable {
    enum Kind: Hashable, Sendable {
        case badRequest, unauthorized, forbidden, notFound, conflict, tooManyAttempts, notImplemented, unavailable,
            insufficientStorage
    }

    var kind: Kind
    var detail: String
    /// The delay until the client may retry; nil if the reply does not state one.
    var retryAfter: Duration?
    /// The reason for the refusal of a pairing code; nil for other refusals.
    var pairing: PairingRefusal.Reason?

    init(_ kind: Kind, _ detail: String, retryAfter: Duration? = nil) {
        self.kind = kind
        self.detail = detail
        self.retryAfter = retryAfter
    }

    static func code(_ reason: PairingRefusal.Reason) -> RelayError {
        var error = RelayError(.badRequest, PairingRefusal.detail)
        error.pairing = reason
        return error
    }

    static func tooManyAttempts(retryAfter: Duration) -> RelayError {
        RelayError(.tooManyAttempts, "Too many attempts. Try again later.", retryAfter: retryAfter)
    }
}
