extension UInt8 {
    static let tab: UInt8 = 0x09
    static let lineFeed: UInt8 = 0x0A
    static let carriageReturn: UInt8 = 0x0D
    static let space: UInt8 = 0x20
    static let backslash: UInt8 = 0x5C
    static let backtick: UInt8 = 0x60
    static let tilde: UInt8 = 0x7E
    static let pipe: UInt8 = 0x7C

    /// True for a space, a tab, and a carriage return inside a line.
    var isBlank: Bool { self == .space || self == .tab || self == .carriageReturn }
    var isDigit: Bool { self >= 0x30 && self <= 0x39 }
    var isLetter: Bool { (self | 0x20) >= 0x61 && (self | 0x20) <= 0x7A }
    /// True for ASCII punctuation and symbols.
    var isPunctuation: Bool { self > 0x20 && self < 0x7F && !isDigit && !isLetter }

    static func ascii(_ character: Unicode.Scalar) -> UInt8 { UInt8(ascii: character) }
}

extension Collection<UInt8> where SubSequence: Collection<UInt8> {
    /// The bytes without blanks at the start.
    var leadingTrimmed: SubSequence { drop { $0.isBlank } }
}

extension BidirectionalCollection<UInt8> {
    /// The bytes without blanks at the end.
    var trailingTrimmed: SubSequence {
        var end = endIndex
        while end > startIndex, self[index(before: end)].isBlank { end = index(before: end) }
        return self[..<end]
    }
}
