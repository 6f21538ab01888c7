import Foundation
import Testing
import WireKit

/// Fuzzes a wire type: any input that decodes must survive encoding and decoding unchanged, and no input may crash.
///
/// - Parameters:
///   - corpus: JSON that decodes, at least one.
///   - count: The number of inputs; ten times as many in a soak.
/// - Throws: ``FuzzFinding``.
package func expectSame<Value: Codable & Equatable>(
    _: Value.Type, _ corpus: [String], count: Int = 2000, file: String = #fileID, test: String = #function
) async throws {
    try await fuzz(
        corpus.map { Data($0.utf8) }, count: Effort.count(count, soak: 10 * count), file: file, test: "\(test)-\(Value.self)"
    ) { input in
        let value: Value
        do {
            value = try WireJSON.decode(from: input)
        } catch let error where error is WireJSONError || error is DecodingError {
            return
        }
        try #require(try WireJSON.decode(Value.self, from: WireJSON.encode(value)) == value)
    }
}
