import EndlessCodeWire
import Foundation
import Testing
import WireKit

private let timestamp = #""timestamp":"2026-11-20T23:25:51Z""#

/// Rules of form: what readers tolerate, what they refuse, and the field that they name.
@Suite struct FormTests {
    private func refusal(_ json: String) -> String? {
        do throws(FieldError) {
            _ = try ClientFrame(text: json)
            return nil
        } catch {
            return error.description
        }
    }

    @Test(arguments: [
        ("", "The message is not JSON."), ("[]", "The message is not an object."), ("{}", "type is missing."),
        (#"{"type":4}"#, "type is not a text."), (#"{"type":"new"}"#, #"type is unknown: "new"."#),
        (#"{"type":"presence"}"#, "active is missing."), (#"{"type":"presence","active":1}"#, "active is not true or false."),
        (#"{"type":"user_message","content":"a",\#(timestamp)}"#, "sessionId is missing."),
        (#"{"type":"user_message","sessionId":"s","content":"a","timestamp":"today"}"#, "timestamp has a wrong value."),
        (
            #"{"type":"user_message","sessionId":"s","content":"",\#(timestamp)}"#,
            "content has 0 bytes, and 1 to 262144 are allowed."
        ),
        (#"{"type":"user_message","sessionId":"s","content":" \n\t",\#(timestamp)}"#, "content is only white space."),
        (#"{"type":"user_message","sessionId":"s","content":"a","messageId":"1",\#(timestamp)}"#, "messageId is not a UUID."),
        (#"{"type":"session_control","action":"explode","sessionId":"s"}"#, "action has a wrong value."),
        (#"{"type":"session_control","action":"start","sessionId":"s"}"#, "projectId is missing."),
        (#"{"type":"session_control","action":"pause","projectId":"p"}"#, "sessionId is missing."),
        (#"{"type":"session_control","action":"start","projectId":"p","requestId":"a b"}"#, "requestId is not an identifier."),
        (#"{"type":"prompt_response","sessionId":"s","promptId":"q"}"#, "selectedOptions is missing."),
        (
            #"{"type":"prompt_response","sessionId":"s","promptId":"q","selectedOptions":["a",1]}"#,
            "selectedOptions.1 is not a text."
        ),
    ])
    func aBadFrameIsRefusedWithItsField(_ json: String, _ problem: String) {
        #expect(refusal(json) == problem)
    }

    @Test func aPromptOfExactlyTheLimitIsAccepted() {
        func frame(_ count: Int) -> String {
            let content = String(repeating: "é", count: count / 2)
            return #"{"type":"user_message","sessionId":"s","content":"\#(content)",\#(timestamp)}"#
        }
        #expect(refusal(frame(262_144)) == nil)
        #expect(refusal(frame(262_146)) == "content has 262146 bytes, and 1 to 262144 are allowed.")
        let input = String(repeating: "a", count: 262_145)
        #expect(
            refusal(#"{"type":"prompt_response","sessionId":"s","promptId":"q","selectedOptions":[],"customInput":"\#(input)"}"#)
                == "customInput exceeds 262144 bytes.")
    }

    @Test func unknownFieldsAreIgnored() throws {
        #expect(try ClientFrame(text: #"{"type":"presence","active":true,"new":{"a":[1]}}"#) == .presence(isActive: true))
        #expect(
            try ServerFrame(text: #"{"type":"gap","sessionId":"s","from":1,"to":2,"new":null}"#)
                == .gap(Gap(sessionId: "s", from: 1, to: 2)))
    }

    @Test func aFrameOfAnUnknownTypeKeepsItsPlace() throws {
        let frame = try ServerFrame(text: #"{"type":"new","sessionId":"s","seq":4,"message":1}"#)
        #expect(frame == .unknown(type: "new", sessionId: "s", seq: 4))
        #expect(frame.position?.seq == 4)
        #expect(try ServerFrame(text: #"{"type":"new","seq":"x"}"#) == .unknown(type: "new", sessionId: nil, seq: nil))
    }

    @Test func aServerWithoutExtensionsIsUnderstood() throws {
        let time = #""2026-11-20T23:25:51Z""#
        let session =
            #"{"id":"s","projectId":"p","state":"active","createdAt":\#(time),"lastActiveAt":\#(time),"messageCount":1,"activity":"new"}"#
        guard
            case .sync(let sync) = try ServerFrame(
                text: #"{"type":"sync","connectionId":"x","sessions":[\#(session)],"recentMessages":[]}"#)
        else {
            Issue.record("no sync")
            return
        }
        #expect(sync.prompts == nil)
        #expect(sync.sessions.first?.lastSeq == 0 && sync.sessions.first?.activity == .idle)
        let request = try ServerFrame(
            text:
                #"{"type":"prompt_request","sessionId":"s","seq":1,"promptId":"q","question":{"question":"Why?","multiSelect":false},"timeout":1800}"#
        )
        guard case .promptRequest(let prompt) = request else {
            Issue.record("no prompt")
            return
        }
        #expect(prompt.kind == nil && prompt.question.options.isEmpty)
    }

    @Test func aMessageOfAnUnknownTypeKeepsItsJSON() throws {
        let message = try WireJSON.decode(
            LoggedMessage.self, from: Data(#"{"messageType":"plan","seq":7,"plan":{"b":[1,2.5],"a":"x"}}"#.utf8))
        #expect(message.seq == 7)
        #expect(message.message.content == .unknown(rawJSON: #"{"messageType":"plan","plan":{"a":"x","b":[1,2.5]},"seq":7}"#))
    }

    @Test(arguments: [
        (#"{"messageType":"chat"}"#, "message.chat is missing."),
        (
            #"{"messageType":"chat","chat":{"id":"c","role":"robot","content":"","timestamp":"2026-11-20T23:25:51Z"}}"#,
            "message.chat.role has a wrong value."
        ),
        (
            #"{"messageType":"chat","chat":{"id":"c","role":"user","content":"","timestamp":"2026-11-20T23:25:51Z","partial":true}}"#,
            "message.chat.offset is missing."
        ),
        (
            #"{"messageType":"chat","chat":{"id":"c","role":"user","content":"","timestamp":"2026-11-20T23:25:51Z","partial":true,"offset":-1}}"#,
            "message.chat.offset has a wrong value."
        ),
        (#"{"messageType":"tool_use","toolUse":[]}"#, "message.toolUse is not an object."),
    ])
    func aBadMessageIsRefusedWithItsField(_ message: String, _ problem: String) {
        do throws(FieldError) {
            _ = try ServerFrame(
                text: #"{"type":"cli_output","sessionId":"s","timestamp":"2026-11-20T23:25:51Z","message":\#(message)}"#)
            Issue.record("accepted")
        } catch {
            #expect(error.description == problem)
        }
    }

    // MARK: Answers

    private func refusal(_ labels: [String], _ question: Question) -> String? { refusal(labels, nil, question) }

    private func refusal(_ labels: [String], _ input: String?, _ question: Question) -> String? {
        do throws(FieldError) {
            try PromptAnswer(sessionId: "s", promptId: "q", selectedOptions: labels, customInput: input).check(against: question)
            return nil
        } catch {
            return error.problem
        }
    }

    @Test func anAnswerHasToFitTheQuestion() {
        let one = Question("Which?", options: ["A", "B"])
        let several = Question("Which?", options: ["A", "B"], multiSelect: true)
        let free = Question("Why?")
        #expect(refusal(["A"], one) == nil)
        #expect(refusal(["C"], one) == #"contains "C", which was not offered"#)
        #expect(refusal(["a"], one) != nil)
        #expect(refusal(["A", "B"], one) == "has several labels, and the question allows one")
        #expect(refusal(["A", "B"], several) == nil)
        #expect(refusal(["A", "A"], several) == "repeats a label")
        #expect(refusal([], one) == "is empty, and there is no customInput")
        #expect(refusal([], " \n", one) != nil)
        #expect(refusal([], "another", one) == nil)
        #expect(refusal([], "because", free) == nil)
        #expect(refusal(["A"], "because", free) != nil)
        #expect(refusal(["A"], "because", one) == nil)
    }

    @Test func onlyTheTwoLabelsAllowATool() {
        func answer(_ labels: [String], _ input: String? = nil) -> PromptAnswer {
            PromptAnswer(sessionId: "s", promptId: "q", selectedOptions: labels, customInput: input)
        }
        #expect(answer(["Allow"]).allows && answer(["Allow for this session"]).allows)
        #expect(!answer(["Deny"]).allows && !answer(["Deny"], "Allow").allows && !answer([], "Allow").allows)
    }

    // MARK: Identifiers and the socket's query

    @Test func identifiersNeedNoEscape() {
        for text in ["a", "6F1C-_.z", String(repeating: "a", count: 128)] { #expect(Session.ID(text).isWireIdentifier) }
        for text in ["", ".", "..", "a b", "a:1", "a,b", "a/b", "é", "a\u{0}", String(repeating: "a", count: 129)] {
            #expect(!Session.ID(text).isWireIdentifier)
        }
    }

    private func query(_ items: [String: String]) throws(FieldError) -> SocketQuery { try SocketQuery { items[$0] } }

    @Test func theQueryOfTheSocketIsReadAndWritten() throws {
        let written = SocketQuery(connectionId: "x", name: "Ada's iPhone", after: ["s1": 0, "s2": 12])
        #expect(written.items.map(\.value) == ["x", "Ada's iPhone", "s1:0,s2:12"])
        #expect(try query(Dictionary(uniqueKeysWithValues: written.items.map { ($0.name, $0.value) })) == written)
        #expect(try query([:]) == SocketQuery())
        #expect(try query(["after": "", "name": "", "connectionId": ""]) == SocketQuery())
    }

    @Test(arguments: ["s", "s:", "s:x", "s:-1", ":1", "s:1:2", "s:1,s:2", "s 1:1", "s:99999999999999999999"])
    func aBadCursorIsRefused(_ after: String) {
        #expect(throws: FieldError.self) { try query(["after": after]) }
    }

    @Test func fiftyCursorsAreAccepted() throws {
        let pairs = (1...51).map { "s\($0):1" }
        #expect(try query(["after": pairs.dropLast().joined(separator: ",")]).after.count == 50)
        #expect(throws: FieldError.self) { try query(["after": pairs.joined(separator: ",")]) }
    }

    @Test func aNameIsOneLineOfReadableCharacters() throws {
        #expect(try query(["name": " Ada's\n\u{202e}iPhone\u{0} 👩‍👩‍👧 "]).name == "Ada's iPhone 👩‍👩‍👧")
        #expect(try query(["name": "\n\u{7}"]).name == nil)
        #expect(try query(["name": String(repeating: "a", count: 100)]).name?.count == 64)
        #expect(throws: FieldError.self) { try query(["connectionId": "a b"]) }
    }

    @Test func jsonNestedTooDeeplyIsRefused() {
        let deep = String(repeating: "[", count: 100_000)
        #expect(refusal(deep) == "The message is nested too deeply.")
        #expect(refusal(#"{"type":"presence","active":true,"a":"\#("\u{0}")"}"#) == "The message is not JSON.")
    }
}
