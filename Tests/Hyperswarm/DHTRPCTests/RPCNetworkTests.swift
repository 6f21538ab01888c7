import CompactEncoding
import HyperswarmTestKit
import Testing

@testable import DHTRPC

/// Networks of engines in virtual time.
@Suite struct RPCNetworkTests {
    @Test func tenNodesLearnOfEachOther() {
        let network = VirtualNetwork()
        let addresses = network.addPersistentNodes(10)
        network.run(for: .seconds(10))
        for address in addresses { #expect((network.nodes[address]?.engine.table.count ?? 0) >= 5) }
    }

    @Test func walkFindsTheClosestNodesOfSixty() throws {
        let network = VirtualNetwork()
        let addresses = network.addPersistentNodes(60)
        let client = try #require(PeerAddress("10.0.0.1:1000"))
        network.add(client, bootstrap: [addresses[0]])
        network.run(for: .seconds(2))
        #expect((network.nodes[client]?.bootstraps.first ?? 0) > 10)
        var random = SplitMix64(99)
        for _ in 0..<5 {
            let target = DHTKey.random(using: &random)
            let query = try #require(network.call(client) { $0.query(.findNode, target: target, now: $1) })
            network.run(for: .seconds(10)) { network.nodes[client]?.queries[query] != nil }
            let result = try #require(network.nodes[client]?.queries[query])
            let expected = addresses.sorted { DHTKey(nodeAt: $0).distance(to: target) < DHTKey(nodeAt: $1).distance(to: target) }
            #expect(result.closest.map(\.from) == Array(expected.prefix(20)))
        }
    }

    @Test(arguments: [10, 30])
    func walkEndsDespiteLoss(_ percentage: Int) throws {
        let network = VirtualNetwork()
        let addresses = network.addPersistentNodes(30)
        let client = try #require(PeerAddress("10.0.0.1:1000"))
        network.lossPercentage = percentage
        network.add(client, bootstrap: [addresses[0], addresses[1], addresses[2]])
        network.run(for: .seconds(20))
        let target = DHTKey(hashing: [1])
        let query = try #require(network.call(client) { $0.query(.findNode, target: target, now: $1) })
        network.run(for: .seconds(60)) { network.nodes[client]?.queries[query] != nil }
        let result = try #require(network.nodes[client]?.queries[query])
        #expect(result.closest.count >= 15)
    }

    @Test func deadNodesLeaveTheTables() throws {
        let network = VirtualNetwork()
        let addresses = network.addPersistentNodes(8)
        network.run(for: .seconds(5))
        network.shutDown(addresses[5])
        network.run(for: .seconds(400))
        for address in addresses where address != addresses[5] {
            #expect(network.nodes[address]?.engine.table.contains(addresses[5]) == false)
            #expect(network.nodes[address]?.engine.table.contains(addresses[4]) ?? false || address == addresses[4])
        }
    }

    @Test func nodeWithoutAnsweringBootstrapLearnsFromRequests() throws {
        let network = VirtualNetwork()
        let alone = try #require(PeerAddress("127.0.0.1:3000"))
        network.add(alone, role: .persistent(alone), bootstrap: [PeerAddress(octets: 0x7f00_0001, port: 1)])
        network.run(for: .seconds(30))
        #expect(network.nodes[alone]?.bootstraps.first == 0)
        #expect(network.nodes[alone]?.engine.isPersistent == true)
        let second = try #require(PeerAddress("127.0.0.1:3001"))
        network.add(second, role: .persistent(second), bootstrap: [alone])
        network.run(for: .seconds(1))
        #expect(network.nodes[alone]?.engine.table.contains(second) == true)
        #expect(network.nodes[second]?.engine.table.contains(alone) == true)
        let third = try #require(PeerAddress("127.0.0.1:3002"))
        network.add(third, role: .persistent(third), bootstrap: [alone])
        network.run(for: .seconds(1))
        #expect(network.nodes[third]?.engine.table.contains(second) == true)
    }

    @Test func bootstrapIsRepeatedUntilANodeAnswers() throws {
        let network = VirtualNetwork()
        let late = try #require(PeerAddress("127.0.0.1:3000"))
        let early = try #require(PeerAddress("127.0.0.1:3001"))
        network.add(early, bootstrap: [late])
        network.run(for: .seconds(10))
        #expect(network.nodes[early]?.bootstraps == [0])
        network.add(late, role: .persistent(late), bootstrap: [])
        network.run(for: .seconds(60)) { network.nodes[early]?.engine.table.contains(late) == true }
        #expect(network.nodes[early]?.engine.table.contains(late) == true)
        #expect((network.nodes[early]?.bootstraps.last ?? 0) > 0)
    }

    @Test func fullRowReplacesOnlyNodesThatDoNotAnswer() throws {
        let own = try #require(PeerAddress("10.0.0.1:1000"))
        var table = RoutingTable(id: DHTKey(nodeAt: own))
        let row = (1...500).map { PeerAddress(octets: 0x0b00_0000 + UInt32($0), port: 1) }
            .filter { table.id.bucketIndex(of: DHTKey(nodeAt: $0)) == 0 }
        for (index, address) in row.prefix(20).enumerated() {
            #expect(table.insert(address, now: .seconds(index)) == .added)
        }
        let newcomer = row[20]
        guard case .full(let oldest) = table.insert(newcomer, now: .seconds(100)) else {
            Issue.record("the row is not full")
            return
        }
        #expect(oldest.address == row[0])
        #expect(table.count == 20)
        #expect(table.insert(row[0], now: .seconds(101)) == .updated)
        guard case .full(let next) = table.insert(newcomer, now: .seconds(102)) else {
            Issue.record("the row is not full")
            return
        }
        #expect(next.address == row[1], "a node that was heard of stays")
    }

    @Test func silentNodeOfAFullRowGivesItsPlaceToANewcomer() throws {
        let network = VirtualNetwork()
        let own = try #require(PeerAddress("127.0.0.1:1000"))
        network.add(own, role: .persistent(own), bootstrap: [])
        let ownID = DHTKey(nodeAt: own)
        let row = (2000...2200).map { PeerAddress(octets: 0x7f00_0001, port: $0) }.filter {
            ownID.bucketIndex(of: DHTKey(nodeAt: $0)) == 0
        }
        for address in row.prefix(20) {
            network.add(address, role: .persistent(address), bootstrap: [own])
            network.run(for: .milliseconds(100))
        }
        #expect(network.nodes[own]?.engine.table.count == 20)
        for address in row.prefix(3) { network.shutDown(address) }
        network.run(for: .seconds(7))
        network.add(row[20], role: .persistent(row[20]), bootstrap: [own])
        network.run(for: .seconds(8))
        #expect(network.nodes[own]?.engine.table.contains(row[20]) == true)
        #expect(network.nodes[own]?.engine.table.contains(row[0]) == false)
    }

    @Test func expiredTokenIsReplacedByTheOneOfTheRefusal() throws {
        let network = VirtualNetwork()
        let node = network.addPersistentNodes(1)[0]
        let client = try #require(PeerAddress("10.0.0.1:1000"))
        network.add(client, bootstrap: [node])
        network.onIncoming = { engine, request in
            engine.reply(to: request, value: request.hasValidToken ? [1] : [0], includesToken: true)
        }
        func write(token: [UInt8]?) throws -> RPCReply {
            let request = try #require(
                network.call(client) { $0.request(RPCCommand(number: 4), to: node, token: token, now: $1) })
            network.run(for: .seconds(1)) { network.nodes[client]?.requests[request] != nil }
            return try #require(try network.nodes[client]?.requests[request]?.get())
        }
        let first = try write(token: nil)
        #expect(try write(token: first.token).value == [1])
        network.run(for: .seconds(16))
        let refusal = try write(token: first.token)
        #expect(refusal.error == RPCErrorNumber.invalidToken)
        #expect(refusal.value == nil)
        #expect(try write(token: refusal.token).value == [1])
    }

    @Test func endlessCloserNodesDoNotKeepAWalkAlive() {
        var random = SplitMix64(5)
        let target = DHTKey.random(using: &random)
        var walk = IterativeQuery(target: target, ownID: nil, firstNodes: [PeerAddress(octets: 1 << 24, port: 1)])
        var asked = 0
        while let address = walk.next() {
            asked += 1
            let closer = (0..<200).map { _ in PeerAddress(octets: UInt32.random(in: 1 << 24...2 << 24, using: &random), port: 1) }
            // Without an id the liar never fills the list of the closest, which would end the walk by itself.
            walk.receive(RPCReply(from: address, to: address, closerNodes: closer))
            if asked > 5000 { break }
        }
        #expect(asked <= IterativeQuery.maximumSeenCount)
        #expect(walk.isFinished)
    }

    @Test func walkNeverAsksAddressesThatCannotReceive() {
        var walk = IterativeQuery(target: DHTKey(hashing: []), ownID: nil, firstNodes: [PeerAddress(octets: 1 << 24, port: 1)])
        let first = walk.next()
        #expect(first != nil)
        walk.receive(
            RPCReply(
                from: PeerAddress(octets: 1 << 24, port: 1), to: PeerAddress(octets: 1 << 24, port: 2),
                closerNodes: ["1.2.3.4:0", "0.0.0.0:5", "224.0.0.1:5", "255.255.255.255:9"].compactMap { PeerAddress($0) }))
        #expect(walk.next() == nil)
    }
}
