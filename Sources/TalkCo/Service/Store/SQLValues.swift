import Foundation
import StorageKit
package import TalkCoWire
import WireKit

// Wire types that columns store by their raw values.

extension Session.Status: SQLValue {}
extension Session.Mode: SQLValue {}
extension CEFRLevel: SQLValue {}

extension Encodable {
    /// The JSON of a column.
    var columnText: String {
        get throws { String(decoding: try WireJSON.encode(self), as: UTF8.self) }
    }
}

extension Row {
    /// Decodes a column that contains JSON; nil when it is null.
    func json<Value: Decodable>(_ column: String, as _: Value.Type = Value.self) throws -> Value? {
        guard let text = try get(column, as: String?.self) else { return nil }
        return try WireJSON.decode(Value.self, from: Data(text.utf8))
    }
}
