public import EndlessCodeWire
import Foundation
public import Observation
public import WireKit

/// A file of a project on a screen.
@MainActor
@Observable
public final class OpenFile {
    public nonisolated let project: Project.ID
    public nonisolated let path: String
    /// The last fetched content; nil before the first.
    public internal(set) var content: FileContent?
    public internal(set) var phase = LoadPhase.idle
    private weak var client: AgentClient?

    init(_ path: String, of project: Project.ID, _ client: AgentClient) {
        (self.path, self.project, self.client) = (path, project, client)
    }

    public nonisolated var name: String { path.split(separator: "/").last.map(String.init) ?? path }

    /// The server sends more than is shown: ``load(whole:)``.
    public var canLoadWhole: Bool { content.map { $0.truncated && $0.size <= Int64(Limits.fullFileSize) } ?? false }

    /// Fetches the file, its beginning if it is large.
    ///
    /// - Parameter whole: Fetches up to ``Limits/fullFileSize``.
    public func load(whole: Bool = false) async {
        guard phase != .loading, let client else { return }
        phase = .loading
        let (path, project) = (path, project)
        do throws(CodeProblem) {
            content = try await client.call { try await $0.file(path, of: project, whole: whole) }
            phase = .loaded
        } catch {
            phase = .failed(error)
        }
    }
}

/// The uncommitted changes of a project on a screen.
@MainActor
@Observable
public final class ProjectChanges {
    public nonisolated let project: Project.ID
    public internal(set) var diff: WorkTreeDiff?
    public internal(set) var phase = LoadPhase.idle
    private weak var client: AgentClient?

    init(_ project: Project.ID, _ client: AgentClient) { (self.project, self.client) = (project, client) }

    /// Fetches the changes.
    public func load() async {
        guard phase != .loading, let client else { return }
        phase = .loading
        let project = project
        do throws(CodeProblem) {
            diff = try await client.call { try await $0.diff(of: project) }
            phase = .loaded
        } catch {
            phase = .failed(error)
        }
    }
}

extension AgentClient {
    public func file(_ path: String, of project: Project.ID) -> OpenFile { OpenFile(path, of: project, self) }
    public func changes(of project: Project.ID) -> ProjectChanges { ProjectChanges(project, self) }
}
