#if os(iOS)
    package import Foundation

    /// An observer that calls a closure on the main actor for every notification of one name, until the observer is released.
    @MainActor
    package final class MainObserver {
        // Used by the initializer and by `deinit` only, which do not overlap.
        private nonisolated(unsafe) let token: any NSObjectProtocol

        /// - Parameters:
        ///   - object: The sender; nil for any.
        ///   - key: The key in `userInfo` of the number that `body` receives.
        package init(
            _ name: Notification.Name, of object: AnyObject? = nil, key: String = "",
            _ body: @escaping @MainActor @Sendable (_ number: UInt?) -> Void
        ) {
            // The main queue runs on the main actor.
            token = NotificationCenter.default.addObserver(forName: name, object: object, queue: .main) { notification in
                let number = notification.userInfo?[key] as? UInt
                MainActor.assumeIsolated { body(number) }
            }
        }

        deinit { NotificationCenter.default.removeObserver(token) }
    }
#endif
