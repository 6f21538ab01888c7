import Foundation
import WireKit

/// A line of an agent, parsed.
enum AgentMessage {
    case object(JSONValue, text: String)
    /// JSON, but no object.
    case other
    /// An object that is nested too deep. Its identifying members only, from a parser that goes deeper.
    case tooDeep(type: String?, requestID: String?)
    case notJSON

    init(_ line: String) {
        do {
            let value = try WireJSON.decode(JSONValue.self, from: Data(line.utf8))
            self = value.object == nil ? .other : .object(value, text: line)
        } catch WireJSONError.tooDeep {
            let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            guard let object else {
                self = .notJSON
                return
            }
            self = .tooDeep(type: object["type"] as? String, requestID: object["request_id"] as? String)
        } catch {
            let repaired = Self.replacingLoneSurrogates(line)
            guard let value = try? WireJSON.decode(JSONValue.self, from: Data(repaired.utf8)), value.object != nil else {
                self = .notJSON
                return
            }
            self = .object(value, text: repaired)
        }
    }

    /// The id of a control request, from the beginning of its line.
    static func controlRequestID(in beginning: String) -> String? {
        guard beginning.contains(#/"type"\s*:\s*"control_request"/#) else { return nil }
        return beginning.firstMatch(of: #/"request_id"\s*:\s*"([^"\\]+)"/#).map { String($0.1) }
    }

    /// Replaces each `\uD83D` without its other half by `\uFFFD`. JavaScript writes one where it cuts a text inside a character.
    static func replacingLoneSurrogates(_ text: String) -> String {
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        var index = 0
        /// The code unit of an escape at `position`.
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
