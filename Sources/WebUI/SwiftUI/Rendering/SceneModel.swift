/// The surroundings of a tree of views, which views read through the environment. A change of a value evaluates its readers only.
// Not `@Observable`: most texts read the model, and a registration of Observation takes far more memory than one of ``Readers``.
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

    /// The scene whose views are evaluated, or whose actions run, in this task; nil outside of both.
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
    /// Sets the languages from those of the user, most preferred first.
    ///
    /// - Parameter bundle: The bundle of the app, whose languages apply to all texts on its screens, as on an iPhone, even if a kit
    ///   has further languages; nil to allow any language.
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
    /// Opens a URL outside the app; returns false if that is impossible.
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

/// The space of a screen in one direction.
public enum UserInterfaceSizeClass: Hashable, Sendable {
    case compact, regular
}

/// The appearance of the screen: light or dark.
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
