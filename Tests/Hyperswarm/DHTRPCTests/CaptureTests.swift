import CompactEncoding
import Foundation
import Testing

@testable import DHTRPC

/// Every datagram of complete sessions of the reference on loopback.
@Suite struct CaptureTests {
    static let commands = ["PEER_HANDSHAKE", "PEER_HOLEPUNCH", "FIND_PEER", "LOOKUP", "ANNOUNCE", "UNANNOUNCE"]
    static let internals = ["PING", "PING_NAT", "FIND_NODE", "DOWN_HINT", "DELAYED_PING"]

    @Test(arguments: ["announce", "default", "open", "direct", "punch"])
    func capturedDatagramsDecodeAndEncodeToTheSameBytes(_ name: String) throws {
        let datagrams = try VectorFile("session-\(name).json").list("datagrams")
        var counts: [String: Int] = [:]
        for datagram in datagrams {
            let bytes = datagram.bytes("hex")
            let kind = datagram.text("kind")
            counts[kind, default: 0] += 1
            switch (kind, RPCMessage(bytes)) {
            case ("request", .request(let request)):
                #expect(request.encode() == bytes)
                #expect(UInt64(request.transactionID) == datagram.number("tid"))
                #expect(request.to.description == datagram.text("to"))
                #expect(request.id?.description == datagram["id"] as? String)
                #expect(request.target?.description == datagram["target"] as? String)
                #expect(request.token == datagram.optionalBytes("token"))
                // The capture names the fields of some values instead of giving their bytes.
                if datagram["value"] is String { #expect(request.value == datagram.optionalBytes("value")) }
                let names = request.command.isInternal ? Self.internals : Self.commands
                #expect(names[Int(request.command.number)] == datagram.text("command"))
            case ("response", .response(let response)):
                #expect(response.encode() == bytes)
                #expect(UInt64(response.transactionID) == datagram.number("tid"))
                #expect(response.to.description == datagram.text("to"))
                #expect(response.id?.description == datagram["id"] as? String)
                #expect(response.token == datagram.optionalBytes("token"))
                // The capture names the fields of some values instead of giving their bytes.
                if datagram["value"] is String { #expect(response.value == datagram.optionalBytes("value")) }
                #expect(response.closerNodes.map(\.description) == datagram["closerNodes"] as? [String] ?? [])
                let source = PeerAddress(octets: 0x7f00_0001, port: UInt16(datagram.number("src")))
                if let id = response.id { #expect(id == DHTKey(nodeAt: source)) }
            case ("request", _), ("response", _):
                Issue.record("not decoded: \(datagram.text("hex"))")
            case (_, let message):
                #expect(message == nil, "a probe or a stream packet is no DHT message")
            }
        }
        #expect(counts["request", default: 0] > 20)
        #expect(counts["response", default: 0] > 20)
    }
}
