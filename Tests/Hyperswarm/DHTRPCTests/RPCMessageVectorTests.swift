import CompactEncoding
import CryptoPrimitives
import Foundation
import Testing

@testable import DHTRPC

/// Bytes of dht-rpc 6.26.3, kademlia-routing-table 1.0.6 and nat-sampler 1.0.1.
@Suite struct RPCMessageVectorTests {
    let vectors: VectorFile

    init() throws { vectors = try VectorFile("dht-rpc.json") }

    @Test func nodeIDsMatchTheReference() throws {
        for vector in vectors.list("nodeId") {
            let address = try #require(vector.address)
            #expect(DHTKey(nodeAt: address).bytes == vector.bytes("id"))
        }
    }

    @Test func requestsMatchTheReference() throws {
        let list = vectors.list("requests")
        #expect(list.count == 10)
        for vector in list {
            let request = RPCRequest(
                transactionID: UInt16(vector.number("tid")), to: try #require(vector.object("to")?.address),
                id: vector.flag("ephemeral") ? nil : DHTKey(nodeAt: try #require(vector.object("self")?.address)),
                token: vector.optionalBytes("token"),
                command: RPCCommand(number: vector.number("command"), isInternal: vector.flag("internal")),
                target: vector.optionalBytes("target").flatMap { DHTKey($0) }, value: vector.optionalBytes("value"))
            #expect(request.encode() == vector.bytes("hex"))
            #expect(RPCMessage(vector.bytes("hex")) == .request(request))
        }
    }

    @Test func responsesMatchTheReference() throws {
        let list = vectors.list("responses")
        #expect(list.count == 6)
        for vector in list {
            let own = try #require(vector.object("self")?.address)
            var table = RoutingTable(id: DHTKey(nodeAt: own))
            for node in vector.list("routingTable") { _ = table.insert(try #require(node.address), now: .zero) }
            let target = vector.optionalBytes("target").flatMap { DHTKey($0) }
            let response = RPCResponse(
                transactionID: UInt16(vector.number("tid")), to: try #require(vector.object("to")?.address),
                id: vector.flag("ephemeral") ? nil : DHTKey(nodeAt: own), token: vector.optionalBytes("token"),
                closerNodes: target.map { table.closest(to: $0) } ?? [], error: vector.number("error"),
                value: vector.optionalBytes("value"))
            #expect(response.encode() == vector.bytes("hex"))
            #expect(RPCMessage(vector.bytes("hex")) == .response(response))
        }
    }

    @Test func bucketIndexesMatchTheReference() throws {
        let list = vectors.list("routingBucketIndex")
        #expect(list.count == 5)
        for vector in list {
            let own = try #require(DHTKey(vector.bytes("self")))
            #expect(own.bucketIndex(of: try #require(DHTKey(vector.bytes("id")))) == Int(vector.number("bucket")))
        }
    }

    @Test func addressSamplesMatchTheReference() throws {
        let traces = vectors.list("natSampler")
        #expect(traces.count == 4)
        for trace in traces {
            var sampler = NATSampler()
            for step in trace.list("steps") {
                sampler.add(try #require(step.object("add")?.address))
                if step["host"] is NSNull {
                    #expect(sampler.address == nil)
                } else {
                    #expect(sampler.address == step.address)
                }
            }
        }
    }

    @Test func tokensMatchTheReference() throws {
        let vector = try #require(vectors.object["tokenExample"] as? [String: Any])
        #expect(TokenIssuer.token(host: vector.text("host"), secret: vector.bytes("secret")) == vector.bytes("token"))
    }

    @Test func everyPrefixOfAMessageIsRefusedOrShorter() throws {
        for vector in vectors.list("requests") + vectors.list("responses") {
            let bytes = vector.bytes("hex")
            for length in 0..<bytes.count { #expect(RPCMessage(Array(bytes.prefix(length))) == nil) }
            #expect(RPCMessage(bytes + [1, 2, 3]) == RPCMessage(bytes), "trailing bytes are ignored")
        }
    }
}

extension [String: Any] {
    func object(_ key: String) -> [String: Any]? { self[key] as? [String: Any] }
    func list(_ key: String) -> [[String: Any]] { self[key] as? [[String: Any]] ?? [] }
    func flag(_ key: String) -> Bool { self[key] as? Bool ?? false }
    func optionalBytes(_ key: String) -> [UInt8]? { (self[key] as? String).map { unhex($0) } }
    var address: PeerAddress? { PeerAddress(host: text("host"), port: UInt16(truncatingIfNeeded: number("port"))) }
}
