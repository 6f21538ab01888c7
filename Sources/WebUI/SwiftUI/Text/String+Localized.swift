extension String {
    /// A key for a text in the app's tables, with its values.
    public typealias LocalizationValue = LocalizedStringKey

    /// Creates the text for a key in the app's tables, in the language of the scene whose views or actions run now. For use outside
    /// of views, as in announcements. On Apple's systems this initializer is part of Foundation.
    public init(
        localized keyAndValue: String.LocalizationValue, table: String? = nil, bundle: Bundle? = nil, locale: Locale = .current,
        comment: StaticString? = nil
    ) {
        var environment = EnvironmentValues()
        environment.scene = SceneModel.current
        self = keyAndValue.resolved(table: table, bundle: bundle, in: environment)
    }
}
