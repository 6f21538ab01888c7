import Foundation
import TestKit
import Testing
import WireKit

@Suite(.seeded) struct JSONObjectTextTests {
    @Test func membersHaveTheirOriginalText() throws {
        let object = try JSONObjectText(#" {"a" : 1, "b":"x\"y","\u0063":[{"d":1}], "a":-2.5e3 } "#)
        #expect(object.object == ["a": .integer(1), "b": .string(#"x"y"#), "c": .array([.object(["d": .integer(1)])])])
        #expect(["a", "b", "c", "d"].map(object.text) == ["1", #""x\"y""#, #"[{"d":1}]"#, nil])
        #expect(object.replacing(["a"], with: [#""z":0"#]) == #"{"z":0,"b":"x\"y","\u0063":[{"d":1}]}"#)
        #expect(try JSONObjectText("{}").object.isEmpty)
        #expect(try JSONObjectText("{}").replacing([], with: []) == "{}")
    }

    @Test(arguments: [
        "", " ", "{", "}", #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#, #"{,}"#, #"{a:1}"#, #"{"a":1}x"#, #"{"a":01}"#, #"{"a":+1}"#,
        #"{"a":1.}"#,
        #"{"a":.5}"#, #"{"a":1e}"#, #"{"a":1e999}"#, #"{"a":tru}"#, #"{"a":nul}"#, #"{"a":"\x"}"#, #"{"a":"\u12g4"}"#,
        #"{"a":"\ud800"}"#,
        #"{"a":"\udc00"}"#, #"{"a":"\ud800\u0041"}"#, "{\"a\":\"\u{1}\"}", "{\"a\":\"\n\"}", #"{"a":"b}"#, #"{"a":[1,]}"#,
        "{\"a\":NaN}",
    ]) func invalidJSONIsRefused(_ text: String) {
        #expect(throws: WireJSONError.notJSON) { try JSONObjectText(text) }
    }

    @Test func deepNestingIsRefused() {
        let text = "{\"a\":" + String(repeating: "[", count: 64) + String(repeating: "]", count: 64) + "}"
        #expect(throws: WireJSONError.tooDeep) { try JSONObjectText(text) }
    }

    @Test(arguments: ["1", "-0.5e-3", "null", "true", #""a""#, "[]", #"[{"a":1}]"#]) func nonObjectsHaveTheirOwnError(
        _ text: String
    ) {
        #expect(throws: WireJSONError.notAnObject) { try JSONObjectText(text) }
    }

    /// Every accepted text can be read by the reader, with the same value.
    @Test func agreesWithTheReader() async throws {
        let corpus = [
            #"{"type":"command","sim":1,"body":"Gr\u00fc\u00dfe 😀 \ud83d\ude00","n":[1,-2.5,1e3,true,null,{"a":{}}],"seq":4}"#,
            #"{"a":"b\\\"/\b\f\n\r\t","c":[],"d":{},"e":9007199254740993}"#,
        ]
        try await fuzz(corpus.map { Data($0.utf8) }, count: Effort.count(8000, soak: 300_000)) { input in
            guard let text = String(validating: input, as: UTF8.self), let object = try? JSONObjectText(text) else { return }
            guard case .object(let read) = try WireJSON.decode(JSONValue.self, from: input) else { throw NoObject() }
            try #require(object.object == read)
            try #require(try WireJSON.decode(JSONValue.self, from: Data(object.replacing([], with: []).utf8)) == .object(read))
        }
    }

    private struct NoObject: Error {}
}
