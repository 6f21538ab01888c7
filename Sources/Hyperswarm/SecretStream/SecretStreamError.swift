/// Failure of an encrypted stream. The owner destroys the stream without a message to the peer.
public struct SecretStreamError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of a failure. Compare this; do not compare whole errors.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Base { case wrongHeader, frameTooShort, frameTooLong, authenticationFailed, truncated, failedEarlier }
        private var base: Base
        private init(_ base: Base) { self.base = base }

        /// The first frame is not the header of this connection.
        public static let wrongHeader = Code(.wrongHeader)
        /// A frame is shorter than an encrypted empty message.
        public static let frameTooShort = Code(.frameTooShort)
        /// A frame is longer than this side accepts.
        public static let frameTooLong = Code(.frameTooLong)
        /// A message was changed, repeated or left out.
        public static let authenticationFailed = Code(.authenticationFailed)
        /// The stream ended inside a frame or before the header.
        public static let truncated = Code(.truncated)
        /// The stream had failed before.
        public static let failedEarlier = Code(.failedEarlier)

        public var description: String { "\(base)" }
    }

    public var code: Code
    /// Explanation for a log.
    public var detail: String

    public init(_ code: Code, _ detail: String = "") {
        self.code = code
        self.detail = detail
    }

    public var description: String { "SecretStreamError(\(code), \(detail))" }
}
