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
            guard let conversation = conversations[id] else { continue }
            engine.save(conversation.saved(cursor: cursors[id]), for: Key.thread(id, of: current), isIncidental: true)
        }
        for id in savedThreads.subtracting(kept) { engine.save(Bool?.none, for: Key.thread(id, of: current)) }
        if isContentDirty || kept != savedThreads {
            let recent = sessions.values.sorted { $0.lastActiveAt > $1.lastActiveAt }.prefix(Self.sessionLimit)
            engine.save(
                SavedContent(projects: projects, sessions: Array(recent), threads: kept.sorted { $0.rawValue < $1.rawValue }),
                for: Key.content(current), isIncidental: true)
        }
        savedThreads = kept
        (isContentDirty, dirtyThreads) = (false, [])
    }

    private func time(of id: Session.ID) -> Timestamp { sessions[id]?.lastActiveAt ?? .earliest }

    // MARK: Reading

    func loadContent(of server: SavedServer.ID) {
        let content: SavedContent? = engine.saved.value(for: Key.content(server))
        projects = content?.projects ?? []
        sessions = Dictionary((content?.sessions ?? []).map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        savedThreads = Set(content?.threads ?? [])
        for id in savedThreads {
            guard let thread: Conversation.Saved = engine.saved.value(for: Key.thread(id, of: server)) else { continue }
            let conversation = conversation(id)
            conversation.restore(thread)
            cursors[id] = thread.cursor
        }
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
        (savedThreads, dirtyThreads, isContentDirty) = ([], [], false)
        expectations = []
        wantedSession = nil
        alert = nil
    }

    /// Removes a server's content from the disk.
    func forgetSavedContent(of server: SavedServer.ID) {
        let content: SavedContent? = engine.saved.value(for: Key.content(server))
        for id in content?.threads ?? [] { engine.save(Bool?.none, for: Key.thread(id, of: server)) }
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
