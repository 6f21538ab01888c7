/// The surroundings of a tree of views. Views read it through the environment; a change evaluates its readers only.
// Not `@Observable`: most texts read it, and a registration of Observation takes far more memory than a reader here.
package final class SceneModel: Sendable {
    private let phaseBox = StateBox(ScenePhase.active)
    private let colorSchemeBox = StateBox(ColorScheme.light)
    private let localeBox = StateBox(Locale(identifier: "en"))
    private let languagesBox = StateBox(["en"])
    private let timeZoneBox = StateBox(TimeZone.current)
    private let sizeBox = StateBox(CGSize(width: 390, height: 844))
    /// The values of ``SceneStorage``.
    package let store = SceneStore()
    private let openBox = StateBox<@MainActor @Sendable (URL) -> Bool>({ _ in false })
    private let announceBox = StateBox<@Sendable (String) -> Void>({ _ in })

    /// The scene whose views are evaluated, or whose actions run, in this task.
    @TaskLocal static var current: SceneModel?

    package var phase: ScenePhase {
        get { phaseBox.read() }
        set { phaseBox.write(ifNew: newValue) }
    }
    package var colorScheme: ColorScheme {
        get { colorSchemeBox.read() }
        set { colorSchemeBox.write(ifNew: newValue) }
    }
    package var locale: Locale {
        get { localeBox.read() }
        set { localeBox.write(ifNew: newValue) }
    }
    /// The user's preferred languages, most preferred first, as `ko-KR` or `en`.
    package var languages: [String] {
        get { languagesBox.read() }
        set { languagesBox.write(ifNew: newValue) }
    }
    /// Takes over the languages of the user, most preferred first.
    ///
    /// - Parameter bundle: The bundle of the app. As on an iPhone, its languages are those of all texts on its screens, also where a kit has
    ///   further ones. nil: any language.
    package func setLanguages(_ preferred: [String], of bundle: Bundle?) {
        let new = bundle.map { StringTables.languages(preferred, of: $0) } ?? (preferred.isEmpty ? ["en"] : preferred)
        guard languages != new else { return }
        languages = new
        locale = Locale(identifier: new[0])
    }
    package var timeZone: TimeZone {
        get { timeZoneBox.read() }
        set { timeZoneBox.write(ifNew: newValue) }
    }
    package var size: CGSize {
        get { sizeBox.read() }
        set { sizeBox.write(ifNew: newValue) }
    }
    /// Opens a URL outside the app.
    package var open: @MainActor @Sendable (URL) -> Bool {
        get { openBox.read() }
        set { openBox.write(newValue) }
    }
    /// Reads a text aloud to users of a screen reader. May be called on any thread.
    package var announce: @Sendable (String) -> Void {
        get { announceBox.read() }
        set { announceBox.write(newValue) }
    }

    package init() {}
}

/// The visibility of the app, and its readiness for input.
public enum ScenePhase: Comparable, Hashable, Sendable {
    case background, inactive, active
}

/// The room that a screen has in one direction.
public enum UserInterfaceSizeClass: Hashable, Sendable {
    case compact, regular
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
