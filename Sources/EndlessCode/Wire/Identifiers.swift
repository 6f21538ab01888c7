public import WireKit

/// The subject of ``PromptRequest/ID``.
public enum Prompt {}

extension Identifier {
    /// True for 1 to 128 characters of `A`–`Z`, `a`–`z`, `0`–`9`, `-`, `_` and `.`, as the identifiers of sessions, projects, prompts and
    /// requests are. They stand in paths and in ``SocketQuery/after`` without an escape. `.` and `..` alone are no identifiers.
    public var isWireIdentifier: Bool {
        Limits.identifierLengths.contains(rawValue.utf8.count) && rawValue != "." && rawValue != ".."
            && rawValue.utf8.allSatisfy {
                switch $0 {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
                    true
                default: false
                }
            }
    }
}
