import SwiftUI
import TalkCoClient
import TalkCoWire
import ViewKit

// The extended types are nonisolated, so these extensions name the main actor.
@MainActor
extension TalkCoProblem {
    /// Returns the sentence that says what happened and what to do.
    func words(in bundle: Bundle) -> String {
        switch self {
        case .localNetworkDenied: .localNetworkDenied
        case .network: String(localized: "The service cannot be reached. Check your connection.", bundle: bundle)
        case .timeout: String(localized: "The service did not answer in time. Try again.", bundle: bundle)
        case .notTalkCo: String(localized: "There is another program at this address, not TalkCo.", bundle: bundle)
        case .sessionGone: String(localized: "The service does not know this conversation any more.", bundle: bundle)
        case .busy: String(localized: "The tutor is still busy. Try again in a moment.", bundle: bundle)
        case .connecting: String(localized: "The tutor is still getting ready. Try again in a moment.", bundle: bundle)
        case .engine(let sentence): String(localized: "The tutor cannot be reached: \(sentence)", bundle: bundle)
        case .service(let sentence): sentence
        case .conversationFull: String(localized: "This conversation is full. End it, and begin a new one.", bundle: bundle)
        case .serviceFull: String(localized: "The service has no room left. What it has stored is kept.", bundle: bundle)
        case .noAnswer, .unanswered: String(localized: "The tutor did not answer. Try again, or go on.", bundle: bundle)
        case .noGreeting, .ungreeted: String(localized: "The tutor’s first words did not arrive. Begin yourself.", bundle: bundle)
        case .substituted: String(localized: "The built-in tutor answers until your model is back.", bundle: bundle)
        case .storage: String(localized: "This phone could not store it. Free some space, and try again.", bundle: bundle)
        case .textEmpty: String(localized: "Write something first.", bundle: bundle)
        case .textTooLong: String(localized: "The text is too long. Shorten it.", bundle: bundle)
        case .cannotPlay: String(localized: "The voice could not be played. Tap the speaker to hear it.", bundle: bundle)
        case .recordingGone: String(localized: "The recording is no longer kept.", bundle: bundle)
        case .cannotSpeak: String(localized: "The service has no voice for this.", bundle: bundle)
        default: recordingWords(in: bundle)
        }
    }

    private func recordingWords(in bundle: Bundle) -> String {
        switch self {
        case .microphoneDenied:
            String(localized: "The microphone is not allowed. Allow it in the settings, or write instead.", bundle: bundle)
        case .microphoneMissing: String(localized: "There is no microphone that this app can use. Write instead.", bundle: bundle)
        case .microphoneFailed(let sentence): String(localized: "The microphone failed: \(sentence)", bundle: bundle)
        case .tooShort: String(localized: "That was too short. Hold the button while you speak.", bundle: bundle)
        case .silent: String(localized: "Nothing was heard. Speak a little louder, or closer to the microphone.", bundle: bundle)
        case .nothingHeard: String(localized: "No words were recognized. Say it again, or write it.", bundle: bundle)
        case .interrupted:
            String(localized: "The recording was interrupted by a call or another app. Say it again.", bundle: bundle)
        default: String(localized: "Something went wrong. Try again.", bundle: bundle)
        }
    }

    /// True if the microphone cannot be used, so that the learner has to write.
    var needsTyping: Bool {
        switch self {
        case .microphoneDenied, .microphoneMissing, .microphoneFailed: true
        default: false
        }
    }
}

@MainActor
extension IssueType {
    var words: Text {
        switch self {
        case .grammar: Text("Grammar", bundle: .module)
        case .naturalness: Text("Naturalness", bundle: .module)
        case .vocabulary: Text("Vocabulary", bundle: .module)
        case .sentenceStructure: Text("Sentence structure", bundle: .module)
        }
    }

    /// Returns the name of a value of ``Mark/issueTypes``.
    static func words(_ name: String) -> Text { IssueType(rawValue: name)?.words ?? Text(verbatim: name.replacing("_", with: " ")) }
}

@MainActor
extension Topic {
    /// Returns the name in the language of the app; for a topic unknown to the app, the name that the service sends.
    func words(_ locale: Locale) -> Text {
        switch "\(id)" {
        case "daily_life": Text("Daily life", bundle: .module)
        case "travel": Text("Travel", bundle: .module)
        case "workplace": Text("Workplace", bundle: .module)
        case "food_dining": Text("Food and dining", bundle: .module)
        case "entertainment": Text("Entertainment", bundle: .module)
        case "current_events": Text("Current events", bundle: .module)
        default: Text(verbatim: locale.language.languageCode?.identifier == "zh" ? labelZh : labelEn)
        }
    }
}

@MainActor
extension CEFRLevel {
    /// The name of the level.
    var words: Text {
        switch self {
        case .a1: Text("Beginner", bundle: .module)
        case .a2: Text("Elementary", bundle: .module)
        case .b1: Text("Intermediate", bundle: .module)
        case .b2: Text("Upper intermediate", bundle: .module)
        case .c1: Text("Advanced", bundle: .module)
        case .c2: Text("Proficient", bundle: .module)
        }
    }
}

@MainActor
extension EngineInfo {
    /// A sentence that names the engine.
    var speakerWords: Text {
        switch kind {
        case .realtime: Text("The tutor is \(name).", bundle: .module)
        case .pipeline: Text("The tutor is \(name), on your own servers.", bundle: .module)
        case .builtIn: Text("The tutor is the built-in one: it follows a script, and asks about what you say.", bundle: .module)
        }
    }

    /// A sentence about the engine's limits; nil if the engine has none.
    var limitWords: Text? {
        switch hearing {
        case .anything where speaks && kind == .builtIn: Text("It understands what you say in your own words.", bundle: .module)
        case .anything: speaks ? nil : Text("It has no voice: read its answers.", bundle: .module)
        case .choices:
            speaks
                ? Text("It only understands the sentences that it offers. Read one aloud, or write your own.", bundle: .module)
                : Text(
                    "It has no voice, and only understands the sentences that it offers. Read one aloud, or write your own.",
                    bundle: .module)
        case .nothing:
            speaks
                ? Text("It does not understand speech: write your answers.", bundle: .module)
                : Text("It neither speaks nor understands speech: read and write.", bundle: .module)
        }
    }

    /// A sentence that names the judge of the learner's sentences.
    var judgeWords: Text {
        judge.map { Text("Your sentences are reviewed by \($0).", bundle: .module) }
            ?? Text("Your sentences are reviewed by rules, which find common mistakes only.", bundle: .module)
    }
}
