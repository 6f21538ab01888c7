/// One named step of a schema. Runs once, in a transaction. Never change a released one; add another.
public struct Migration: Sendable {
    let name: String
    let migrate: @Sendable (WriteTransaction) throws -> Void

    public init(_ name: String, _ migrate: @escaping @Sendable (WriteTransaction) throws -> Void) {
        self.name = name
        self.migrate = migrate
    }

    /// - Parameter script: Any number of statements.
    public init(_ name: String, script: String) {
        self.init(name) { try $0.execute(script: script) }
    }
}
