public import Foundation

/// The configuration of a server. Read once, at the start.
public struct EndlessCodeConfiguration: Sendable {
    /// The folder of the database, the token and the audit file. Must exist.
    public var dataFolder: URL
    /// The time that a question stays open.
    public var promptTimeout = Duration.seconds(1800)
    /// The time after a session's latest activity for which the log keeps it.
    public var retentionAge = Duration.seconds(90 * 86_400)
    /// The size of all events in bytes.
    public var retentionSize = 1_073_741_824

    public init(dataFolder: URL) { self.dataFolder = dataFolder }

    var database: URL { dataFolder.appending(path: "endlesscode.db") }
    var audit: URL { dataFolder.appending(path: "endlesscode-audit.jsonl") }
}
