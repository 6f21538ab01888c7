#if os(iOS)
    import UIKit

    /// Time in the background for the app's line: what the user has just sent still leaves, and its confirmation arrives.
    @MainActor
    final class BackgroundTime {
        /// The system grants about three times as much, and ends an app that uses all of it.
        private static let length = Duration.seconds(10)
        var willEnd: (@MainActor @Sendable () async -> Void)?
        private var identifier = UIBackgroundTaskIdentifier.invalid
        private var ending: Task<Void, Never>?
        private var observers: [MainObserver] = []

        /// Takes the time whenever the app leaves the foreground.
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
                // Cancelled: the app is in front again.
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
