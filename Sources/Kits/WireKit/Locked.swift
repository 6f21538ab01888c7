import Foundation

/// A value protected by a lock, for critical sections of a few instructions.
///
/// `Mutex` requires iOS 18; the minimum is iOS 17. `@unchecked Sendable`: `value` is accessed inside the lock only.
package final class Locked<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    package init(_ value: sending Value) { self.value = value }

    package func withLock<Result>(_ body: (inout Value) throws -> sending Result) rethrows -> sending Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
