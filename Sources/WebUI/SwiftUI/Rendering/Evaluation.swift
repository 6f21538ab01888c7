import Glibc

/// A thread-local pointer.
struct ThreadPointer: Sendable {
    private let key: pthread_key_t

    init() {
        var key = pthread_key_t()
        let failure = pthread_key_create(&key, nil)
        precondition(failure == 0, "no thread-specific key: \(failure)")
        self.key = key
    }

    var value: UnsafeMutableRawPointer? { pthread_getspecific(key) }

    /// Runs `body` with `pointer` as the value on this thread.
    func with<Result>(_ pointer: UnsafeMutableRawPointer?, _ body: () throws -> Result) rethrows -> Result {
        let outer = pthread_getspecific(key)
        pthread_setspecific(key, pointer)
        defer { pthread_setspecific(key, outer) }
        return try body()
    }
}

/// The component that the current thread evaluates. Concurrent reads on other threads are not attributed to that component.
enum Evaluation {
    private static let pointer = ThreadPointer()

    static var current: AnyComponent? { pointer.value.map { Unmanaged<AnyComponent>.fromOpaque($0).takeUnretainedValue() } }

    /// Runs `body` as the evaluation of `component`.
    @MainActor
    static func of(_ component: AnyComponent, _ body: () -> Void) {
        pointer.with(Unmanaged.passUnretained(component).toOpaque(), body)
    }

    /// Runs `body` without a reader: its reads invalidate no component.
    @MainActor
    static func none<Result>(_ body: () -> Result) -> Result { pointer.with(nil, body) }
}
