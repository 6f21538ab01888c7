/// A type of service, such as `_example._tcp` (RFC 6763, section 7).
package struct ServiceType: Hashable, Sendable, CustomStringConvertible {
    /// The type as the library takes it.
    package let description: String

    /// - Parameter text: `_<name>._tcp` or `_<name>._udp`. The name has 1 to 15 ASCII letters, digits and hyphens, one letter at least, and
    ///   no hyphen at an end or beside another.
    /// - Returns: nil for any other text.
    package init?(_ text: String) {
        let labels = text.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.count == 2, ["_tcp", "_udp"].contains(labels[1]), labels[0].first == "_" else { return nil }
        let name = labels[0].dropFirst()
        guard (1...15).contains(name.utf8.count), name.first != "-", name.last != "-", !name.contains("--"),
            name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }), name.contains(where: \.isLetter)
        else { return nil }
        description = text
    }
}
