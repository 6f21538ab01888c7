import Foundation

/// One file of recorded vectors in `Tests/Hyperswarm/Vectors`.
struct VectorFile {
    let object: [String: Any]

    init(_ name: String, file: String = #filePath) throws {
        let folder = URL(fileURLWithPath: file).deletingLastPathComponent().deletingLastPathComponent().appending(path: "Vectors")
        let data = try Data(contentsOf: folder.appending(path: name))
        object = try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
    }

    /// The objects of the array with this key.
    func list(_ key: String) -> [[String: Any]] {
        object[key] as? [[String: Any]] ?? []
    }
}

/// The bytes of hexadecimal text.
func unhex(_ text: String) -> [UInt8] {
    let digits = Array(text.utf8)
    return stride(from: 0, to: digits.count - 1, by: 2).map {
        UInt8(String(decoding: digits[$0...$0 + 1], as: UTF8.self), radix: 16) ?? 0
    }
}

extension [String: Any] {
    func bytes(_ key: String) -> [UInt8] { unhex(self[key] as? String ?? "") }
    func text(_ key: String) -> String { self[key] as? String ?? "" }
    func number(_ key: String) -> UInt64 { (self[key] as? NSNumber)?.uint64Value ?? .max }
}

/// A generator with the same numbers on every run.
struct SplitMix64: RandomNumberGenerator {
    var state: UInt64

    init(_ state: UInt64) { self.state = state }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var value = state
        value = (value ^ value >> 30) &* 0xbf58_476d_1ce4_e5b9
        value = (value ^ value >> 27) &* 0x94d0_49bb_1331_11eb
        return value ^ value >> 31
    }
}

extension VectorFile {
    /// True where the long runs were asked for.
    static var isSoak: Bool { ProcessInfo.processInfo.environment["SWITCHBOARD_SOAK"] == "1" }
}
