import HyperswarmTestKit
import NIOCore
import Testing

@testable import UDX

/// Whole transfers between two streams in virtual time.
@Suite struct SimulationTests {
    static let size = Fuzz.isSoak ? 10_000_000 : 400_000

    static func content(_ count: Int, _ random: UInt64) -> [UInt8] {
        var generator = SplitMix64(random)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + 8)
        while bytes.count < count {
            withUnsafeBytes(of: generator.next()) { bytes.append(contentsOf: $0) }
        }
        return Array(bytes.prefix(count))
    }

    /// Sends `size` bytes each way, ends both sides, and checks all that arrived. Returns the virtual seconds it took.
    @discardableResult
    static func transfer(
        _ link: Simulator.Link, back: Simulator.Link? = nil, size: Int = SimulationTests.size, random: UInt64 = 1,
        limit: TimeAmount = .hours(5)
    ) -> (seconds: Double, simulator: Simulator) {
        var simulator = Simulator(links: [link, back ?? link], random: random)
        let contents = [content(size, random), content(size, random + 1)]
        simulator.unwritten = contents.map { $0[...] }
        let start = simulator.now
        simulator.run(for: limit) { $0.ended == [true, true] }
        let seconds = Double((simulator.now - start).nanoseconds) / 1e9
        #expect(simulator.received[0] == contents[1])
        #expect(simulator.received[1] == contents[0])
        simulator.run(for: .minutes(10))
        for stream in simulator.streams {
            #expect(stream.closure == .finished)
            #expect(stream.isGone(at: simulator.now))
        }
        // Half a megabyte unsent, a window of four in flight, and another one above a gap.
        #expect(simulator.maximumRetained.allSatisfy { $0 <= 9 * 1024 * 1024 })
        return (seconds, simulator)
    }

    @Test(arguments: [0, 0.01, 0.05, 0.1, 0.3])
    func transfersBothWaysArriveUnderLoss(_ loss: Double) {
        Self.transfer(Simulator.Link(loss: loss), random: 11)
    }

    /// Ten megabytes each way: more than any queue, so that a bound on memory shows.
    @Test(arguments: Fuzz.isSoak ? [0, 0.01, 0.1, 0.3] : [0.1])
    func tenMegabytesEachWayNeedBoundedMemory(_ loss: Double) {
        let link = Simulator.Link(loss: loss, duplication: 0.05, reordering: 0.05, delay: .milliseconds(20))
        Self.transfer(link, size: 10_000_000, random: 15)
    }

    @Test func transfersArriveUnderDuplicationAndReordering() {
        Self.transfer(Simulator.Link(duplication: 0.2, reordering: 0.2), random: 12)
    }

    @Test func transfersArriveUnderEverythingAtOnce() {
        Self.transfer(Simulator.Link(loss: 0.1, duplication: 0.1, reordering: 0.1, delay: .milliseconds(40)), random: 13)
    }

    @Test func lossOfAcknowledgementsAloneCausesNoFailure() {
        Self.transfer(Simulator.Link(), back: Simulator.Link(loss: 0.3), random: 14)
    }
}
