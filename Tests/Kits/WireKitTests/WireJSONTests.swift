import Foundation
import Testing
import WireKit

@Suite struct WireJSONTests {
    private struct Named: Codable, Equatable {
        @Nullable var name: String?
        var age: Int?
    }

    @Test func absentNullableIsEncodedAsNull() throws {
        #expect(String(decoding: try WireJSON.encode(Named(name: nil)), as: UTF8.self) == #"{"name":null}"#)
    }

    @Test(arguments: ["{}", #"{"name":null}"#]) func missingOrNullNullableDecodesAsNil(_ json: String) throws {
        #expect(try WireJSON.decode(Named.self, from: Data(json.utf8)) == Named(name: nil))
    }

    @Test func keysAreSortedAndSlashesUnescaped() throws {
        #expect(String(decoding: try WireJSON.encode(["b": "/", "a": "ü"]), as: UTF8.self) == #"{"a":"ü","b":"/"}"#)
    }

    @Test func valuesOfEveryKindSurviveARoundTrip() throws {
        let json = #"[null,true,0,-7,9007199254740993,1.5,"ü\n",{"k":[]}]"#
        let value = try WireJSON.decode(JSONValue.self, from: Data(json.utf8))

        #expect(
            value
                == .array([
                    .null, .bool(true), .integer(0), .integer(-7), .integer(9_007_199_254_740_993), .number(1.5), .string("ü\n"),
                    .object(["k": .array([])]),
                ]))
        #expect(try WireJSON.decode(JSONValue.self, from: WireJSON.encode(value)) == value)
    }

    @Test func nestingBeyondTheLimitIsRefused() throws {
        func nested(_ depth: Int) -> Data {
            Data((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
        }

        #expect(throws: Never.self) { try WireJSON.decode(JSONValue.self, from: nested(WireJSON.maximumDepth)) }
        #expect(throws: WireJSONError.tooDeep) { try WireJSON.decode(JSONValue.self, from: nested(WireJSON.maximumDepth + 1)) }
        #expect(throws: WireJSONError.tooDeep) { try WireJSON.decode(JSONValue.self, from: nested(1_000_000)) }
    }

    @Test func commasInStringsAndBetweenValuesAreAccepted() throws {
        #expect(
            try WireJSON.decode(JSONValue.self, from: Data(#"[",]", 1 , {"a,}":","}]"#.utf8))
                == .array([.string(",]"), .integer(1), .object(["a,}": .string(",")])]))
    }

    @Test func bracketsInStringsDoNotCountAsNesting() throws {
        let text = String(repeating: "[\\\"{", count: 100)
        #expect(throws: Never.self) { try WireJSON.decode(JSONValue.self, from: Data("\"\(text)\"".utf8)) }
    }

    @Test(
        arguments: [
            [0x22, 0xff, 0x22], [0x22, 0xc3, 0x22], [0x22, 0xed, 0xa0, 0x80, 0x22], [0x7b, 0x00, 0x7d, 0x00],
            [0xff, 0xfe, 0x7b, 0x00],
        ] as [[UInt8]])
    func invalidUTF8IsRefused(_ bytes: [UInt8]) {
        #expect(throws: WireJSONError.notUTF8) { try WireJSON.decode(JSONValue.self, from: Data(bytes)) }
    }

    @Test(arguments: [
        "", "{", "{}x", "nul", "[1,]", "[1, \n]", #"{"a":1,}"#, "[,]", #"{"a":}"#, #""\ud800""#, "'a'", "01", "1e999",
    ]) func invalidJSONIsRefused(
        _ text: String
    ) {
        #expect(throws: (any Error).self) { try WireJSON.decode(JSONValue.self, from: Data(text.utf8)) }
    }
}
