import CompactEncoding
import DHTRPC
import Testing

@testable import HyperDHT

@Suite struct AnnouncerStateTests {
    let own = PeerAddress(octets: 0x0a00_0001, port: 5000)

    private func reply(_ index: Int, hasToken: Bool = true) -> RPCReply {
        let node = PeerAddress(octets: 0x0b00_0000, port: UInt16(index))
        return RPCReply(from: node, to: own, id: DHTKey(nodeAt: node), token: hasToken ? [UInt8](repeating: 1, count: 32) : nil)
    }

    private func announced(_ state: inout AnnouncerState, _ indexes: [Int], now: Duration) -> [AnnouncerState.Action] {
        var last: [AnnouncerState.Action] = []
        for index in indexes { last = state.finishAnnouncement(at: reply(index).from, peerAddress: own, now: now) }
        return last
    }

    @Test func threeNearestNodesWithTokensBecomeRelays() {
        var state = AnnouncerState()
        #expect(state.start(now: .zero) == [.findPeer])
        let actions = state.finishWalk([reply(1, hasToken: false), reply(2), reply(3), reply(4), reply(5)], now: .zero)
        #expect(actions == [.announce(reply(2)), .announce(reply(3)), .announce(reply(4))])
        #expect(announced(&state, [2, 3], now: .zero).isEmpty)
        let last = announced(&state, [4], now: .zero)
        #expect(last == [.relaysChanged(state.relays)])
        #expect(state.relays.map(\.relayAddress) == [2, 3, 4].map { reply($0).from })
        #expect(state.relays.allSatisfy { $0.peerAddress == own })
    }

    @Test func relaysArePingedEveryThreeSeconds() {
        var state = AnnouncerState()
        _ = state.start(now: .zero)
        _ = state.finishWalk([reply(1), reply(2)], now: .zero)
        _ = announced(&state, [1, 2], now: .zero)
        #expect(state.deadline == .seconds(3))
        #expect(state.advance(to: .seconds(3)) == [.ping(reply(1).from), .ping(reply(2).from)])
        #expect(state.finishPing(of: reply(1).from, isAnswered: true, now: .seconds(3)).isEmpty)
        #expect(state.finishPing(of: reply(2).from, isAnswered: true, now: .seconds(3)).isEmpty)
        #expect(state.advance(to: .seconds(6)).count == 2)
    }

    @Test func silentRelayLeadsToANewWalkAtOnce() {
        var state = AnnouncerState()
        _ = state.start(now: .zero)
        _ = state.finishWalk([reply(1), reply(2), reply(3)], now: .zero)
        _ = announced(&state, [1, 2, 3], now: .zero)
        _ = state.advance(to: .seconds(3))
        #expect(state.finishPing(of: reply(2).from, isAnswered: false, now: .seconds(6)) == [.findPeer])
        #expect(state.finishPing(of: reply(3).from, isAnswered: false, now: .seconds(6)).isEmpty, "one walk at a time")
        _ = state.finishWalk([reply(1), reply(4), reply(5)], now: .seconds(7))
        let actions = announced(&state, [1, 4, 5], now: .seconds(7))
        #expect(Set(actions) == [.unannounce(reply(2).from), .unannounce(reply(3).from), .relaysChanged(state.relays)])
    }

    @Test func announcementIsRenewedAfterFiveMinutes() {
        var state = AnnouncerState()
        _ = state.start(now: .zero)
        _ = state.finishWalk([reply(1)], now: .zero)
        _ = announced(&state, [1], now: .zero)
        #expect(!state.advance(to: .seconds(299)).contains(.findPeer))
        #expect(state.advance(to: .seconds(300)).contains(.findPeer))
        _ = state.finishWalk([reply(1)], now: .seconds(301))
        #expect(announced(&state, [1], now: .seconds(301)).isEmpty, "nothing changed")
    }

    @Test func failedWalkIsRepeated() {
        var state = AnnouncerState()
        _ = state.start(now: .zero)
        #expect(state.finishWalk([], now: .seconds(4)).isEmpty)
        #expect(state.advance(to: .seconds(8)).isEmpty)
        #expect(state.advance(to: .seconds(9)) == [.findPeer])
        _ = state.finishWalk([reply(1)], now: .seconds(9))
        #expect(state.finishAnnouncement(at: reply(1).from, peerAddress: nil, now: .seconds(10)).isEmpty)
        #expect(state.advance(to: .seconds(15)) == [.findPeer])
    }

    @Test func oldRelaysStayWhileANewWalkFails() {
        var state = AnnouncerState()
        _ = state.start(now: .zero)
        _ = state.finishWalk([reply(1)], now: .zero)
        _ = announced(&state, [1], now: .zero)
        _ = state.advance(to: .seconds(300))
        _ = state.finishWalk([], now: .seconds(301))
        #expect(state.relays.count == 1)
    }

    @Test func nothingHappensAfterTheStop() {
        var state = AnnouncerState()
        _ = state.start(now: .zero)
        _ = state.finishWalk([reply(1)], now: .zero)
        state.stop()
        #expect(state.finishAnnouncement(at: reply(1).from, peerAddress: own, now: .zero).isEmpty)
        #expect(state.relays.count == 1, "a late success has to be removed as well")
        #expect(state.deadline == nil)
        #expect(state.advance(to: .seconds(1000)).isEmpty)
    }
}
