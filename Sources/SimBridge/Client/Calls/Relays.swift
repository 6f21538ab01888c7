public import Foundation
public import NetworkingKit

/// The relays that this phone may use.
public struct Relays: Sendable {
    /// What the field for the address holds at first.
    public var preset: String
    /// The preset one is that of the box that serves the app: its address is nobody else's.
    public var isOwn = false
    /// What this phone is called among the devices of an account, unless it has a name already.
    public var deviceName: String
    /// The way to a relay at an address that a person gave.
    public var reach: @Sendable (URL) throws(ServerAddress.Problem) -> RemoteService

    public init(
        preset: String, deviceName: String, reach: @escaping @Sendable (URL) throws(ServerAddress.Problem) -> RemoteService
    ) {
        self.preset = preset
        self.deviceName = deviceName
        self.reach = reach
    }

    /// Only this one relay, and others where somebody has allowed them, whatever else is typed.
    ///
    /// - Parameter other: The way to a relay at an address that is not this one's; nil where none is allowed.
    public static func only(
        _ relay: RemoteService, or other: @escaping @Sendable (URL) -> RemoteService? = { _ in nil }, deviceName: String
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
