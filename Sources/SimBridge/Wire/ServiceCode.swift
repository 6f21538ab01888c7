/// A dialled code that the network answers with a message instead of a call, such as `*100#`.
///
/// A string that ends with `#` is one; `*31#` before a number, which hides the caller, is a call. Source: 3GPP TS 22.030, section 6.5.
public struct ServiceCode: Hashable, Sendable {
    /// The digits, `*` and `#`.
    public let text: String
    /// The code of a supplementary service and what is done to it; nil for a code of the operator's own.
    private let service: (prefix: Substring, code: Substring)?

    public static func == (a: ServiceCode, b: ServiceCode) -> Bool { a.text == b.text }
    public func hash(into hasher: inout Hasher) { hasher.combine(text) }

    /// - Parameter number: Without spaces and other separators.
    /// - Returns: nil for a number that is called.
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

    /// True for codes with the card's PIN or PUK in them: a phone carries them out itself, and the network must not get them.
    public var containsPIN: Bool { service.map { ["04", "042", "05", "052"].contains($0.code) } ?? false }

    /// True for `*#06#`, which shows the modem's own identity.
    public var asksForIdentity: Bool { text == "*#06#" }

    /// The codes of the supplementary services. Source: 3GPP TS 22.030, annex B and section 6.6.
    private static let services: Set<String> = [
        // Forwarding, barring and its password, waiting calls.
        "002", "004", "21", "61", "62", "67", "33", "330", "331", "332", "333", "35", "351", "353", "03", "43",
        // Names and numbers that are shown or hidden, priority, follow me, completion of calls, signalling between users.
        "30", "31", "76", "77", "300", "75", "750", "751", "752", "753", "754", "66", "37", "96", "360", "361", "362", "363",
        // PIN and PUK.
        "04", "042", "05", "052",
    ]
}
