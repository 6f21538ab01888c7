import Foundation
import SimBridgeClient
import SimBridgeWire
import Testing

/// 3GPP TS 23.038, section 6.2.1; TS 23.040, section 9.2.3.24.1.
@Suite struct TextSegmentsTests {
    private func segments(_ text: String) -> [Int] {
        let segments = TextSegments(text)
        return [segments.count, segments.remaining]
    }

    @Test func septetsFillOneMessageOf160AndPartsOf153() {
        #expect(segments("") == [0, 160])
        #expect(segments(String(repeating: "a", count: 160)) == [1, 0])
        #expect(segments(String(repeating: "a", count: 161)) == [2, 145])
        #expect(segments(String(repeating: "a", count: 306)) == [2, 0])
        #expect(segments(String(repeating: "a", count: 307)) == [3, 152])
    }

    @Test func theExtensionTableCountsTwo() {
        #expect(segments("€") == [1, 158])
        #expect(segments(String(repeating: "€", count: 80)) == [1, 0])
        // An escape and its character are not divided: 152 septets, and the pair goes into the next part.
        #expect(segments(String(repeating: "a", count: 152) + "€" + String(repeating: "a", count: 7)) == [2, 144])
    }

    @Test func otherTextsAreUCS2OfSeventyAnd67() {
        #expect(TextSegments("Grüße à la carte").alphabet == .gsm7)
        #expect(TextSegments("안녕").alphabet == .ucs2)
        #expect(TextSegments("ç").alphabet == .ucs2)
        #expect(segments(String(repeating: "안", count: 70)) == [1, 0])
        #expect(segments(String(repeating: "안", count: 71)) == [2, 63])
        // A pair of surrogates is not divided either.
        #expect(segments(String(repeating: "안", count: 66) + "🍋" + "안안안") == [2, 62])
    }
}
