import CryptoPrimitives
import DHTRPC
import HyperDHT
import NetworkingKit

extension DialError {
    init(_ error: ConnectError) {
        let (code, hop): (Code, DialHop) =
            switch error.code {
            case .invalidKey: (.key, .lookup)
            case .noBootstrapNode: (.network, .lookup)
            case .nothingAnnounced: (.notFound, .lookup)
            case .handshakeTimedOut: (.timedOut, .handshake)
            case .handshakeRefused: (.refused, .handshake)
            case .holePunchFailed: (.unreachable, .holePunching)
            case .relayUnreachable: (.unreachable, .holePunching)
            case .relayRefused: (.refused, .holePunching)
            case .relayTimedOut: (.timedOut, .holePunching)
            case .streamTimedOut: (.timedOut, .stream)
            case .superseded: (.superseded, .lookup)
            case .closed: (.closed, .lookup)
            default: (.broken, .stream)
            }
        self.init(code, at: hop, error.description)
    }

    /// Creates the error of a failed lookup or announcement.
    init(_ error: RPCError?) {
        self.init(error?.code == .closed ? .closed : .network, at: .lookup, error?.detail ?? "")
    }
}

extension DialHop {
    init(_ hop: ConnectHop) {
        self =
            switch hop {
            case .lookup: .lookup
            case .handshake: .handshake
            case .holePunching: .holePunching
            case .stream: .stream
            }
    }
}

extension PeerKey {
    init(_ key: PublicKey) {
        guard let own = PeerKey(key.bytes) else { preconditionFailure("a public key has 32 bytes") }
        self = own
    }
}
