package import Foundation
package import TalkCoWire

/// Holds scripted conversations on this machine, with the programs for speech that are installed, or in writing.
///
/// Understands everything that is typed, and of speech the sentences that it offers as choices.
package struct BuiltInEngine: SpeechEngine {
    /// The programs at work at once, for all conversations.
    private static let programCount = 2

    private let voiceOfTutor: ProgramVoice?
    private let recognizer: ChoiceRecognizer?
    private let texts: TutorTexts
    private let timeZone: TimeZone
    private let random: @Sendable () -> any RandomNumberGenerator & Sendable

    init(
        voice: ProgramVoice?, recognizer: ChoiceRecognizer?, texts: TutorTexts, timeZone: TimeZone = .current,
        random: @escaping @Sendable () -> any RandomNumberGenerator & Sendable = { SystemRandomNumberGenerator() }
    ) {
        voiceOfTutor = voice
        self.recognizer = recognizer
        self.texts = texts
        self.timeZone = timeZone
        self.random = random
    }

    /// The engine with what is installed.
    ///
    /// - Parameters:
    ///   - searchPath: The folders in which programs are looked for, separated by colons.
    ///   - texts: What the tutor says.
    ///   - timeZone: That of greetings.
    ///   - random: Makes the random numbers of a conversation.
    package static func installed(
        searchPath: String, texts: TutorTexts, timeZone: TimeZone = .current,
        random: @escaping @Sendable () -> any RandomNumberGenerator & Sendable = { SystemRandomNumberGenerator() }
    ) async -> BuiltInEngine {
        let slots = ProgramSlots(count: programCount)
        let voice = await SpeechProgram.best(in: searchPath).map { ProgramVoice($0, slots: slots) }
        // Speech that is being made does not wait for speech that is being recognized.
        let recognizer = ChoiceRecognizer.installed(in: searchPath, slots: ProgramSlots(count: programCount))
        return BuiltInEngine(voice: voice, recognizer: recognizer, texts: texts, timeZone: timeZone, random: random)
    }

    /// Nil if no program for speech is installed.
    package var voice: (any Voice)? { voiceOfTutor }

    package var info: EngineInfo {
        EngineInfo(
            kind: .builtIn, name: voiceOfTutor.map { "Built-in tutor, voice by \($0.program.name)" } ?? "Built-in tutor",
            hearing: recognizer == nil ? .nothing : .choices, speaks: voiceOfTutor != nil, judge: nil)
    }

    package func open(_ brief: TalkBrief) async throws -> any Conversation {
        let isBeginner = brief.level.map { $0 == .a1 || $0 == .a2 } ?? true
        let script: any TutorScript =
            switch brief.mode {
            case .conversation: ConversationScript(brief, texts: texts, timeZone: timeZone, random: random())
            case .review: ReviewScript(brief, texts: texts, timeZone: timeZone, random: random())
            }
        return BuiltInConversation(
            script: script,
            programs: .init(
                voice: voiceOfTutor, recognizer: recognizer, pace: isBeginner ? .slow : .normal, network: brief.network))
    }
}

extension Engines {
    /// The engines without any settings.
    ///
    /// - Parameters:
    ///   - searchPath: The folders in which programs are looked for.
    ///   - texts: What the tutor says.
    package static func builtIn(
        searchPath: String = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin", texts: TutorTexts
    ) async -> Engines {
        let engine = await BuiltInEngine.installed(searchPath: searchPath, texts: texts)
        return Engines(info: engine.info, speech: engine, judge: BuiltInJudge(texts: texts), voice: engine.voice)
    }
}
