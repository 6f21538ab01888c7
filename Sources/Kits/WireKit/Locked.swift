import Foundation

/// A value behind a lock, for critical sections of a few instructions.
///
/// `Mutex` needs iOS 18; the floor is iOS 17. `@unchecked Sendable`: every access to `value` is inside the lock.
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
