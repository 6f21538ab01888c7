import EndlessCodeWire
package import Foundation
package import PushKit
package import ServerKit

/// The configuration of a server. Read once, at the start.
package struct EndlessCodeConfiguration: Sendable {
    /// The folder of the database, the token and the audit file. Must exist.
    package var dataFolder: URL
    /// The time that a question stays open.
    package var promptTimeout = Limits.promptTimeout
    /// The time after a session's latest activity for which the log keeps it.
    package var retentionAge = Duration.seconds(90 * 86_400)
    /// The size of all events in bytes.
    package var retentionSize = 1_073_741_824

    /// The push services for phones on which nobody looks at the app.
    package var push = PushServices()

    private static let bundleID = "com.endlesscode.app"

    package init(dataFolder: URL) { self.dataFolder = dataFolder }

    /// Reads the push services. ``pushSettings`` lists the names.
    ///
    /// - Throws: `StartupError`.
    package mutating func readPush(_ settings: Settings) throws(StartupError) {
        push = try PushServices(
            settings, bundleID: Self.bundleID, webPushKeyIn: dataFolder.appending(path: "endlesscode-web-push.secret"))
    }

    /// The settings of ``readPush(_:)``: name without prefix, meaning and default.
    package static let pushSettings = PushServices.settings(bundleID: bundleID)

    var database: URL { dataFolder.appending(path: "endlesscode.db") }
    var audit: URL { dataFolder.appending(path: "endlesscode-audit.jsonl") }
}
