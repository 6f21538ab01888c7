import Foundation

/// A value of a vector file in `Tests/Hyperswarm/Vectors`. Missing members are `null`, so that a wrong name fails the test and not the process.
package struct Vectors {
    private let value: Any?

    private init(value: Any?) {
        self.value = value is NSNull ? nil : value
    }

    /// Reads `Tests/Hyperswarm/Vectors/<name>.json`.
    package init(_ name: String) throws {
        self.init(value: try JSONSerialization.jsonObject(with: Self.file(name)))
    }

    /// Reads `Tests/Hyperswarm/Vectors/<name>.json` as a type.
    package static func load<File: Decodable>(_ name: String, as type: File.Type = File.self) throws -> File {
        try JSONDecoder().decode(File.self, from: file(name))
    }

    private static func file(_ name: String) throws -> Data {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        return try Data(contentsOf: folder.appendingPathComponent("Vectors/\(name).json"))
    }

    package subscript(key: String) -> Vectors { Vectors(value: (value as? [String: Any])?[key]) }
    package subscript(index: Int) -> Vectors {
        let items = array
        return items.indices.contains(index) ? items[index] : Vectors(value: nil)
    }

    package var array: [Vectors] { (value as? [Any] ?? []).map { Vectors(value: $0) } }
    package var object: [String: Vectors] { (value as? [String: Any] ?? [:]).mapValues { Vectors(value: $0) } }
    package var string: String? { value as? String }
    package var integer: Int? { (value as? NSNumber)?.intValue }
    package var boolean: Bool? { (value as? NSNumber)?.boolValue }
    package var isNull: Bool { value == nil }
    /// The bytes of a hexadecimal string.
    package var bytes: [UInt8]? { string.map(Hex.bytes) }

    /// The error of a member that is missing or has another type.
    package struct Missing: Error {}

    package func data() throws -> [UInt8] { try unwrap(bytes) }
    package func text() throws -> String { try unwrap(string) }
    package func number() throws -> Int { try unwrap(integer) }

    private func unwrap<Value>(_ value: Value?) throws -> Value {
        guard let value else { throw Missing() }
        return value
    }
}

/// Hexadecimal text, independent of the codec under test.
package enum Hex {
    /// The bytes of hexadecimal text; none for other text.
    package static func bytes(_ text: String) -> [UInt8] {
        let digits = Array(text.utf8)
        guard digits.count.isMultiple(of: 2) else { return [] }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 2)
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let byte = UInt8(String(decoding: digits[index...index + 1], as: UTF8.self), radix: 16) else { return [] }
            bytes.append(byte)
        }
        return bytes
    }

    package static func text(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
