public import Foundation
public import WireKit

/// The value of a column, as a database stores it.
public enum ColumnValue: Hashable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob(Data)
}

/// A Swift value that a column stores: numbers, texts, bytes, and types represented by one of those.
///
/// A type with a raw value only declares the conformance: `extension User.Status: SQLValue {}`.
public protocol SQLValue: RowDecodable {
    var columnValue: ColumnValue { get }
    /// - Returns: nil when the column holds a value of another type, or one that this type does not have.
    init?(_ columnValue: ColumnValue)
}

extension SQLValue {
    /// Decodes the first column.
    public init(row: Row) throws { self = try row.value(at: 0) }
}

extension Int64: SQLValue {
    public var columnValue: ColumnValue { .integer(self) }
    public init?(_ columnValue: ColumnValue) {
        guard case .integer(let value) = columnValue else { return nil }
        self = value
    }
}

extension Int: SQLValue {
    public var columnValue: ColumnValue { .integer(Int64(self)) }
    public init?(_ columnValue: ColumnValue) {
        guard case .integer(let value) = columnValue, let exact = Int(exactly: value) else { return nil }
        self = exact
    }
}

extension Double: SQLValue {
    public var columnValue: ColumnValue { .real(self) }
    public init?(_ columnValue: ColumnValue) {
        guard case .real(let value) = columnValue else { return nil }
        self = value
    }
}

/// Stored as 0 or 1.
extension Bool: SQLValue {
    public var columnValue: ColumnValue { .integer(self ? 1 : 0) }
    public init?(_ columnValue: ColumnValue) {
        switch columnValue {
        case .integer(0): self = false
        case .integer(1): self = true
        default: return nil
        }
    }
}

extension String: SQLValue {
    public var columnValue: ColumnValue { .text(self) }
    public init?(_ columnValue: ColumnValue) {
        guard case .text(let value) = columnValue else { return nil }
        self = value
    }
}

extension Data: SQLValue {
    public var columnValue: ColumnValue { .blob(self) }
    public init?(_ columnValue: ColumnValue) {
        guard case .blob(let value) = columnValue else { return nil }
        self = value
    }
}

extension Optional: RowDecodable where Wrapped: SQLValue {}

extension Optional: SQLValue where Wrapped: SQLValue {
    public var columnValue: ColumnValue { self?.columnValue ?? .null }
    public init?(_ columnValue: ColumnValue) {
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
    public var columnValue: ColumnValue { rawValue.columnValue }
    public init?(_ columnValue: ColumnValue) {
        guard let rawValue = RawValue(columnValue) else { return nil }
        self.init(rawValue: rawValue)
    }
}

extension Identifier: SQLValue {}

/// Stored as milliseconds since 1970, UTC.
extension Timestamp: SQLValue {
    public var columnValue: ColumnValue { .integer(milliseconds) }
    public init?(_ columnValue: ColumnValue) {
        guard case .integer(let value) = columnValue else { return nil }
        self.init(milliseconds: value)
    }
}
