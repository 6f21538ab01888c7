import CSodium

/// The one-time initialization of libsodium.
///
/// libsodium picks its fastest implementations and opens its random source in `sodium_init`; every entry point of this module calls
/// ``start()`` before it uses the library.
enum Sodium {
    private static let started: Void = {
        // A negative result means that the system has no random source: no key of this process would be secret.
        precondition(sodium_init() >= 0, "libsodium could not be initialized")
    }()

    static func start() {
        _ = started
    }
}
