package import WireKit

/// A conversation in the agent's history.
package struct EarlierSession: Hashable, Sendable, Identifiable {
    package typealias ID = Identifier<EarlierSession>

    /// A UUID in lower case, which the agent accepts to resume the conversation.
    package var id: ID
    /// The time of the first message.
    package var createdAt: Timestamp
    /// The time of the last message.
    package var lastActiveAt: Timestamp
    /// Count of all messages of ``ProjectCatalog/messages(of:in:limit:before:offset:)``; an estimate while ``isOutline``.
    package var messageCount: Int
    /// True while only the beginning and the end of the session's file have been read.
    package var isOutline = false
}

/// A page of an earlier conversation.
package struct HistoryPage: Hashable, Sendable {
    /// Maximum messages in one page.
    package static let maximumLimit = 1_000
    /// Maximum size of a page's records in bytes: 8 MiB. A larger record is on a page of its own.
    package static let maximumSize = 8 << 20

    /// The messages in the order of the conversation, the newest last.
    package var messages: [HistoryMessage]
    /// Count of messages in the whole conversation.
    package var totalCount: Int
    /// True if there are messages before the first one of ``messages``.
    package var hasMore: Bool
}

/// One message of an earlier conversation.
package struct HistoryMessage: Hashable, Sendable {
    package enum Role: String, Hashable, Sendable {
        case user
        case assistant
    }

    /// An answer that a question offers.
    package struct Option: Hashable, Sendable {
        package var label: String
        package var description: String?
    }

    package enum Content: Hashable, Sendable {
        case text(Role, String)
        /// - Parameter id: The identifier that the tool's result names.
        case toolUse(id: String, name: String, input: JSONValue)
        case toolResult(toolUseID: String, output: String, isError: Bool)
        /// A question of the agent to the user. A tool use with several questions becomes several messages.
        case question(toolUseID: String, text: String, options: [Option], allowsSeveral: Bool)
        /// A block of an unknown kind, or a tool use larger than ``HistoryMessage/maximumSize``: the first 64 KiB of its JSON.
        case unknown(json: String)
    }

    /// Maximum size of a text in bytes: 1 MiB. Of longer texts, the first ``previewSize`` bytes are kept.
    package static let maximumSize = 1 << 20
    /// Size of the kept beginning of a long text in bytes: 64 KiB.
    package static let previewSize = 64 << 10

    /// The position in the conversation, from 1 without gaps.
    package var number: Int
    /// The identifier of the agent's record and the position in it: `3408bf66-8cda-47e4-a934-13a2a1dc318a.0`.
    package var id: String
    package var time: Timestamp
    package var content: Content
    /// True if a part of the record is missing in ``content``, because it is too large.
    package var isCut: Bool
}
