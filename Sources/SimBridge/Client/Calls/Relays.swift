public import Foundation
public import NetworkingKit

/// How a relay is reached.
public struct Relay: Sendable {
    /// Its address; the relay's own paths come below it.
    public var address: URL
    public var http: any HTTPTransport
    public var sockets: any SocketTransport

    public init(address: URL, http: any HTTPTransport, sockets: any SocketTransport) {
        self.address = address
        self.http = http
        self.sockets = sockets
    }
}

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
