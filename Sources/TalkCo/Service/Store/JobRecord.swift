import StorageKit
import TalkCoWire

/// Work that a session waits for.
struct Job: Hashable, Sendable {
    enum Kind: String, Hashable, Sendable, CaseIterable, SQLValue {
        /// The marks, after DELETE.
        case marks
        /// The summary, after `end`.
        case summary
        /// The summary for the tutor, after `end`.
        case talkSummary = "talk_summary"
        /// The changes of the profile, after `end`.
        case profile
        /// The outcome of a session in the mode `review`, after DELETE.
        case outcome
    }

    var session: Session.ID
    var kind: Kind
    var attempts: Int
}

extension Job: RowDecodable {
    init(row: Row) throws {
        self.init(session: try row.get("session"), kind: try row.get("kind"), attempts: try row.get("attempts"))
    }
}

extension ReadTransaction {
    func jobs(of session: Session.ID) throws -> [Job] {
        try all("SELECT session, kind, attempts FROM jobs WHERE session = ?", session)
    }

    func hasJob(_ kind: Job.Kind, of session: Session.ID) throws -> Bool {
        try exists("SELECT 1 FROM jobs WHERE session = ? AND kind = ?", session, kind)
    }
}

extension WriteTransaction {
    func addJob(_ kind: Job.Kind, of session: Session.ID) throws {
        try execute("INSERT INTO jobs (session, kind) VALUES (?, ?) ON CONFLICT (session, kind) DO NOTHING", session, kind)
    }

    /// Removes a job, and advances its session if the session waited only for this job.
    func removeJob(_ kind: Job.Kind, of session: Session.ID) throws {
        try execute("DELETE FROM jobs WHERE session = ? AND kind = ?", session, kind)
        if kind == .marks { _ = try advance(session, from: .reviewing, to: .reviewed) }
        if try !exists("SELECT 1 FROM jobs WHERE session = ?", session) {
            _ = try advance(session, from: .completing, to: .completed)
        }
    }
}
