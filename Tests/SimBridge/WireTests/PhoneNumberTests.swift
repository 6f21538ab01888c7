import SimBridgeWire
import Testing

/// Numbers as people type and paste them.
@Suite struct PhoneNumberTests {
    @Test(arguments: [
        ("+82 10-1234-5678", "+821012345678"), ("(030) 12.34", "0301234"), ("*100#", "*100#"), ("112", "112"), ("１２", "12"),
        ("\u{202d}+1 212 555 0143\u{202c}", "+12125550143"), ("010–1234—5678", "01012345678"), ("010−1234‑5678", "01012345678"),
        ("0\u{a0}20\u{2009}7946\u{3000}0000", "02079460000"), ("＋８２－１０－１２３４－５６７８", "+821012345678"),
        ("٠١٠١٢٣٤٥٦٧٨", "01012345678"), ("۰۹۱۲۳۴۵۶۷۸۹", "09123456789"), ("\u{feff}010\u{200b}12345678", "01012345678"),
        ("tel:+82-10-1234-5678", "+821012345678"), ("TEL://010-1234-5678", "01012345678"), ("sms:+15550100?body=Hi", "+15550100"),
        ("smsto:010-1234-5678", "01012345678"), ("tel:+44%2020%207946%200000", "+442079460000"),
        ("tel:7946-0000;phone-context=+4420", "+442079460000"), ("tel:+15550100;phone-context=example.com", "+15550100"),
        ("Phone: 010 1234 5678", "01012345678"), ("전화: 02-123-4567", "021234567"), ("☎️ 010.1234.5678", "01012345678"),
        ("+44 (0)20 7946 0000", "+442079460000"), ("+82 010-1234-5678", "+821012345678"),
        ("0044 (0) 20 7946 0000", "00442079460000"),
        ("+39 06 1234 5678", "+390612345678"), ("+7 812 123 45 67", "+78121234567"), ("[+49] 151/12345678.", "+4915112345678"),
        ("０９０ー１２３４ー５６７８", "09012345678"), ("010-1234-5678,", "01012345678"), ("1️⃣1️⃣2️⃣", "112"),
    ])
    func numberIsReadInEveryForm(_ text: String, _ expected: String) throws { #expect(try PhoneNumber.checked(text) == expected) }

    @Test(arguments: [
        "BANK", "12a", "1+2", "+", "#", "++1", "1 2\u{0}", "1-800-FLOWERS", "http://example.com", "五五五", "1,text=free", "①②",
    ])
    func otherTextIsRefused(_ text: String) {
        #expect(throws: PhoneNumber.Problem.invalidCharacters) { try PhoneNumber.checked(text) }
    }

    @Test(arguments: ["+1 212 555 0143 x12", "0212345678 ext. 7", "tel:+15550100;ext=12", "+15550100,,12#", "5550100 Extension 3"])
    func extensionIsNamed(_ text: String) {
        #expect(throws: PhoneNumber.Problem.containsExtension) { try PhoneNumber.checked(text) }
    }

    @Test func longAndEmptyNumbersAreRefused() {
        for text in [" - ", "", "\u{200e}", "\u{3000}", "tel:"] {
            #expect(throws: PhoneNumber.Problem.empty) { try PhoneNumber.checked(text) }
        }
        #expect(throws: PhoneNumber.Problem.tooLong) { try PhoneNumber.checked(String(repeating: "1", count: 31)) }
    }

    @Test func pairingCodeIsReadInEveryForm() {
        for text in ["123456", "123 456", "１２３４５６", "\u{200e}١٢٣-٤٥٦\u{200f}", "Code: 123\u{a0}456 7"] {
            #expect(PairingCode.digits(in: text) == "123456")
        }
        #expect(PairingCode.digits(in: "①²x") == "")
    }
}

/// The numbers of one person.
@Suite struct PhoneNumberMatcherTests {
    private static func card(_ slot: Int = 1, mcc: String? = nil, number: String? = nil) -> SIMCard {
        SIMCard(slot: slot, carrier: "", number: number, mcc: mcc)
    }

    /// The mobile country code of a card, a number as it is dialled there, and the same number from abroad.
    @Test(arguments: [
        ("450", "010-0000-1234", "+821000001234"), ("450", "00144 20 7946 0000", "+442079460000"),
        ("450", "00700 1 212 555 0143", "+12125550143"), ("450", "02-123-4567", "+8221234567"),
        ("450", "821012345678", "+821012345678"),
        ("310", "(212) 555-0143", "+12125550143"), ("302", "1-416-555-0143", "+14165550143"),
        ("310", "011 44 20 7946 0000", "+442079460000"),
        ("311", "0044 20 7946 0000", "+442079460000"), ("234", "020 7946 0000", "+442079460000"),
        ("234", "447700900123", "+447700900123"), ("242", "4745263497", "+4745263497"), ("278", "21123456", "+35621123456"),
        ("262", "0151 23456789", "+4915123456789"), ("262", "0049 30 123456", "+4930123456"),
        ("466", "0912-345-678", "+886912345678"),
        ("466", "002 82 10 1234 5678", "+821012345678"), ("222", "06 1234 5678", "+390612345678"),
        ("222", "347 123 4567", "+393471234567"),
        ("208", "06 12 34 56 78", "+33612345678"), ("214", "612 345 678", "+34612345678"),
        ("250", "8 (495) 123-45-67", "+74951234567"),
        ("250", "810 44 20 7946 0000", "+442079460000"), ("440", "090-1234-5678", "+819012345678"),
        ("440", "010 1 212 555 0143", "+12125550143"),
        ("460", "138 1234 5678", "+8613812345678"), ("460", "010 1234 5678", "+861012345678"),
        ("405", "098765 43210", "+919876543210"),
        ("404", "98765 43210", "+919876543210"), ("505", "0412 345 678", "+61412345678"),
        ("505", "0011 44 20 7946 0000", "+442079460000"),
        ("216", "06 30 123 4567", "+36301234567"), ("238", "12 34 56 78", "+4512345678"), ("454", "2555 1234", "+85225551234"),
        ("525", "8123 4567", "+6581234567"), ("724", "011 91234-5678", "+5511912345678"),
        ("334", "+52 1 55 1234 5678", "+525512345678"),
        ("722", "+54 9 11 1234 5678", "+541112345678"), ("260", "501 234 567", "+48501234567"),
        ("257", "8 029 123 45 67", "+375291234567"),
    ])
    func nationalNumberHasItsInternationalForm(_ mcc: String, _ national: String, _ international: String) {
        let numbers = PhoneNumberMatcher([Self.card(mcc: mcc)])
        #expect(numbers.key(national, sim: 1) == international)
        #expect(numbers.key(international, sim: 1) == numbers.key(national))
        #expect(numbers.matches(international, national))
    }

    @Test func everySpellingIsOneKey() {
        let numbers = PhoneNumberMatcher([Self.card(number: "+821055550000")])
        let spellings = [
            "010-0000-1234", "+821000001234", "+82 (0)10 0000 1234", "+82 010-0000-1234", "0082 10 0000 1234", "001821000001234",
            "\u{202a}+82 10‑0000‑1234\u{202c}", "０１０００００１２３４", "tel:+82-10-0000-1234", "01000001234 ext. 5",
        ]
        #expect(Set(spellings.map { numbers.key($0) }) == ["+821000001234"])
    }

    @Test(arguments: [
        ("+12125550143", "+13105550143"), ("+821000001234", "+441000001234"), ("114", "+82114"), ("15881234", "+8215881234"),
        ("*100#", "100"), ("BANK", "BANK2"), ("+390612345678", "+39612345678"), ("0612345678", "+390612345678"), ("911", "+1911"),
        ("", "+1"),
    ])
    func othersStayTwo(_ a: String, _ b: String) { #expect(!PhoneNumberMatcher([Self.card(mcc: "450")]).matches(a, b)) }

    @Test func namesOfSendersAreComparedAsTheyAre() {
        let numbers = PhoneNumberMatcher()
        #expect(numbers.key("\u{200e}My Bank\u{200f} ") == "My Bank")
        #expect(numbers.key("3HK") == "3HK" && numbers.key("") == "" && numbers.key("O2️⃣") != "O2")
    }

    @Test func numberOfAnUnknownCountryIsComparedByTheOthersCountry() {
        let numbers = PhoneNumberMatcher()
        for (a, b) in [
            ("01000001234", "+821000001234"), ("020 7946 0000", "+442079460000"), ("0612345678", "+390612345678"),
            ("212-555-0143", "+12125550143"), ("0044 20 7946 0000", "+442079460000"), ("612345678", "+34612345678"),
        ] {
            #expect(numbers.matches(a, b) && numbers.matches(b, a), "\(a) \(b)")
        }
        #expect(!numbers.matches("01000001234", "+821000001235"))
        // With cards of another country as well.
        #expect(PhoneNumberMatcher([Self.card(number: "+15550100001")]).matches("010-0000-1234", "+821000001234"))
        #expect(PhoneNumberMatcher.international("01000001234", among: ["+821000001234", "+12125550143"]) == "+821000001234")
        // Two people have the same national number: it belongs to neither.
        #expect(PhoneNumberMatcher.international("01000001234", among: ["+821000001234", "+491000001234"]) == nil)
    }

    @Test func cardsOfTwoCountriesDecideForTheirOwnNumbers() {
        let numbers = PhoneNumberMatcher([Self.card(1, mcc: "450"), Self.card(2, mcc: "262")])
        #expect(numbers.key("010 1234 5678", sim: 1) == "+821012345678")
        #expect(numbers.key("0151 1234567", sim: 2) == "+491511234567")
        #expect(numbers.key("010 1234 5678") == "01012345678", "the card is not known")
    }

    @Test func cardTellsItsCountry() {
        #expect(Self.card(mcc: "450").numberingPlan?.callingCode == "82")
        #expect(Self.card(mcc: "45005").numberingPlan?.callingCode == "82")
        #expect(Self.card(number: "+44 7700 900123").numberingPlan?.callingCode == "44")
        #expect(Self.card(mcc: "001", number: "00886 912 345 678").numberingPlan?.callingCode == "886")
        #expect(Self.card(number: "07700 900123").numberingPlan == nil && Self.card(mcc: "999").numberingPlan == nil)
        #expect(NumberingPlan(of: "+9991234567") == nil && NumberingPlan(of: "+") == nil && NumberingPlan(of: "82") == nil)
    }
}
