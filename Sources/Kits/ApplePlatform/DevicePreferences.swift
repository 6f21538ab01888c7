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

        /// Nothing to do: the system has every change at once, and writes it also after the end of the app.
        func flush() async {}
    }
#endif
