/// Failure of a handshake.
public struct NoiseError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of a failure. Compare this; do not compare whole errors.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Base { case malformedMessage, authenticationFailed, invalidKey, outOfOrder }
        private var base: Base
        private init(_ base: Base) { self.base = base }

        /// The message is too short or too long.
        public static let malformedMessage = Code(.malformedMessage)
        /// The message was changed, or was made with other keys.
        public static let authenticationFailed = Code(.authenticationFailed)
        /// A public key of the peer is not on the curve or has a small order.
        public static let invalidKey = Code(.invalidKey)
        /// The other side has to send the next message, or the handshake has ended.
        public static let outOfOrder = Code(.outOfOrder)

        public var description: String { "\(base)" }
    }

    public var code: Code
    /// Explanation for a log.
    public var detail: String

    public init(_ code: Code, _ detail: String = "") {
        self.code = code
        self.detail = detail
    }

    public var description: String { "NoiseError(\(code), \(detail))" }
}
