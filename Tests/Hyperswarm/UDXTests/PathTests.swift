import NIOCore
import Testing

@testable import UDX

/// Rates, packet sizes and windows on simulated paths.
@Suite struct PathTests {
    /// A path of 5 MB/s with a round trip of 40 ms and a queue of 50 ms.
    static func path(loss: Double) -> Simulator.Link {
        Simulator.Link(loss: loss, delay: .milliseconds(20), rate: 5_000_000)
    }

    /// Sends `size` bytes one way; returns the share of the link's rate that was used.
    static func utilization(_ link: Simulator.Link, size: Int, random: UInt64 = 5) -> (share: Double, simulator: Simulator) {
        var simulator = Simulator(links: [link, Simulator.Link(loss: link.loss, delay: link.delay)], random: random)
        simulator.streams[0].write(ByteBuffer(repeating: 1, count: size))
        simulator.streams[0].finish()
        let start = simulator.now
        simulator.run(for: .hours(1)) { $0.ended[1] }
        #expect(simulator.received[1].count == size)
        let seconds = Double((simulator.now - start).nanoseconds) / 1e9
        return (Double(size) / seconds / (link.rate ?? 1), simulator)
    }

    @Test(arguments: [(0.0, 0.6), (0.01, 0.5), (0.05, 0.4)])
    func randomLossLeavesMostOfTheRate(_ loss: Double, _ minimum: Double) {
        let result = Self.utilization(Self.path(loss: loss), size: 4_000_000)
        #expect(result.share > minimum)
    }

    /// At 20 % loss each way. Half of these streams stayed below 40 packets in flight while a recovery held their window for two rounds.
    @Test(arguments: 7...23 as ClosedRange<UInt64>)
    func lossesInTheFirstRoundsLeaveNoStreamSlow(_ random: UInt64) {
        let link = Simulator.Link(loss: 0.2)
        #expect(Self.reaches(100, within: .seconds(1), link, back: link, random: random))
    }

    /// The losses of a recorded start: the number of first transmissions that are lost, by sequence number.
    @Test(arguments: [5, 10, 20]) func streamGrowsAfterTheLossesOfARecordedStart(_ delayMilliseconds: Int64) {
        var link = Simulator.Link(delay: .milliseconds(delayMilliseconds))
        for number in [4, 5, 12, 33, 34, 37, 41, 49, 53, 55, 61, 67, 72, 84] as [UInt32] { link.drops[number] = 1 }
        for number in [18, 22, 45] as [UInt32] { link.drops[number] = 2 }
        let back = Simulator.Link(delay: link.delay)
        #expect(Self.reaches(40, within: .milliseconds(500), link, back: back))
    }

    /// Returns true if a sender has more than `count` packets in flight within `time`.
    private static func reaches(
        _ count: Int, within time: TimeAmount, _ link: Simulator.Link, back: Simulator.Link, random: UInt64 = 1
    ) -> Bool {
        var simulator = Simulator(links: [link, back], random: random)
        simulator.streams[0].write(ByteBuffer(repeating: 1, count: 3_000_000))
        simulator.run(for: time) { $0.streams[0].packetsInFlight > count }
        return simulator.streams[0].packetsInFlight > count
    }

    @Test(arguments: [50, 10])
    func senderDoesNotFloodANarrowPath(_ queueMilliseconds: Int64) {
        var link = Simulator.Link(delay: .milliseconds(20), rate: 500_000)
        link.queueTime = .milliseconds(queueMilliseconds)
        let result = Self.utilization(link, size: 1_000_000)
        let needed = 1_000_000 / (PathMTU.base - 48)
        #expect(result.share > 0.6)
        #expect(result.simulator.datagramCounts[0] < needed * 13 / 10)
    }

    @Test(arguments: [(1500, 1500), (1400, 1392), (1280, 1264), (1200, 1200)])
    func packetsGrowToWhatThePathCarries(_ mtu: Int, _ expected: Int) {
        var link = Simulator.Link(delay: .milliseconds(5), rate: 3_000_000)
        link.mtu = mtu
        var simulator = Simulator(links: [link, link])
        let content = SimulationTests.content(800_000, 3)
        simulator.streams[0].write(ByteBuffer(bytes: content))
        simulator.streams[0].finish()
        simulator.run(for: .minutes(10)) { $0.ended[1] }
        #expect(simulator.received[1] == content)
        #expect(simulator.streams[0].mtu.current >= expected)
        #expect(simulator.streams[0].mtu.current <= mtu)
    }

    @Test func transferGoesOnWhenThePathBecomesNarrower() {
        let link = Simulator.Link(delay: .milliseconds(5), rate: 3_000_000)
        var simulator = Simulator(links: [link, link])
        let content = SimulationTests.content(800_000, 9)
        simulator.streams[0].write(ByteBuffer(bytes: content))
        simulator.streams[0].finish()
        simulator.run(for: .minutes(10)) { $0.received[1].count > 400_000 }
        #expect(simulator.streams[0].mtu.current == 1500)
        simulator.links[0].mtu = 1300
        simulator.run(for: .minutes(1)) { $0.ended[1] }
        #expect(simulator.received[1] == content)
        #expect(simulator.streams[0].mtu.current == PathMTU.base)
    }

    @Test func burstAfterAPauseIsNotSlowedByAProbe() {
        var simulator = Simulator(links: [Self.path(loss: 0), Simulator.Link(delay: .milliseconds(20))])
        simulator.streams[0].write(ByteBuffer(repeating: 1, count: 1_000_000))
        simulator.run(for: .minutes(1)) { $0.received[1].count == 1_000_000 }
        simulator.run(for: .seconds(30))
        simulator.streams[0].write(ByteBuffer(repeating: 1, count: 500_000))
        let start = simulator.now
        simulator.run(for: .minutes(1)) { $0.received[1].count == 1_500_000 }
        #expect(simulator.now - start < .milliseconds(200))
    }

    /// All packets of a small window and the first probe are lost.
    @Test func streamGoesOnSoonAfterAShortOutage() {
        var simulator = Simulator(links: [Simulator.Link(delay: .milliseconds(1)), Simulator.Link(delay: .milliseconds(1))])
        simulator.streams[0].write(ByteBuffer(repeating: 1, count: 10_000))
        simulator.run(for: .seconds(1)) { $0.received[1].count == 10_000 }
        simulator.links[0].loss = 1
        simulator.streams[0].write(ByteBuffer(repeating: 2, count: 3_000))
        simulator.run(for: .milliseconds(200))
        simulator.links[0].loss = 0
        let start = simulator.now
        simulator.run(for: .seconds(5)) { $0.received[1].count == 13_000 }
        #expect(simulator.now - start < .milliseconds(200))
    }

    @Test func readerThatPausesStopsTheSenderAndLosesNothing() {
        var configuration = StreamConfiguration()
        configuration.receiveWindow = 100_000
        let link = Simulator.Link(loss: 0.02)
        var simulator = Simulator(links: [link, link], configuration: configuration)
        // Teaches the sender the receiver's window, which is smaller than the one that the protocol assumes.
        simulator.streams[1].write(ByteBuffer(string: "x"))
        simulator.run(for: .seconds(1)) { $0.received[0].count == 1 }
        simulator.paused = [1]
        let content = SimulationTests.content(600_000, 4)
        simulator.streams[0].write(ByteBuffer(bytes: content))
        simulator.streams[0].finish()
        simulator.run(for: .minutes(2))
        #expect(simulator.streams[0].closure == nil)
        #expect(simulator.streams[0].unsentBytes > 100_000)
        #expect(simulator.streams[1].readableBytes <= 100_000 + 200 * 1452)
        simulator.paused = []
        simulator.run(for: .minutes(2)) { $0.ended[1] }
        #expect(simulator.received[1] == content)
    }

    @Test func vanishedPeerTimesOut() {
        var simulator = Simulator(links: [Simulator.Link(), Simulator.Link()])
        simulator.streams[0].write(ByteBuffer(string: "hello"))
        simulator.run(for: .seconds(1)) { $0.received[1].count == 5 }
        simulator.links[0].loss = 1
        simulator.streams[0].write(ByteBuffer(repeating: 0, count: 50_000))
        simulator.run(for: .minutes(5))
        #expect(simulator.streams[0].closure == .timedOut)
        #expect(simulator.streams[1].closure == nil)
    }

    @Test func streamGoesOnAfterTheAddressChanged() {
        var simulator = Simulator(links: [Simulator.Link(loss: 0.01), Simulator.Link(loss: 0.01)])
        let content = SimulationTests.content(300_000, 6)
        simulator.streams[0].write(ByteBuffer(bytes: content))
        simulator.streams[0].finish()
        simulator.run(for: .hours(1)) { $0.received[1].count > 100_000 }
        simulator.streams[0].changePath(at: simulator.now)
        #expect(simulator.streams[0].isMigrating)
        simulator.run(for: .hours(1)) { $0.ended[1] }
        simulator.run(for: .seconds(1))
        #expect(!simulator.streams[0].isMigrating)
        #expect(simulator.received[1] == content)
    }

    @Test func heartbeatsAreSentAndAnsweredWhenIdle() {
        var configuration = StreamConfiguration()
        configuration.heartbeatInterval = .seconds(5)
        var simulator = Simulator(links: [Simulator.Link(), Simulator.Link()], configuration: configuration)
        simulator.run(for: .seconds(21))
        #expect(simulator.datagramCounts == [8, 8])
    }
}
