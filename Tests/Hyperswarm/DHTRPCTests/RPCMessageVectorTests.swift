import CompactEncoding
import CryptoPrimitives
import HyperswarmTestKit
import Testing

@testable import DHTRPC

/// Bytes of dht-rpc 6.26.3, kademlia-routing-table 1.0.6 and nat-sampler 1.0.1.
@Suite struct RPCMessageVectorTests {
    let vectors: Vectors

    init() throws { vectors = try Vectors("dht-rpc") }

    @Test func nodeIDsMatchTheReference() throws {
        for vector in vectors["nodeId"].array {
            let address = try vector.address
            #expect(DHTKey(nodeAt: address).bytes == vector["id"].bytes)
        }
    }

    @Test func requestsMatchTheReference() throws {
        let list = vectors["requests"].array
        #expect(list.count == 10)
        for vector in list {
            let request = RPCRequest(
                transactionID: UInt16(try vector["tid"].number()), to: try vector["to"].address,
                id: vector["ephemeral"].boolean == true ? nil : DHTKey(nodeAt: try vector["self"].address),
                token: vector["token"].bytes,
                command: RPCCommand(number: UInt64(try vector["command"].number()), isInternal: vector["internal"].boolean == true),
                target: vector["target"].bytes.flatMap { DHTKey($0) }, value: vector["value"].bytes)
            #expect(request.encode() == vector["hex"].bytes)
            #expect(try RPCMessage(vector["hex"].data()) == .request(request))
        }
    }

    @Test func responsesMatchTheReference() throws {
        let list = vectors["responses"].array
        #expect(list.count == 6)
        for vector in list {
            let own = try vector["self"].address
            var table = RoutingTable(id: DHTKey(nodeAt: own))
            for node in vector["routingTable"].array { _ = table.insert(try node.address, now: .zero) }
            let target = vector["target"].bytes.flatMap { DHTKey($0) }
            let response = RPCResponse(
                transactionID: UInt16(try vector["tid"].number()), to: try vector["to"].address,
                id: vector["ephemeral"].boolean == true ? nil : DHTKey(nodeAt: own), token: vector["token"].bytes,
                closerNodes: target.map { table.closest(to: $0) } ?? [], error: UInt64(vector["error"].integer ?? 0),
                value: vector["value"].bytes)
            #expect(response.encode() == vector["hex"].bytes)
            #expect(try RPCMessage(vector["hex"].data()) == .response(response))
        }
    }

    @Test func bucketIndexesMatchTheReference() throws {
        let list = vectors["routingBucketIndex"].array
        #expect(list.count == 5)
        for vector in list {
            let own = try #require(DHTKey(try vector["self"].data()))
            #expect(own.bucketIndex(of: try #require(DHTKey(try vector["id"].data()))) == vector["bucket"].integer)
        }
    }

    @Test func addressSamplesMatchTheReference() throws {
        let traces = vectors["natSampler"].array
        #expect(traces.count == 4)
        for trace in traces {
            var sampler = NATSampler()
            for step in trace["steps"].array {
                sampler.add(try step["add"].address)
                #expect(try sampler.address == (step["host"].isNull ? nil : step.address))
            }
        }
    }

    @Test func tokensMatchTheReference() throws {
        let vector = vectors["tokenExample"]
        #expect(TokenIssuer.token(host: try vector["host"].text(), secret: try vector["secret"].data()) == vector["token"].bytes)
    }

    @Test func everyPrefixOfAMessageIsRefusedOrShorter() throws {
        for vector in vectors["requests"].array + vectors["responses"].array {
            let bytes = try vector["hex"].data()
            for length in 0..<bytes.count { #expect(RPCMessage(Array(bytes.prefix(length))) == nil) }
            #expect(RPCMessage(bytes + [1, 2, 3]) == RPCMessage(bytes), "trailing bytes are ignored")
        }
    }
}
