package import Foundation
package import WireKit

/// The value of a column, as a database stores it.
package enum ColumnValue: Hashable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob(Data)
}

/// A Swift value that a column stores: numbers, texts, bytes, and types represented by one of those.
///
/// A type with a raw value only declares the conformance: `extension User.Status: SQLValue {}`.
package protocol SQLValue: RowDecodable {
    var columnValue: ColumnValue { get }
    /// - Returns: nil when the column holds a value of another type, or one that this type does not have.
    init?(_ columnValue: ColumnValue)
}

extension SQLValue {
    /// Decodes the first column.
    package init(row: Row) throws { self = try row.value(at: 0) }
}

extension Int64: SQLValue {
    package var columnValue: ColumnValue { .integer(self) }
    package init?(_ columnValue: ColumnValue) {
        guard case .integer(let value) = columnValue else { return nil }
        self = value
    }
}

extension Int: SQLValue {
    package var columnValue: ColumnValue { .integer(Int64(self)) }
    package init?(_ columnValue: ColumnValue) {
        guard case .integer(let value) = columnValue, let exact = Int(exactly: value) else { return nil }
        self = exact
    }
}

extension Double: SQLValue {
    package var columnValue: ColumnValue { .real(self) }
    package init?(_ columnValue: ColumnValue) {
        guard case .real(let value) = columnValue else { return nil }
        self = value
    }
}

/// Stored as 0 or 1.
extension Bool: SQLValue {
    package var columnValue: ColumnValue { .integer(self ? 1 : 0) }
    package init?(_ columnValue: ColumnValue) {
        switch columnValue {
        case .integer(0): self = false
        case .integer(1): self = true
        default: return nil
        }
    }
}

extension String: SQLValue {
    package var columnValue: ColumnValue { .text(self) }
    package init?(_ columnValue: ColumnValue) {
        guard case .text(let value) = columnValue else { return nil }
        self = value
    }
}

extension Data: SQLValue {
    package var columnValue: ColumnValue { .blob(self) }
    package init?(_ columnValue: ColumnValue) {
        guard case .blob(let value) = columnValue else { return nil }
        self = value
    }
}

extension Optional: RowDecodable where Wrapped: SQLValue {}

extension Optional: SQLValue where Wrapped: SQLValue {
    package var columnValue: ColumnValue { self?.columnValue ?? .null }
    package init?(_ columnValue: ColumnValue) {
        if columnValue == .null {
            self = .none
        } else if let value = Wrapped(columnValue) {
            self = .some(value)
        } else {
            return nil
        }
    }
}

extension RawRepresentable where Self: SQLValue, RawValue: SQLValue {
    package var columnValue: ColumnValue { rawValue.columnValue }
    package init?(_ columnValue: ColumnValue) {
        guard let rawValue = RawValue(columnValue) else { return nil }
        self.init(rawValue: rawValue)
    }
}

extension Identifier: SQLValue {}

/// Stored as milliseconds since 1970, UTC.
extension Timestamp: SQLValue {
    package var columnValue: ColumnValue { .integer(milliseconds) }
    package init?(_ columnValue: ColumnValue) {
        guard case .integer(let value) = columnValue else { return nil }
        self.init(milliseconds: value)
    }
}
