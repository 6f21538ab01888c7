import HyperswarmTestKit
import NIOCore
import Testing

@testable import UDX

@Suite struct ReceiveBufferTests {
    static func accept(_ buffer: inout ReceiveBuffer, _ number: PacketNumber, _ count: Int, isEnd: Bool = false) -> Bool {
        [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: count).withUnsafeBytes {
            buffer.accept(number, isEnd: isEnd, payload: $0)
        }
    }

    @Test func packetsAboveAGapAreBoundedByTheWindow() {
        var buffer = ReceiveBuffer(capacity: 10_000)
        for number in PacketNumber(1)..<2000 { _ = Self.accept(&buffer, number, 1000) }
        #expect(buffer.bufferedBytes <= 10_000)
        #expect(buffer.readable.readableBytes == 0)
    }

    @Test func gapsAndDistanceAreBounded() {
        var buffer = ReceiveBuffer(capacity: 4 * 1024 * 1024)
        for number in 1...10_000 { _ = Self.accept(&buffer, PacketNumber(2 * number), 1) }
        #expect(buffer.received.count <= ReceiveBuffer.maximumGapCount)
        #expect(!Self.accept(&buffer, ReceiveBuffer.maximumSpan, 1))
        #expect(!Self.accept(&buffer, -1, 1))
    }

    @Test func bytesBeyondWindowAndMarginAreRefused() {
        var buffer = ReceiveBuffer(capacity: 10_000)
        var number: PacketNumber = 0
        while Self.accept(&buffer, number, 1400) { number += 1 }
        #expect(buffer.window == 0)
        #expect(buffer.readable.readableBytes <= 10_000 + ReceiveBuffer.margin)
        _ = buffer.read()
        #expect(buffer.window == 10_000)
        let isAccepted = Self.accept(&buffer, number, 1400)
        #expect(isAccepted)
    }

    @Test func nothingFollowsTheEnd() {
        var buffer = ReceiveBuffer(capacity: 10_000)
        #expect(Self.accept(&buffer, 1, 3, isEnd: true))
        #expect(!Self.accept(&buffer, 2, 3))
        #expect(!buffer.isComplete)
        #expect(Self.accept(&buffer, 0, 3))
        #expect(buffer.isComplete)
        #expect(buffer.read().readableBytes == 6)
    }

    @Test func rangesAgreeWithASet() {
        var random = SplitMix64(8)
        for _ in 0..<200 {
            var ranges = PacketRanges()
            var reference: Set<PacketNumber> = []
            for _ in 0..<60 {
                let number = PacketNumber.random(in: 0..<100, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0:
                    let range = number..<(number + .random(in: 1...20, using: &random))
                    #expect(ranges.missing(in: range).flatMap { Array($0) } == range.filter { !reference.contains($0) })
                    ranges.insert(range)
                    reference.formUnion(range)
                case 1 where random.isTrue(probability: 0.2):
                    ranges.removeAll(below: number)
                    reference = reference.filter { $0 >= number }
                default:
                    let isNew = ranges.insert(number)
                    #expect(isNew == reference.insert(number).inserted)
                }
                #expect(ranges.ranges.flatMap { Array($0) } == reference.sorted())
                #expect(zip(ranges.ranges, ranges.ranges.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound })
                #expect(ranges.contains(number) == reference.contains(number))
            }
        }
    }

    @Test func reportsKeepTheRangeOfTheLatestPacket() {
        var received = PacketRanges()
        for index in 0..<80 { _ = received.insert(PacketNumber(10 + 2 * index)) }
        let selected = SelectiveAcknowledgement.selection(from: received, including: 150)
        #expect(selected.count == 50)
        #expect(selected.last == 150..<151)
        #expect(selected.first == 10..<11)
        #expect(SelectiveAcknowledgement.selection(from: received, including: 12).last == 108..<109)
    }

    @Test func packetNumbersContinueAcrossTheWraparound() {
        let high = PacketNumber(UInt32.max)
        #expect(PacketNumber(wire: 3, near: high) == high + 4)
        #expect(PacketNumber(wire: .max, near: high + 4) == high)
        #expect(PacketNumber(wire: .max, near: 0) == -1)
        #expect((high + 1).wire == 0)
    }
}
