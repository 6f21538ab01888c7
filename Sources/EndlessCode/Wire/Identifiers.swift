public import WireKit

/// The tag of the identifier type ``PromptRequest/ID``.
public enum Prompt {}

extension Identifier {
    /// True for an identifier of a session, project, prompt or request: 1 to 128 characters of `A`–`Z`, `a`–`z`, `0`–`9`, `-`, `_`
    /// and `.`, but not `.` or `..` alone. Such identifiers need no escape in paths and in ``SocketQuery/after``.
    public var isWireIdentifier: Bool {
        Limits.identifierLengths.contains(rawValue.utf8.count) && rawValue != "." && rawValue != ".."
            && rawValue.utf8.allSatisfy { $0.isBase64URLDigit || $0 == UInt8(ascii: ".") }
    }
}
