import EndlessCodeWire
import Foundation
import StorageKit
import WireKit

extension Session.ID {
    /// The group of all sessions' logs.
    static let logGroup = "sessions"
    private static let logPrefix = "session/"

    /// The session's log. Its payloads are frames as phones get them; ``Retention`` limits it.
    var log: Log { Log(Self.logPrefix + rawValue, group: Self.logGroup, capacity: nil) }

    init(logName: String) { self.init(String(logName.dropFirst(Self.logPrefix.count))) }
}

/// An event that was appended to a session's log.
struct LoggedEvent: Sendable {
    var seq: Int64
    /// The effect on notifications, when the event happens.
    var change: NotificationChange?
}

extension WriteTransaction {
    /// Appends an event to the session's log.
    ///
    /// - Parameter make: Makes the frame from the event's sequence number.
    func append(to session: Session.ID, at time: Timestamp, _ make: (Int64) -> ServerFrame) throws -> LoggedEvent {
        let (event, size) = try appendFrame(to: session, at: time, make)
        try count(event, isMessage: false, size: size, in: session, at: time)
        return event
    }

    /// Appends a message of the conversation. A large one is cut in the frame, and stored whole beside it.
    ///
    /// - Parameter frame: Makes the frame of the message.
    func append(
        _ message: Message, to session: Session.ID, at time: Timestamp, as frame: (Output) -> ServerFrame = ServerFrame.output
    ) throws -> LoggedEvent {
        let cut = MessageCut(message)
        let (event, size) = try appendFrame(to: session, at: time) {
            frame(Output(sessionId: session, seq: $0, message: cut.message, timestamp: time))
        }
        try execute("INSERT INTO session_messages (session, seq, whole) VALUES (?, ?, ?)", session, event.seq, cut.whole)
        try count(event, isMessage: true, size: size + (cut.whole?.utf8.count ?? 0), in: session, at: time)
        return event
    }

    private func appendFrame(
        to session: Session.ID, at time: Timestamp, _ make: (Int64) -> ServerFrame
    ) throws -> (LoggedEvent, size: Int) {
        var event = LoggedEvent(seq: 0)
        var size = 0
        event.seq = try append(to: session.log, at: time) { seq in
            let frame = make(seq)
            event.change = NotificationChange(frame)
            let payload = Data(frame.text.utf8)
            size = payload.count
            return payload
        }
        return (event, size)
    }

    /// - Throws: ``ServiceFailure`` `SESSION_NOT_FOUND`: nothing is logged for a session that was removed.
    private func count(_ event: LoggedEvent, isMessage: Bool, size: Int, in session: Session.ID, at time: Timestamp) throws {
        let changed = try execute(
            "UPDATE sessions SET message_count = message_count + ?, active_at = ?, size = size + ? WHERE id = ?", isMessage ? 1 : 0,
            time, size, session)
        if changed == 0 { throw ServiceFailure.noSession }
    }
}

/// A message as frames have it.
struct MessageCut {
    private(set) var message: Message
    /// The JSON of the whole message, where it was cut.
    private(set) var whole: String?

    init(_ message: Message) {
        self.message = message
        // Nearly all are so small that they need not be encoded to be measured.
        if let size = message.textSize, Limits.jsonSize(ofTexts: size) <= Limits.messageSize { return }
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

extension Message {
    /// The size of all its texts in bytes, and 32 for each other value; nil for the kinds that agents seldom write.
    fileprivate var textSize: Int? {
        let parent = parentToolUseId?.utf8.count ?? 0
        switch content {
        case .chat(let chat): return parent + chat.id.utf8.count + chat.content.utf8.count
        case .toolResult(let result): return parent + result.id.utf8.count + result.toolUseId.utf8.count + result.output.utf8.count
        case .toolUse(let use):
            let names = [use.id, use.toolName, use.toolUseId, use.kind ?? ""].reduce(0) { $0 + $1.utf8.count }
            return parent + names + use.toolInput.textSize + (use.content ?? []).reduce(0) { $0 + $1.size + 64 }
        case .askUser, .result, .notice, .unknown: return nil
        }
    }
}

extension JSONValue {
    fileprivate var textSize: Int {
        switch self {
        case .string(let text): text.utf8.count + 2
        case .array(let values): values.reduce(2) { $0 + $1.textSize + 1 }
        case .object(let members): members.reduce(2) { $0 + $1.key.utf8.count + $1.value.textSize + 4 }
        default: 32
        }
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

extension LoggedMessage {
    /// The message of an event, without the frame around it. One that cannot be read must not hide the others.
    init(_ event: StoredEvent) {
        let text = String(decoding: event.payload, as: UTF8.self)
        switch try? ServerFrame(text: text) {
        case .output(let output), .promptUpdate(let output): self.init(seq: event.seq, output.message)
        default: self.init(seq: event.seq, Message(.unknown(rawJSON: text)))
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
    /// The maximum size of a page of a history in bytes.
    private static var historySize: Int { 8_388_608 }

    /// A page of the messages that the log has of a session.
    func history(of session: Session.ID, limit: Int, offset: Int, before: Int64?) throws -> OwnPage {
        let events = try messages(of: session, limit: limit, offset: before == nil ? offset : 0, before: before ?? .max)
        let hasOlder = try events.last.map {
            try exists("SELECT 1 FROM session_messages WHERE session = ? AND seq < ?", session, $0.seq)
        }
        return OwnPage(messages: events.reversed().map { LoggedMessage($0) }, hasOlder: hasOlder ?? false)
    }

    /// The events of a session's messages, the newest first. A page ends after ``historySize``.
    private func messages(of session: Session.ID, limit: Int, offset: Int = 0, before: Int64 = .max) throws -> [StoredEvent] {
        let seqs = try all(
            "SELECT seq FROM session_messages WHERE session = ? AND seq < ? ORDER BY seq DESC LIMIT ? OFFSET ?", session, before,
            limit, offset, as: Int64.self)
        var (events, size): ([StoredEvent], Int) = ([], 0)
        for seq in seqs where size < Self.historySize {
            guard let event = try event(seq, of: session.log) else { continue }
            events.append(event)
            size += event.payload.count
        }
        return events
    }

    /// One message in full.
    func message(_ seq: Int64, of session: Session.ID) throws -> LoggedMessage? {
        let whole = try first("SELECT whole FROM session_messages WHERE session = ? AND seq = ?", session, seq, as: String?.self)
        guard let whole else { return nil }
        if let whole { return LoggedMessage(seq: seq, try WireJSON.decode(from: Data(whole.utf8))) }
        return try event(seq, of: session.log).map { LoggedMessage($0) }
    }

    /// The latest messages of all sessions but `known`, oldest first.
    func recentMessages(except known: Set<Session.ID>) throws -> [LoggedMessage] {
        var messages: [(at: Timestamp, message: LoggedMessage)] = []
        for session in try liveSessions().map(\.id) where !known.contains(session) {
            for event in try self.messages(of: session, limit: Limits.recentMessageCount) {
                var message = LoggedMessage(event)
                message.sessionId = session
                messages.append((event.at, message))
            }
        }
        // Within a session by number, also where the clock was set back.
        messages.sort { $0.message.sessionId == $1.message.sessionId ? $0.message.seq < $1.message.seq : $0.at < $1.at }
        return messages.suffix(Limits.recentMessageCount).map(\.message)
    }
}
