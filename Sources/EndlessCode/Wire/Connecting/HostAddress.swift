/// The host of a server's address.
public enum HostAddress: Hashable, Sendable {
    /// Four bytes in network byte order.
    case ipv4([UInt8])
    /// Sixteen bytes in network byte order.
    case ipv6([UInt8])
    /// A host name in lower case, without a dot at its end.
    case name(String)

    /// Parses a host as written in a URL: an IPv4 address, an IPv6 address in brackets or without, or a host name.
    ///
    /// - Throws: ``ServerAddressError/invalidHost`` for names that RFC 1123 does not allow, IPv4 addresses with another number of
    ///   parts than four, and IPv6 addresses with a zone, which has no meaning on another computer.
    public init(_ text: some StringProtocol) throws(ServerAddressError) {
        if text.hasPrefix("[") || text.hasSuffix("]") {
            guard text.hasPrefix("["), text.hasSuffix("]"), let bytes = Self.ipv6(text.dropFirst().dropLast()) else {
                throw .invalidHost
            }
            self = .ipv6(bytes)
        } else if text.contains(":") {
            guard let bytes = Self.ipv6(text) else { throw .invalidHost }
            self = .ipv6(bytes)
        } else if let bytes = Self.ipv4(text) {
            self = .ipv4(bytes)
        } else {
            guard let name = Self.name(text) else { throw .invalidHost }
            self = .name(name)
        }
    }

    /// True for addresses of this computer itself: 127.0.0.0/8, ::1, `localhost` and names below it.
    public var isLoopback: Bool {
        switch self {
        case .ipv4(let bytes): bytes[0] == 127
        case .ipv6(let bytes):
            bytes.dropLast().allSatisfy { $0 == 0 } && bytes[15] == 1
                || bytes.prefix(10).allSatisfy { $0 == 0 } && bytes[10] == 0xff && bytes[11] == 0xff && bytes[12] == 127
        case .name(let name): name == "localhost" || name.hasSuffix(".localhost")
        }
    }

    /// The text of the host in a URL. IPv6 addresses have brackets and the form of RFC 5952.
    public var text: String {
        switch self {
        case .ipv4(let bytes): bytes.map(String.init).joined(separator: ".")
        case .ipv6(let bytes): "[\(Self.text(ofIPv6: bytes))]"
        case .name(let name): name
        }
    }

    // MARK: Reading

    /// Parses four decimal numbers; nil for other text. Leading zeros are invalid, because some systems read them as octal.
    private static func ipv4(_ text: some StringProtocol) -> [UInt8]? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var bytes: [UInt8] = []
        for part in parts {
            guard (1...3).contains(part.utf8.count), part.utf8.allSatisfy(isDigit), part.count == 1 || part.first != "0",
                let byte = UInt8(part)
            else { return nil }
            bytes.append(byte)
        }
        return bytes
    }

    /// Parses an address in a form of RFC 4291, section 2.2; nil for other text.
    private static func ipv6(_ text: some StringProtocol) -> [UInt8]? {
        guard text.utf8.count <= 45 else { return nil }
        // An address has at most one "::".
        let halves = text.split(separator: "::", maxSplits: 2, omittingEmptySubsequences: false)
        guard halves.count <= 2, let head = groups(halves[0], endsAddress: halves.count == 1) else { return nil }
        guard halves.count == 2 else { return head.count == 16 ? head : nil }
        guard let tail = groups(halves[1], endsAddress: true), head.count + tail.count <= 14 else { return nil }
        return head + [UInt8](repeating: 0, count: 16 - head.count - tail.count) + tail
    }

    /// Parses groups between colons; nil for other text. With `endsAddress`, the last group may be an IPv4 address.
    private static func groups(_ text: some StringProtocol, endsAddress: Bool) -> [UInt8]? {
        if text.isEmpty { return [] }
        var bytes: [UInt8] = []
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        for (index, part) in parts.enumerated() {
            if endsAddress, index == parts.count - 1, let address = ipv4(part) {
                bytes += address
            } else {
                guard (1...4).contains(part.utf8.count), part.utf8.allSatisfy(isHexDigit), let group = UInt16(part, radix: 16)
                else {
                    return nil
                }
                bytes += [UInt8(group >> 8), UInt8(group & 0xff)]
            }
        }
        return bytes.count <= 16 ? bytes : nil
    }

    /// Parses a name of RFC 1123, section 2.1; nil for other text. A number as the last label is a mistyped IPv4 address.
    private static func name(_ text: some StringProtocol) -> String? {
        var name = text.lowercased()
        if name.hasSuffix(".") { name.removeLast() }
        guard (1...253).contains(name.utf8.count) else { return nil }
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        for label in labels {
            guard (1...63).contains(label.utf8.count), label.first != "-", label.last != "-",
                label.utf8.allSatisfy({
                    isDigit($0) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || $0 == UInt8(ascii: "-")
                })
            else { return nil }
        }
        guard let last = labels.last, !last.utf8.allSatisfy(isDigit) else { return nil }
        return name
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
    private static func isHexDigit(_ byte: UInt8) -> Bool {
        isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
    }

    // MARK: Writing

    /// Formats as in RFC 5952, section 4: lower case, no leading zeros, `::` for the first longest run of at least two zero groups.
    private static func text(ofIPv6 bytes: [UInt8]) -> String {
        let groups = (0..<8).map { UInt16(bytes[2 * $0]) << 8 | UInt16(bytes[2 * $0 + 1]) }
        var longest = 0..<0
        var start = 0
        for index in 0...8 where index == 8 || groups[index] != 0 {
            if index - start > longest.count { longest = start..<index }
            start = index + 1
        }
        func join(_ part: ArraySlice<UInt16>) -> String { part.map { String($0, radix: 16) }.joined(separator: ":") }
        return longest.count < 2
            ? join(groups[...]) : "\(join(groups[..<longest.lowerBound]))::\(join(groups[longest.upperBound...]))"
    }
}
