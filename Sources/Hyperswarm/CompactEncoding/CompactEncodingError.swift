/// Failure to decode a value.
public struct CompactEncodingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Kind of a failure. Compare this; do not compare whole errors.
    public struct Code: Hashable, Sendable {
        private enum Base { case truncated, tooManyElements, invalidText, invalidValue }
        private var base: Base
        private init(_ base: Base) { self.base = base }

        /// The input ended inside a value.
        public static let truncated = Code(.truncated)
        /// An array announced more than ``Decoder/maximumElementCount`` elements.
        public static let tooManyElements = Code(.tooManyElements)
        /// A string was not valid UTF-8.
        public static let invalidText = Code(.invalidText)
        /// A field had a value that its message does not allow.
        public static let invalidValue = Code(.invalidValue)
    }

    public var code: Code
    /// Explanation for a log.
    public var detail: String

    public init(_ code: Code, _ detail: String = "") {
        self.code = code
        self.detail = detail
    }

    public var description: String { "CompactEncodingError(\(code), \(detail))" }
}
