import Crypto
public import Foundation
import GRDB

/// A command's id has been used before, by the same sender, for another command.
public struct CommandConflict: Error, Equatable {
    public init() {}
}

extension WriteTransaction {
    /// Runs a command once: the same `id` again from the same `sender` gives the first reply again and does nothing.
    ///
    /// - Parameters:
    ///   - sender: Whose ids these are.
    ///   - content: What the command says, to notice an id that is used for another one.
    ///   - perform: Does it and gives the reply. What it throws is not remembered: the command may be tried again.
    /// - Throws: ``CommandConflict``; what `perform` throws.
    public func once(
        _ id: String, from sender: String, content: Data, at: Int64, perform: () throws -> Data
    ) throws -> Data {
        // A message can have megabytes; this much is enough to know it again.
        let digest = Data(SHA256.hash(data: content))
        let known = try Row.fetchOne(
            database.cachedStatement(sql: "SELECT content, reply FROM commands WHERE sender = ? AND id = ?"),
            arguments: [sender, id])
        if let known {
            // Earlier versions kept the whole of it.
            let kept: Data = known["content"]
            guard kept == digest || kept == content else { throw CommandConflict() }
            return known["reply"]
        }
        let reply = try perform()
        try database.cachedStatement(
            sql: "INSERT INTO commands (sender, id, content, reply, at) VALUES (?, ?, ?, ?, ?)"
        ).execute(
            arguments: [sender, id, digest, reply, at])
        return reply
    }
}
