import SwiftUI
import TalkCoClient
import ViewKit

private enum WordBundleKey: EnvironmentKey { static var defaultValue: Bundle { .module } }

extension EnvironmentValues {
    /// The bundle with the app's texts in the chosen language, for strings outside of a `Text`.
    var wordBundle: Bundle {
        get { self[WordBundleKey.self] }
        set { self[WordBundleKey.self] = newValue }
    }
}

extension View {
    /// Shows the views inside in the language of the app's settings.
    func language(_ language: TalkSettings.Language) -> some View { modifier(AppLanguage(language: language)) }
}

private struct AppLanguage: ViewModifier {
    let language: TalkSettings.Language

    func body(content: Content) -> some View {
        // Leaves the environment alone: the phone may have several languages, and a locale has only one.
        if language == .phone {
            content
        } else {
            let locale = Locale(identifier: language.rawValue)
            content
                .environment(\.locale, locale)
                .environment(\.wordBundle, WordTable(.module, locale).bundle)
        }
    }
}
