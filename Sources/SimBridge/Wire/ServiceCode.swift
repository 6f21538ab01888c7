/// A dialled code that the network answers with a message instead of a call, such as `*100#`.
///
/// A string that ends with `#` is a code; `*31#` and a number is a call that hides the caller. Source: 3GPP TS 22.030, section 6.5.
public struct ServiceCode: Hashable, Sendable {
    /// The code as it is dialled: digits, `*` and `#`.
    public let text: String
    /// The operation (`*`, `**`, `#`, `##` or `*#`) and the code of a supplementary service; nil for an operator's own code.
    private let service: (prefix: Substring, code: Substring)?

    public static func == (a: ServiceCode, b: ServiceCode) -> Bool { a.text == b.text }
    public func hash(into hasher: inout Hasher) { hasher.combine(text) }

    /// - Parameter number: The dialled string, without spaces and other separators.
    /// - Returns: nil if dialling the string makes a call.
    public init?(_ number: String) {
        guard number.utf8.count >= 2, number.hasSuffix("#"), number.utf8.allSatisfy({ "0123456789*#".utf8.contains($0) }) else {
            return nil
        }
        text = number
        let prefix = number.prefix { "*#".contains($0) }
        let code = number.dropFirst(prefix.count).prefix { !"*#".contains($0) }
        service = ["*", "**", "#", "##", "*#"].contains(prefix) && Self.services.contains(String(code)) ? (prefix, code) : nil
    }

    /// True if the code changes the card or the user's settings at the network: call forwarding, barring, the display of the own number.
    /// Codes that only ask (`*#21#`), and codes of the operator, do not.
    public var changesSettings: Bool { service.map { $0.prefix != "*#" } ?? false }

    /// True if the code contains the card's PIN or PUK. A phone executes such a code itself and must not send it to the network.
    public var containsPIN: Bool { service.map { ["04", "042", "05", "052"].contains($0.code) } ?? false }

    /// True for `*#06#`, which shows the modem's own identity.
    public var asksForIdentity: Bool { text == "*#06#" }

    /// The codes of the supplementary services. Source: 3GPP TS 22.030, annex B and section 6.6.
    private static let services: Set<String> = [
        // Forwarding, barring and its password, call waiting.
        "002", "004", "21", "61", "62", "67", "33", "330", "331", "332", "333", "35", "351", "353", "03", "43",
        // Presentation of names and numbers, priority, follow me, call completion, user-to-user signalling.
        "30", "31", "76", "77", "300", "75", "750", "751", "752", "753", "754", "66", "37", "96", "360", "361", "362", "363",
        // PIN and PUK.
        "04", "042", "05", "052",
    ]
}
