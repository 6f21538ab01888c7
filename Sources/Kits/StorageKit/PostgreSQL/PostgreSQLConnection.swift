import CPostgreSQL
import Foundation

/// A connection to PostgreSQL, for one thread at a time.
final class PostgreSQLConnection: Session {
    private struct Statement {
        var name: String
        var parameterCount: Int
    }

    /// A failure of a statement, or of the connection.
    struct Failure {
        /// PostgreSQL's error code. Nil for a lost connection.
        var state: String?
        var error: StorageError

        /// True if the same transaction may succeed: other writes were in its way, or the connection was lost before its end. A unique key that
        /// exists (23505) is one that another transaction has inserted since this one looked, unless it comes again.
        var isTransient: Bool {
            error.code == .unavailable || error.code == .conflict
                || state.map { ["23505", "0A000", "26000"].contains($0) } ?? false
        }
    }

    private let connection: OpaquePointer
    /// By the text for SQLite.
    private var statements: [String: Statement] = [:]
    /// The first failure of a statement in the current transaction, which refuses everything after it.
    private(set) var failure: Failure?

    var isUsable: Bool { PQstatus(connection) == CONNECTION_OK }
    var socket: Int32 { PQsocket(connection) }

    /// - Throws: ``StorageError``, `unavailable` when no server answers.
    init(_ address: PostgreSQLAddress) throws(StorageError) {
        var problem: UnsafeMutablePointer<CChar>?
        let parts = PQconninfoParse(address.url, &problem)
        defer {
            PQconninfoFree(parts)
            PQfreemem(problem)
        }
        // Its message repeats the address, which may have a password.
        if parts == nil { throw StorageError(code: .unusable, description: "The address of PostgreSQL is none") }
        let settings = [
            ("connect_timeout", "5"), ("application_name", "switchboard \(address.schema)"), ("tcp_user_timeout", "10000"),
            ("keepalives_idle", "10"),
            ("keepalives_interval", "5"), ("keepalives_count", "3"),
            // The address overrides the settings above it.
            ("dbname", address.url), ("client_encoding", "UTF8"), ("options", Self.options(address)),
        ]
        connection = Self.connect(settings)
        PQsetNoticeProcessor(connection, { _, _ in }, nil)
        guard isUsable else {
            let reason = String(cString: PQerrorMessage(connection)).split(separator: "\n").joined(separator: "; ")
            throw StorageError(
                code: Self.isWrong(reason) ? .unusable : .unavailable, description: "Cannot use PostgreSQL: \(reason)")
        }
        let version = PQserverVersion(connection)
        guard version >= 150_000 else {
            throw StorageError(code: .unusable, description: "PostgreSQL \(version / 10_000) is too old: 15 or newer is needed")
        }
        let encoding = PQparameterStatus(connection, "server_encoding").map { String(cString: $0) }
        guard encoding == "UTF8" else {
            throw StorageError(
                code: .unusable, description: "The database has the encoding \(encoding ?? "?"): create one with UTF8")
        }
    }

    deinit { PQfinish(connection) }

    private static func connect(_ settings: [(String, String)]) -> OpaquePointer {
        let (keys, values) = (settings.map { strdup($0.0) }, settings.map { strdup($0.1) })
        defer { (keys + values).forEach { free($0) } }
        let pointers = { (texts: [UnsafeMutablePointer<CChar>?]) in texts.map { UnsafePointer($0) } + [nil] }
        guard let connection = PQconnectdbParams(pointers(keys), pointers(values), 1) else { fatalError("There is no memory left") }
        return connection
    }

    /// A server that a program stopped in a transaction must not keep its locks; a commit that was answered is on disk.
    private static func options(_ address: PostgreSQLAddress) -> String {
        let settings = [
            "search_path=\(address.schema)", "idle_in_transaction_session_timeout=10s", "lock_timeout=20s", "statement_timeout=60s",
            "synchronous_commit=on", "bytea_output=hex", "standard_conforming_strings=on",
        ]
        return settings.map { "-c \($0)" }.joined(separator: " ")
    }

    /// True for a failure to connect that waiting does not mend: the server knows no such name, password or database. libpq has only words for it.
    private static func isWrong(_ reason: String) -> Bool {
        ["authentication failed", "does not exist", "no pg_hba.conf entry", "no password supplied"].contains { reason.contains($0) }
    }

    // MARK: Statements

    func query<Result>(
        _ sql: String, _ arguments: [(any SQLValue)?], isLong: Bool = false, _ body: (any RowCursor) throws -> Result
    ) throws -> Result {
        if !isLong { return try body(run(sql, arguments)) }
        // A result comes whole, and one of texts can have a gigabyte: a cursor gives it in parts.
        _ = try run("DECLARE rows NO SCROLL CURSOR FOR \(sql)", arguments)
        let result = try body(FetchedRows(connection: self))
        try plain("CLOSE rows")
        return result
    }

    func execute(_ sql: String, _ arguments: [(any SQLValue)?]) throws -> Int { try run(sql, arguments).changedCount }

    func execute(script: String) throws { try plain(SQLTranslation.script(script)) }

    /// Runs statements of PostgreSQL without arguments, in one message.
    @discardableResult
    func plain(_ sql: String) throws -> PostgreSQLResult { try checked(PQexec(connection, sql), sql) }

    fileprivate func run(_ sql: String, _ arguments: [(any SQLValue)?]) throws -> PostgreSQLResult {
        let statement = try prepared(sql)
        guard statement.parameterCount == arguments.count else {
            throw note(
                Failure(
                    error: StorageError(
                        code: .unusable,
                        description: "\(arguments.count) arguments for \(statement.parameterCount) parameters: \(sql)")))
        }
        var parameters = Parameters()
        for argument in arguments { parameters.append(argument?.columnValue ?? .null) }
        let result = parameters.withPointers { values, lengths, formats in
            PQexecPrepared(connection, statement.name, Int32(arguments.count), values, lengths, formats, 1)
        }
        return try checked(result, sql)
    }

    private func prepared(_ sql: String) throws -> Statement {
        if let statement = statements[sql] { return statement }
        let (text, count) = SQLTranslation.statement(sql)
        let statement = Statement(name: "s\(statements.count)", parameterCount: count)
        _ = try checked(PQprepare(connection, statement.name, text, 0, nil), sql)
        statements[sql] = statement
        return statement
    }

    private func checked(_ pointer: OpaquePointer?, _ sql: String) throws -> PostgreSQLResult {
        guard let pointer, isUsable else {
            pointer.map { PQclear($0) }
            throw note(Failure(error: StorageError(code: .unavailable, description: "The connection to PostgreSQL was lost")))
        }
        let result = PostgreSQLResult(pointer, sql: sql)
        guard result.isFailure else { return result }
        throw note(Failure(state: result.errorState, message: result.errorMessage, sql: sql))
    }

    private func note(_ new: Failure) -> StorageError {
        if failure == nil { failure = new }
        return new.error
    }

    // MARK: Transactions

    /// - Parameter script: Begins a transaction.
    func begin(_ script: String) throws {
        failure = nil
        try plain(script)
    }

    /// - Returns: True if the transaction is on disk, false if it is not; nil if the connection was lost on the way.
    func commit() throws -> Bool? {
        if let failure { throw failure.error }
        do {
            return try plain("COMMIT").commandTag == "COMMIT"
        } catch {
            if !isUsable { return nil }
            throw error
        }
    }

    func rollback() {
        guard isUsable else { return }
        let result = PQexec(connection, "ROLLBACK")
        PQclear(result)
        // After a change of the schema, a statement's result has another shape.
        if let state = failure?.state, state == "0A000" || state == "26000" {
            PQclear(PQexec(connection, "DEALLOCATE ALL"))
            statements = [:]
        }
    }

    // MARK: Notifications

    /// The payloads that have arrived. Nil if the connection is lost.
    func notifications() -> [String]? {
        guard PQconsumeInput(connection) == 1 else { return nil }
        var payloads: [String] = []
        while let notification = PQnotifies(connection) {
            payloads.append(String(cString: notification.pointee.extra))
            PQfreemem(notification)
        }
        return payloads
    }
}

/// The rows of the cursor `rows`, of which each part has twice as many as the one before.
private final class FetchedRows: RowCursor {
    private let connection: PostgreSQLConnection
    private var part: PostgreSQLResult?
    private var count = 4

    init(connection: PostgreSQLConnection) { self.connection = connection }

    func next() throws -> Row? {
        if let row = part?.next() { return row }
        if part.map({ $0.rowCount < count / 2 }) ?? false { return nil }
        let next = try connection.run("FETCH \(count) FROM rows", [])
        count *= 2
        part = next
        return next.next()
    }
}

extension PostgreSQLConnection.Failure {
    fileprivate init(state: String?, message: String?, sql: String) {
        let state = state ?? ""
        let code: StorageError.Code =
            switch state {
            case "53100": .full
            case "40001", "40P01", "55P03", "57014": .conflict
            case "57P01", "57P02", "57P03", "53300", "25P03": .unavailable
            case _ where state.hasPrefix("08"): .unavailable
            case _ where state.hasPrefix("XX00") && state != "XX000": .damaged
            default: .unusable
            }
        // The message of a value that is none (class 22) repeats the value, which may be private.
        let reason = state.hasPrefix("22") ? "a value that does not fit" : message ?? "an unknown error"
        self.init(state: state, error: StorageError(code: code, description: "PostgreSQL error \(state): \(reason) - \(sql)"))
    }
}

/// Arguments as libpq takes them: numbers and texts in their text form, bytes as they are.
private struct Parameters {
    private var buffer: [UInt8] = []
    private var offsets: [Int?] = []
    private var lengths: [Int32] = []
    private var formats: [Int32] = []

    mutating func append(_ value: ColumnValue) {
        switch value {
        case .null: add(nil, isBinary: false)
        case .integer(let value): add(Array("\(value)".utf8) + [0], isBinary: false)
        case .real(let value): add(Array("\(value)".utf8) + [0], isBinary: false)
        case .text(let text): add(Array(StoredText.encoded(text).utf8) + [0], isBinary: false)
        case .blob(let data): add(Array(data), isBinary: true)
        }
    }

    private mutating func add(_ bytes: [UInt8]?, isBinary: Bool) {
        offsets.append(bytes == nil ? nil : buffer.count)
        lengths.append(Int32(clamping: bytes?.count ?? 0))
        formats.append(isBinary ? 1 : 0)
        buffer += bytes ?? []
        // An empty value at the end needs an address too.
        if isBinary { buffer.append(0) }
    }

    func withPointers<Result>(_ body: ([UnsafePointer<CChar>?], [Int32], [Int32]) -> Result) -> Result {
        buffer.withUnsafeBufferPointer { buffer in
            let start = buffer.baseAddress.map { UnsafeRawPointer($0) }
            let values = offsets.map { offset in offset.flatMap { start?.advanced(by: $0).assumingMemoryBound(to: CChar.self) } }
            return body(values, lengths, formats)
        }
    }
}
