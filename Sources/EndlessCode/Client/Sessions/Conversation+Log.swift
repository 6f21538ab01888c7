package import EndlessCodeWire
package import Foundation
import WireKit

/// The indexes of a conversation's entries about tools and questions.
struct Places {
    var ids: Set<String> = []
    /// The index of the entry of each tool use, by ``ToolUse/toolUseId``.
    var tools: [String: Int] = [:]
    /// The keys of ``tools`` without a result.
    var runningTools: Set<String> = []
    /// The index of the entry of each question, by ``PromptRequest/promptId``.
    var questions: [String: Int] = [:]
}

/// A text that the agent is writing.
struct PartialText {
    /// Maximum size in bytes. The rest arrives with the final text.
    static let sizeLimit = 1_048_576
    /// Maximum texts that are written at the same time.
    static let countLimit = 16

    var id: String
    var text: String
    var date: Date
    var parentToolUseId: String?
}

extension Conversation {
    /// Maximum messages in memory. Beyond it, the oldest are dropped, unless the user has fetched earlier pages.
    private static let logLimit = 2000
    /// Maximum messages that are saved.
    private static let savedLimit = 200
    /// Maximum size of saved texts in bytes, approximately.
    private static let savedSize = 524_288
    private static let closedLimit = 500

    // MARK: Messages

    /// Adds messages in any order. Messages that the log already has stay as they are.
    func merge(_ messages: [LoggedMessage]) {
        let new = messages.filter { place(of: $0.seq) == nil && !isOutOfDate($0) }
        guard !new.isEmpty else { return }
        let isAtEnd = new.allSatisfy { $0.seq > (log.last?.seq ?? 0) } && zip(new, new.dropFirst()).allSatisfy { $0.seq < $1.seq }
        if isAtEnd {
            for message in new { append(message) }
            return
        }
        log = (log + Dictionary(new.map { ($0.seq, $0) }, uniquingKeysWith: { $1 }).values).sorted { $0.seq < $1.seq }
        rebuild()
    }

    /// Moves a prompt to the position of its new delivery.
    func update(_ message: LoggedMessage) {
        if let id = message.message.chatID, let index = log.lastIndex(where: { $0.message.chatID == id }) {
            guard log[index].seq < message.seq else { return }
            let wasQueued = queued.contains { $0.seq == log[index].seq }
            log.remove(at: index)
            if wasQueued { queued.removeAll { $0.message.chatID == id } } else { rebuild() }
        }
        merge([message])
    }

    /// Returns true for a prompt of a page that was fetched before an update of the prompt arrived.
    private func isOutOfDate(_ message: LoggedMessage) -> Bool {
        guard let delivery = message.message.delivery, delivery == .queued, let id = message.message.chatID else { return false }
        return log.contains { $0.seq > message.seq && $0.message.chatID == id }
    }

    /// Replaces the whole log.
    func reset(_ messages: [LoggedMessage], hasEarlier: Bool) {
        log = Dictionary(messages.map { ($0.seq, $0) }, uniquingKeysWith: { $1 }).values.sorted { $0.seq < $1.seq }
        (self.hasEarlier, hasLoadedEarlier) = (hasEarlier, false)
        rebuild()
    }

    /// Replaces a cut message by the whole message.
    func replace(_ message: LoggedMessage) {
        guard let index = place(of: message.seq) else { return }
        log[index] = message
        rebuild()
    }

    private func append(_ message: LoggedMessage) {
        log.append(message)
        // The final text replaces its pieces.
        if case .chat(let chat) = message.message.content, let index = partials.firstIndex(where: { $0.id == chat.id }) {
            partials.remove(at: index)
            updateTail()
        }
        if case .result = message.message.content, !partials.isEmpty {
            partials = []
            updateTail()
        }
        outgoing.removeAll { message.message.chatID == $0.id }
        if log.count > Self.logLimit, !hasLoadedEarlier {
            log.removeFirst(Self.logLimit / 2)
            hasEarlier = true
            rebuild()
        } else {
            entries.replaceSubrange(settledCount..., with: [])
            settle(message)
            // The tail may have lost a prompt, or have one more.
            entries += tailEntries
        }
    }

    /// Returns the index of a message in the log; nil if the log does not have it.
    private func place(of seq: Int64) -> Int? {
        var range = log.startIndex..<log.endIndex
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            if log[middle].seq == seq { return middle }
            range = log[middle].seq < seq ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return nil
    }

    /// Returns true if the log has a prompt of this phone.
    func hasPrompt(_ id: OutgoingPrompt.ID) -> Bool { log.contains { $0.message.chatID == id } }

    // MARK: Entries

    /// Rebuilds all entries from the log.
    func rebuild() {
        places = Places()
        settledCount = 0
        (entries, queued) = ([], [])
        for message in log { settle(message) }
        // A page of the history may have brought the final texts.
        partials.removeAll { places.ids.contains($0.id) }
        outgoing.removeAll { places.ids.contains($0.id) }
        entries += tailEntries
    }

    /// Adds the entry of a message, or merges the message into the entry it belongs to. Call only while ``entries`` has no tail.
    private func settle(_ logged: LoggedMessage) {
        let message = logged.message
        switch message.content {
        case .chat(let chat) where message.delivery == .queued:
            queued.append(logged)
            outgoing.removeAll { $0.id == chat.id }
        case .chat(let chat):
            let content: ChatEntry.Content =
                switch (chat.role, message.delivery) {
                case (.assistant, _): .agent(chat.content, isWriting: false)
                case (.user, .undelivered): .undelivered(chat.content)
                case (.user, _): .user(chat.content)
                }
            add(chat.id, logged, chat.timestamp, content)
        case .toolUse(let use):
            // The agent reports more about a use that it has announced.
            if let index = places.tools[use.toolUseId], case .tool(var call) = entries[index].content {
                (call.name, call.input) = (use.toolName, use.toolInput)
                (call.kind, call.content) = (use.kind, use.content ?? [])
                entries[index].content = .tool(call)
                if message.isLarge { entries[index].cutSeqs.append(logged.seq) }
                return
            }
            let permission = permissions[use.toolUseId].flatMap { closed[$0] }
            let call = ToolCall(
                id: use.toolUseId, name: use.toolName, input: use.toolInput, kind: use.kind, content: use.content ?? [],
                output: nil, isError: false, permission: permission)
            places.tools[use.toolUseId] = entries.count
            places.runningTools.insert(use.toolUseId)
            add("tool \(use.toolUseId)", logged, use.timestamp, .tool(call))
        case .toolResult(let result):
            places.runningTools.remove(result.toolUseId)
            // The output may arrive after the end of the call.
            if let index = places.tools[result.toolUseId], case .tool(var call) = entries[index].content,
                (call.output ?? "").isEmpty
            {
                (call.output, call.isError) = (result.output, result.isError)
                entries[index].content = .tool(call)
                if message.isLarge { entries[index].cutSeqs.append(logged.seq) }
                return
            }
            let call = ToolCall(
                id: result.toolUseId, name: nil, input: nil, output: result.output, isError: result.isError, permission: nil)
            if places.tools[result.toolUseId] == nil { places.tools[result.toolUseId] = entries.count }
            add("tool \(result.toolUseId)", logged, result.timestamp, .tool(call))
        case .askUser(let question):
            if places.questions[question.id] == nil { places.questions[question.id] = entries.count }
            let id = PromptRequest.ID(question.id)
            add(
                question.id, logged, question.timestamp,
                .question(AskedQuestion(id: id, question: question.question, closed: closed[id])))
        case .result(let result):
            if result.reason == "interrupted" || result.reason == "crashed" { stopTools() }
            add(result.id, logged, result.timestamp, .result(result))
        case .notice(let notice):
            // A notice of the next attempt, or of an end, replaces the notice before.
            if let last = entries.indices.last, case .notice(let before) = entries[last].content, notice.replaces(before) {
                (entries[last].content, entries[last].seq, entries[last].date) = (
                    .notice(notice), logged.seq, notice.timestamp.date
                )
                return
            }
            add(notice.id, logged, notice.timestamp, .notice(notice))
        case .unknown(let rawJSON):
            let date = entries.last?.date ?? .distantPast
            add("#\(logged.seq)", logged, Timestamp(date), .unknown(rawJSON))
        }
    }

    /// Marks the running tools as stopped: no result will arrive for them.
    private func stopTools() {
        for id in places.runningTools {
            guard let index = places.tools[id], case .tool(var call) = entries[index].content else { continue }
            call.wasStopped = true
            entries[index].content = .tool(call)
        }
        places.runningTools = []
    }

    private func add(_ id: String, _ logged: LoggedMessage, _ time: Timestamp, _ content: ChatEntry.Content) {
        // Ids come from agents, which may repeat them.
        let id = places.ids.insert(id).inserted ? id : "\(id) #\(logged.seq)"
        places.ids.insert(id)
        entries.append(
            ChatEntry(
                id: id, seq: logged.seq, date: time.date, content, parentToolUseId: logged.message.parentToolUseId,
                cutSeqs: logged.message.isLarge ? [logged.seq] : []))
        settledCount = entries.count
    }

    /// The entries after the settled ones: texts being written, queued prompts, and prompts of this phone.
    private var tailEntries: [ChatEntry] {
        partials.map {
            ChatEntry(
                id: $0.id, seq: nil, date: $0.date, .agent($0.text, isWriting: true), parentToolUseId: $0.parentToolUseId)
        }
            + queued.compactMap { logged in
                guard case .chat(let chat) = logged.message.content else { return nil }
                return ChatEntry(id: chat.id, seq: logged.seq, date: chat.timestamp.date, .queued(chat.content))
            } + outgoing.map { ChatEntry(id: $0.id, seq: nil, date: $0.date, .outgoing($0)) }
    }

    func updateTail() { entries.replaceSubrange(settledCount..., with: tailEntries) }

    // MARK: Partial texts

    /// Adds a piece of a text. A piece that does not continue the text is ignored; the final text replaces all pieces.
    func receive(_ piece: Chat, parent: String?) {
        guard let offset = piece.offset, !places.ids.contains(piece.id) else { return }
        let index = partials.firstIndex { $0.id == piece.id }
        // The agent has given up the text.
        if offset == 0, piece.content.isEmpty {
            guard let index else { return }
            partials.remove(at: index)
            return updateTail()
        }
        if offset == 0 {
            let text = PartialText(id: piece.id, text: piece.content, date: piece.timestamp.date, parentToolUseId: parent)
            if let index {
                partials[index] = text
            } else {
                guard partials.count < PartialText.countLimit else { return }
                partials.append(text)
            }
            return updateTail()
        }
        guard let index, partials[index].text.utf8.count == offset, offset + piece.content.utf8.count <= PartialText.sizeLimit
        else {
            return
        }
        partials[index].text += piece.content
        entries[settledCount + index].content = .agent(partials[index].text, isWriting: true)
    }

    /// Removes texts that are being written. A new connection brings them again.
    func dropPartials() {
        guard !partials.isEmpty else { return }
        partials = []
        updateTail()
    }

    // MARK: Prompts of this phone and questions

    func setOutgoing(_ prompts: [OutgoingPrompt]) {
        let prompts = prompts.filter { !hasPrompt($0.id) }
        guard prompts != outgoing else { return }
        outgoing = prompts
        updateTail()
    }

    func note(_ request: PromptRequest) {
        guard request.kind == .permission, let tool = request.toolUseId, permissions.count < Self.closedLimit * 2 else { return }
        permissions[tool] = request.promptId
    }

    func note(_ prompt: ClosedPrompt, of id: PromptRequest.ID) {
        if closed.updateValue(prompt, forKey: id) == nil { closedOrder.append(id) }
        if closedOrder.count > Self.closedLimit { closed[closedOrder.removeFirst()] = nil }
        if let index = places.questions[id.rawValue], case .question(var question) = entries[index].content {
            question.closed = prompt
            entries[index].content = .question(question)
        }
        if let tool = permissions.first(where: { $0.value == id })?.key, let index = places.tools[tool],
            case .tool(var call) = entries[index].content
        {
            call.permission = prompt
            entries[index].content = .tool(call)
        }
    }

    // MARK: Storage

    /// A conversation as the phone stores it, beside its messages, each of which has a value of its own.
    struct Saved: Codable {
        var cursor: Int64?
        /// The sequence numbers of the messages, ascending.
        var seqs: [Int64]
        var hasEarlier: Bool
        var closed: [PromptRequest.ID: ClosedPrompt]
        var permissions: [String: PromptRequest.ID]
    }

    /// A conversation as earlier versions stored it.
    struct SavedWhole: Codable {
        var cursor: Int64?
        var messages: [LoggedMessage]
        var hasEarlier: Bool
        var closed: [PromptRequest.ID: ClosedPrompt]
        var permissions: [String: PromptRequest.ID]

        var split: (Saved, messages: [LoggedMessage]) {
            (
                Saved(
                    cursor: cursor, seqs: messages.map(\.seq), hasEarlier: hasEarlier, closed: closed, permissions: permissions),
                messages
            )
        }
    }

    /// Returns the newest part of the conversation, and its messages.
    func saved(cursor: Int64?) -> (Saved, messages: [LoggedMessage]) {
        var size = 0
        let kept = log.suffix(Self.savedLimit).reversed().prefix { message in
            defer { size += message.message.size }
            return size < Self.savedSize
        }
        let tools = Set(kept.compactMap { if case .toolUse(let use) = $0.message.content { use.toolUseId } else { nil } })
        let permissions = permissions.filter { tools.contains($0.key) }
        let questions = Set(permissions.values).union(
            kept.compactMap { if case .askUser(let question) = $0.message.content { PromptRequest.ID(question.id) } else { nil } })
        let saved = Saved(
            cursor: isCurrent ? cursor : nil, seqs: kept.reversed().map(\.seq), hasEarlier: hasEarlier || kept.count < log.count,
            closed: closed.filter { questions.contains($0.key) }, permissions: permissions)
        return (saved, kept.reversed())
    }

    func restore(_ saved: Saved, _ messages: [LoggedMessage]) {
        (closed, closedOrder) = (saved.closed, Array(saved.closed.keys))
        permissions = saved.permissions
        isCurrent = saved.cursor != nil
        reset(messages, hasEarlier: saved.hasEarlier)
    }
}

extension Message {
    /// The delivery of a prompt; nil for other messages.
    var delivery: Chat.Delivery? {
        if case .chat(let chat) = content, chat.role == .user { chat.delivery } else { nil }
    }

    /// The id of a chat message; nil for other messages.
    var chatID: String? { if case .chat(let chat) = content { chat.id } else { nil } }

    /// The size of the texts in bytes, approximately.
    fileprivate var size: Int {
        switch content {
        case .chat(let chat): chat.content.utf8.count
        case .toolUse(let use): use.toolInput.textSize
        case .toolResult(let result): result.output.utf8.count
        case .askUser(let question): question.question.question.utf8.count
        case .result(let result): result.text?.utf8.count ?? 0
        case .notice(let notice): notice.text?.utf8.count ?? 0
        case .unknown(let rawJSON): rawJSON?.utf8.count ?? 0
        }
    }
}

extension JSONValue {
    /// The size of the texts in it in bytes, and some bytes for each other value.
    fileprivate var textSize: Int {
        switch self {
        case .string(let text): text.utf8.count
        case .array(let values): values.reduce(0) { $0 + $1.textSize }
        case .object(let members): members.reduce(0) { $0 + $1.key.utf8.count + $1.value.textSize }
        default: 4
        }
    }
}

extension Notice {
    /// The time of the next attempt, or of the end of a limit.
    package var nextDate: Date? { nextAttemptAt?.date }

    /// Returns true for a later state of the same wait.
    fileprivate func replaces(_ before: Notice) -> Bool {
        switch before.kind {
        case Kind.retry: kind == Kind.retry
        case Kind.compacting: kind == Kind.compacting || kind == Kind.compacted
        case Kind.limitNear: kind == Kind.limitNear || kind == Kind.limitReached
        default: false
        }
    }
}
