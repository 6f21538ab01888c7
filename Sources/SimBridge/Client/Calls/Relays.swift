public import Foundation
public import NetworkingKit

/// The relays that this phone may use.
public struct Relays: Sendable {
    /// The initial address in the login.
    package var preset: String
    /// True if the preset relay belongs to the box that serves the app.
    package var isOwn = false
    /// The name of this phone among the devices of an account, unless it has one already; nil where the user is asked.
    package var deviceName: String?
    /// Returns the relay at an address that the user typed.
    package var reach: @Sendable (URL) throws(ServerAddress.Problem) -> RemoteService

    public init(
        preset: String, deviceName: String?, reach: @escaping @Sendable (URL) throws(ServerAddress.Problem) -> RemoteService
    ) {
        self.preset = preset
        self.deviceName = deviceName
        self.reach = reach
    }

    /// Returns this relay, and others that the operator has allowed.
    ///
    /// - Parameter other: Returns the relay at another address; nil if none is allowed there.
    package static func only(
        _ relay: RemoteService, or other: @escaping @Sendable (URL) -> RemoteService? = { _ in nil }, deviceName: String?
    ) -> Relays {
        var relays = Relays(preset: relay.address.absoluteString, deviceName: deviceName) { url throws(ServerAddress.Problem) in
            if url == (try? ServerAddress.checked(relay.address.absoluteString)) { return relay }
            guard let other = other(url) else { throw .notAllowed(url) }
            return other
        }
        relays.isOwn = true
        return relays
    }
}
