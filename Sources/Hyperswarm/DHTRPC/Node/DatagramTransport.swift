public import CompactEncoding
public import NIOCore

/// A bound UDP socket as a DHT node uses it.
///
/// All calls happen on the event loop of the node. Received messages are passed to ``RPCNode/receive(_:from:on:)``.
public protocol DatagramTransport: Sendable {
    /// Address that the socket is bound to.
    var localAddress: PeerAddress { get }

    /// Sends one datagram, or drops it if the system's send buffer is full.
    func send(_ bytes: ByteBuffer, to address: PeerAddress)
}
