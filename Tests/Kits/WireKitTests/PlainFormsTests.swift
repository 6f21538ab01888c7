import Testing
import WireKit

/// The characters of numbers, codes and addresses that people type and paste.
@Suite struct PlainFormsTests {
    @Test(arguments: [
        ("\u{202a}+82 10-1234-5678\u{202c}", "+82 10-1234-5678"), ("\u{200e}010\u{200f}\u{2066}1\u{2069}", "0101"),
        ("\u{feff}12\u{200b}3\u{2060}4\u{ad}5", "12345"), ("１２３－４５６", "123-456"), ("＋８２（０）", "+82(0)"),
        ("٠١٢٣٤٥٦٧٨٩", "0123456789"), ("۰۱۲ ۳۴", "012 34"), ("०१२ 𝟘𝟙 ߀߁", "012 01 01"), ("1️⃣2️⃣", "12"),
        ("1\u{a0}2\u{2009}3\u{202f}4\u{3000}5", "1 2 3 4 5"), ("1‐2‑3‒4–5—6―7−8﹣9", "1-2-3-4-5-6-7-8-9"), ("ＢＦ０１０ｂａ２", "BF010ba2"),
        ("192。168．0｡7", "192.168.0.7"), ("서버.kr", "서버.kr"), ("ー〜", "ー-"), ("\u{7}", "\u{7}"), ("", ""),
    ])
    func textBecomesTheASCIIThatWasMeant(_ text: String, _ expected: String) { #expect(text.plainForms == expected) }

    @Test func brokenCodeIsOneLine() { #expect("\t AB\u{200b}C\r\n１２ 3\u{3000}\n".plainCode == "ABC12 3") }

    /// Circled and superscript digits are no digits of a number.
    @Test func otherNumeralsStay() { #expect("①²五".plainForms == "①²五") }
}

/// The cut of texts that are too long.
@Suite struct ShorteningTests {
    private static let family = "👨‍👩‍👧‍👦"

    @Test func charactersStayWhole() {
        #expect("ab\(Self.family)c".prefix(scalars: 5) == "ab")
        #expect("ab\(Self.family)c".prefix(scalars: 9) == "ab\(Self.family)")
        #expect("ab\(Self.family)c".prefix(scalars: 10) == "ab\(Self.family)c")
        #expect("🇰🇷🇹🇼".prefix(scalars: 3) == "🇰🇷")
        #expect("e\u{301}e\u{301}".prefix(scalars: 3) == "e\u{301}")
        #expect("한글".prefix(utf8: 5) == "한")
        #expect("👍🏽👍🏽".prefix(utf8: 15) == "👍🏽")
        #expect("abc"[...].prefix(scalars: 0) == "")
    }

    @Test func oneEndlessCharacterIsCut() {
        let text = "a" + String(repeating: "\u{301}", count: 1000)
        #expect(text.prefix(scalars: 10).unicodeScalars.count == 10)
        #expect("b\(text)".prefix(scalars: 10) == "b")
    }
}
