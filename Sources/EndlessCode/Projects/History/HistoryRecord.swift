import Crypto
import Foundation
import WireKit

/// One line of a session's file.
///
/// Source: the format of Claude Code 2.1, as recorded in this module's tests.
struct HistoryRecord {
    /// The `uuid` of a record in 16 bytes: its own if it is a UUID, otherwise the beginning of its hash.
    struct ID: Hashable {
        private var high: UInt64
        private var low: UInt64

        init(_ text: String) {
            let bytes =
                UUID(uuidString: text).map { withUnsafeBytes(of: $0.uuid) { Array($0) } }
                ?? Array(SHA256.hash(data: Data(text.utf8)))
            func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
            (high, low) = (number(bytes[0..<8]), number(bytes[8..<16]))
        }
    }

    enum Kind: UInt8 {
        /// A message of the user, or results of tools.
        case user
        case assistant
        /// Any other record. Most only link the chain of parents.
        case other
    }

    var id: ID
    var parent: ID?
    var kind: Kind
    /// The id of the model's message, which its parts share; nil for a record without one.
    var messageID: ID?
    /// True for results of tools.
    var isToolResult: Bool
    var time: Timestamp?
    /// Count of messages to show.
    var messageCount: Int

    /// Parses a line; nil if the line is malformed, is not part of the conversation (bookkeeping), or belongs to a subagent.
    init?(_ json: JSONBytes) {
        guard let fields = Fields(json), let uuid = fields.uuid else { return nil }
        id = ID(uuid)
        parent = fields.parent.map(ID.init)
        kind = fields.kind
        messageID = fields.message.flatMap { json.string(json.member("id", of: $0), limit: 200) }.map(ID.init)
        isToolResult = fields.isToolResult
        time = fields.time
        messageCount = fields.blocks(json).count
    }

    /// Returns the messages of a line, `count` in all; messages that can no longer be read are `unknown`.
    static func messages(_ json: JSONBytes, count: Int, firstNumber: Int, time: Timestamp) -> [HistoryMessage] {
        let fields = Fields(json)
        let blocks = fields?.blocks(json) ?? []
        return (0..<count).map { index in
            let block = index < blocks.count ? blocks[index] : .unknown(json.whole)
            let (content, isCut) = block.content(json)
            return HistoryMessage(
                number: firstNumber + index, id: "\(fields?.uuid ?? "line").\(index)", time: time, content: content, isCut: isCut)
        }
    }

    /// Returns the working directory of a line; nil if the line names none.
    static func workingDirectory(_ json: JSONBytes) -> String? {
        json.string(json.member("cwd", of: json.whole), limit: 5000)
    }
}

/// The members of a record that the history uses.
private struct Fields {
    var uuid: String?
    var parent: String?
    var kind = HistoryRecord.Kind.other
    var isToolResult = false
    var time: Timestamp?
    var message: Range<Int>?
    private var attachment: Range<Int>?
    /// True for a text that the program, not the user, sends to the model in the user's name.
    private var isHidden = false

    init?(_ json: JSONBytes) {
        var logicalParent: String?
        var isSidechain = false
        let isComplete = json.members(of: json.whole) { key, value in
            if JSONBytes.equal(key, "uuid") {
                uuid = json.string(value, limit: 200)
            } else if JSONBytes.equal(key, "parentUuid") {
                parent = json.string(value, limit: 200)
            } else if JSONBytes.equal(key, "logicalParentUuid") {
                // After a compaction the chain begins anew; this member names the end of the chain before.
                logicalParent = json.string(value, limit: 200)
            } else if JSONBytes.equal(key, "type") {
                kind = json.isString(value, "user") ? .user : json.isString(value, "assistant") ? .assistant : .other
            } else if JSONBytes.equal(key, "timestamp") {
                time = json.string(value, limit: 100).flatMap(Timestamp.init)
            } else if JSONBytes.equal(key, "message") {
                message = value
            } else if JSONBytes.equal(key, "attachment") {
                attachment = value
            } else if JSONBytes.equal(key, "isSidechain") {
                isSidechain = json.isTrue(value)
            } else if JSONBytes.equal(key, "isMeta") || JSONBytes.equal(key, "isCompactSummary") {
                if json.isTrue(value) { isHidden = true }
            } else if JSONBytes.equal(key, "toolUseResult") || JSONBytes.equal(key, "sourceToolAssistantUUID") {
                isToolResult = true
            }
            return true
        }
        guard isComplete, !isSidechain else { return nil }
        parent = parent ?? logicalParent
    }

    /// Returns the parts of the record that are shown.
    func blocks(_ json: JSONBytes) -> [HistoryBlock] {
        guard !isHidden else { return [] }
        switch kind {
        case .user, .assistant:
            guard let content = message.flatMap({ json.member("content", of: $0) }) else { return [] }
            return HistoryBlock.all(in: content, by: kind == .user ? .user : .assistant, json)
        case .other:
            // A prompt that was sent during a turn is an attachment, not a record of the user.
            guard let attachment, json.isString(json.member("type", of: attachment), "queued_command"),
                let prompt = json.member("prompt", of: attachment)
            else { return [] }
            if let mode = json.member("commandMode", of: attachment), !json.isString(mode, "prompt") { return [] }
            return HistoryBlock.all(in: prompt, by: .user, json)
        }
    }
}
