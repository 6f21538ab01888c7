/// The number of messages that a text takes over the air.
///
/// A text whose characters are all in the GSM 7-bit default alphabet is written in septets, 160 in a single message and 153 in each part of
/// a longer one; those of its extension table take two. Any other text is written in UCS-2, 70 units in one message and 67 in each part. A
/// character is never divided between two parts. Source: 3GPP TS 23.038, sections 6.1.2 and 6.2; TS 23.040, section 9.2.3.24.1.
public struct TextSegments: Hashable, Sendable {
    public enum Alphabet: Hashable, Sendable {
        case gsm7, ucs2

        /// The units of a single message, and of a part of a longer text.
        public var single: Int { self == .gsm7 ? 160 : 70 }
        public var part: Int { self == .gsm7 ? 153 : 67 }
    }

    public let alphabet: Alphabet
    /// The number of messages; 0 for an empty text.
    public let count: Int
    /// The number of septets or UCS-2 units left in the last one.
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

    /// The number of septets of a character; nil when it is not in the alphabet.
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
