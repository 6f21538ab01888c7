public import Foundation
public import NetworkingKit

/// A relay, and how it is reached.
public typealias Relay = RemoteService

/// The relays that this phone may use.
public struct Relays: Sendable {
    /// What the field for the address holds at first.
    public var preset: String
    /// What this phone is called among the devices of an account, unless it has a name already.
    public var deviceName: String
    /// The way to a relay at an address that a person gave.
    public var reach: @Sendable (URL) throws(ServerAddress.Problem) -> Relay

    public init(
        preset: String, deviceName: String, reach: @escaping @Sendable (URL) throws(ServerAddress.Problem) -> Relay
    ) {
        self.preset = preset
        self.deviceName = deviceName
        self.reach = reach
    }

    /// Only this one relay, whatever else is typed.
    public static func only(_ relay: Relay, deviceName: String) -> Relays {
        Relays(preset: relay.address.absoluteString, deviceName: deviceName) { url throws(ServerAddress.Problem) in
            guard url == (try? ServerAddress.checked(relay.address.absoluteString)) else { throw .notAllowed }
            return relay
        }
    }
}
