extension UInt8 {
    static let tab: UInt8 = 0x09
    static let lineFeed: UInt8 = 0x0A
    static let carriageReturn: UInt8 = 0x0D
    static let space: UInt8 = 0x20
    static let quote: UInt8 = 0x22
    static let hash: UInt8 = 0x23
    static let dollar: UInt8 = 0x24
    static let apostrophe: UInt8 = 0x27
    static let openParenthesis: UInt8 = 0x28
    static let closeParenthesis: UInt8 = 0x29
    static let asterisk: UInt8 = 0x2A
    static let plus: UInt8 = 0x2B
    static let minus: UInt8 = 0x2D
    static let dot: UInt8 = 0x2E
    static let slash: UInt8 = 0x2F
    static let colon: UInt8 = 0x3A
    static let semicolon: UInt8 = 0x3B
    static let less: UInt8 = 0x3C
    static let equals: UInt8 = 0x3D
    static let greater: UInt8 = 0x3E
    static let questionMark: UInt8 = 0x3F
    static let exclamationMark: UInt8 = 0x21
    static let at: UInt8 = 0x40
    static let openBracket: UInt8 = 0x5B
    static let backslash: UInt8 = 0x5C
    static let closeBracket: UInt8 = 0x5D
    static let underscore: UInt8 = 0x5F
    static let backtick: UInt8 = 0x60
    static let openBrace: UInt8 = 0x7B
    static let pipe: UInt8 = 0x7C
    static let closeBrace: UInt8 = 0x7D
    static let tilde: UInt8 = 0x7E

    var isBlank: Bool { self == .space || (self >= 0x09 && self <= 0x0D) }
    var isDigit: Bool { self >= 0x30 && self <= 0x39 }
    var isUppercase: Bool { self >= 0x41 && self <= 0x5A }
    var isLowercase: Bool { self >= 0x61 && self <= 0x7A }
    var isLetter: Bool { (self | 0x20) >= 0x61 && (self | 0x20) <= 0x7A }
    /// True for letters of ASCII, the underscore, and every byte of a character beyond ASCII.
    var startsName: Bool { isLetter || self == .underscore || self >= 0x80 }
    var continuesName: Bool { startsName || isDigit }
    var lowercased: UInt8 { isUppercase ? self | 0x20 : self }
    /// True for the second and later bytes of a scalar.
    var continuesScalar: Bool { self & 0xC0 == 0x80 }
}

extension Array<UInt8> {
    init(_ text: StaticString) { self = text.withUTF8Buffer { Array($0) } }
}
