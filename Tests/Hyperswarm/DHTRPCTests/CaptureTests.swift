import CompactEncoding
import HyperswarmTestKit
import Testing

@testable import DHTRPC

/// Every datagram of complete sessions of the reference on loopback.
@Suite struct CaptureTests {
    static let commands = ["PEER_HANDSHAKE", "PEER_HOLEPUNCH", "FIND_PEER", "LOOKUP", "ANNOUNCE", "UNANNOUNCE"]
    static let internals = ["PING", "PING_NAT", "FIND_NODE", "DOWN_HINT", "DELAYED_PING"]

    @Test(arguments: ["announce", "default", "open", "direct", "punch"])
    func capturedDatagramsDecodeAndEncodeToTheSameBytes(_ name: String) throws {
        let datagrams = try Vectors("session-\(name)")["datagrams"].array
        var counts: [String: Int] = [:]
        for datagram in datagrams {
            let bytes = try datagram["hex"].data()
            let kind = try datagram["kind"].text()
            counts[kind, default: 0] += 1
            switch (kind, RPCMessage(bytes)) {
            case ("request", .request(let request)):
                #expect(request.encode() == bytes)
                #expect(Int(request.transactionID) == datagram["tid"].integer)
                #expect(request.to.description == datagram["to"].string)
                #expect(request.id?.description == datagram["id"].string)
                #expect(request.target?.description == datagram["target"].string)
                #expect(request.token == datagram["token"].bytes)
                // The capture names the fields of some values instead of giving their bytes.
                if datagram["value"].string != nil { #expect(request.value == datagram["value"].bytes) }
                let names = request.command.isInternal ? Self.internals : Self.commands
                #expect(names[Int(request.command.number)] == datagram["command"].string)
            case ("response", .response(let response)):
                #expect(response.encode() == bytes)
                #expect(Int(response.transactionID) == datagram["tid"].integer)
                #expect(response.to.description == datagram["to"].string)
                #expect(response.id?.description == datagram["id"].string)
                #expect(response.token == datagram["token"].bytes)
                // The capture names the fields of some values instead of giving their bytes.
                if datagram["value"].string != nil { #expect(response.value == datagram["value"].bytes) }
                #expect(response.closerNodes.map(\.description) == datagram["closerNodes"].array.compactMap(\.string))
                let source = PeerAddress(octets: 0x7f00_0001, port: UInt16(try datagram["src"].number()))
                if let id = response.id { #expect(id == DHTKey(nodeAt: source)) }
            case ("request", _), ("response", _):
                Issue.record("not decoded: \(bytes)")
            case (_, let message):
                #expect(message == nil, "a probe or a stream packet is no DHT message")
            }
        }
        #expect(counts["request", default: 0] > 20)
        #expect(counts["response", default: 0] > 20)
    }
}
