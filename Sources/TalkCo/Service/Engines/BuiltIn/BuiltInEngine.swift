package import Foundation
package import TalkCoWire

/// The engine of scripted conversations on this machine.
///
/// The engine accepts any typed text. With servers for transcription and speech it understands free speech and speaks with their
/// voice; with installed programs it understands the sentences that it offers as choices; with neither it only writes.
package struct BuiltInEngine: SpeechEngine {
    /// Maximum number of programs of a kind that run at once, for all conversations.
    private static let programCount = 2

    /// The servers for transcription and speech, in place of programs.
    package struct Servers: Sendable {
        var transcription: TranscriptionServer?
        var speech: SpeechServer?

        package init() {}

        init(transcription: TranscriptionServer?, speech: SpeechServer?) {
            (self.transcription, self.speech) = (transcription, speech)
        }
    }

    /// The voice of the tutor; nil if neither a server nor a program can speak.
    package let voice: (any Voice)?
    /// The transcription of free speech; nil without a server for it.
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

    /// Returns an engine with the servers and the installed programs.
    ///
    /// - Parameters:
    ///   - searchPath: The folders that are searched for programs, separated by colons.
    ///   - texts: The texts of the tutor.
    ///   - timeZone: The time zone of greetings.
    ///   - random: Makes the random numbers of a conversation.
    package static func installed(
        searchPath: String, servers: Servers = Servers(), texts: TutorTexts, timeZone: TimeZone = .current,
        random: @escaping @Sendable () -> any RandomNumberGenerator & Sendable = { SystemRandomNumberGenerator() }
    ) async -> BuiltInEngine {
        let slots = ProgramSlots(count: programCount)
        let voice = await SpeechProgram.best(in: searchPath).map { ProgramVoice($0, slots: slots) }
        // Recognition has slots of its own, so that speaking does not wait for it.
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
    /// Returns the engines of a service without settings.
    ///
    /// - Parameters:
    ///   - servers: The servers for transcription and speech, in place of programs.
    ///   - searchPath: The folders that are searched for programs, separated by colons.
    ///   - texts: The texts of the tutor.
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
