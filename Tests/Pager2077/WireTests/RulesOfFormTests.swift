import Pager2077Wire
import Testing

@Suite struct HexCodeTests {
    @Test func isConvertedToUpperCase() {
        #expect(HexCode(rawValue: "bf010ba2")?.rawValue == "BF010BA2")
    }

    @Test(arguments: ["", "BF010B", "BF010BA", "BF010BA22", "BF010BAG", "BF010BA ", "ＢF010BA2", "é1010BA"])
    func otherFormsAreRefused(
        _ text: String
    ) {
        #expect(HexCode(rawValue: text) == nil)
    }

    @Test(arguments: ["BF010BA2", "bf01-0ba2 ", "\u{200e}BF01\u{200b}0BA2", "ＢＦ０１０ｂａ２", "BF٠١٠BA٢ 77"])
    func typedDigitsCountInEveryForm(_ text: String) { #expect(HexCode.digits(in: text) == "BF010BA2") }

    @Test func keepsLeadingZeros() {
        #expect(HexCode(0x1f).rawValue == "0000001F")
        #expect(HexCode(.max).rawValue == "FFFFFFFF")
    }
}

@Suite struct DisplayNameTests {
    @Test(arguments: ["N", "Neo 77", "a-b_c", String(repeating: "x", count: 20)]) func validNamesAreAccepted(_ name: String) throws
    {
        #expect(try DisplayName.checked(name) == name)
    }

    @Test func isTrimmedFirst() throws {
        #expect(try DisplayName.checked("  \(String(repeating: "x", count: 20))\n\t") == String(repeating: "x", count: 20))
    }

    @Test(arguments: ["", "   ", "\n"]) func emptyNamesAreRefused(_ name: String) {
        #expect(throws: DisplayName.Problem.empty) { try DisplayName.checked(name) }
    }

    @Test func namesOverTheLimitAreRefused() {
        #expect(throws: DisplayName.Problem.tooLong) { try DisplayName.checked(String(repeating: "x", count: 21)) }
    }

    @Test(arguments: ["Zoë", "a.b", "a\nb", "😀", "a\u{0}b", "<b>", "a\u{301}"]) func otherCharactersAreRefused(_ name: String) {
        #expect(throws: DisplayName.Problem.invalidCharacters) { try DisplayName.checked(name) }
    }
}
