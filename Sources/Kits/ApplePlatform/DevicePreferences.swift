#if os(iOS)
    import Foundation
    import PlatformKit

    /// The app's user defaults.
    final class DevicePreferences: Preferences {
        func value<Value: Codable & Sendable>(_ type: Value.Type, for key: String) -> Value? {
            UserDefaults.standard.data(forKey: key).flatMap { try? JSONDecoder().decode([Value].self, from: $0).first }
        }

        func set<Value: Codable & Sendable>(_ value: Value?, for key: String) {
            // An array, because a bare value is not JSON for every decoder.
            UserDefaults.standard.set(value.flatMap { try? JSONEncoder().encode([$0]) }, forKey: key)
        }

        /// Does nothing: the system receives every change at once, and writes it even after the app has ended.
        func flush() async {}
    }
#endif
