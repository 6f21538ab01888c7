import ServerKit
package import StorageKit

/// The network of a caller, for shares of a capacity.
///
/// The number does not reveal the address: it is a hash with a random key of each process. A stored number shows which talks were
/// begun from the same network, and not from which one.
package struct CallerNetwork: Hashable, Sendable {
    let number: Int64

    /// Callers of this machine, including a proxy's. They cannot be told apart, so they have no common share.
    package static let machine = CallerNetwork(number: 0)

    init(number: Int64) { self.number = number }

    /// - Parameter name: See `ServerContext/sharingNetwork`.
    init(_ name: String?) {
        guard let name else {
            self = .machine
            return
        }
        var hasher = Hasher()
        hasher.combine(name)
        let hash = Int64(hasher.finalize())
        number = hash == 0 ? 1 : hash
    }
}

extension CallerNetwork {
    init(_ context: ServerContext) { self.init(context.sharingNetwork) }
}

extension CallerNetwork: SQLValue {
    package var columnValue: ColumnValue { .integer(number) }
    package init?(_ columnValue: ColumnValue) {
        guard case .integer(let number) = columnValue else { return nil }
        self.init(number: number)
    }
}
