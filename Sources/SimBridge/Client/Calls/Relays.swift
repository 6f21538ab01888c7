public import Foundation
public import NetworkingKit
import WireKit

/// The relays that this phone may use.
public struct Relays: Sendable {
    /// The initial address in the login.
    package var preset: String
    /// True if the preset relay belongs to the box that serves the app.
    package var isOwn = false
    /// The name of this phone among the devices of an account, unless it has one already; nil where the user is asked.
    package var deviceName: String?
    /// Returns the relay at an address; nil if the operator of this box has not allowed connections to it.
    package let relay: @Sendable (URL) -> RemoteService?

    /// - Parameter relay: Returns the relay at an address; nil for one that is not allowed.
    public init(preset: String, deviceName: String?, relay: @escaping @Sendable (URL) -> RemoteService?) {
        (self.preset, self.deviceName, self.relay) = (preset, deviceName, relay)
    }

    /// Returns this relay, and others that the operator has allowed.
    ///
    /// - Parameter other: Returns the relay at another address; nil if none is allowed there.
    package static func only(
        _ relay: RemoteService, or other: @escaping @Sendable (URL) -> RemoteService? = { _ in nil }, deviceName: String?
    ) -> Relays {
        let own = try? ServerAddress(relay.address.absoluteString)
        var relays = Relays(preset: relay.address.absoluteString, deviceName: deviceName) { $0 == own?.url ? relay : other($0) }
        relays.isOwn = true
        return relays
    }

    /// Returns the relay at an address that the user typed.
    func reach(_ text: String) throws(BridgeProblem) -> RemoteService {
        let address: ServerAddress
        do throws(ServerAddressError) {
            address = try ServerAddress(text)
        } catch {
            throw .address(error)
        }
        guard let relay = relay(address.url) else { throw .notAllowed(address) }
        return relay
    }
}
