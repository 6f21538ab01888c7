/// What the views' world is like, outside of them. Views read it through the environment, and only those that do are evaluated again.
// Unchecked: set and read on the main actor only; the environment's accessors, which read it, cannot say so.
@Observable
package final class SceneModel: @unchecked Sendable {
    package var phase = ScenePhase.active
    package var colorScheme = ColorScheme.light
    package var locale = Locale(identifier: "en")
    /// The languages the phone's owner understands, best first, as `ko-KR` or `en`.
    package var languages = ["en"]
    package var timeZone = TimeZone.current
    package var size = CGSize(width: 390, height: 844)
    /// What opening a URL does.
    @ObservationIgnored package var open: @MainActor (URL) -> Bool = { _ in false }

    package init() {}
}

/// Whether the app can be seen and used.
public enum ScenePhase: Comparable, Hashable, Sendable {
    case background, inactive, active
}

/// Light or dark.
public enum ColorScheme: CaseIterable, Hashable, Sendable {
    case light, dark
}

enum SceneKey: EnvironmentKey {
    static var defaultValue: SceneModel? { nil }
}

extension EnvironmentValues {
    var scene: SceneModel? {
        get { self[SceneKey.self] }
        set { self[SceneKey.self] = newValue }
    }
}
