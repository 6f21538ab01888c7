import Foundation
import Testing
import WireKit

@Suite struct TimestampTests {
    /// The results of JavaScript's `new Date(n).toISOString()`.
    static let samples: [(Int64, String)] = [
        (0, "1970-01-01T00:00:00.000Z"), (1, "1970-01-01T00:00:00.001Z"), (-1, "1969-12-31T23:59:59.999Z"),
        (1_795_217_151_861, "2026-11-20T23:25:51.861Z"), (951_782_400_000, "2000-02-29T00:00:00.000Z"),
        (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
    ]

    @Test(arguments: samples) func isWrittenWithThreeDigitsAndZ(_ milliseconds: Int64, _ text: String) {
        #expect(Timestamp(milliseconds: milliseconds).description == text)
    }

    @Test(arguments: samples) func decodesItsOwnFormat(_ milliseconds: Int64, _ text: String) {
        #expect(Timestamp(text)?.milliseconds == milliseconds)
    }

    @Test(arguments: [
        ("2026-11-20T23:25:51Z", 0), ("2026-11-20T23:25:51.8Z", 800), ("2026-11-20T23:25:51.861733Z", 861),
        ("2026-11-21T00:25:51.861+01:00", 861),
    ])
    func otherPrecisionsAndOffsetsAreRead(_ text: String, _ fraction: Int64) {
        #expect(Timestamp(text)?.milliseconds == 1_795_217_151_000 + fraction)
    }

    @Test(arguments: ["", "yesterday", "2026-11-20", "2026-11-20T23:25:51.Z", "2026-13-20T23:25:51Z", "2026-11-20T23:25:51.٣Z"])
    func invalidTimesAreRefused(_ text: String) {
        #expect(Timestamp(text) == nil)
    }

    @Test func extremesAreClampedAndNeverTrap() {
        #expect(Timestamp(milliseconds: .max) == .latest)
        #expect(Timestamp(milliseconds: .min) == .earliest)
        #expect(Timestamp(Date(timeIntervalSince1970: .infinity)) == .latest)
        #expect(Timestamp.latest + .seconds(Int64.max) == .latest)
        #expect(Timestamp.earliest - .seconds(Int64.max) == .earliest)
    }

    @Test func arithmeticKeepsMilliseconds() {
        #expect((Timestamp(milliseconds: 1000) + .milliseconds(1500)).milliseconds == 2500)
        #expect((Timestamp(milliseconds: 1000) - .milliseconds(1500)).milliseconds == -500)
    }
}
