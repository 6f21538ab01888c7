import ClientKit
import EndlessCodeWire
import Foundation
import PlatformKit
import WireKit

/// The last known content of each server, for reading without a connection.
extension AgentClient {
    enum Key {
        static let phone = "phone"
        static let phoneName = "phoneName"
        static let notifications = "notifications"
        static let notificationContent = "notificationContent"
        static func push(_ server: SavedServer.ID) -> String { "push \(server)" }
        static func content(_ server: SavedServer.ID) -> String { "content \(server)" }
        static func thread(_ session: Session.ID, of server: SavedServer.ID) -> String { "thread \(server) \(session)" }
        static func message(_ seq: Int64, in session: Session.ID, of server: SavedServer.ID) -> String {
            "message \(server) \(session) \(seq)"
        }
        static func draft(_ session: Session.ID, of server: SavedServer.ID) -> String { "draft \(server) \(session)" }
    }

    /// Minimum time between two writes.
    private static let saveInterval = Duration.seconds(1)
    /// Maximum saved conversations of a server.
    private static let threadLimit = 20
    /// Maximum saved sessions of a server.
    private static let sessionLimit = 300

    private struct SavedContent: Codable {
        var projects: [Project]
        var sessions: [Session]
        /// The sessions with a saved conversation.
        var threads: [Session.ID]
    }

    // MARK: Writing

    func contentDidChange() {
        isContentDirty = true
        persistSoon()
    }

    func threadDidChange(_ conversation: Conversation) {
        dirtyThreads.insert(conversation.id)
        persistSoon()
    }

    func draftDidChange(_ conversation: Conversation) {
        guard let current else { return }
        engine.save(conversation.draft.isEmpty ? nil : conversation.draft, for: Key.draft(conversation.id, of: current))
    }

    func persistSoon() {
        engine.tasks.request("persist") {
            self.persist()
            try? await self.phone.clock.sleep(for: Self.saveInterval)
        }
    }

    /// Hands all changes to the database, which writes them soon.
    func persist() {
        guard let current, isContentDirty || !dirtyThreads.isEmpty else { return }
        let kept = Set(
            conversations.values.filter { !$0.log.isEmpty }
                .sorted { time(of: $0.id) > time(of: $1.id) }.prefix(Self.threadLimit).map(\.id))
        for id in dirtyThreads where kept.contains(id) {
            if let conversation = conversations[id] { save(conversation, of: current) }
        }
        let savedBefore = Set(savedThreads.keys)
        for id in savedBefore.subtracting(kept) {
            forgetThread(id, messages: savedThreads.removeValue(forKey: id)?.keys.map { $0 } ?? [], of: current)
        }
        if isContentDirty || kept != savedBefore {
            let recent = sessions.values.sorted { $0.lastActiveAt > $1.lastActiveAt }.prefix(Self.sessionLimit)
            engine.save(
                SavedContent(projects: projects, sessions: Array(recent), threads: kept.sorted { $0.rawValue < $1.rawValue }),
                for: Key.content(current), isIncidental: true)
        }
        (isContentDirty, dirtyThreads) = (false, [])
    }

    /// Saves a conversation: each message once, and again when the whole of a cut one has come.
    private func save(_ conversation: Conversation, of server: SavedServer.ID) {
        let (thread, messages) = conversation.saved(cursor: cursors[conversation.id])
        var saved = savedThreads[conversation.id] ?? [:]
        func key(_ seq: Int64) -> String { Key.message(seq, in: conversation.id, of: server) }
        for message in messages where saved[message.seq] != message.message.isLarge {
            engine.save(message, for: key(message.seq), isIncidental: true)
            saved[message.seq] = message.message.isLarge
        }
        for seq in Set(saved.keys).subtracting(thread.seqs) {
            engine.save(Bool?.none, for: key(seq))
            saved[seq] = nil
        }
        engine.save(thread, for: Key.thread(conversation.id, of: server), isIncidental: true)
        savedThreads[conversation.id] = saved
    }

    private func forgetThread(_ id: Session.ID, messages: [Int64], of server: SavedServer.ID) {
        for seq in messages { engine.save(Bool?.none, for: Key.message(seq, in: id, of: server)) }
        engine.save(Bool?.none, for: Key.thread(id, of: server))
    }

    private func time(of id: Session.ID) -> Timestamp { sessions[id]?.lastActiveAt ?? .earliest }

    // MARK: Reading

    func loadContent(of server: SavedServer.ID) {
        let content: SavedContent? = engine.saved.value(for: Key.content(server))
        projects = content?.projects ?? []
        sessions = Dictionary((content?.sessions ?? []).map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        savedThreads = [:]
        for id in content?.threads ?? [] {
            guard let (thread, messages) = savedThread(id, of: server) else { continue }
            conversation(id).restore(thread, messages)
            cursors[id] = thread.cursor
        }
        if !dirtyThreads.isEmpty { persistSoon() }
    }

    private func savedThread(_ id: Session.ID, of server: SavedServer.ID) -> (Conversation.Saved, messages: [LoggedMessage])? {
        let key = Key.thread(id, of: server)
        if let earlier: Conversation.SavedWhole = engine.saved.value(for: key) {
            dirtyThreads.insert(id)
            savedThreads[id] = [:]
            return earlier.split
        }
        guard var thread: Conversation.Saved = engine.saved.value(for: key) else { return nil }
        let messages: [LoggedMessage] = thread.seqs.compactMap {
            engine.saved.value(for: Key.message($0, in: id, of: server))
        }
        savedThreads[id] = Dictionary(messages.map { ($0.seq, $0.message.isLarge) }, uniquingKeysWith: { $1 })
        // Another version wrote one in another form: the conversation is fetched.
        if messages.count < thread.seqs.count { thread.cursor = nil }
        return (thread, messages)
    }

    /// Returns the server that has a session in its saved content; nil if none of the other servers has it.
    func serverOfSavedSession(_ id: Session.ID) -> SavedServer.ID? {
        servers.first { server in
            let content: SavedContent? = server.id == current ? nil : engine.saved.value(for: Key.content(server.id))
            return content?.sessions.contains { $0.id == id } == true
        }?.id
    }

    func savedDraft(of session: Session.ID) -> String {
        current.flatMap { engine.saved.value(for: Key.draft(session, of: $0)) } ?? ""
    }

    /// Removes the current server's content from memory.
    func forgetContent() {
        (projects, projectsPhase) = ([], .idle)
        (sessions, sessionPhases) = ([:], [:])
        (prompts, closedBefore) = ([], [])
        (conversations, trees, cursors) = ([:], [:], [:])
        (queried, tolerated, syncedSeqs, isSynced) = ([], [:], [:], false)
        (savedThreads, dirtyThreads, isContentDirty) = ([:], [], false)
        expectations = []
        wantedSession = nil
        alert = nil
    }

    /// Removes a server's content from the disk.
    func forgetSavedContent(of server: SavedServer.ID) {
        let content: SavedContent? = engine.saved.value(for: Key.content(server))
        for id in content?.threads ?? [] {
            let thread: Conversation.Saved? = engine.saved.value(for: Key.thread(id, of: server))
            forgetThread(id, messages: thread?.seqs ?? [], of: server)
        }
        for session in content?.sessions ?? [] { engine.save(Bool?.none, for: Key.draft(session.id, of: server)) }
        engine.save(Bool?.none, for: Key.content(server))
    }

    /// Returns this phone's own identifier, the same for all connections. The first call creates it.
    func savedPhoneID() -> String {
        if let saved: String = engine.saved.value(for: Key.phone), Session.ID(saved).isWireIdentifier { return saved }
        let id = UUID().uuidString.lowercased()
        // A phone that stores nothing else has another identifier at its next start.
        engine.save(id, for: Key.phone, isIncidental: true)
        return id
    }
}
