import SimBridgeWire
import TestKit
import Testing

@testable import SimBridgeHost

/// Messages that are no text.
@Suite struct BinaryMessageTests {
    /// A notice: transaction, version, sender, subject, class, size, expiry, location.
    static let notice = push(
        "8C82" + "98" + text("T1") + "8D90" + "89" + field("80" + text("+15550100/TYPE=PLMN")) + "96" + text("Holiday") + "8A80"
            + "8E" + "02AFC8" + "88" + field("81" + "0303F480") + "83" + text("http://mmsc/1"))

    /// A push of a multimedia message without the header of its application.
    private static func push(_ body: String, type: String = text("application/vnd.wap.mms-message")) -> String {
        "0106" + byte(type.count / 2) + type + body
    }

    private static func text(_ text: String) -> String { text.utf8.map { byte(Int($0)) }.joined() + "00" }
    private static func field(_ content: String) -> String { byte(content.count / 2) + content }
    private static func byte(_ value: Int) -> String { (value < 16 ? "0" : "") + String(value, radix: 16).uppercased() }

    @Test func aNoticeNamesSenderSubjectAndSize() {
        let message = BinaryMessage(hexadecimal: Self.notice)
        #expect(message.kind == .multimedia && message.sender == "+15550100")
        #expect(
            message.words
                == "[A multimedia message (MMS): Holiday, 44 KB. This host cannot fetch it; a phone with this SIM can, for 3 days.]"
        )
    }

    @Test(arguments: ["BE", "BEAF84", "03BE8381"]) func theTypeMayBeANumber(type: String) {
        let message = BinaryMessage(hexadecimal: Self.push("8C8289" + Self.field("81") + "8E0120", type: type))
        #expect(message.kind == .multimedia && message.sender == nil)
        #expect(message.words.contains("1 KB"))
    }

    @Test func subjectsHaveCharacterSets() {
        let message = BinaryMessage(hexadecimal: Self.push("8C8296" + Self.field("EA" + Self.text("한국"))))
        #expect(message.words.contains("한국"))
    }

    @Test func otherDataIsCountedAndTextIsRead() {
        #expect(BinaryMessage(hexadecimal: "0001FF").words == "[A message for programs, not a text: 3 bytes]")
        #expect(BinaryMessage(hexadecimal: "0001FF").kind == .binary)
        let text = BinaryMessage(hexadecimal: "4772C3BCC39F65")
        #expect(text.words == "Grüße" && text.kind == nil)
        // Latin-1, which is no UTF-8.
        #expect(BinaryMessage(hexadecimal: "4772FCDF6520617573204DFC6E6368656E").words == "Grüße aus München")
        #expect(BinaryMessage(hexadecimal: "FCE4F6DF").kind == .binary)
        // Another message of the same service: no notice.
        #expect(BinaryMessage(hexadecimal: Self.push("8C86")).kind == .binary)
    }

    @Test func anyBytesAreRead() async throws {
        let corpus = [Self.notice, Self.push("8C8296" + Self.field("EA" + Self.text("x"))), ""].map { Array($0.utf8) }
        for bytes in corpus {
            for end in bytes.indices {
                let cut = BinaryMessage(hexadecimal: String(decoding: bytes[..<end], as: UTF8.self))
                #expect(!cut.words.isEmpty)
            }
        }
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<Effort.count(2000, soak: 500_000) {
            var bytes = corpus[Int.random(in: 0..<2, using: &generator)]
            for _ in 0..<4 {
                bytes[Int.random(in: bytes.indices, using: &generator)] = Array("0123456789ABCDEF".utf8).randomElement()!
            }
            #expect(!BinaryMessage(hexadecimal: String(decoding: bytes, as: UTF8.self)).words.isEmpty)
        }
    }
}
