package import Foundation
import HTTPTypes
import NetworkingKit
import SimBridgeCalls

extension SimBridgeHost.Configuration {
    /// Returns the address of the app, which is ``app`` or in the relay's box, with a pairing code as its fragment.
    ///
    /// - Returns: nil without ``app`` for a relay that is not below `/simbridge`, which runs without apps.
    package func pairingLink(_ code: String) -> URL? {
        let box = relay.lastPathComponent == "simbridge" ? relay.deletingLastPathComponent() : nil
        return (app ?? box?.appending(path: "apps/simbridge")).flatMap { URL(string: $0.absoluteString + "#pair=\(code)") }
    }
}

extension SimBridgeHost {
    /// The timeout of the relay's answer at another address of this machine.
    private static let probeTimeout: Duration = .seconds(2)

    /// Returns the notice with the link that opens the app with a code; nil for a relay without apps.
    ///
    /// A link to `localhost` would lead a phone to the phone itself. The first address of this machine at which the relay answers
    /// replaces `localhost`; if there is none, the notice says what to do.
    func linkNotice(_ code: String) async -> HostNotice? {
        guard let link = configuration.pairingLink(code) else { return nil }
        guard link.isOnThisMachineOnly else { return .pairingLink(link) }
        if configuration.app == nil, configuration.relay.isOnThisMachineOnly {
            for address in configuration.ownAddresses() {
                if let relay = configuration.relay.replacingHost(with: address), await answers(relay),
                    let reachable = link.replacingHost(with: address)
                {
                    return .pairingLink(reachable)
                }
            }
        }
        return .localPairingLink(link)
    }

    /// True if a relay answers at an address. Sends neither token nor password.
    private func answers(_ relay: URL) async -> Bool {
        guard let request = try? HTTPRequest(.get, "/health", below: relay) else { return false }
        let http = api.service.http
        let reply = try? await withTimeout(Self.probeTimeout, clock: clock) { try await http.send(request, body: .none) }
        return reply?.head.status == .ok
    }
}

extension URL {
    /// True if the address leads every machine to itself.
    package var isOnThisMachineOnly: Bool {
        guard let host = host()?.lowercased() else { return false }
        let name = host.hasSuffix(".") ? String(host.dropLast()) : host
        return ["localhost", "::1", "::", "0.0.0.0"].contains(name) || name.hasSuffix(".localhost")
            || name.wholeMatch(of: /127\.[0-9.]+/) != nil
    }

    fileprivate func replacingHost(with host: String) -> URL? {
        var components = URLComponents(url: self, resolvingAgainstBaseURL: false)
        components?.host = host
        return components?.url
    }
}
