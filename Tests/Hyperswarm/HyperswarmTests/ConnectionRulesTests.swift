import CompactEncoding
import CryptoPrimitives
import DHTRPC
import HyperDHT
import Testing

@testable import Hyperswarm

/// A generator of equal numbers: no jitter, and the first of the candidates. Zero would make `random(in:)` try forever.
struct ConstantGenerator: RandomNumberGenerator, Sendable {
    var value: UInt64 = 1 << 32
    mutating func next() -> UInt64 { value }
}

@Suite struct ConnectionRulesTests {
    let topic = DHTTopic(hashing: [1])
    let small: PublicKey
    let large: PublicKey

    init() throws {
        small = try #require(PublicKey([UInt8](repeating: 1, count: 32)))
        large = try #require(PublicKey([UInt8](repeating: 200, count: 32)))
    }

    private func key(_ index: Int) throws -> PublicKey {
        try #require(PublicKey([UInt8(100 + index / 256), UInt8(index % 256)] + [UInt8](repeating: 0, count: 30)))
    }

    private func makeRules(_ own: PublicKey? = nil, limits: ConnectionRules.Limits = ConnectionRules.Limits()) -> ConnectionRules {
        // Half of the range, where `Int.random(in: -100...100)` gives 0.
        ConnectionRules(ownKey: own ?? small, limits: limits, random: ConstantGenerator(value: (1 << 63) + 1))
    }

    private func dials(_ actions: [ConnectionRules.Action]) -> [ConnectionID] {
        actions.compactMap { if case .dial(let id, _) = $0 { id } else { nil } }
    }

    /// A connection to `key` that we opened.
    private func connect(_ rules: inout ConnectionRules, to key: PublicKey, now: Duration = .zero) throws -> ConnectionID {
        let id = try #require(dials(rules.find(PeerRecord(publicKey: key), topic: topic, now: now)).first)
        #expect(rules.dialSucceeded(id, now: now) == [.open(id, key)])
        return id
    }

    @Test func foundPeerIsDialledOnce() throws {
        var rules = makeRules()
        let record = PeerRecord(publicKey: large, relayAddresses: [PeerAddress(octets: 1 << 24, port: 1)])
        let actions = rules.find(record, topic: topic, now: .zero)
        #expect(dials(actions).count == 1)
        guard case .dial(let id, record)? = actions.first else {
            Issue.record("no dial")
            return
        }
        #expect(rules.find(record, topic: topic, now: .zero).isEmpty)
        #expect(rules.dialSucceeded(id, now: .zero) == [.open(id, large)])
        #expect(rules.find(record, topic: topic, now: .zero).isEmpty)
    }

    @Test func ownKeyIsNeverDialled() {
        var rules = makeRules()
        #expect(rules.find(PeerRecord(publicKey: small), topic: topic, now: .zero).isEmpty)
        #expect(rules.want(small, now: .zero) == nil)
        #expect(rules.knownPeerCount == 0)
    }

    @Test func threeDialsRunAtOnce() throws {
        var rules = makeRules()
        var running: [ConnectionID] = []
        for index in 0..<10 { running += dials(rules.find(PeerRecord(publicKey: try key(index)), topic: topic, now: .zero)) }
        #expect(running.count == 3)
        #expect(dials(rules.dialSucceeded(running[0], now: .zero)).count == 1)
        #expect(dials(rules.dialFailed(running[1], now: .zero)).count == 1)
        #expect(rules.dialCount == 3)
    }

    @Test func peersAreLimited() throws {
        var rules = makeRules()
        var waiting: [ConnectionID] = []
        for index in 0..<100 { waiting += dials(rules.find(PeerRecord(publicKey: try key(index)), topic: topic, now: .zero)) }
        while let id = waiting.popLast() { waiting += dials(rules.dialSucceeded(id, now: .zero)) }
        #expect(rules.connectionCount == 64)
        let id = rules.makeID()
        #expect(rules.accept(id, from: large, now: .zero) == [.destroy(id)])
    }

    @Test func strangersUnderATopicCannotFillTheMemory() throws {
        var rules = makeRules()
        for index in 0..<5000 { _ = rules.find(PeerRecord(publicKey: try key(index)), topic: topic, now: .zero) }
        #expect(rules.knownPeerCount == 1024)
    }

    @Test func unprovenPeerIsRetriedThreeTimes() throws {
        var rules = makeRules()
        var now = Duration.zero
        var id = try #require(dials(rules.find(PeerRecord(publicKey: large), topic: topic, now: now)).first)
        for delay in [5, 15, 15] {
            #expect(rules.dialFailed(id, now: now).isEmpty)
            #expect(rules.deadline == now + .seconds(delay))
            now += .seconds(delay)
            id = try #require(dials(rules.advance(to: now)).first)
        }
        #expect(rules.dialFailed(id, now: now).isEmpty)
        #expect(rules.deadline == nil)
        #expect(dials(rules.find(PeerRecord(publicKey: large), topic: topic, now: now)).count == 1, "found again")
    }

    @Test func provenPeerIsRetriedSooner() throws {
        var rules = makeRules()
        var now = Duration.zero
        var id = try connect(&rules, to: large)
        for delay in [1, 5, 15] {
            now += .seconds(2)
            #expect(rules.close(id, now: now).isEmpty)
            #expect(rules.deadline == now + .seconds(delay))
            now += .seconds(delay)
            id = try #require(dials(rules.advance(to: now)).first)
            _ = rules.dialSucceeded(id, now: now)
        }
        _ = rules.close(id, now: now + .seconds(14))
        #expect(rules.deadline == nil)
    }

    @Test func longConnectionResetsTheRetries() throws {
        var rules = makeRules()
        var id = try connect(&rules, to: large)
        for round in 1...10 {
            let now = Duration.seconds(round * 20)
            #expect(rules.close(id, now: now).isEmpty)
            #expect(rules.deadline == now + .seconds(1))
            id = try #require(dials(rules.advance(to: now + .seconds(1))).first)
            _ = rules.dialSucceeded(id, now: now + .seconds(1))
        }
    }

    @Test func peerThatOnlyConnectedToUsIsNotDialled() {
        var rules = makeRules()
        let id = rules.makeID()
        #expect(rules.accept(id, from: large, now: .zero) == [.open(id, large)])
        #expect(rules.close(id, now: .seconds(1)).isEmpty)
        #expect(rules.deadline == nil)
        #expect(rules.knownPeerCount == 0)
    }

    // MARK: - One connection for each peer

    @Test func crossingDialsLeaveTheOneOfTheLargerKey() throws {
        var smaller = makeRules(small)
        let ours = try #require(dials(smaller.find(PeerRecord(publicKey: large), topic: topic, now: .zero)).first)
        let theirs = smaller.makeID()
        #expect(smaller.accept(theirs, from: large, now: .zero) == [.cancelDial(ours), .open(theirs, large)])
        #expect(smaller.dialSucceeded(ours, now: .zero) == [.destroy(ours)], "a cancelled dial that came through")

        var larger = makeRules(large)
        let dial = try #require(dials(larger.find(PeerRecord(publicKey: small), topic: topic, now: .zero)).first)
        let incoming = larger.makeID()
        #expect(larger.accept(incoming, from: small, now: .zero) == [.destroy(incoming)])
        #expect(larger.dialSucceeded(dial, now: .zero) == [.open(dial, small)])
    }

    @Test func bothEndsKeepTheSameOfTwoOpenConnections() throws {
        // Each end finished its own dial before the other one's connection came in.
        var smaller = makeRules(small)
        let first = try connect(&smaller, to: large)
        let second = smaller.makeID()
        #expect(smaller.accept(second, from: large, now: .zero) == [.destroy(first), .open(second, large)])

        var larger = makeRules(large)
        let own = try connect(&larger, to: small)
        let incoming = larger.makeID()
        #expect(larger.accept(incoming, from: small, now: .zero) == [.destroy(incoming), .sendKeepAlive(own)])
        #expect(larger.connectionCount == 1)
    }

    @Test func activeConnectionGivesWayToANewOne() throws {
        var larger = makeRules(large)
        let old = try connect(&larger, to: small)
        let new = larger.makeID()
        #expect(
            larger.accept(new, from: small, isExistingActive: true, now: .seconds(60)) == [.destroy(old), .open(new, small)],
            "the peer lost the old one")
        #expect(larger.close(old, now: .seconds(61)).isEmpty)
        #expect(larger.connectionCount == 1)
    }

    @Test func peerThatDialsAgainReplacesItsOldConnection() {
        // Our key is the larger one: of crossing dials ours would stay, but the peer made both of these.
        var larger = makeRules(large)
        let (old, new) = (larger.makeID(), larger.makeID())
        #expect(larger.accept(old, from: small, now: .zero) == [.open(old, small)])
        #expect(larger.accept(new, from: small, now: .seconds(5)) == [.destroy(old), .open(new, small)])
        #expect(larger.close(old, now: .seconds(6)).isEmpty)
        #expect(larger.connectionCount == 1)
    }

    // MARK: - Leaving and sleeping

    @Test func leftTopicEndsDialsAndRetriesButNotConnections() throws {
        var rules = makeRules()
        let open = try connect(&rules, to: large)
        let other = try key(1)
        let dial = try #require(dials(rules.find(PeerRecord(publicKey: other), topic: topic, now: .zero)).first)
        #expect(rules.leave(topic) == [.cancelDial(dial)])
        #expect(rules.connectionCount == 1)
        #expect(rules.close(open, now: .seconds(1)).isEmpty)
        #expect(rules.deadline == nil)
        #expect(rules.knownPeerCount == 0)
    }

    @Test func peerOfTwoTopicsStaysWithTheOther() throws {
        var rules = makeRules()
        let other = DHTTopic(hashing: [2])
        let dial = try #require(dials(rules.find(PeerRecord(publicKey: large), topic: topic, now: .zero)).first)
        _ = rules.find(PeerRecord(publicKey: large), topic: other, now: .zero)
        #expect(rules.leave(topic).isEmpty)
        #expect(rules.dialFailed(dial, now: .zero).isEmpty)
        #expect(rules.deadline != nil)
    }

    @Test func wantedPeerIsDialledWithoutATopic() throws {
        var rules = makeRules()
        let dial = try #require(dials(rules.want(large, now: .zero) ?? []).first)
        _ = rules.dialFailed(dial, now: .zero)
        #expect(rules.deadline == .seconds(5))
        let again = try #require(dials(rules.want(large, now: .seconds(1)) ?? []).first, "asked for again: at once")
        _ = rules.dialFailed(again, now: .seconds(1))
        #expect(rules.unwant(large).isEmpty)
        #expect(rules.knownPeerCount == 0)
    }

    @Test func suspensionCancelsDialsAndResumingStartsThemAgain() throws {
        var rules = makeRules()
        let dial = try #require(dials(rules.find(PeerRecord(publicKey: large), topic: topic, now: .zero)).first)
        #expect(rules.suspend() == [.cancelDial(dial)])
        #expect(rules.deadline == nil)
        #expect(rules.advance(to: .seconds(100)).isEmpty)
        let incoming = rules.makeID()
        #expect(rules.accept(incoming, from: large, now: .seconds(1)) == [.destroy(incoming)])
        #expect(dials(rules.resume(now: .seconds(1000))).count == 1)
    }
}
