import Foundation
import TestKit
import Testing

@testable import WireKit

/// Bytes from a peer never trap. They are refused with the documented errors, or survive re-encoding.
@Suite(.seeded) struct FuzzTests {
    @Test func valuesSurviveReencoding() async throws {
        let corpus = [
            #"{"a":[1,-2,3.5,1e20,true,false,null,"x\n\u00e9/😀"],"b":{"c":{"d":[]}}}"#, #"[[[[[]]]],{},"",0]"#, #""text""#, "-12.5",
        ]
        try await fuzz(corpus.map { Data($0.utf8) }, count: Effort.count(25_000, soak: 250_000)) { input in
            let value: JSONValue
            do {
                value = try WireJSON.decode(from: input)
            } catch let error where error is WireJSONError || error is DecodingError {
                return
            }
            #expect(Self.depth(value) <= WireJSON.maximumDepth)
            try #require(try Self.sentOn(value) == value)
        }
    }

    private static func sentOn(_ value: JSONValue) throws -> JSONValue { try WireJSON.decode(from: WireJSON.encode(value)) }

    /// Found by fuzzing: fractions that exceed the precision of a `Double`.
    @Test(arguments: [
        "-9007199254740993.5555555555555", "4503599627370497.75", "9223372036854775807.5", "1e18", "-9223372036854775808.0",
    ])
    func numbersKeepTheirKind(_ text: String) throws {
        let value = try WireJSON.decode(JSONValue.self, from: Data(text.utf8))
        #expect(try Self.sentOn(value) == value)
    }

    private static func depth(_ value: JSONValue) -> Int {
        switch value {
        case .array(let values): 1 + (values.map(depth).max() ?? 0)
        case .object(let fields): 1 + (fields.values.map(depth).max() ?? 0)
        default: 0
        }
    }

    @Test func timesSurviveReencoding() async throws {
        let corpus = [
            "2026-11-20T23:25:51.861Z", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999999+14:00", "1969-12-31T23:59:59.9Z",
        ]
        try await fuzz(corpus.map { Data($0.utf8) }, count: Effort.count(10_000, soak: 100_000)) { input in
            guard let time = Timestamp(String(decoding: input, as: UTF8.self)) else { return }
            try #require(Timestamp.earliest <= time && time <= .latest)
            try #require(Timestamp(time.description) == time)
        }
    }

    @Test func anyTextIsOnePathSegment() async throws {
        let endpoint = Endpoint<NoBody, NoBody>(.get, "/api/friends/:friendId/x")
        try await fuzz([Data("ä/b c%2f?#&=:friendId".utf8)], count: Effort.count(3000, soak: 30_000)) { input in
            let text = String(decoding: input, as: UTF8.self)
            let segments = endpoint.path(["friendId": text]).split(separator: "/", omittingEmptySubsequences: false)
            try #require(segments.count == 5)
            try #require(Self.decoded(segments[3]) == Array(text.utf8))
            try #require(segments[3].utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f && !"?#".utf8.contains($0) })
        }
    }

    /// Decodes byte by byte; Foundation's decoder would drop a byte order mark.
    private static func decoded(_ segment: Substring) -> [UInt8] {
        segment.split(separator: "%", omittingEmptySubsequences: false).enumerated().flatMap { number, part in
            number == 0 ? Array(part.utf8) : [UInt8(part.prefix(2), radix: 16) ?? 0] + Array(part.dropFirst(2).utf8)
        }
    }
}
