import ArgumentParser
import Foundation
import Logging
import ServerKit

/// A system of the box: the one entry that `serve`, its help, the apps for browsers and the home screen read.
struct System: Sendable {
    /// The lower-case name: the argument of `serve`, the path prefix in the box and, in capitals, the prefix of the settings.
    let name: String
    /// Names of settings, without the prefix, and the meaning of each.
    let settings: [(name: String, meaning: String)]
    /// The verbs of this system on the command line: `switchboard <name> …`.
    var command: (@Sendable () -> any ParsableCommand.Type)?
    #if os(Linux)
        /// The app for browsers.
        var app: (@MainActor @Sendable (BoxContext) async throws -> BrowserApp)?
    #endif
    /// The HTTP service; nil for a system whose apps need none in the box.
    let service: Service?

    struct Service: Sendable {
        /// The port when the system is served alone.
        let standardPort: Int
        let build: @Sendable (BoxContext) async throws -> ServiceParts
        /// True if the service answers other machines over TLS only.
        var requiresTLS = false
        /// Serves the system alone until a signal; nil if ``Box`` does.
        var serveAlone: (@Sendable (ServeConfiguration, Settings) async throws -> Void)?
    }

    /// Every system, in the order of the help and of the home screen.
    static let all: [System] = [pager2077, simBridge, localLLM, endlessCode, talkCo]

    /// The systems that `serve` can serve alone.
    static var servable: [System] { all.filter { $0.service != nil } }

    /// The prefix of the system's settings while several systems are served.
    var prefix: String { "\(name.uppercased())_" }
}

/// The values that a box passes to a service at its start.
struct BoxContext: Sendable {
    let settings: Settings
    /// The existing folder for databases and secrets.
    let dataFolder: URL
    /// The PostgreSQL database of the services; nil for a file of each.
    let database: String?
    /// True if the box serves this system only.
    let isAlone: Bool
    /// True if the box has host names of its own: a proxy may then forward requests from other machines to it.
    let hasOtherNames: Bool
    /// The nodes of the box on the network of peers.
    let swarm: BoxSwarm
    let metrics: MetricsRegistry
    let logger: Logger
}
