import CoreMetrics
import EndlessCodeWire
import ServerKit
import WireKit

/// The open sockets of phones.
final class Phones: Sendable {
    private let sockets = Locked<[ObjectIdentifier: PhoneSocket]>([:])
    private let gauge: Gauge

    init(metrics: MetricsRegistry) { gauge = Gauge(label: "endlesscode_sockets", factory: metrics) }

    var count: Int { sockets.withLock { $0.count } }

    /// - Returns: False if there are ``Limits/socketCount`` sockets.
    func open(_ socket: PhoneSocket) -> Bool {
        let count = sockets.withLock { sockets -> Int? in
            guard sockets.count < Limits.socketCount else { return nil }
            sockets[ObjectIdentifier(socket)] = socket
            return sockets.count
        }
        if let count { gauge.record(count) }
        return count != nil
    }

    func close(_ socket: PhoneSocket) {
        let count = sockets.withLock { sockets in
            sockets[ObjectIdentifier(socket)] = nil
            return sockets.count
        }
        gauge.record(count)
    }

    /// Ends all sockets, because the token was replaced.
    func expireToken() { for socket in sockets.withLock({ Array($0.values) }) { expireToken(of: socket) } }

    func expireToken(of socket: PhoneSocket) {
        let text = ServerFrame.error(SocketError(.tokenExpired, "The token was replaced.")).text
        socket.end(text, code: CloseCode.tokenExpired, reason: "The token was replaced")
    }
}
