import HyperswarmTestKit
import NIOCore
import Testing

@testable import UDX

/// The UDX packets of connections captured from the reference implementation.
@Suite struct CapturedSessionTests {
    static let files = ["session-default", "session-direct", "session-open", "session-punch"]

    @Test(arguments: files)
    func headersDecodeToTheRecordedFieldsAndBack(_ file: String) throws {
        let session = try Vectors.load(file, as: CapturedSession.self)
        let packets = session.datagrams.filter { $0.kind == "udx" }
        #expect(packets.count > 10)
        for packet in packets {
            let bytes = Hex.bytes(packet.hex)
            let header = try #require(bytes.withUnsafeBytes { PacketHeader($0) })
            #expect(header.type.rawValue == packet.type)
            #expect(header.dataOffset == packet.dataOffset)
            #expect(header.streamID == packet.remoteId)
            #expect(header.window == packet.recvWindow)
            #expect(header.sequence == packet.seq)
            #expect(header.acknowledged == packet.ack)
            #expect(bytes.count - PacketHeader.size == packet.payloadLength)
            var buffer = ByteBuffer()
            header.encode(into: &buffer)
            #expect(Array(buffer.readableBytesView) == Array(bytes.prefix(PacketHeader.size)))
        }
    }

    @Test(arguments: files)
    func bothDirectionsReassembleToWholeFrames(_ file: String) throws {
        let session = try Vectors.load(file, as: CapturedSession.self)
        for direction in [session.clientToHost, session.hostToClient] {
            var state = StreamState()
            let now = NIODeadline.uptimeNanoseconds(1)
            state.connect(remoteID: 1, at: now)
            for packet in session.datagrams where packet.kind == "udx" && packet.remoteId == direction.udxStreamId {
                state.receive(Hex.bytes(packet.hex), at: now)
            }
            var bytes = Array(state.read().readableBytesView)
            #expect(bytes.count == direction.bytes)
            for frame in direction.frames {
                try #require(bytes.count >= 3)
                let length = Int(bytes[0]) | Int(bytes[1]) << 8 | Int(bytes[2]) << 16
                #expect(length == frame.length)
                try #require(bytes.count >= 3 + length)
                bytes.removeFirst(3 + length)
            }
            #expect(bytes.isEmpty)
        }
    }

    @Test(arguments: ["session-announce"] + files)
    func nothingButUDXPacketsHasAUDXHeader(_ file: String) throws {
        struct Datagrams: Decodable {
            struct Datagram: Decodable {
                var kind: String
                var hex: String
            }
            var datagrams: [Datagram]
        }
        for datagram in try Vectors.load(file, as: Datagrams.self).datagrams {
            let id = Hex.bytes(datagram.hex).withUnsafeBytes { PacketHeader.streamID(of: $0) }
            #expect((id != nil) == (datagram.kind == "udx"))
        }
    }
}
