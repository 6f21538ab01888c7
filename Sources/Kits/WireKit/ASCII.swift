extension UInt8 {
    package var isASCIIDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
    package var isASCIIUppercase: Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) }
    package var isASCIILowercase: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) }
    package var isASCIIAlphanumeric: Bool { isASCIIDigit || isASCIIUppercase || isASCIILowercase }
    package var isHexadecimalDigit: Bool {
        isASCIIDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(self)
            || (UInt8(ascii: "A")...UInt8(ascii: "F")).contains(self)
    }
    /// True for the digits of base64url (RFC 4648, section 5): letters, digits, `-` and `_`.
    package var isBase64URLDigit: Bool { isASCIIAlphanumeric || self == UInt8(ascii: "-") || self == UInt8(ascii: "_") }
    /// True for the unreserved characters of a URL (RFC 3986, section 2.3).
    package var isURLUnreserved: Bool { isBase64URLDigit || self == UInt8(ascii: ".") || self == UInt8(ascii: "~") }
}
