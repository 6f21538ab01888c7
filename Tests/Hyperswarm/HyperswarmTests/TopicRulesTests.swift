import CompactEncoding
import Testing

@testable import Hyperswarm

@Suite struct TopicRulesTests {
    let nodes = (1...20).map { PeerAddress(octets: 1 << 24, port: $0) }

    private func makeRules(isServer: Bool = true, isClient: Bool = false) -> TopicRules {
        TopicRules(isServer: isServer, isClient: isClient, random: ConstantGenerator())
    }

    @Test func serverAnnouncesAndClearsOnlyTheFirstTime() {
        var rules = makeRules()
        #expect(rules.refresh() == [.announce(firstNodes: [], clearsOldRecords: true)])
        #expect(rules.finish(closest: nodes, now: .seconds(1)).isEmpty)
        #expect(rules.deadline == .seconds(601))
        #expect(rules.advance(to: .seconds(600)).isEmpty)
        #expect(rules.advance(to: .seconds(601)) == [.announce(firstNodes: nodes, clearsOldRecords: false)])
    }

    @Test func clientOnlyLooksUp() {
        var rules = makeRules(isServer: false, isClient: true)
        #expect(rules.refresh() == [.lookup(firstNodes: [])])
        #expect(rules.finish(closest: nodes, now: .zero).isEmpty)
        #expect(rules.leave().isEmpty)
    }

    @Test func refreshHasJitterOfTwoMinutesAtMost() throws {
        for value in [1 << 32, UInt64.max / 3, UInt64.max / 2, UInt64.max - 1] {
            var rules = TopicRules(isServer: false, isClient: true, random: ConstantGenerator(value: value))
            _ = rules.refresh()
            _ = rules.finish(closest: [], now: .zero)
            let due = try #require(rules.deadline)
            #expect(due >= .seconds(600) && due <= .seconds(720))
        }
    }

    @Test func failedWalksAreRepeatedWithGrowingPauses() {
        var rules = makeRules()
        var now = Duration.zero
        _ = rules.refresh()
        for delay in [2, 5, 15, 60, 60] {
            #expect(rules.fail(now: now).isEmpty)
            #expect(rules.deadline == now + .seconds(delay))
            now += .seconds(delay)
            #expect(rules.advance(to: now) == [.announce(firstNodes: [], clearsOldRecords: true)])
        }
        _ = rules.finish(closest: nodes, now: now)
        _ = rules.refresh()
        _ = rules.fail(now: now)
        #expect(rules.deadline == now + .seconds(2), "a success resets the pauses")
    }

    @Test func refreshDuringAWalkFollowsAfterIt() {
        var rules = makeRules()
        _ = rules.refresh()
        #expect(rules.refresh().isEmpty)
        #expect(rules.deadline == nil)
        #expect(rules.finish(closest: nodes, now: .zero) == [.announce(firstNodes: nodes, clearsOldRecords: false)])
        #expect(rules.finish(closest: nodes, now: .zero).isEmpty)
    }

    @Test func leavingRemovesTheRecord() {
        var rules = makeRules()
        _ = rules.refresh()
        _ = rules.finish(closest: nodes, now: .zero)
        #expect(rules.leave() == [.unannounce(nodes: nodes)])
        #expect(rules.deadline == nil)
        #expect(rules.leave().isEmpty)
    }

    @Test func topicThatStopsServingUnannouncesAndLooksUp() {
        var rules = makeRules(isServer: true, isClient: true)
        _ = rules.refresh()
        _ = rules.finish(closest: nodes, now: .zero)
        #expect(rules.change(isServer: false, isClient: true) == [.unannounce(nodes: nodes), .lookup(firstNodes: nodes)])
    }
}
