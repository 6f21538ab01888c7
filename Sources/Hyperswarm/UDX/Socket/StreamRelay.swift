import CompactEncoding
import NIOCore

/// One end of a relayed stream: packets for its id go to the other end's peer, with the id replaced.
///
/// Source: Hyperswarm specification in `Docs/Protocols/Hyperswarm.md`, sections 4.13 and 5.5.
struct RelayedStream {
    /// The id of the other end.
    var other: UInt32
    /// The id on which this end's peer receives.
    var remoteID: UInt32
    /// The source of the first packet for this end, to which all packets go; nil before that packet.
    var remote: PeerAddress?
    var socket: DatagramSocket?
}

extension StreamTable {
    /// Relays between two peers: each sends to one of the returned ids, and receives on the id it named.
    ///
    /// A peer's address is the source of its first packet; earlier packets for that peer are dropped. The relay ends with a DESTROY
    /// of either peer, or by ``endRelay(_:)``.
    public func makeRelay(between first: UInt32, and second: UInt32) -> (first: UInt32, second: UInt32) {
        let ids = (first: unusedID(), second: unusedID())
        guard ids.first != ids.second else { return makeRelay(between: first, and: second) }
        relays[ids.first] = RelayedStream(other: ids.second, remoteID: first)
        relays[ids.second] = RelayedStream(other: ids.first, remoteID: second)
        return ids
    }

    /// Ends both directions of a relay, named by either of its ids.
    public func endRelay(_ id: UInt32) {
        guard let end = relays.removeValue(forKey: id) else { return }
        relays[end.other] = nil
    }

    /// Count of the relays in progress.
    public var relayCount: Int { relays.count / 2 }

    private func unusedID() -> UInt32 {
        var id = UInt32.random(in: .min ... .max)
        while isUsed(id) { id = id &+ 1 }
        return id
    }

    /// Forwards datagrams for a relayed stream: each of `segmentSize` bytes, the last may be shorter.
    func forward(
        _ bytes: UnsafeRawBufferPointer, segmentSize: Int, to id: UInt32, from source: PeerAddress, on socket: DatagramSocket
    ) {
        guard var end = relays[id] else { return }
        if end.remote == nil {
            end.remote = source
            end.socket = socket
            relays[id] = end
        }
        guard end.remote == source, let other = relays[end.other] else { return }
        var offset = 0
        while offset < bytes.count {
            let next = min(offset + segmentSize, bytes.count)
            let datagram = UnsafeRawBufferPointer(rebasing: bytes[offset..<next])
            offset = next
            guard let header = PacketHeader(datagram) else { continue }
            if let remote = other.remote, let socket = other.socket {
                var packet = ByteBuffer(bytes: datagram)
                packet.setInteger(other.remoteID, at: packet.readerIndex + 4, endianness: .little)
                socket.onEventLoop { $0.send(packet, to: remote) }
            }
            if header.type.contains(.destroy) { return endRelay(id) }
        }
    }
}
