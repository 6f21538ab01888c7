package import EndlessCodeWire
import Foundation
import Observation
import WireKit

/// A file of a project on a screen.
@MainActor
@Observable
package final class OpenFile {
    package nonisolated let project: Project.ID
    package nonisolated let path: String
    /// The last fetched content; nil before the first fetch.
    package internal(set) var content: FileContent?
    package internal(set) var phase = LoadPhase.idle
    private weak var client: AgentClient?

    init(_ path: String, of project: Project.ID, _ client: AgentClient) {
        (self.path, self.project, self.client) = (path, project, client)
    }

    package nonisolated var name: String { path.split(separator: "/").last.map(String.init) ?? path }

    /// True if the server sends more than is shown: ``load(whole:)``.
    package var canLoadWhole: Bool { content.map { $0.truncated && $0.size <= Int64(Limits.fullFileSize) } ?? false }

    /// Fetches the file, its beginning if it is large.
    ///
    /// - Parameter whole: Fetches up to ``Limits/fullFileSize``.
    package func load(whole: Bool = false) async {
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
package final class ProjectChanges {
    package nonisolated let project: Project.ID
    package internal(set) var diff: WorkTreeDiff?
    package internal(set) var phase = LoadPhase.idle
    private weak var client: AgentClient?

    init(_ project: Project.ID, _ client: AgentClient) { (self.project, self.client) = (project, client) }

    package func load() async {
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
    package func file(_ path: String, of project: Project.ID) -> OpenFile { OpenFile(path, of: project, self) }
    package func changes(of project: Project.ID) -> ProjectChanges { ProjectChanges(project, self) }
}
