import EndlessCodeWire
import Foundation
import HTTPTypes
import NetworkingKit
import WireKit

/// A server's endpoints as calls, which throw ``CodeProblem`` or `CancellationError`.
struct ServerAPI: ServiceCalls {
    static let timeout: Duration = .seconds(30)
    /// Maximum size of a reply in bytes: a file of ``Limits/fullFileSize``, or a page of large messages, with the escapes of JSON.
    static let replyLimit = 67_108_864
    /// Maximum messages in a page of the history.
    static let pageSize = 100

    let service: RemoteService
    let token: AccessToken?
    let clock: any Clock<Duration>

    // MARK: Calls

    func health() async throws -> Health { try await call(EndlessCodeEndpoints.health) }
    func stats() async throws -> Stats { try await authorized(EndlessCodeEndpoints.stats) }
    func projects() async throws -> [Project] { try await authorized(EndlessCodeEndpoints.projects) }
    func sessions() async throws -> [Session] { try await authorized(EndlessCodeEndpoints.sessions) }
    func sessions(of project: Project.ID) async throws -> [Session] {
        try await authorized(EndlessCodeEndpoints.projectSessions, ["id": project.rawValue])
    }
    func session(_ id: Session.ID) async throws -> Session {
        try await authorized(EndlessCodeEndpoints.session, ["id": id.rawValue])
    }
    func create(_ creation: SessionCreation) async throws -> Session {
        try await call(EndlessCodeEndpoints.createSession, body: creation, token: token?.text)
    }
    func resume(_ id: Session.ID) async throws -> Session {
        try await authorized(EndlessCodeEndpoints.resumeSession, ["id": id.rawValue])
    }
    func pause(_ id: Session.ID) async throws -> Session {
        try await authorized(EndlessCodeEndpoints.pauseSession, ["id": id.rawValue])
    }
    func terminate(_ id: Session.ID) async throws {
        let _: Nothing = try await authorized(
            Endpoint(EndlessCodeEndpoints.terminateSession.method, EndlessCodeEndpoints.terminateSession.path), ["id": id.rawValue])
    }

    /// - Parameter seq: The sequence number before which the page ends; nil for the newest messages.
    func history(of id: Session.ID, before seq: Int64?, limit: Int = pageSize) async throws -> HistoryPage {
        let before = seq.map { "&before=\($0)" } ?? ""
        return try await authorized(EndlessCodeEndpoints.history, ["id": id.rawValue], "?limit=\(limit)\(before)")
    }
    func message(_ seq: Int64, of id: Session.ID) async throws -> LoggedMessage {
        try await authorized(EndlessCodeEndpoints.message, ["id": id.rawValue, "seq": "\(seq)"])
    }
    func folder(_ path: String, of project: Project.ID, offset: Int) async throws -> FolderPage {
        let query = "?path=\(PercentEncoding.encode(path))&offset=\(offset)"
        return try await authorized(EndlessCodeEndpoints.files, ["id": project.rawValue], query)
    }
    func file(_ path: String, of project: Project.ID, whole: Bool) async throws -> FileContent {
        let query = "?path=\(PercentEncoding.encode(path))\(whole ? "&full=1" : "")"
        return try await authorized(EndlessCodeEndpoints.file, ["id": project.rawValue], query)
    }
    func diff(of project: Project.ID) async throws -> WorkTreeDiff {
        try await authorized(EndlessCodeEndpoints.diff, ["id": project.rawValue])
    }

    func pushOffer() async throws -> PushOffer { try await authorized(EndlessCodeEndpoints.push) }
    func setPush(_ settings: PushSettings<PushContent>, of phone: String) async throws -> PushReply {
        try await call(EndlessCodeEndpoints.setPush, ["id": phone], body: settings, token: token?.text)
    }
    func removePush(of phone: String) async throws -> PushReply {
        try await authorized(EndlessCodeEndpoints.removePush, ["id": phone])
    }

    private func authorized<Reply: Decodable & Sendable>(
        _ endpoint: Endpoint<NoBody, Reply>, _ parameters: [String: String] = [:], _ query: String = ""
    ) async throws -> Reply {
        try await call(endpoint, parameters, query: query, token: token?.text)
    }

    // MARK: Replies

    func value<Value: Decodable & Sendable>(of reply: HTTPReply, to path: String, hasToken: Bool) throws -> Value {
        guard reply.head.status.kind == .successful else { throw CodeProblem(reply, hasToken: hasToken) }
        if let nothing = Nothing() as? Value { return nothing }
        do {
            return try EndlessCodeJSON.decode(Value.self, from: reply.body)
        } catch {
            throw CodeProblem.notAServer
        }
    }

    func failure(_ error: TransportError) -> any Error { CodeProblem(error) }
}

/// The value of a reply without content.
private struct Nothing: Decodable {}

extension CodeProblem {
    /// Creates the problem of a refused call.
    init(_ reply: HTTPReply, hasToken: Bool) {
        let reason = (try? WireJSON.decode(ErrorReply.self, from: reply.body))?.error
        switch (reply.head.status.code, reason) {
        case (401, _) where hasToken: self = .tokenRefused
        case (let status, nil) where reply.body.isEmpty && (status == 429 || status >= 500):
            // A refused WebSocket on an iPhone has only its status.
            self = .server(.internalError, "The server answers with status \(status).")
        // The sentence for developers is cut to a length that fits on a screen.
        case (_, let reason?): self = .server(reason.code, String(reason.message.prefix(1000)))
        default: self = .notAServer
        }
    }
}
