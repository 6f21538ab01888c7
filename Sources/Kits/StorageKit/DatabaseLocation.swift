package import Foundation

/// The place of a service's database.
package enum DatabaseLocation: Hashable, Sendable {
    /// A file of SQLite on this machine.
    case file(URL)
    case postgreSQL(PostgreSQLAddress)
}

extension DatabaseLocation {
    /// True for a text that names a database of PostgreSQL, and not a file.
    package static func isPostgreSQL(_ text: String) -> Bool {
        ["postgresql://", "postgres://"].contains { text.lowercased().hasPrefix($0) }
    }
}

/// A schema of a PostgreSQL database.
package struct PostgreSQLAddress: Hashable, Sendable {
    /// A connection URI, `postgresql://user:password@host:port/database?parameter=value`. PostgreSQL's manual, *libpq*, *Connection Strings*.
    var url: String
    /// Each service has a schema of its own.
    var schema: String

    /// - Parameter schema: Lower-case letters, digits and underscores.
    package init(url: String, schema: String) { (self.url, self.schema) = (url, schema) }
}
