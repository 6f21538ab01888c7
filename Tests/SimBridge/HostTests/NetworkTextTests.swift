import Testing

@testable import SimBridgeHost

/// Answers to service codes as modems pass them on.
@Suite struct NetworkTextTests {
    @Test(
        arguments: [
            // gammu/gammu#513: ASCII. obsy/sms_tool#4 and #13: UTF-16.
            ("536973612070756C73612052702E33303030302E0A312E5941", "Sisa pulsa Rp.30000.\n1.YA"),
            ("04110430043B0430043D0441003A0032003200320030002C003700360440", "Баланс:2220,76р"),
            ("002000440075002000680061007200200030002C003000300020006B0072", " Du har 0,00 kr"),
            ("C794C56100200033002C003500300030C6D0", "잔액 3,500원"),
            ("c794c56100200033002c003500300030c6d0", "잔액 3,500원"), ("0031003000300020003D0041", "100 =A"),
            ("00310030003000300031", "10001"),
            // Packed, as encoded by another implementation.
            (
                "D9771D840EDBCBA099AB0603B1CB66BA0BD42CBBEB3A500C942DCF413290F30D", "You have 3.50 left. Menu: 1 Yes 2 No"
            ),
        ]) func hexadecimalDigitsAreRead(text: String, expected: String)
    { #expect(NetworkText.decoded(text) == expected) }

    /// Texts, numbers and codes stay as they are.
    @Test(
        arguments: [
            "You have 3.50", "12345678", "0041793334", "00417933", "4179555666123456", "20202020", "31323334", "DEADBEEF",
            "A1B2C3D4", "AB12CD34EF56",
            "a1b2c3d4e5f60718", "D83DD83D", "EFFFEFFF", "4E6", "ABC", "", "F", "1234567890123456", "AA180C3602",
            "00000000000000000000",
        ]) func otherTextsAreUnchanged(text: String)
    { #expect(NetworkText.decoded(text) == text) }
}
