import Foundation
import HyperDHT
import ServerKit
import SwarmTransport
import WireKit

/// The nodes of a box on the network of peers: one for each network that the settings name, shared by the systems.
///
/// A node joins its network when a system first dials, and not before.
final class BoxSwarm: Sendable {
    private let nodes = Locked<[String: SharedNode]>([:])

    /// - Parameter purpose: The end of the meaning "nodes by which …".
    static func setting(_ purpose: String) -> (name: String, meaning: String) {
        (name: "BOOTSTRAP", meaning: "nodes (host:port, separated by commas) by which \(purpose) [the public network]")
    }

    /// Returns the node of the network that the setting names.
    ///
    /// - Throws: `StartupError`.
    func node(_ settings: Settings) throws(StartupError) -> SharedNode {
        let bootstrap = try Self.bootstrapNodes(settings)
        return nodes.withLock { nodes in
            let key = bootstrap.map(\.description).joined(separator: ",")
            if let node = nodes[key] { return node }
            let node = SharedNode {
                var options = SwarmOptions()
                options.bootstrapNodes = bootstrap
                return try await SwarmNodes.start(try await options.configuration())
            }
            nodes[key] = node
            return node
        }
    }

    private static func bootstrapNodes(_ settings: Settings) throws(StartupError) -> [HostAndPort] {
        let texts = (settings.string("bootstrap") ?? "").split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        return try texts.map { text throws(StartupError) in
            guard let node = HostAndPort(text) else {
                throw StartupError("\(settings.name(of: "bootstrap")) contains \"\(text)\"; expected nodes such as 192.0.2.1:49737")
            }
            return node
        }
    }
}
