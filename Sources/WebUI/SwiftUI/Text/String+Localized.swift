extension String {
    /// A key for a text in the app's tables, with its values.
    public typealias LocalizationValue = LocalizedStringKey

    /// The text for a key in the app's tables, for what is not a view: an announcement. In the language of the user whose views, or whose actions,
    /// run now. On Apple's systems a part of Foundation.
    public init(
        localized keyAndValue: String.LocalizationValue, table: String? = nil, bundle: Bundle? = nil, locale: Locale = .current,
        comment: StaticString? = nil
    ) {
        var environment = EnvironmentValues()
        environment.scene = SceneModel.current
        self = keyAndValue.resolved(table: table, bundle: bundle, in: environment)
    }
}
