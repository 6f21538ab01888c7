#if os(iOS)
    import UIKit

    /// Background time for the app's line, in which a message just sent leaves the phone and its confirmation arrives.
    @MainActor
    final class BackgroundTime {
        /// The time to use. The system grants about 30 s, and terminates an app that uses all of it.
        private static let length = Duration.seconds(10)
        var willEnd: (@MainActor @Sendable () async -> Void)?
        private var identifier = UIBackgroundTaskIdentifier.invalid
        private var ending: Task<Void, Never>?
        private var observers: [MainObserver] = []

        /// Starts the background time whenever the app enters the background.
        init() {
            observers = [
                MainObserver(UIApplication.didEnterBackgroundNotification) { [weak self] _ in self?.begin() },
                MainObserver(UIApplication.willEnterForegroundNotification) { [weak self] _ in self?.end() },
            ]
        }

        private func begin() {
            end()
            identifier = UIApplication.shared.beginBackgroundTask(withName: "line") { [weak self] in self?.end() }
            ending = Task { [weak self] in
                // The sleep is cancelled when the app returns to the foreground, or the system ends the background time.
                guard (try? await Task.sleep(for: Self.length)) != nil else { return }
                await self?.willEnd?()
                self?.end()
            }
        }

        private func end() {
            ending?.cancel()
            ending = nil
            guard identifier != .invalid else { return }
            UIApplication.shared.endBackgroundTask(identifier)
            identifier = .invalid
        }
    }
#endif
