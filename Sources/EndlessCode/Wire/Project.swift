public import WireKit

/// A folder in which agents work.
public struct Project: Codable, Hashable, Sendable, Identifiable {
    public typealias ID = Identifier<Project>

    /// The identifier, stable across restarts of the server. Contains no path.
    public var id: ID
    public var name: String
    /// The absolute path on the server's computer, for people.
    public var path: String
    /// Count of sessions, including earlier ones of the agent.
    public var sessionCount: Int
    /// The time of the latest activity; nil for a project without sessions.
    public var lastUsed: Timestamp?

    public init(id: ID, name: String, path: String, sessionCount: Int, lastUsed: Timestamp? = nil) {
        (self.id, self.name, self.path) = (id, name, path)
        (self.sessionCount, self.lastUsed) = (sessionCount, lastUsed)
    }
}
