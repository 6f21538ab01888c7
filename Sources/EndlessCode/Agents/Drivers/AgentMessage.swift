import Foundation
import WireKit

/// A parsed line of an agent's output.
enum AgentMessage {
    case object(JSONValue, text: String)
    /// JSON other than an object.
    case other
    /// An object that is nested too deep, with only the members that identify it, from a parser with a higher limit.
    case tooDeep(type: String?, requestID: String?)
    case notJSON

    init(_ line: String) {
        self.init(exactly: line)
        if case .notJSON = self, let rest = Self.withoutTerminalOutput(line) { self.init(exactly: rest) }
    }

    private init(exactly line: String) {
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
            let repaired = WireJSON.replacingLoneSurrogates(line)
            guard let value = try? WireJSON.decode(JSONValue.self, from: Data(repaired.utf8)), value.object != nil else {
                self = .notJSON
                return
            }
            self = .object(value, text: repaired)
        }
    }

    /// Returns the id of a control request from the beginning of its line; nil for other lines.
    static func controlRequestID(in beginning: String) -> String? {
        guard beginning.contains(#/"type"\s*:\s*"control_request"/#) else { return nil }
        return beginning.firstMatch(of: #/"request_id"\s*:\s*"([^"\\]+)"/#).map { String($0.1) }
    }

    /// The id of the tool use whose result a line brings, from the beginning of the line.
    static func toolUseID(in beginning: String) -> String? {
        guard beginning.contains(#/"type"\s*:\s*"user"/#) else { return nil }
        return beginning.firstMatch(of: #/"tool_use_id"\s*:\s*"([^"\\]+)"/#).map { String($0.1) }
    }

    /// Returns a line without a terminal's control sequences, such as the title or the prompt that a shell writes before the first
    /// message, and without text that a carriage return overwrites. JSON text has no control characters.
    ///
    /// - Returns: Nil for a line without control characters, and if no object is left.
    private static func withoutTerminalOutput(_ line: String) -> String? {
        guard line.unicodeScalars.contains(where: isControl) else { return nil }
        var rest = line.unicodeScalars[...]
        var kept = String.UnicodeScalarView()
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\u{1b}":
                let kind = rest.popFirst()
                if kind == "[" {
                    // Parameters, then the final character.
                    rest = rest.drop { (0x20...0x3f).contains($0.value) }.dropFirst()
                } else if kind == "]" || kind == "P" || kind == "_" || kind == "^" {
                    // A text, up to a bell or `ESC \`.
                    rest = rest.drop { $0 != "\u{07}" && $0 != "\u{1b}" && $0 != "\u{9c}" }
                    if rest.popFirst() == "\u{1b}", rest.first == "\\" { rest.removeFirst() }
                } else if let kind, (0x20...0x2f).contains(kind.value) {
                    rest = rest.dropFirst()
                }
            case "\r" where rest.contains { !isControl($0) && !$0.properties.isWhitespace }: kept = String.UnicodeScalarView()
            case _ where isControl(scalar): break
            default: kept.append(scalar)
            }
        }
        let text = String(kept).trimmingCharacters(in: .whitespaces)
        return text.hasPrefix("{") ? text : nil
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        // A byte order mark counts as a control character.
        scalar.properties.generalCategory == .control && scalar != "\t" || scalar == "\u{feff}"
    }
}
