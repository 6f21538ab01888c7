import Foundation
import LocalLLMWire
import TestKit
import Testing

@Suite struct MessageReadingTests {
    private func read(_ json: String) throws(MessageError) -> Message { try Message(line: Data(json.utf8)) }

    @Test func unknownFieldsAndNullsAreIgnored() throws {
        #expect(
            try read(#" {"type":"abort","version":1,"request_id":"r","payload":{"x":1},"later":[{}]} "#) == .abort(RequestID("r")!))
        #expect(
            try read(#"{"type":"chat_start","request_id":"r","payload":{"prompt":"p","model":null,"accept":["new"],"after":null}}"#)
                == .chatStart(RequestID("r")!, ChatStart(prompt: "p", accept: [Feature(rawValue: "new")])))
    }

    @Test(arguments: [
        "", "nothing", "[]", "7", "{}", #"{"type":7}"#, #"{"type":"chat_begin","payload":{}}"#,
        #"{"type":"chat_start","payload":{"prompt":"p"}}"#, #"{"type":"chat_start","request_id":"","payload":{"prompt":"p"}}"#,
        #"{"type":"chat_start","request_id":"r"}"#, #"{"type":"chat_start","request_id":"r","payload":[]}"#,
        #"{"type":"chat_start","request_id":"r","payload":{"prompt":1}}"#,
        #"{"type":"chat_start","request_id":"r","payload":{"prompt":"p","after":-1}}"#,
        #"{"type":"chat_start","request_id":"r","payload":{"prompt":"p","after":1.5}}"#,
        #"{"type":"chat_start","request_id":"r","payload":{"prompt":"p","accept":[1]}}"#,
        #"{"type":"chat_start","request_id":"r","payload":{"prompt":"p","messages":[{"role":"system","content":"c"}]}}"#,
        #"{"type":"chat_chunk","request_id":"r","payload":{"text":""}}"#,
        #"{"type":"chat_chunk","request_id":"r","payload":{"text":"t","seq":0}}"#,
        #"{"type":"chat_end","request_id":"r","payload":{"finish_reason":"bored"}}"#,
        #"{"type":"chat_progress","request_id":"r","payload":{"stage":"loading","fraction":2}}"#,
        #"{"type":"abort","payload":{}}"#, #"{"type":"abort","request_id":"r","payload":"x"}"#,
        #"{"type":"abort","request_id":"r","version":"1"}"#,
        #"{"type":"server_info","payload":{"host_name":"h","model":"m","status":"away"}}"#,
    ])
    func otherLinesAreBadMessages(_ json: String) {
        let error = #expect(throws: MessageError.self) { try read(json) }
        #expect(error?.code == .badMessage)
        #expect(error?.reply != nil)
    }

    @Test func replyToABadMessageNamesItsRequest() throws {
        let error = #expect(throws: MessageError.self) { try read(#"{"type":"x","request_id":"r"}"#) }
        #expect(error?.reply?.requestID == RequestID("r"))
        let nameless = #expect(throws: MessageError.self) { try read(#"{"type":"x","request_id":7}"#) }
        #expect(nameless?.reply != nil && nameless?.requestID == nil)
    }

    @Test func errorsAreNeverAnswered() {
        let error = #expect(throws: MessageError.self) { try read(#"{"type":"error","payload":{}}"#) }
        #expect(error?.code == .badMessage)
        #expect(error?.reply == nil)
    }

    @Test func otherVersionsAreNotSupported() {
        let error = #expect(throws: MessageError.self) { try read(#"{"type":"anything","request_id":"r","version":2}"#) }
        #expect(error?.code == .unsupportedVersion)
        #expect(error?.reply?.requestID == RequestID("r"))
    }

    @Test func requestIDsHave1To128Characters() {
        #expect(RequestID("") == nil)
        #expect(RequestID(String(repeating: "é", count: 128)) != nil)
        #expect(RequestID(String(repeating: "a", count: 129)) == nil)
    }

    @Test func promptsHave1To8192Bytes() {
        #expect(!Limits.accepts(prompt: ""))
        #expect(Limits.accepts(prompt: String(repeating: "é", count: 4096)))
        #expect(!Limits.accepts(prompt: String(repeating: "é", count: 4096) + "a"))
    }
}

@Suite struct ServerIDTests {
    private static let bytes = (0..<32).map { UInt8($0 * 7 + 1) }

    @Test func textLinkAndWhiteSpaceGiveTheSameID() throws {
        let id = try #require(ServerID(Self.bytes))
        for text in [id.text, id.link, "  \(id.text)\n", "\tLocalLLM://\(id.text) "] { #expect(ServerID(text: text) == id) }
        let broken = id.text.prefix(20) + "\r\n" + id.text.dropFirst(20)
        for text in [String(broken), "\u{200e}\(id.text)\u{200b}", "\u{feff}\(id.link)"] { #expect(ServerID(text: text) == id) }
        #expect(ServerID(text: "\(id.text) and more") == nil)
        #expect(id.link.hasPrefix("localllm://"))
    }

    @Test func linkCarriesAnInvitation() throws {
        let id = try #require(ServerID(Self.bytes))
        let invitation = try #require(Invitation("7YyB1kLmNpQ2rS"))
        let link = HostLink(id, invitation: invitation)
        #expect(link.text == "\(id.link)?invite=7YyB1kLmNpQ2rS")
        for text in [link.text, " \(link.text)\n", "\(id.text)?x=1&invite=7YyB1kLmNpQ2rS&invitee=2"] {
            #expect(HostLink(text: text) == link)
        }
        for text in [id.text, id.link, "\(id.link)?", "\(id.link)?x=invite", " \(id.text) "] {
            #expect(HostLink(text: text) == HostLink(id))
        }
        for value in ["", "1234567", "7YyB1kLm pQ2rS\u{e9}", String(repeating: "a", count: 65), "a%20b%20c%20"] {
            #expect(HostLink(text: "\(id.link)?invite=\(value)") == nil)
        }
        #expect(HostLink(text: "localllm://nobody?invite=7YyB1kLmNpQ2rS") == nil)
    }

    @Test func onlyTheDecodedLengthCounts() throws {
        let zeros = try #require(ServerID([UInt8](repeating: 0, count: 32)))
        #expect(zeros.text == String(repeating: "1", count: 32))
        #expect(ServerID(text: zeros.text) == zeros)
        let high = try #require(ServerID([UInt8](repeating: 255, count: 32)))
        #expect(high.text.count == 44)
        #expect(ServerID(text: high.text) == high)
    }

    @Test(arguments: ["", "localllm://", "0OIl", "1", String(repeating: "1", count: 33), "http://example.org", "z z"])
    func otherTextsAreRefused(_ text: String) { #expect(ServerID(text: text) == nil) }
}
