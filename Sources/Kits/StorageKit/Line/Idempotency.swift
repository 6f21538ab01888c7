import Crypto
package import Foundation
package import WireKit

/// An idempotency key was used before by the same sender, for another command.
package struct CommandConflict: Error, Equatable {
    package init() {}
}

extension WriteTransaction {
    /// Runs a command once: the same `id` again from the same `sender` gets the first reply, and `perform` does not run.
    ///
    /// - Parameters:
    ///   - id: The idempotency key, unique for its sender.
    ///   - content: The command itself, to detect an `id` that is used for another one.
    ///   - perform: Carries the command out and returns its reply. An error is not remembered: the command may be tried again.
    /// - Throws: ``CommandConflict``; ``StorageError``; what `perform` throws.
    package func once(
        _ id: String, from sender: String, content: Data, at time: Timestamp, perform: () throws -> Data
    ) throws -> Data {
        // A command can have megabytes; its digest is enough to recognise it.
        let digest = Data(SHA256.hash(data: content))
        let earlier = try first(
            "SELECT content, reply FROM commands WHERE sender = ? AND id = ?", sender, id, as: AnsweredCommand.self)
        if let earlier {
            // Earlier versions stored the content itself.
            guard earlier.content == digest || earlier.content == content else { throw CommandConflict() }
            return earlier.reply
        }
        let reply = try perform()
        try execute(
            "INSERT INTO commands (sender, id, content, reply, at) VALUES (?, ?, ?, ?, ?)", sender, id, digest, reply, time)
        return reply
    }

    /// Runs a command once, and stores its reply as JSON, from which a repetition gets it.
    package func once<Reply: Codable>(
        _ id: String, from sender: String, content: Data, at time: Timestamp, perform: () throws -> Reply
    ) throws -> Reply {
        var reply: Reply?
        let stored = try once(id, from: sender, content: content, at: time) { () throws -> Data in
            let first = try perform()
            reply = first
            return try WireJSON.encode(first)
        }
        return try reply ?? WireJSON.decode(from: stored)
    }
}

private struct AnsweredCommand: RowDecodable {
    var content: Data
    var reply: Data

    init(row: Row) throws {
        content = try row.get("content")
        reply = try row.get("reply")
    }
}
