/// One named step of a schema. Runs once, in a transaction. Never change a released one; add another.
package struct Migration: Sendable {
    let name: String
    let migrate: @Sendable (WriteTransaction) throws -> Void

    package init(_ name: String, _ migrate: @escaping @Sendable (WriteTransaction) throws -> Void) {
        self.name = name
        self.migrate = migrate
    }

    /// - Parameter script: Any number of statements.
    package init(_ name: String, script: String) {
        self.init(name) { try $0.execute(script: script) }
    }
}
