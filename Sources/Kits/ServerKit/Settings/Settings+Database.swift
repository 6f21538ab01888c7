package import Foundation
package import StorageKit

extension Settings {
    /// Where a service keeps its data: the file that `DB_PATH` names, else a schema of `server`, else `file`.
    ///
    /// - Parameters:
    ///   - schema: The service's name.
    ///   - server: A PostgreSQL database; nil for none.
    package func database(_ file: URL, schema: String, orOn server: String?) -> DatabaseLocation {
        if let path = string("db.path") { return .file(URL(filePath: path)) }
        return server.map { .postgreSQL(PostgreSQLAddress(url: $0, schema: schema)) } ?? .file(file)
    }
}
