import CompactEncoding
import CryptoPrimitives
import DHTRPC
import HyperswarmTestKit
import NIOCore
import Testing

@testable import HyperDHT

/// Mutable and immutable values at one storing node, in virtual time.
@Suite struct ValueTests {
    private let nodeID = DHTKey(hashing: [1])
    private let client = PeerAddress(octets: 0x0a00_0001, port: 5000)
    private let token = [UInt8](repeating: 9, count: 32)
    private let keyPair: KeyPair
    private let target: DHTKey

    init() throws {
        keyPair = try #require(KeyPair(seed: [UInt8](repeating: 1, count: 32)))
        target = DHTKey(hashing: keyPair.publicKey.bytes)
    }

    private func makeNode(_ change: (inout ValueLimits) -> Void = { _ in }) -> StoringNode {
        var limits = ValueLimits()
        change(&limits)
        return StoringNode(limits: PeerRecordStore.Limits(), values: limits, random: SplitMix64(1))
    }

    private func ask(
        _ node: inout StoringNode, _ command: Command, _ target: DHTKey, value: [UInt8]? = nil, hasToken: Bool = false,
        from source: PeerAddress? = nil, id: DHTKey?? = .none, now: Duration = .zero
    ) -> StoringNode.Action? {
        let request = IncomingRequest(
            from: source ?? client, hasValidToken: hasToken,
            message: RPCRequest(
                transactionID: 1, to: client, token: hasToken ? token : nil, command: command.rpc, target: target, value: value))
        return node.handle(request, id: id ?? nodeID, now: now).first
    }

    private func put(
        _ node: inout StoringNode, _ text: String, sequence: UInt64, now: Duration = .zero
    ) -> StoringNode.Action? {
        let record = MutableRecord(keyPair: keyPair, sequence: sequence, value: Array(text.utf8))
        return ask(&node, .mutablePut, target, value: record.encodedPut, hasToken: true, now: now)
    }

    private func found(_ value: [UInt8]?) -> StoringNode.Action {
        .reply(value: value, includesToken: true, includesCloserNodes: true)
    }

    private func refused(_ error: UInt64) -> StoringNode.Action {
        .reply(value: nil, error: error, includesToken: false, includesCloserNodes: true)
    }

    @Test func recordedPutIsAnsweredWithTheRecordedResponse() throws {
        for vector in try Vectors("hyperdht")["mutable"].array {
            var node = makeNode()
            let target = try #require(DHTKey(vector["target"].data()))
            let answer = ask(&node, .mutablePut, target, value: try vector["putRequest"].data(), hasToken: true)
            #expect(answer == found(nil))
            #expect(ask(&node, .mutableGet, target, value: [0]) == found(try vector["getResponse"].data()))
        }
        for vector in try Vectors("hyperdht")["immutable"].array {
            var node = makeNode()
            let (target, value) = (try #require(DHTKey(vector["target"].data())), try vector["value"].data())
            #expect(ask(&node, .immutableGet, target) == found(nil))
            #expect(ask(&node, .immutablePut, target, value: value, hasToken: true) == found(nil))
            #expect(ask(&node, .immutableGet, target) == found(value))
        }
    }

    @Test func highestSequenceNumberStays() {
        var node = makeNode()
        #expect(put(&node, "one", sequence: 5) == found(nil))
        #expect(put(&node, "other", sequence: 5) == refused(16))
        #expect(put(&node, "old", sequence: 4) == refused(17))
        // The same revision again renews it.
        #expect(put(&node, "one", sequence: 5, now: .seconds(47 * 3600)) == found(nil))
        let record = MutableRecord(keyPair: keyPair, sequence: 5, value: Array("one".utf8))
        #expect(ask(&node, .mutableGet, target, value: [5], now: .seconds(94 * 3600)) == found(record.encodedReply))
        #expect(put(&node, "two", sequence: 300) == found(nil))
        let newer = MutableRecord(keyPair: keyPair, sequence: 300, value: Array("two".utf8))
        #expect(ask(&node, .mutableGet, target, value: [0]) == found(newer.encodedReply))
        #expect(node.valueCount == 1)
    }

    @Test func getNamesTheLowestSequenceNumberOfUse() {
        var node = makeNode()
        _ = put(&node, "one", sequence: 5)
        #expect(ask(&node, .mutableGet, target, value: [6]) == found(nil))
        #expect(ask(&node, .mutableGet, target, value: nil) == nil)
        #expect(ask(&node, .mutableGet, target, value: [0xfd, 1]) == nil)
    }

    @Test func forgedAndMalformedPutsAreIgnored() {
        var node = makeNode()
        let good = MutableRecord(keyPair: keyPair, sequence: 1, value: [1, 2, 3]).encodedPut
        for index in good.indices {
            var forged = good
            forged[index] ^= 1
            #expect(ask(&node, .mutablePut, target, value: forged, hasToken: true) == nil, "byte \(index)")
        }
        for length in good.indices {
            #expect(ask(&node, .mutablePut, target, value: Array(good[..<length]), hasToken: true) == nil)
        }
        #expect(ask(&node, .mutablePut, DHTKey(hashing: [2]), value: good, hasToken: true) == nil)
        #expect(ask(&node, .mutablePut, target, value: good) == nil, "without a token")
        #expect(ask(&node, .mutablePut, target, value: good, hasToken: true, id: .some(nil)) == nil, "a node without id")
        #expect(ask(&node, .immutablePut, DHTKey(hashing: [2]), value: [1], hasToken: true) == nil)
        #expect(ask(&node, .immutablePut, DHTKey(hashing: [1]), value: [1]) == nil)
        #expect(ask(&node, .immutablePut, DHTKey(hashing: [1]), value: nil, hasToken: true) == nil)
        #expect(node.valueCount == 0)
        #expect(ask(&node, .mutablePut, target, value: good, hasToken: true) == found(nil))
    }

    @Test(arguments: [(0, false), (1, true), (MutableRecord.maximumValueSize, true), (MutableRecord.maximumValueSize + 1, false)])
    func sizeOfAValueIsBounded(_ size: Int, isStored: Bool) {
        var node = makeNode()
        let value = [UInt8](repeating: 7, count: size)
        let record = MutableRecord(keyPair: keyPair, sequence: .max, value: value)
        #expect((ask(&node, .mutablePut, target, value: record.encodedPut, hasToken: true) != nil) == isStored)
        #expect((ask(&node, .immutablePut, DHTKey(hashing: value), value: value, hasToken: true) != nil) == isStored)
        let answer = RPCResponse(
            transactionID: 1, to: client, id: nodeID, token: token,
            closerNodes: Array(repeating: client, count: RPCResponse.maximumCloserNodeCount), value: record.encodedReply)
        #expect(answer.encode().count <= 1500 - 28 || !isStored)
    }

    @Test func valuesExpireAndTheOldestGivesWay() {
        var node = makeNode { $0.maximumCount = 3 }
        func target(_ number: UInt8) -> DHTKey { DHTKey(hashing: [number]) }
        for number in 0..<3 as Range<UInt8> {
            _ = ask(&node, .immutablePut, target(number), value: [number], hasToken: true, now: .seconds(Int64(number)))
        }
        _ = ask(&node, .immutablePut, target(0), value: [0], hasToken: true, now: .seconds(5))
        _ = ask(&node, .immutablePut, target(9), value: [9], hasToken: true, now: .seconds(6))
        #expect(node.valueCount == 3)
        #expect(ask(&node, .immutableGet, target(1), now: .seconds(7)) == found(nil))
        #expect(ask(&node, .immutableGet, target(0), now: .seconds(7)) == found([0]))
        let end = Duration.seconds(48 * 3600 + 5)
        #expect(ask(&node, .immutableGet, target(0), now: end) == found(nil))
        #expect(ask(&node, .immutableGet, target(9), now: end) == found([9]))
        _ = ask(&node, .immutablePut, target(7), value: [7], hasToken: true, now: end)
        #expect(node.valueCount == 2, "expired values are removed")
    }

    @Test func renewalsNeedBoundedMemory() {
        var store = ValueStore<Int>(limits: ValueLimits(maximumCount: 4))
        for round in 0..<1000 { store.insert(round, at: target, now: .milliseconds(round)) }
        #expect(store.count == 1)
        #expect(store.value(at: target, now: .seconds(1)) == 999)
    }

    @Test func hostsThatPutOrGetTooMuchAreLimited() {
        var node = makeNode {
            $0.putBurst = 2
            $0.unprovedBurst = 2
        }
        let value: [UInt8] = [1]
        let hash = DHTKey(hashing: value)
        let answers = (0..<3).map { _ in ask(&node, .immutablePut, hash, value: value, hasToken: true) }
        #expect(answers == [found(nil), found(nil), nil])
        // An address that was not proved gets few values, and the way on after that.
        let replies = (0..<3).map { _ in ask(&node, .immutableGet, hash) }
        #expect(replies == [found(value), found(value), found(nil)])
        #expect(ask(&node, .immutableGet, hash, hasToken: true) == found(value))
        #expect(ask(&node, .immutableGet, hash, from: PeerAddress(octets: 0x0a00_0002, port: 1)) == found(value))
    }
}

/// Values in a network of ten nodes on loopback.
@Suite struct ValueNetworkTests {
    private let keyPair = KeyPair.generate()

    @Test func valuesAreFoundByHashAndByKey() async throws {
        try await Testnet.with { network in
            let (writer, reader) = (try await network.addPeer().values, try await network.addPeer().values)
            let value = RandomBytes.make(MutableRecord.maximumValueSize)
            let (target, count) = try await writer.putImmutable(value)
            #expect(count == 10)
            #expect(try await reader.immutable(target) == value)
            #expect(try await reader.immutable(DHTKey(hashing: [1])) == nil)

            #expect(try await reader.mutable(keyPair.publicKey) == nil)
            #expect(try await writer.putMutable([1], keyPair: keyPair, sequence: 1) == 10)
            #expect(try await writer.putMutable([2], keyPair: keyPair, sequence: 2) == 10)
            #expect(try await reader.mutable(keyPair.publicKey)?.value == [2])
            #expect(try await reader.mutable(keyPair.publicKey, minimumSequence: 3) == nil)
            // Anybody may renew what its owner signed.
            let record = try #require(try await reader.mutable(keyPair.publicKey, latest: false))
            #expect(try await reader.put(record) == 10)
        }
    }

    @Test func refusalsAreNamed() async throws {
        try await Testnet.with(3) { network in
            let values = try await network.addPeer().values
            try await values.putMutable([1], keyPair: keyPair, sequence: 2)
            for (value, sequence, code) in [
                ([2], 2, .sequenceReused), ([1], 1, .sequenceTooLow), ([], 3, .empty),
                ([UInt8](repeating: 0, count: MutableRecord.maximumValueSize + 1), 3, .tooLong),
            ] as [([UInt8], UInt64, ValueError.Code)] {
                let error = await #expect(throws: ValueError.self) {
                    try await values.putMutable(value, keyPair: keyPair, sequence: sequence)
                }
                #expect(error?.code == code)
            }
            #expect(try await values.mutable(keyPair.publicKey)?.value == [1])
        }
    }

    @Test func latestRevisionWinsOverWhatOtherNodesKeep() async throws {
        try await Testnet.with(5) { network in
            let values = try await network.addPeer().values
            try await values.putMutable([1], keyPair: keyPair, sequence: 1)
            // A node that joins later has nothing; it gets the next revision only.
            try await network.addNode()
            try await values.putMutable([2], keyPair: keyPair, sequence: 2)
            #expect(try await network.addPeer().values.mutable(keyPair.publicKey)?.sequence == 2)
        }
    }
}
