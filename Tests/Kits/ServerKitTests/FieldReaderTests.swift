import Foundation
import Testing
import WireKit

@testable import ServerKit

@Suite struct FieldReaderTests {
    private func reader(_ json: String) throws -> FieldReader { try FieldReader(parsing: Data(json.utf8)) }

    @Test func allErrorsAreReportedInReadingOrder() throws {
        var fields = try reader(#"{"to":5,"body":"","sim":3}"#)
        _ = fields.integer("to_device_id")
        _ = fields.string("to")
        _ = fields.string("body", length: 1...10)
        _ = fields.integer("sim", in: 1...2)

        let errors = #expect(throws: FieldErrors.self) { try fields.finish() }
        #expect(
            errors?.issues.map(\.kind) == [
                .missing, .wrongType(expected: "string"), .wrongLength(allowed: 1...10), .outOfRange(allowed: 1...2),
            ])
        #expect(errors?.issues.map(\.field) == ["to_device_id", "to", "body", "sim"])
        #expect(errors?.issues[0].message == "to_device_id is required")
    }

    @Test func validFieldsAreReadAndUnknownFieldsIgnored() throws {
        var fields = try reader(#"{"a":"é","n":2.0,"more":[]}"#)

        #expect(fields.string("a", length: 1...1) == "é")
        #expect(fields.integer("n") == 2)
        #expect(fields.optionalString("none") == nil)
        #expect(throws: Never.self) { try fields.finish() }
    }

    @Test(arguments: ["true", "\"2\"", "2.5", "null", "[2]", "99999999999999999999"]) func nonIntegersAreRefused(_ value: String)
        throws
    {
        var fields = try reader("{\"n\":\(value)}")
        _ = fields.integer("n")
        #expect(fields.issues.count == 1)
    }

    /// SQLite would truncate such a text, and PostgreSQL would refuse it.
    @Test func nullCharactersAreRefused() throws {
        var fields = try reader(#"{"a":"x\u0000y"}"#)
        _ = fields.string("a")
        #expect(fields.issues.map(\.kind) == [.containsNull])
    }

    @Test(arguments: ["", "{", "not json", "{\"a\":}", String(repeating: "[", count: 5000)]) func malformedBodiesAreRefused(
        _ text: String
    ) {
        let error = #expect(throws: BodyError.self) { try reader(text) }
        guard case .malformed = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test(arguments: ["[]", "1", "\"a\"", "null"]) func nonObjectBodiesAreRefused(_ text: String) {
        #expect(throws: BodyError.notAnObject) { try reader(text) }
    }
}

/// The body `{"text": "…"}` of the sample service.
struct SampleText: FieldDecodable {
    let text: String
    init(from fields: inout FieldReader) { text = fields.string("text") }
}
