/// One named step of a schema. Runs once, in a transaction. Never change what a released one does; add another.
package struct Migration: Sendable {
    let name: String
    let migrate: @Sendable (WriteTransaction) throws -> Void
    /// Nil: `migrate` is for every engine.
    private(set) var postgreSQL: String?

    package init(_ name: String, _ migrate: @escaping @Sendable (WriteTransaction) throws -> Void) {
        self.name = name
        self.migrate = migrate
    }

    /// - Parameters:
    ///   - script: Any number of statements, with the types of SQLite. ``SQLTranslation`` says what PostgreSQL makes of them.
    ///   - postgreSQL: The statements for PostgreSQL, where the same ones cannot be for both. Empty for a step that only repairs what an earlier
    ///     version wrote, which never ran on PostgreSQL.
    package init(_ name: String, script: String, postgreSQL: String? = nil) {
        self.init(name) { try $0.execute(script: script) }
        self.postgreSQL = postgreSQL
    }
}
