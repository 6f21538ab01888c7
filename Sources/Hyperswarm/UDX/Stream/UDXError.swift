/// The failure of an operation on a stream or a socket.
public struct UDXError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure. Compare this; do not compare whole errors.
    public struct Code: Hashable, Sendable {
        private enum Base {
            case reset, timedOut, destroyed, socketClosed, finished, alreadyReading, identifierInUse, socketUnavailable
        }
        private var base: Base
        private init(_ base: Base) { self.base = base }

        /// The peer destroyed the stream.
        public static let reset = Code(.reset)
        /// The peer did not acknowledge a packet in time.
        public static let timedOut = Code(.timedOut)
        /// This side destroyed the stream.
        public static let destroyed = Code(.destroyed)
        /// The socket was closed.
        public static let socketClosed = Code(.socketClosed)
        /// Bytes were written after this side's end.
        public static let finished = Code(.finished)
        /// Two tasks read one stream at the same time.
        public static let alreadyReading = Code(.alreadyReading)
        /// A stream with the wanted id exists.
        public static let identifierInUse = Code(.identifierInUse)
        /// The system gave no usable socket.
        public static let socketUnavailable = Code(.socketUnavailable)
    }

    public var code: Code
    /// Explanation for a log.
    public var detail: String

    init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    /// Creates the error of an operation on a stream that has ended.
    init(_ closure: StreamClosure) {
        switch closure {
        case .finished: self.init(.finished, "The stream is finished.")
        case .destroyed: self.init(.destroyed, "The stream was destroyed on this side.")
        case .reset: self.init(.reset, "The peer destroyed the stream.")
        case .timedOut: self.init(.timedOut, "The peer did not acknowledge a packet in time.")
        case .socketClosed: self.init(.socketClosed, "The socket was closed.")
        }
    }

    public var description: String { detail }
}
