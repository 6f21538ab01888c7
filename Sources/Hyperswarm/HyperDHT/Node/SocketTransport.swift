import CompactEncoding
import DHTRPC
import NIOCore
import UDX

/// A datagram socket as the transport of the distributed hash table.
struct SocketTransport: DatagramTransport {
    let socket: DatagramSocket

    var localAddress: PeerAddress { socket.local }

    func send(_ bytes: ByteBuffer, to address: PeerAddress) {
        socket.onEventLoop { $0.send(bytes, to: address) }
    }
}
