import Foundation
import Testing

@testable import SimBridgeClient

/// The parts of a text that can be tapped.
@Suite struct DetailTests {
    @Test(
        arguments: [
            ("Hello there", []),
            ("See https://example.com/a?b=1.", [.link("https://example.com/a?b=1")]),
            ("(www.example.com)", [.link("https://www.example.com")]),
            ("javascript:alert(1) file:///etc/passwd", []),
            ("Call +44 20 7946 0123 or 030-1234567", [.number("+44 20 7946 0123"), .number("030-1234567")]),
            ("Ring 01012345678", [.number("01012345678")]),
            ("Your code is 481516", [.code("481516")]),
            ("Ihr TAN: 4815", [.code("4815")]),
            ("인증번호 [4815]", [.code("4815")]),
            ("In 2026 it costs 1500", []),
            ("G-481516 and 481516", [.code("481516")]),
            ("https://example.com/481516", [.link("https://example.com/481516")]),
            ("Card 4815162342108154", []),
            ("Your code is 481516. 10 minutes valid", [.code("481516")]),
            ("Your code is 48151623 10 minutes valid", [.code("48151623")]),
            ("Code 123456 (5 min)", [.code("123456")]),
            ("Order 123456 (5 items)", [.code("123456")]),
            ("Code 481516 until 2026-10-11 or call +44 20 7946 0123", [.code("481516"), .number("+44 20 7946 0123")]),
            ("Code 481516. Questions? 0800 123 4567", [.code("481516"), .number("0800 123 4567")]),
            ("인증번호 481516 (1588-1234)", [.code("481516"), .number("1588-1234")]),
            ("On 2026-10-11 10:30 or 11-10-2026", []),
            ("Router 192.168.1.100", []),
            ("(030) 123 4567 and +1 (555) 123-4567", [.number("(030) 123 4567"), .number("+1 (555) 123-4567")]),
            ("01.23.45.67.89", [.number("01.23.45.67.89")]),
            ("Ring us (030 1234567)", [.number("030 1234567")]),
        ] as [(String, [Wanted])])
    private func whatIsFound(_ text: String, _ wanted: [Wanted]) {
        #expect(TextDetail.all(in: text) == wanted.compactMap(\.detail))
    }

    @Test func theNumberOfDetailsIsBounded() {
        let text = (100_000..<100_200).map(String.init).joined(separator: ", ")
        #expect(TextDetail.all(in: text).count == TextDetail.maximumCount)
    }
}

private enum Wanted: Sendable {
    case link(String)
    case number(String)
    case code(String)

    var detail: TextDetail? {
        switch self {
        case .link(let text): URL(string: text).map(TextDetail.link)
        case .number(let text): .number(text)
        case .code(let text): .code(text)
        }
    }
}
