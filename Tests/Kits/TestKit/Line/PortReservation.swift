import Foundation
import NIOCore
import WireKit

/// A reserved local port. No other process can take it, whether a listener exists or not.
final class PortReservation: Sendable {
    let port: Int
    private let socket: CInt

    /// Binds a socket without listening, so connections are refused. Address reuse allows another socket to listen on the port.
    init() throws {
        socket = Foundation.socket(AF_INET, Sockets.stream, 0)
        var yes: CInt = 1
        setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<CInt>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let socket = socket
        let isBound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, size) == 0 && getsockname(socket, $0, &size) == 0
            }
        }
        guard isBound else { throw IOError(errnoCode: errno, reason: "bind") }
        port = Int(UInt16(bigEndian: address.sin_port))
    }

    deinit { close(socket) }
}
