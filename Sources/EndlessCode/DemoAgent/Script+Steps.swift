import EndlessCodeAgents
import Foundation
import WireKit

/// The steps of scripts.
extension Script {
    /// Streams a text word by word, then sends it whole.
    func say(_ text: String, parent: String? = nil) async throws {
        let id = await conversation.nextMessageID()
        await event(["type": .string("message_start"), "message": message(id, [])], parent)
        await event(
            [
                "type": .string("content_block_start"), "index": .integer(0),
                "content_block": .object(["type": .string("text"), "text": .string("")]),
            ], parent)
        var said = ""
        for piece in Self.pieces(of: text) {
            do {
                try await Task.sleep(for: conversation.options.pace)
            } catch {
                await conversation.sendMessage("assistant", message(id, [Self.text(said)]), parent: parent, isAborted: true)
                throw error
            }
            said += piece
            await event(
                [
                    "type": .string("content_block_delta"), "index": .integer(0),
                    "delta": .object(["type": .string("text_delta"), "text": .string(piece)]),
                ], parent)
        }
        await conversation.sendMessage("assistant", message(id, [Self.text(text)]), parent: parent)
        await event(["type": .string("content_block_stop"), "index": .integer(0)], parent)
        await event(["type": .string("message_stop")], parent)
    }

    /// Announces the use of a tool.
    ///
    /// - Returns: The tool-use id.
    func use(_ tool: String, _ input: JSONValue, parent: String? = nil) async throws -> String {
        try Task.checkCancellation()
        let id = "toolu_demo_\(UUID().uuidString.prefix(12).lowercased())"
        let block: JSONValue = .object([
            "type": .string("tool_use"), "id": .string(id), "name": .string(tool), "input": input,
        ])
        await conversation.sendMessage("assistant", message(await conversation.nextMessageID(), [block]), parent: parent)
        try await Task.sleep(for: conversation.options.pace * 4)
        return id
    }

    func finish(_ use: String, _ output: String, isError: Bool = false, parent: String? = nil) async {
        let block: JSONValue = .object([
            "type": .string("tool_result"), "tool_use_id": .string(use), "content": .string(output), "is_error": .bool(isError),
        ])
        await conversation.sendMessage("user", .object(["role": .string("user"), "content": .array([block])]), parent: parent)
    }

    /// The outcome of a permission request.
    enum Decision {
        /// The host allowed the tool, and returned this input.
        case allowed(JSONValue)
        case denied(String)
    }

    /// Asks for permission to use a tool.
    func permission(
        _ tool: String, _ input: JSONValue, use: String, title: String, suggestions: [JSONValue] = []
    ) async throws -> Decision {
        let reply = try await conversation.ask([
            "subtype": .string("can_use_tool"), "tool_name": .string(tool), "display_name": .string(tool), "input": input,
            "tool_use_id": .string(use), "title": .string(title), "permission_suggestions": .array(suggestions),
        ])
        guard reply["behavior"]?.string == "allow", let input = reply["updatedInput"] else {
            if reply["interrupt"]?.bool == true { throw CancellationError() }
            return .denied(reply["message"]?.string ?? "The user refused this.")
        }
        if let mode = (reply["updatedPermissions"]?.array ?? []).compactMap({ $0["mode"]?.string }).first {
            await conversation.setMode(mode)
        }
        return .allowed(input)
    }

    static func text(_ text: String) -> JSONValue { .object(["type": .string("text"), "text": .string(text)]) }

    /// Splits a text into pieces as a model could write it: words with the white space before them.
    static func pieces(of text: String) -> [String] {
        var pieces: [String] = []
        var piece = ""
        for character in text {
            if character.isWhitespace, piece.contains(where: { !$0.isWhitespace }) {
                pieces.append(piece)
                piece = ""
            }
            piece.append(character)
        }
        return piece.isEmpty ? pieces : pieces + [piece]
    }

    private func message(_ id: String, _ content: [JSONValue]) -> JSONValue {
        .object([
            "id": .string(id), "type": .string("message"), "role": .string("assistant"), "model": .string("demo"),
            "content": .array(content), "stop_reason": .null,
            "usage": .object(["input_tokens": .integer(0), "output_tokens": .integer(0)]),
        ])
    }

    private func event(_ event: [String: JSONValue], _ parent: String?) async {
        await conversation.send([
            "type": .string("stream_event"), "event": .object(event), "parent_tool_use_id": parent.map(JSONValue.string) ?? .null,
        ])
    }
}
