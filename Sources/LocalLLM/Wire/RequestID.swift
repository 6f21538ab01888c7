/// The identifier of one request. The client chooses it, by convention the text of a random UUID.
public struct RequestID: Hashable, Sendable, CustomStringConvertible {
    /// The permitted lengths in characters (Unicode scalar values).
    public static let lengths = 1...128

    public let text: String

    /// Creates an identifier; nil for a text of another length than ``lengths``.
    public init?(_ text: String) {
        guard Self.lengths.contains(text.unicodeScalars.count) else { return nil }
        self.text = text
    }

    public var description: String { text }
}
