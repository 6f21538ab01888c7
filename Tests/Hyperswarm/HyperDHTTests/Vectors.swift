import Foundation

/// A value of a vector file in `Tests/Hyperswarm/Vectors`. Missing members are `null`, so that a wrong name fails the test and not the process.
struct Vectors {
    let value: Any?

    private init(value: Any?) {
        self.value = value is NSNull ? nil : value
    }

    /// Reads `Tests/Hyperswarm/Vectors/<name>.json`.
    init(_ name: String) throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let file = folder.appendingPathComponent("Vectors/\(name).json")
        self.init(value: try JSONSerialization.jsonObject(with: Data(contentsOf: file)))
    }

    subscript(key: String) -> Vectors { Vectors(value: (value as? [String: Any])?[key]) }
    subscript(index: Int) -> Vectors {
        let items = array
        return items.indices.contains(index) ? items[index] : Vectors(value: nil)
    }

    var array: [Vectors] { (value as? [Any] ?? []).map { Vectors(value: $0) } }
    var object: [String: Vectors] { (value as? [String: Any] ?? [:]).mapValues { Vectors(value: $0) } }
    var string: String? { value as? String }
    var integer: Int? { (value as? NSNumber)?.intValue }
    var boolean: Bool? { (value as? NSNumber)?.boolValue }
    var isNull: Bool { value == nil }

    /// The error of a member that is missing or has another type.
    struct Missing: Error {}

    func data() throws -> [UInt8] { try unwrap(bytes) }
    func text() throws -> String { try unwrap(string) }
    func number() throws -> Int { try unwrap(integer) }

    private func unwrap<Value>(_ value: Value?) throws -> Value {
        guard let value else { throw Missing() }
        return value
    }

    /// The bytes of a hexadecimal string. Independent of the codec under test.
    var bytes: [UInt8]? {
        guard let text = string, text.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        var rest = Substring(text)
        while !rest.isEmpty {
            guard let byte = UInt8(rest.prefix(2), radix: 16) else { return nil }
            bytes.append(byte)
            rest = rest.dropFirst(2)
        }
        return bytes
    }
}

/// The SplitMix64 generator, for tests that need the same random numbers in every run.
struct SplitMix64: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
        return mixed ^ mixed >> 31
    }
}
