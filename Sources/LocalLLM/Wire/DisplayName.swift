import WireKit

/// Text of a peer that phones and terminals show in one row: the name of a host or of a model, and the sentence of an error.
package enum DisplayName {
    /// Maximum size of a name, in bytes of UTF-8.
    package static let maximumSize = 256
    /// Maximum length of a host's name, in characters: it is shown in one row of a phone.
    package static let maximumHostName = 64
    /// Maximum size of a sentence, in bytes of UTF-8.
    package static let maximumSentence = 1_024

    /// Returns the text without unprintable characters and outer white space, cut at the limit; empty if nothing remains.
    package static func clean(_ text: String, maximumSize: Int = maximumSize) -> String {
        // A text far over the limit is not processed as a whole.
        let beginning = text.prefix(utf8: 4 * maximumSize)
        let words = beginning.unicodeScalars.split(whereSeparator: \.isUnprintable).map(String.init)
        return words.joined(separator: " ").trimmed.prefix(utf8: maximumSize).trimmed
    }

    /// Returns the shown name of a host; empty if nothing remains.
    package static func host(_ text: String) -> String { clean(String(clean(text).prefix(maximumHostName))) }

    /// Returns true for a text that is not empty and that ``clean(_:maximumSize:)`` does not change.
    package static func isClean(_ text: String) -> Bool { !text.isEmpty && clean(text) == text }
}

extension String {
    /// The text without white space at both ends.
    fileprivate var trimmed: String {
        var rest = self[...].drop(while: \.isWhitespace)
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return String(rest)
    }
}

extension ServerInfo {
    /// The introduction as a client shows it. The host controls every text in it.
    package var shown: ServerInfo {
        var info = self
        info.hostName = DisplayName.host(hostName)
        info.model = DisplayName.clean(model)
        info.models = Self.distinct(models, maximumCount: Self.maximumModelCount, DisplayName.isClean)
        info.waiting = Self.distinct(waiting, maximumCount: Self.maximumWaitingCount) {
            $0.utf8.count == 64 && $0.utf8.allSatisfy(Self.isHexDigit)
        }
        return info
    }

    /// Maximum models to choose from.
    private static let maximumModelCount = 500
    /// Maximum phones to decide about at once.
    private static let maximumWaitingCount = 8

    private static func distinct(_ texts: [String], maximumCount: Int, _ isValid: (String) -> Bool) -> [String] {
        var known: Set<String> = []
        return Array(texts.filter { isValid($0) && known.insert($0).inserted }.prefix(maximumCount))
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte) }
}

extension ErrorReport {
    /// The error as a client shows it. A code with unusual characters becomes ``ErrorCode/unknown``.
    package var shown: ErrorReport {
        let isPlain =
            !code.rawValue.isEmpty && code.rawValue.utf8.count <= 64 && code.rawValue.unicodeScalars.allSatisfy(Self.isPlain)
        return ErrorReport(isPlain ? code : .unknown, DisplayName.clean(message, maximumSize: DisplayName.maximumSentence))
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "A"..."Z", "a"..."z", "0"..."9", "_", "-", ".": true
        default: false
        }
    }
}
