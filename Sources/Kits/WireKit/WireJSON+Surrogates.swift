package import Foundation

extension WireJSON {
    /// Decodes untrusted bytes, and repairs a text that JavaScript cut inside a character (``replacingLoneSurrogates(_:)``).
    ///
    /// - Throws: As ``decode(_:from:)``.
    package static func decodeRepairing<Value: Decodable>(_: Value.Type = Value.self, from data: Data) throws -> Value {
        do {
            return try decode(Value.self, from: data)
        } catch {
            // Only an escape can be repaired.
            guard data.contains(UInt8(ascii: "\\")) else { throw error }
            return try decode(Value.self, from: Data(replacingLoneSurrogates(String(decoding: data, as: UTF8.self)).utf8))
        }
    }

    /// Replaces lone surrogates, such as `\uD83D`, by `\uFFFD`. JavaScript writes them where it cuts a text inside a character.
    package static func replacingLoneSurrogates(_ text: String) -> String {
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        var index = 0
        /// Returns the UTF-16 code unit of an escape at `position`; nil if there is no such escape.
        func unit(at position: Int) -> UInt16? {
            guard position + 6 <= bytes.count, bytes[position] == UInt8(ascii: "\\"), bytes[position + 1] == UInt8(ascii: "u")
            else {
                return nil
            }
            return UInt16(String(decoding: bytes[position + 2..<position + 6], as: UTF8.self), radix: 16)
        }
        while index < bytes.count {
            guard bytes[index] == UInt8(ascii: "\\"), index + 1 < bytes.count else {
                result.append(bytes[index])
                index += 1
                continue
            }
            guard let first = unit(at: index), UTF16.isLeadSurrogate(first) || UTF16.isTrailSurrogate(first) else {
                result += bytes[index...index + 1]
                index += 2
                continue
            }
            if UTF16.isLeadSurrogate(first), let second = unit(at: index + 6), UTF16.isTrailSurrogate(second) {
                result += bytes[index..<index + 12]
                index += 12
            } else {
                result += Array("\\ufffd".utf8)
                index += 6
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
