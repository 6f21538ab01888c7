import EndlessCodeAgents
import Foundation
import WireKit

/// The records of a conversation: `projects/<key>/<session>.jsonl` below the configuration folder, as Claude Code keeps them.
struct Transcript {
    private let file: URL
    private let session: String
    private let folder: String
    private var parent: String?
    /// Prompts of earlier runs.
    private(set) var earlierPrompts: [String] = []
    /// The ids of all prompts of the conversation.
    private(set) var promptIDs: Set<String> = []

    /// - Throws: `Options.Failure` if the conversation to resume does not exist.
    init(_ options: Options) throws {
        session = options.session.uuidString.lowercased()
        folder = options.folder.path
        let parent = options.configuration.appending(path: "projects").appending(path: Self.key(of: folder))
        try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
        file = parent.appending(path: "\(session).jsonl")
        guard options.resumes else { return }
        guard let data = try? Data(contentsOf: file) else {
            throw Options.Failure(description: "No conversation found with session ID: \(session)")
        }
        for line in data.split(separator: 0x0a) {
            // A line may be incomplete.
            guard let record = try? WireJSON.decode(JSONValue.self, from: Data(line)) else { continue }
            self.parent = record["uuid"]?.string ?? self.parent
            if record["type"]?.string == "user", let prompt = record["message"]?["content"]?.string {
                earlierPrompts.append(prompt)
                if let id = record["uuid"]?.string { promptIDs.insert(id) }
            }
        }
        // The next line must not continue an incomplete one.
        if let last = data.last, last != 0x0a { append(Data("\n".utf8)) }
    }

    /// Returns the name of a project's folder: all characters except ASCII letters and digits become `-`.
    static func key(of folder: String) -> String {
        let units = Array(folder.precomposedStringWithCanonicalMapping.utf16)
        let key = String(
            decoding: units.map { unit -> UInt16 in
                let isPlain = (0x30...0x39).contains(unit) || (0x41...0x5a).contains(unit) || (0x61...0x7a).contains(unit)
                return isPlain ? unit : UInt16(UInt8(ascii: "-"))
            }, as: UTF16.self)
        guard key.utf16.count > 200 else { return key }
        let hash = units.reduce(Int32(0)) { $0 &* 31 &+ Int32($1) }
        return String(key.prefix(200)) + "-" + String(hash.magnitude, radix: 36)
    }

    /// Appends a message.
    ///
    /// - Parameters:
    ///   - type: `user` or `assistant`.
    ///   - id: The id of the record.
    mutating func add(_ type: String, _ message: JSONValue, id: String) {
        let record: [String: JSONValue] = [
            "parentUuid": parent.map(JSONValue.string) ?? .null, "isSidechain": .bool(false), "type": .string(type),
            "message": message, "uuid": .string(id), "timestamp": .string(Self.now), "userType": .string("external"),
            "entrypoint": .string("demo-agent"), "cwd": .string(folder), "sessionId": .string(session), "version": .string("demo"),
        ]
        parent = id
        if type == "user" { promptIDs.insert(id) }
        append(Data((JSONValue.object(record).text + "\n").utf8))
    }

    static var now: String { Date().formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)) }

    private func append(_ data: Data) {
        if let handle = try? FileHandle(forWritingTo: file) {
            defer { try? handle.close() }
            _ = try? handle.seekToEnd()
            try? handle.write(contentsOf: data)
        } else {
            _ = FileManager.default.createFile(atPath: file.path, contents: data, attributes: [.posixPermissions: 0o600])
        }
    }
}
