/// The division of a text into messages over the air.
///
/// A text in the GSM 7-bit default alphabet is written in septets, 160 in a single message and 153 in each part of a longer text; a
/// character of the extension table takes two. Any other text is written in UCS-2, 70 units in a single message and 67 in each
/// part. No character is divided between two parts. Source: 3GPP TS 23.038, sections 6.1.2 and 6.2; TS 23.040, section 9.2.3.24.1.
public struct TextSegments: Hashable, Sendable {
    public enum Alphabet: Hashable, Sendable {
        case gsm7, ucs2

        /// Maximum septets or UCS-2 units of a single message.
        public var single: Int { self == .gsm7 ? 160 : 70 }
        /// Maximum septets or UCS-2 units of each part of a longer text.
        public var part: Int { self == .gsm7 ? 153 : 67 }
    }

    public let alphabet: Alphabet
    /// Count of messages; 0 for an empty text.
    public let count: Int
    /// The free septets or UCS-2 units in the last message.
    public let remaining: Int

    public init(_ text: String) {
        let septets = text.unicodeScalars.map(Self.septets)
        if septets.contains(nil) {
            alphabet = .ucs2
            (count, remaining) = Self.packed(text.unicodeScalars.map { $0.utf16.count }, in: .ucs2)
        } else {
            alphabet = .gsm7
            (count, remaining) = Self.packed(septets.compactMap(\.self), in: .gsm7)
        }
    }

    private static func packed(_ sizes: [Int], in alphabet: Alphabet) -> (count: Int, remaining: Int) {
        let total = sizes.reduce(0, +)
        if total == 0 { return (0, alphabet.single) }
        if total <= alphabet.single { return (1, alphabet.single - total) }
        var (count, room) = (1, alphabet.part)
        for size in sizes {
            if size > room {
                count += 1
                room = alphabet.part
            }
            room -= size
        }
        return (count, room)
    }

    /// Returns the septets that a character takes; nil if it is not in the GSM 7-bit alphabet.
    private static func septets(of scalar: Unicode.Scalar) -> Int? {
        basic.contains(scalar) ? 1 : extended.contains(scalar) ? 2 : nil
    }

    private static let basic = Set(
        """
        @£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&'()*+,-./0123456789:;<=>?\
        ¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà
        """.unicodeScalars)
    private static let extended = Set("\u{c}^{}\\[~]|€".unicodeScalars)
}
