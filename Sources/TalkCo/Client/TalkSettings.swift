import Observation
import PlatformKit

/// The settings of the app, kept on the phone.
@MainActor
@Observable
package final class TalkSettings {
    /// The language of the app's own words.
    package enum Language: String, Codable, Hashable, Sendable, CaseIterable {
        /// The language of the phone, if the app has it.
        case phone
        case english = "en"
        case traditionalChinese = "zh-Hant"
    }

    private static let languageKey = "talkco.language"

    package var language: Language {
        didSet { if language != oldValue { preferences.set(language, for: Self.languageKey) } }
    }

    private static let recordingsKey = "talkco.recordings"

    /// True if the service may keep recordings for the review. Applies to talks that begin afterwards.
    package var keepsRecordings: Bool {
        didSet { if keepsRecordings != oldValue { preferences.set(keepsRecordings, for: Self.recordingsKey) } }
    }

    @ObservationIgnored private let preferences: any Preferences

    init(_ preferences: any Preferences) {
        self.preferences = preferences
        keepsRecordings = preferences.value(Bool.self, for: Self.recordingsKey) ?? false
        language = preferences.value(Language.self, for: Self.languageKey) ?? .phone
    }
}
