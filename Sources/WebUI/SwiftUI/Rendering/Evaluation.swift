import Glibc

/// The component being evaluated, per thread: state read on another thread at the same time has no reader here.
enum Evaluation {
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        let failure = pthread_key_create(&key, nil)
        precondition(failure == 0, "no thread-specific key: \(failure)")
        return key
    }()

    static var current: AnyComponent? {
        pthread_getspecific(key).map { Unmanaged<AnyComponent>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Runs `body` as the evaluation of `component`.
    @MainActor
    static func of(_ component: AnyComponent, _ body: () -> Void) {
        let outer = pthread_getspecific(key)
        pthread_setspecific(key, Unmanaged.passUnretained(component).toOpaque())
        body()
        pthread_setspecific(key, outer)
    }

    /// Runs `body` so that what it reads has no reader.
    @MainActor
    static func none<Result>(_ body: () -> Result) -> Result {
        let outer = pthread_getspecific(key)
        pthread_setspecific(key, nil)
        defer { pthread_setspecific(key, outer) }
        return body()
    }
}
