import EndlessCodeWire
import Foundation
import StorageKit
import WireKit

/// An event of a session's log, as phones get it.
struct LoggedFrame: Sendable {
    var session: Session.ID
    /// From 1 without gaps in each session.
    var seq: Int64
    /// The text of the frame.
    var text: String
    /// The effect on notifications, when the event happens.
    var change: NotificationChange?
}

extension LoggedFrame: RowDecodable {
    init(row: Row) throws {
        self.init(session: try row.get("session"), seq: try row.get("seq"), text: try row.get("frame"))
    }
}

extension WriteTransaction {
    /// Appends an event to the session's log.
    ///
    /// - Parameters:
    ///   - message: The event is a message of the conversation. A large one is cut in the frame, and stored whole beside it.
    ///   - make: The frame with the event's number.
    func append(to session: Session.ID, at time: Timestamp, _ make: (Int64) -> ServerFrame) throws -> LoggedFrame {
        try append(to: session, at: time, isMessage: false, whole: nil, make)
    }

    /// - Parameter frame: The frame of the message.
    func append(
        _ message: Message, to session: Session.ID, at time: Timestamp, as frame: (Output) -> ServerFrame = ServerFrame.output
    ) throws -> LoggedFrame {
        let cut = MessageCut(message)
        return try append(to: session, at: time, isMessage: true, whole: cut.whole) {
            frame(Output(sessionId: session, seq: $0, message: cut.message, timestamp: time))
        }
    }

    private func append(
        to session: Session.ID, at time: Timestamp, isMessage: Bool, whole: String?, _ make: (Int64) -> ServerFrame
    ) throws -> LoggedFrame {
        let seq = try one(
            "UPDATE sessions SET last_seq = last_seq + 1, message_count = message_count + ?, active_at = ? WHERE id = ? RETURNING last_seq",
            isMessage ? 1 : 0, time, session, as: Int64.self)
        let frame = make(seq)
        let text = frame.text
        let size = text.utf8.count + (whole?.utf8.count ?? 0)
        try execute(
            "INSERT INTO session_events (session, seq, at, is_message, frame, whole, size) VALUES (?, ?, ?, ?, ?, ?, ?)", session,
            seq,
            time,
            isMessage, text, whole, size)
        try execute("UPDATE sessions SET size = size + ? WHERE id = ?", size, session)
        return LoggedFrame(session: session, seq: seq, text: text, change: NotificationChange(frame))
    }
}

/// A message as frames have it.
struct MessageCut {
    private(set) var message: Message
    /// The JSON of the whole message, where it was cut.
    private(set) var whole: String?

    init(_ message: Message) {
        self.message = message
        let text = Self.text(of: message)
        guard text.utf8.count > Limits.messageSize else { return }
        whole = text
        self.message.isLarge = true
        switch message.content {
        case .chat(var chat):
            chat.content = Self.prefix(of: chat.content)
            self.message.content = .chat(chat)
        case .toolResult(var result):
            result.output = Self.prefix(of: result.output)
            self.message.content = .toolResult(result)
        case .toolUse(var use):
            use.toolInput = Self.cut(use.toolInput)
            use.content = use.content.map(Self.cut)
            self.message.content = .toolUse(use)
        case .result(var result):
            result.text = result.text.map(Self.prefix)
            self.message.content = .result(result)
        case .askUser(var question):
            question.question = Question(Self.prefix(of: question.question.question))
            self.message.content = .askUser(question)
        case .notice(var notice):
            notice.text = notice.text.map(Self.prefix)
            self.message.content = .notice(notice)
        case .unknown(let rawJSON): self.message.content = .unknown(rawJSON: rawJSON.map(Self.prefix))
        }
    }

    private static func text(of value: some Encodable) -> String {
        (try? WireJSON.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }

    /// The first ``Limits/cutTextSize`` bytes, without a part of a character.
    private static func prefix(of text: String) -> String {
        guard text.utf8.count > Limits.cutTextSize else { return text }
        var end = text.utf8.index(text.startIndex, offsetBy: Limits.cutTextSize)
        while end.samePosition(in: text.unicodeScalars) == nil { end = text.utf8.index(before: end) }
        return String(text[..<end])
    }

    /// Cuts the long texts of a content, and leaves out what does not fit.
    private static func cut(_ content: [ToolContent]) -> [ToolContent] {
        var size = 0
        return content.prefix {
            size += min($0.size, 2 * Limits.cutTextSize)
            return size <= Limits.messageSize / 2
        }.map { part in
            switch part {
            case .text(let text): .text(prefix(of: text))
            case .diff(let path, let old, let new):
                .diff(path: prefix(of: path), old: old.map(prefix), new: prefix(of: new))
            }
        }
    }

    /// Cuts the long texts of an input; one with too many texts for that becomes the beginning of its JSON.
    private static func cut(_ input: JSONValue) -> JSONValue {
        func cutTexts(_ value: JSONValue) -> JSONValue {
            switch value {
            case .string(let text): .string(prefix(of: text))
            case .array(let values): .array(values.map(cutTexts))
            case .object(let members): .object(members.mapValues(cutTexts))
            default: value
            }
        }
        let cut = cutTexts(input)
        return text(of: cut).utf8.count <= Limits.messageSize ? cut : .string(prefix(of: text(of: cut)))
    }
}

extension ToolContent {
    /// The length of its texts in bytes.
    fileprivate var size: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .diff(let path, let old, let new): path.utf8.count + (old ?? "").utf8.count + new.utf8.count
        }
    }
}

/// A frame of a log with its size, to end a page at a size.
private struct SizedFrame: RowDecodable {
    var frame: LoggedFrame
    var size: Int

    init(row: Row) throws {
        frame = try LoggedFrame(row: row)
        size = try row.get("size")
    }
}

/// A message of a history.
private struct MessageRow: RowDecodable {
    var seq: Int64
    var frame: String

    init(row: Row) throws {
        seq = try row.get("seq")
        frame = try row.get("frame")
    }

    /// The message without the frame around it. One that cannot be read must not hide the others.
    var message: LoggedMessage {
        switch try? ServerFrame(text: frame) {
        case .output(let output), .promptUpdate(let output): LoggedMessage(seq: seq, output.message)
        default: LoggedMessage(seq: seq, Message(.unknown(rawJSON: frame)))
        }
    }
}

/// A page of the messages that the log has of a session.
struct OwnPage: Sendable {
    /// The newest is last.
    var messages: [LoggedMessage]
    /// The log has older ones.
    var hasOlder: Bool
}

extension ReadTransaction {
    /// The maximum size of a page in bytes.
    private static var pageSize: Int { 1_048_576 }
    /// The maximum size of a page of a history in bytes.
    private static var historySize: Int { 8_388_608 }

    /// Events after `after` up to `last`, in order; at most about 1 MiB, and at least one where there is one.
    func events(of session: Session.ID, after: Int64, upTo last: Int64) throws -> [LoggedFrame] {
        var size = 0
        return try all(
            "SELECT session, seq, frame, LENGTH(frame) AS size FROM session_events WHERE session = ? AND seq > ? AND seq <= ? ORDER BY seq LIMIT 500",
            session, after, last, as: SizedFrame.self,
            while: { row in
                defer { size += row.size }
                return size < Self.pageSize
            }
        ).map(\.frame)
    }

    /// The number after which the newest events of a session have at most ``Limits/replaySize``.
    ///
    /// - Returns: At least `after`.
    func replayStart(of session: Session.ID, after: Int64, upTo last: Int64) throws -> Int64 {
        struct Size: RowDecodable {
            var seq: Int64
            var size: Int
            init(row: Row) throws {
                seq = try row.get("seq")
                size = try row.get("size")
            }
        }
        var total = 0
        let kept = try all(
            "SELECT seq, LENGTH(CAST(frame AS BLOB)) AS size FROM session_events WHERE session = ? AND seq > ? AND seq <= ? ORDER BY seq DESC",
            session,
            after, last, as: Size.self,
            while: { row in
                total += row.size
                return total <= Limits.replaySize
            })
        return kept.last.map { $0.seq - 1 } ?? last
    }

    /// A page of the messages that the log has of a session.
    func history(of session: Session.ID, limit: Int, offset: Int, before: Int64?) throws -> OwnPage {
        var size = 0
        let rows = try all(
            """
            SELECT seq, frame FROM session_events WHERE session = ? AND is_message = 1 AND seq < ? ORDER BY seq DESC LIMIT ? OFFSET ?
            """, session, before ?? Int64.max, limit, before == nil ? offset : 0, as: MessageRow.self,
            while: { row in
                defer { size += row.frame.utf8.count }
                return size < Self.historySize
            })
        let hasOlder = try rows.last.map {
            try exists("SELECT 1 FROM session_events WHERE session = ? AND is_message = 1 AND seq < ?", session, $0.seq)
        }
        return OwnPage(messages: rows.reversed().map(\.message), hasOlder: hasOlder ?? false)
    }

    /// One message in full.
    func message(_ seq: Int64, of session: Session.ID) throws -> LoggedMessage? {
        struct Whole: RowDecodable {
            var row: MessageRow
            var whole: String?
            init(row: Row) throws {
                self.row = try MessageRow(row: row)
                whole = try row.get("whole")
            }
        }
        let found = try first(
            "SELECT seq, frame, whole FROM session_events WHERE session = ? AND seq = ? AND is_message = 1", session, seq,
            as: Whole.self)
        guard let found else { return nil }
        guard let whole = found.whole else { return found.row.message }
        return LoggedMessage(seq: seq, try WireJSON.decode(from: Data(whole.utf8)))
    }

    /// The latest messages of all sessions but `known`, oldest first.
    func recentMessages(except known: Set<Session.ID>) throws -> [LoggedMessage] {
        var messages: [(at: Timestamp, message: LoggedMessage)] = []
        struct Recent: RowDecodable {
            var at: Timestamp
            var session: Session.ID
            var row: MessageRow
            init(row: Row) throws {
                at = try row.get("at")
                session = try row.get("session")
                self.row = try MessageRow(row: row)
            }
        }
        var size = 0
        let live = try liveSessions().filter { !known.contains($0.id) }
        for session in live {
            let recent = try all(
                "SELECT at, session, seq, frame FROM session_events WHERE session = ? AND is_message = 1 ORDER BY seq DESC LIMIT ?",
                session.id,
                Limits.recentMessageCount, as: Recent.self,
                while: { row in
                    defer { size += row.row.frame.utf8.count }
                    return size < Self.historySize
                })
            for row in recent {
                var message = row.row.message
                message.sessionId = row.session
                messages.append((row.at, message))
            }
        }
        // Within a session by number, also where the clock was set back.
        messages.sort { $0.message.sessionId == $1.message.sessionId ? $0.message.seq < $1.message.seq : $0.at < $1.at }
        return messages.suffix(Limits.recentMessageCount).map(\.message)
    }
}
