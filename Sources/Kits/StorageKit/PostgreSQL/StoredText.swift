/// A text as PostgreSQL stores it: without U+0000, which it refuses, and SQLite and JSON do not.
///
/// U+FDD0, which is no character and stays within one program (Unicode 15, section 23.7), announces what it replaces.
enum StoredText {
    static let mark = Unicode.Scalar(UInt32(0xFDD0))!

    static func encoded(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { $0 == "\0" || $0 == mark }) else { return text }
        var encoded = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\0": encoded += [mark, "0"]
            case mark: encoded += [mark, "1"]
            default: encoded.append(scalar)
            }
        }
        return String(encoded)
    }

    static func decoded(_ text: String) -> String {
        guard text.unicodeScalars.contains(mark) else { return text }
        var (decoded, rest) = (String.UnicodeScalarView(), text.unicodeScalars[...])
        while let scalar = rest.popFirst() {
            let isEncoded = scalar == mark && (rest.first == "0" || rest.first == "1")
            decoded.append(isEncoded && rest.popFirst() == "0" ? "\0" : scalar)
        }
        return String(decoded)
    }
}
