package import Foundation
package import TalkCoWire

/// Holds scripted conversations on this machine.
///
/// Understands everything that is typed. With servers for transcription and speech it hears everything and speaks with their voice; with the
/// programs that are installed it hears the sentences that it offers as choices; with neither it writes.
package struct BuiltInEngine: SpeechEngine {
    /// The programs at work at once, for all conversations.
    private static let programCount = 2

    /// Servers to hear and to speak with, in place of programs.
    package struct Servers: Sendable {
        var transcription: TranscriptionServer?
        var speech: SpeechServer?

        package init() {}

        init(transcription: TranscriptionServer?, speech: SpeechServer?) {
            (self.transcription, self.speech) = (transcription, speech)
        }
    }

    /// Nil if nothing can speak.
    package let voice: (any Voice)?
    /// Nil if nothing understands free speech.
    package let transcription: (any Transcription)?
    private let voiceName: String?
    private let ears: (any Ears)?
    private let texts: TutorTexts
    private let timeZone: TimeZone
    private let random: @Sendable () -> any RandomNumberGenerator & Sendable

    init(
        voice: ProgramVoice?, recognizer: ChoiceRecognizer?, servers: Servers = Servers(), texts: TutorTexts,
        timeZone: TimeZone = .current,
        random: @escaping @Sendable () -> any RandomNumberGenerator & Sendable = { SystemRandomNumberGenerator() }
    ) {
        self.voice = servers.speech.map { ServerVoice(server: $0, substitute: voice) } ?? voice
        voiceName = servers.speech?.voice ?? voice?.program.name
        transcription = servers.transcription
        ears = servers.transcription.map { ServerEars(server: $0, substitute: recognizer) } ?? recognizer
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
        searchPath: String, servers: Servers = Servers(), texts: TutorTexts, timeZone: TimeZone = .current,
        random: @escaping @Sendable () -> any RandomNumberGenerator & Sendable = { SystemRandomNumberGenerator() }
    ) async -> BuiltInEngine {
        let slots = ProgramSlots(count: programCount)
        let voice = await SpeechProgram.best(in: searchPath).map { ProgramVoice($0, slots: slots) }
        // Speech that is being made does not wait for speech that is being recognized.
        let recognizer = ChoiceRecognizer.installed(in: searchPath, slots: ProgramSlots(count: programCount))
        return BuiltInEngine(
            voice: voice, recognizer: recognizer, servers: servers, texts: texts, timeZone: timeZone, random: random)
    }

    package var info: EngineInfo {
        EngineInfo(
            kind: .builtIn, name: voiceName.map { "Built-in tutor, voice by \($0)" } ?? "Built-in tutor",
            hearing: ears?.hearing ?? .nothing, speaks: voice != nil, judge: nil, listens: ears?.hearing == .anything ? true : nil)
    }

    package func open(_ brief: TalkBrief) async throws -> any Conversation {
        let script: any TutorScript =
            switch brief.mode {
            case .conversation: ConversationScript(brief, texts: texts, timeZone: timeZone, random: random())
            case .review: ReviewScript(brief, texts: texts, timeZone: timeZone, random: random())
            }
        return BuiltInConversation(
            script: script, senses: .init(voice: voice, ears: ears?.another(), pace: brief.pace, network: brief.network))
    }
}

extension Engines {
    /// The engines without any settings.
    ///
    /// - Parameters:
    ///   - servers: What hears and speaks in place of programs.
    ///   - searchPath: The folders in which programs are looked for.
    ///   - texts: What the tutor says.
    package static func builtIn(
        _ servers: BuiltInEngine.Servers = .init(),
        searchPath: String = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin", texts: TutorTexts
    ) async -> Engines {
        let engine = await BuiltInEngine.installed(searchPath: searchPath, servers: servers, texts: texts)
        return Engines(
            info: engine.info, speech: engine, judge: BuiltInJudge(texts: texts), voice: engine.voice,
            transcription: engine.transcription)
    }
}
