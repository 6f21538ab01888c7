import Foundation
import TestKit
import Testing

@testable import WireKit

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

@Suite(.seeded) struct JSONReaderTests {
    /// The CPU time of this thread, so that other work does not count.
    private func time(_ work: () throws -> Void) rethrows -> Double {
        func now() -> Double {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        }
        let start = now()
        try work()
        return now() - start
    }

    private struct Frame: Decodable {
        var name: String
        var v: JSONValue
    }

    /// A regression: a body of 64 KiB took seconds, because the cost of each failed type attempt grew with the depth.
    @Test func deepValuesCostNoMoreThanFlatOnes() throws {
        let items = Array(repeating: "1", count: 20_000).joined(separator: ",")
        let flat = "[\(items)]"
        let deep = String(repeating: "[", count: 60) + items + String(repeating: "]", count: 60)
        for make in [{ $0 }, { #"{"name":"n","v":\#($0)}"# }] as [(String) -> String] {
            let (first, second) = (Data(make(flat).utf8), Data(make(deep).utf8))
            func read(_ data: Data) throws {
                if data.first == UInt8(ascii: "{") {
                    _ = try WireJSON.decode(Frame.self, from: data)
                } else {
                    _ = try WireJSON.decode(JSONValue.self, from: data)
                }
            }
            try read(first)
            let usual = try time { try read(first) }
            let worst = try time { try read(second) }
            #expect(worst < usual * 8 + 0.02, "\(worst) s, flat \(usual) s")
        }
    }

    @Test func embeddedValuesAreDecodedUnchanged() throws {
        struct Deep: Decodable, Equatable {
            struct Item: Decodable, Equatable {
                var value: JSONValue
                var others: [String: JSONValue]
            }
            var items: [Item]
            var maybe: JSONValue?
            var list: [JSONValue]
        }
        let json =
            #"{"items":[{"value":1,"others":{}},{"value":{"a":[true]},"others":{"0":"x","é":null}}],"maybe":null,"list":[[],2.5]}"#
        let read = try WireJSON.decode(Deep.self, from: Data(json.utf8))
        #expect(
            read
                == Deep(
                    items: [
                        .init(value: .integer(1), others: [:]),
                        .init(value: .object(["a": .array([.bool(true)])]), others: ["0": .string("x"), "é": .null]),
                    ], maybe: nil, list: [.array([]), .number(2.5)]))
    }

    /// Foundation truncates numbers that exceed the precision of a `Double`, where this reader rounds.
    private static func isSame(_ a: JSONValue, _ b: JSONValue) -> Bool {
        switch (a, b) {
        case (.array(let a), .array(let b)): a.count == b.count && zip(a, b).allSatisfy(isSame)
        case (.object(let a), .object(let b)):
            a.count == b.count && a.allSatisfy { key, value in b[key].map { isSame(value, $0) } ?? false }
        case (.integer(let a), .number(let b)), (.number(let b), .integer(let a)): Double(a) == b
        case (.integer(let a), .integer(let b)): a == b || abs(Double(a) - Double(b)) <= Double(a).ulp && Double(a).ulp > 1
        default: a == b
        }
    }

    /// The reference is Foundation's decoder, which tries one type after another.
    @Test func agreesWithFoundation() async throws {
        let corpus = [
            #"{"a":[1,-2,3.5,1e20,true,false,null,"x\n\u00e9/😀"],"b":{"c":{"d":[]}}}"#, #"[[[[[]]]],{},"",0]"#,
            #""\ud83d\ude00\u0000\"\\\/""#,
            "-12.5e-3", #"{"a":1,"a":2,"":{}}"#, " [ 1 , 2 ] ", "9223372036854775807", "-9223372036854775808",
            "18446744073709551616",
        ]
        try await fuzz(corpus.map { Data($0.utf8) }, count: Effort.count(20_000, soak: 200_000)) { input in
            guard !input.contains(0), String(data: input, encoding: .utf8) != nil else { return }
            guard let own = try? WireJSON.decode(JSONValue.self, from: input) else { return }
            // Everything that this reader accepts, Foundation accepts with the same value.
            try #require(Self.isSame(try JSONDecoder().decode(JSONValue.self, from: input), own))
        }
        for text in corpus { #expect(throws: Never.self) { try WireJSON.decode(JSONValue.self, from: Data(text.utf8)) } }
    }

    @Test(arguments: [
        #""\ud800""#, #""\udc00""#, #""\ud800\u0041""#, #""\u12g4""#, #""\x""#, "\"\n\"", "+1", "-", "1.", ".5", "1e", "1e+", "0x1",
        "00", "-01", "nul",
        "tru", "[1 2]", #"{"a" 1}"#, "{1:2}", #"{"a":1 "b":2}"#, #"""#, "[", "{", #"{"a""#, "NaN", "Infinity", "1e999", "-1e999",
        "[]]", "{}{}",
    ]) func invalidJSONIsRefused(_ text: String) {
        #expect(throws: (any Error).self) { try WireJSON.decode(JSONValue.self, from: Data(text.utf8)) }
    }
}
