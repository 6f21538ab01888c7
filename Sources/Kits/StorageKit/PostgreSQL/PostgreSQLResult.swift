import CPostgreSQL
import Foundation

/// The result of a statement, in PostgreSQL's binary formats.
final class PostgreSQLResult: RowSource, RowCursor {
    private let result: OpaquePointer
    let sql: String
    let columnNames: [String]
    /// From 0. -1 before the first row.
    private var row: Int32 = -1

    /// Takes ownership of a `PGresult`.
    init(_ result: OpaquePointer, sql: String) {
        self.result = result
        self.sql = sql
        columnNames = (0..<PQnfields(result)).map { String(cString: PQfname(result, $0)) }
    }

    deinit { PQclear(result) }

    var isFailure: Bool { ![PGRES_COMMAND_OK, PGRES_TUPLES_OK].contains(PQresultStatus(result)) }

    /// `COMMIT`, `INSERT 0 1`, …
    var commandTag: String { String(cString: PQcmdStatus(result)) }

    var rowCount: Int { Int(PQntuples(result)) }

    /// The number of rows that the statement changed.
    var changedCount: Int { Int(String(cString: PQcmdTuples(result))) ?? 0 }

    /// Five characters. PostgreSQL's manual, appendix *Error Codes*. Nil when the server sent none: the connection is lost.
    var errorState: String? { PQresultErrorField(result, 0x43).map { String(cString: $0) } }

    /// Without the details, which have values.
    var errorMessage: String? { PQresultErrorField(result, 0x4D).map { String(cString: $0) } }

    func next() -> Row? {
        row += 1
        return row < PQntuples(result) ? Row(self) : nil
    }

    func columnValue(at index: Int) -> ColumnValue {
        let column = Int32(index)
        guard PQgetisnull(result, row, column) == 0, let value = PQgetvalue(result, row, column) else { return .null }
        let bytes = UnsafeRawBufferPointer(start: value, count: Int(PQgetlength(result, row, column)))
        return ColumnValue(bytes, type: PQftype(result, column))
    }
}

extension ColumnValue {
    /// - Parameter type: The number of the type in `pg_type`.
    fileprivate init(_ bytes: UnsafeRawBufferPointer, type: Oid) {
        func integer<Value: FixedWidthInteger>(_ type: Value.Type) -> Value {
            Value(bigEndian: bytes.loadUnaligned(as: Value.self))
        }
        switch (type, bytes.count) {
        case (16, 1): self = .integer(bytes[0] == 0 ? 0 : 1)  // bool
        case (20, 8): self = .integer(integer(Int64.self))  // int8
        case (21, 2): self = .integer(Int64(integer(Int16.self)))  // int2
        case (23, 4): self = .integer(Int64(integer(Int32.self)))  // int4
        case (700, 4): self = .real(Double(Float(bitPattern: integer(UInt32.self))))  // float4
        case (701, 8): self = .real(Double(bitPattern: integer(UInt64.self)))  // float8
        case (1700, 8...): self = Self.numeric(bytes)
        case (17, _): self = .blob(Data(bytes))  // bytea
        default: self = .text(StoredText.decoded(String(decoding: bytes, as: UTF8.self)))
        }
    }

    /// A decimal number, such as the sum of a column of integers: its sign, the power of the first digit, and digits to the base 10,000.
    /// `numeric_send` in PostgreSQL's `numeric.c`.
    private static func numeric(_ bytes: UnsafeRawBufferPointer) -> ColumnValue {
        let words = stride(from: 0, to: bytes.count - 1, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
        let (power, sign, digits) = (Int(Int16(bitPattern: words[1])), words[2], words.dropFirst(4))
        guard sign == 0 || sign == 0x4000 else { return .real(.nan) }
        var whole: Int64? = 0
        if digits.count > power + 1 { whole = nil }
        for place in 0..<max(0, power + 1) {
            let digit = place < digits.count ? Int64(digits[digits.startIndex + place]) : 0
            whole = whole.flatMap { value in
                let (product, overflow) = value.multipliedReportingOverflow(by: 10_000)
                let (sum, second) = product.addingReportingOverflow(digit)
                return overflow || second ? nil : sum
            }
        }
        if let whole { return .integer(sign == 0 ? whole : -whole) }
        let value = digits.enumerated().reduce(0.0) { $0 + Double($1.element) * pow(10_000, Double(power - $1.offset)) }
        return .real(sign == 0 ? value : -value)
    }
}
