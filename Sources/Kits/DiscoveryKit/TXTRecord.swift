package import Foundation

/// The attributes of a service: keys and values (RFC 6763, section 6).
package struct TXTRecord: Hashable, Sendable {
    /// Maximum size of a sent record, in bytes, with which its packet fits an Ethernet frame.
    package static let maximumSize = 1_300

    /// The values by key in lower case: keys are compared without case.
    package private(set) var values: [String: Data]

    /// An empty record.
    package init() { values = [:] }

    /// - Throws: ``DiscoveryError`` `invalid` for a key that is empty, has `=` or anything but printable ASCII; for a key with its value over
    ///   254 bytes; for a record over ``maximumSize``.
    package init(_ attributes: [String: String]) throws(DiscoveryError) {
        values = [:]
        for (key, value) in attributes {
            guard !key.isEmpty, key.utf8.allSatisfy({ (0x20...0x7e).contains($0) && $0 != UInt8(ascii: "=") }) else {
                throw DiscoveryError(.invalid, "\"\(key)\" is not a key of a TXT record")
            }
            guard key.utf8.count + 1 + value.utf8.count <= 255 else {
                throw DiscoveryError(.invalid, "The attribute \(key) has more than 254 bytes with its value")
            }
            guard values.updateValue(Data(value.utf8), forKey: key.lowercased()) == nil else {
                throw DiscoveryError(.invalid, "The attribute \(key) is given twice")
            }
        }
        guard encoded.count <= Self.maximumSize else {
            throw DiscoveryError(.invalid, "The attributes have more than \(Self.maximumSize) bytes")
        }
    }

    /// Reads a record of another machine: strings, each after a byte with its length.
    ///
    /// If a key occurs twice, its first value counts. A key without a value gets an empty one. Strings without a key, and the rest
    /// after a truncated string, are left out.
    package init(encoded bytes: some Sequence<UInt8>) {
        values = [:]
        var rest = Array(bytes)[...]
        while let length = rest.popFirst().map(Int.init), length <= rest.count {
            let string = rest.prefix(length)
            rest = rest.dropFirst(length)
            let end = string.firstIndex(of: UInt8(ascii: "=")) ?? string.endIndex
            let key = String(decoding: string[..<end], as: UTF8.self).lowercased()
            guard !key.isEmpty, values[key] == nil else { continue }
            values[key] = Data(string[end...].dropFirst())
        }
    }

    /// The value as text; nil without the key, or when the value is not UTF-8.
    package subscript(key: String) -> String? {
        values[key.lowercased()].flatMap { String(data: $0, encoding: .utf8) }
    }

    /// The record as it is sent, in the order of the keys. An empty record is one empty string.
    var encoded: [UInt8] {
        guard !values.isEmpty else { return [0] }
        return values.sorted { $0.key < $1.key }.flatMap { key, value in
            let string = Array(key.utf8) + [UInt8(ascii: "=")] + value
            return [UInt8(string.count)] + string
        }
    }
}
