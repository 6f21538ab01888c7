import Foundation
import PlatformKit
import Testing

@Suite struct LevelMeterTests {
    private static func samples(_ count: Int, amplitude: Int16) -> Data {
        (0..<count).reduce(into: Data()) { bytes, index in
            let sample = UInt16(bitPattern: index / 40 % 2 == 0 ? amplitude : -amplitude)
            bytes.append(contentsOf: [UInt8(sample & 255), UInt8(sample >> 8)])
        }
    }

    @Test func levelsAreMeasuredInStepsAcrossChunks() {
        var meter = LevelMeter()
        #expect(meter.append(Self.samples(1_199, amplitude: 16_384)) == nil)
        #expect(meter.append(Self.samples(1, amplitude: 16_384)) == 0.5)
        #expect(meter.append(Self.samples(1_200, amplitude: 0)) == 0)
        #expect(meter.append(Data()) == nil)
        // The newest of several.
        #expect(meter.append(Self.samples(1_200, amplitude: 16_384) + Self.samples(1_200, amplitude: 8_192)) == 0.25)
    }

    @Test func loudestSamplesHaveALevelOfOne() {
        var meter = LevelMeter()
        let loudest = Data((0..<1_200).flatMap { _ in [0, 0x80] as [UInt8] })
        #expect(meter.append(loudest) == 1)
        #expect(meter.append(loudest.dropFirst(2)) == nil, "a slice, whose indices do not begin at 0")
    }
}
