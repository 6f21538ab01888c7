package import Foundation
package import LocalLLMWire

/// A host that this phone was connected to.
package struct SavedHost: Codable, Hashable, Sendable, Identifiable {
    /// The text of the Server ID.
    package var id: String
    package var name: String
    package var model: String
    package var lastUse: Date
    /// True if the host has proved that the Server ID is its own key.
    package var isVerified: Bool

    package var serverID: ServerID? { ServerID(text: id) }

    /// The host with names that can be shown. Earlier versions saved the names unchecked.
    var shown: SavedHost {
        var host = self
        (host.name, host.model) = (DisplayName.host(name), DisplayName.clean(model))
        return host
    }
}

/// A host that a phone can connect to without its Server ID being pasted or scanned first.
public struct OfferedHost: Hashable, Sendable, Identifiable {
    package let serverID: ServerID
    package let name: String

    /// The text of the Server ID.
    public var id: String { serverID.text }

    package init(_ serverID: ServerID, name: String) { (self.serverID, self.name) = (serverID, name) }
}

/// The keys that answered this phone under a Server ID. Outlives the saved host.
struct HostTrust: Codable, Hashable, Sendable {
    /// True once a host has proved the Server ID. From then on, no other key is accepted under it.
    var wasVerified = false
    /// The key of an unverified host that the user has accepted, or the first one that answered; in hexadecimal.
    var pinnedKey: String?
    var lastUse: Date

    /// True if this is to be forgotten before `other`.
    static func < (first: HostTrust, other: HostTrust) -> Bool {
        first.wasVerified == other.wasVerified ? first.lastUse < other.lastUse : !first.wasVerified
    }
}

/// A question to the user: the key that answers under a Server ID has changed.
package struct KeyQuestion: Hashable, Sendable {
    package let id: ServerID
    /// The keys in hexadecimal.
    package let knownKey: String
    package let newKey: String
}
