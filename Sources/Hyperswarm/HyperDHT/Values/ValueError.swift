/// Failure to store or to find a value.
public struct ValueError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure. Compare this; do not compare whole errors.
    public struct Code: Hashable, Sendable {
        private enum Base { case empty, tooLong, sequenceReused, sequenceTooLow, notStored, network }
        private var base: Base
        private init(_ base: Base) { self.base = base }

        /// The value has no bytes, which nodes do not store.
        public static let empty = Code(.empty)
        /// The value is longer than ``MutableRecord/maximumValueSize``.
        public static let tooLong = Code(.tooLong)
        /// A node has another value with the same sequence number.
        public static let sequenceReused = Code(.sequenceReused)
        /// A node has a value with a higher sequence number.
        public static let sequenceTooLow = Code(.sequenceTooLow)
        /// Nodes answered, but none stored the value.
        public static let notStored = Code(.notStored)
        /// No node answered, or this node is closed.
        public static let network = Code(.network)
    }

    public var code: Code
    /// Explanation for a log.
    public var detail: String

    public init(_ code: Code, _ detail: String = "") {
        self.code = code
        self.detail = detail
    }

    public var description: String { "ValueError(\(code), \(detail))" }
}
