public import WireKit

/// The WebSocket of a server. Query: ``SocketQuery``.
public enum EndlessCodeSocket {
    public static let path = "/ws"
}

/// The codes of close frames; those from 4000 are private to this protocol (RFC 6455, section 7.4.2).
public enum CloseCode {
    /// A frame exceeded ``Limits/frameSize``.
    public static let tooLarge: UInt16 = 1009
    /// The token was replaced. An `error` frame with ``ErrorCode/tokenExpired`` precedes the close frame.
    public static let tokenExpired: UInt16 = 4001
    /// More than ``Limits/backlogSize`` bytes were queued for the phone. The phone reconnects and resumes from its cursors.
    public static let tooSlow: UInt16 = 4008
}

/// The query of the socket's address. All items are optional.
public struct SocketQuery: Hashable, Sendable {
    /// The phone's own identifier, the same for all its connections.
    public var connectionId: String?
    /// The phone's name, shown to other phones.
    public var name: String?
    /// The phone's cursors: the last sequence number that it has of each session. Maximum ``Limits/cursorCount`` sessions.
    public var after: [Session.ID: Int64]

    public init(connectionId: String? = nil, name: String? = nil, after: [Session.ID: Int64] = [:]) {
        (self.connectionId, self.name, self.after) = (connectionId, name, after)
    }

    /// Parses the items of a decoded query.
    ///
    /// - Throws: ``FieldError`` for an `after` that is not `<session>:<seq>,…`, names a session twice, or has more than
    ///   ``Limits/cursorCount`` pairs; and for a `connectionId` that is no identifier.
    public init(_ item: (String) -> String?) throws(FieldError) {
        if let id = item("connectionId"), !id.isEmpty {
            guard Session.ID(id).isWireIdentifier else { throw FieldError("connectionId", "is not an identifier") }
            connectionId = id
        }
        // Other phones show the name in a single row.
        let name = (item("name") ?? "").split(whereSeparator: { $0.isNewline || $0.isWhitespace || Self.isControl($0) })
            .joined(separator: " ").prefix(Limits.phoneNameLength)
        self.name = name.isEmpty ? nil : String(name)
        after = try Self.cursors(item("after") ?? "")
    }

    /// The items to append to the address, not percent-encoded.
    public var items: [(name: String, value: String)] {
        var items: [(name: String, value: String)] = []
        if let connectionId { items.append(("connectionId", connectionId)) }
        if let name { items.append(("name", name)) }
        if !after.isEmpty {
            let pairs = after.map { "\($0.key):\($0.value)" }.sorted()
            items.append(("after", pairs.joined(separator: ",")))
        }
        return items
    }

    /// Returns true for control characters, and for characters that change the direction of the text after them.
    private static func isControl(_ character: Character) -> Bool {
        character.unicodeScalars.contains {
            $0.properties.generalCategory == .control || (0x202a...0x202e).contains($0.value)
                || (0x2066...0x2069).contains($0.value)
        }
    }

    private static func cursors(_ text: String) throws(FieldError) -> [Session.ID: Int64] {
        var cursors: [Session.ID: Int64] = [:]
        let pairs = text.split(separator: ",", maxSplits: Limits.cursorCount)
        guard pairs.count <= Limits.cursorCount else {
            throw FieldError("after", "has more than \(Limits.cursorCount) pairs")
        }
        for pair in pairs {
            let parts = pair.split(separator: ":", omittingEmptySubsequences: false)
            guard parts.count == 2, let seq = Int64(parts[1]), seq >= 0, Session.ID(String(parts[0])).isWireIdentifier else {
                throw FieldError("after", "is not <session>:<seq>,…")
            }
            guard cursors.updateValue(seq, forKey: Session.ID(String(parts[0]))) == nil else {
                throw FieldError("after", "names a session twice")
            }
        }
        return cursors
    }
}
