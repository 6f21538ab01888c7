import AudioKit
package import Foundation
package import TalkCoWire
package import WireKit

/// An engine for spoken conversations with learners: a model, a chain of servers, or the script of the service itself.
package protocol SpeechEngine: Sendable {
    /// Opens a conversation.
    ///
    /// - Throws: ``EngineError`` when the engine cannot be reached or refuses; `CancellationError`.
    func open(_ brief: TalkBrief) async throws -> any Conversation
}

/// One open conversation. The service runs one turn at a time.
package protocol Conversation: AnyObject, Sendable {
    /// Returns the tutor's greeting, as a turn without a transcript. Called once.
    func greeting() -> AsyncThrowingStream<TurnPiece, any Error>
    /// Answers the learner. Nothing of an earlier turn appears in a later one.
    ///
    /// The stream ends when the turn is over, also when the engine failed and the conversation remains usable; it then has no
    /// ``TurnPiece/response(_:)``. It throws ``EngineError`` when the conversation has failed. Its cancellation ends the turn.
    func answer(_ input: TurnInput) -> AsyncThrowingStream<TurnPiece, any Error>
    /// Receives the beginning of an unfinished recording, so that the words may be known when the recording ends.
    func listen(_ samples: Data)
    /// Ends the conversation and releases its connections. Called once.
    func close() async
}

extension Conversation {
    package func listen(_ samples: Data) {}
}

/// The learner's part of a turn.
package enum TurnInput: Hashable, Sendable {
    /// Samples in `SpeechFormat`: PCM, 16 bits little-endian, 24 kHz, mono.
    case speech(Data)
    /// The learner's text, trimmed and not empty.
    case text(String)

    /// The samples of speech; nil for text.
    package var samples: Data? { if case .speech(let samples) = self { samples } else { nil } }
}

/// A piece of the answer to a turn.
package enum TurnPiece: Hashable, Sendable {
    /// The learner's words; empty for silence. Once in a spoken turn, in any order; not in a typed one.
    case transcript(String)
    /// Samples in `SpeechFormat`, whole ones.
    case audio(Data)
    /// The engine is working and has nothing to send yet. Restarts the timeout of silent engines.
    case progress
    /// The whole answer, as soon as it is written. Its voice may follow.
    case text(String)
    /// The whole answer. At most once, after the last audio.
    case response(String)
    /// Sentences that the learner may read aloud next, if the engine understands only these.
    case choices([String])
    /// The reason why there is no response, for users. Contains no key.
    case failure(String)
    /// The reason why another tutor answers this turn, for users. Contains no key.
    case substitution(String)
}

/// The knowledge with which a conversation begins.
package struct TalkBrief: Hashable, Sendable {
    package var mode: Session.Mode
    /// The topic; nil in the mode `review`.
    package var topic: Topic?
    package var learnerName: String?
    /// The judged level; nil for a learner without one.
    package var level: CEFRLevel?
    package var learningGoal: String?
    package var personalFacts: [String]
    /// Summaries of the last five talks on the topic, in English, the newest first.
    package var earlierTalks: [String]
    /// In the mode `review`: weak points by the raw value of an `IssueType`, at most three patterns each, with three examples each.
    package var weakPoints: [String: [WeakPoint]]
    /// In the mode `review`: notes of the last five review sessions, the newest first.
    package var reviewNotes: [String]
    /// In the mode `review`: the learner's own sentences with which the session begins, wrong and right.
    package var cards: [WeakPoint.Example] = []
    package var now: Timestamp
    /// The turns of this session before its conversation was reopened; empty at the first opening.
    package var turns: [TalkTurn]
    /// The network that the conversation was begun from.
    package var network = CallerNetwork.machine
    /// The model that the learner has chosen; nil for the service's own.
    var model: ModelChoice?

    package init(
        mode: Session.Mode, topic: Topic?, learnerName: String? = nil, level: CEFRLevel? = nil, learningGoal: String? = nil,
        personalFacts: [String] = [], earlierTalks: [String] = [], weakPoints: [String: [WeakPoint]] = [:],
        reviewNotes: [String] = [], now: Timestamp, turns: [TalkTurn] = []
    ) {
        self.mode = mode
        self.topic = topic
        self.learnerName = learnerName
        self.level = level
        self.learningGoal = learningGoal
        self.personalFacts = personalFacts
        self.earlierTalks = earlierTalks
        self.weakPoints = weakPoints
        self.reviewNotes = reviewNotes
        self.now = now
        self.turns = turns
    }
}

/// The failure of an engine.
package struct EngineError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: Hashable, Sendable {
        /// The engine cannot be reached.
        case unreachable
        /// The engine refuses: a wrong key, an unknown model.
        case refused
        /// The engine did not answer in time.
        case timedOut
        /// The engine answered with something that cannot be used.
        case failed
    }

    package var code: Code
    /// A sentence for users, with the server and the failure. Contains no key.
    package var description: String

    package init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}

/// The speed of a voice.
package enum Pace: Hashable, Sendable {
    case normal
    /// The pace for beginners: 15 percent longer.
    case slow
    /// The duration of speech, as a multiple of the normal one.
    var stretch: Double { self == .slow ? 1.15 : 1 }
}

extension TalkBrief {
    /// The pace for the learner's level: slow at A1, at A2 and without a level.
    var pace: Pace {
        switch level {
        case .a1, .a2, nil: .slow
        case .b1, .b2, .c1, .c2: .normal
        }
    }
}

/// A voice that speaks texts.
package protocol Voice: Sendable {
    /// Returns the samples of a text in `SpeechFormat`, in chunks, as they are produced.
    ///
    /// The stream throws ``EngineError``; `CancellationError`.
    func speech(_ text: String) -> AsyncThrowingStream<Data, any Error>
    /// Returns the samples of a text at a pace, within the caller's network's share of the voice's capacity.
    func speech(_ text: String, pace: Pace, for network: CallerNetwork) -> AsyncThrowingStream<Data, any Error>
    /// Returns the same samples, but starts before the stream is read, if the voice supports that.
    func speechAhead(_ text: String, pace: Pace, for network: CallerNetwork) -> AsyncThrowingStream<Data, any Error>
    /// Checks that the voice can be used.
    ///
    /// - Throws: ``EngineError``; `CancellationError`.
    func check() async throws
}

extension Voice {
    package func speech(_ text: String, pace: Pace, for network: CallerNetwork) -> AsyncThrowingStream<Data, any Error> {
        pace.applied(to: speech(text))
    }
    package func speechAhead(_ text: String, pace: Pace, for network: CallerNetwork) -> AsyncThrowingStream<Data, any Error> {
        speech(text, pace: pace, for: network)
    }
    package func check() async throws {}
}

extension Pace {
    /// Returns the speech at this pace. The source is read on demand.
    func applied(to speech: AsyncThrowingStream<Data, any Error>) -> AsyncThrowingStream<Data, any Error> {
        guard stretch != 1 else { return speech }
        return BoundedStream.make(capacity: 1) { [stretch] send in
            var stretching = TimeStretch(by: stretch, sampleRate: SpeechServer.sampleRate)
            for try await samples in speech { try await send(stretching.process(samples)) }
            try Task.checkCancellation()
            try await send(stretching.finish())
        }
    }
}

/// A recognizer of free speech.
package protocol Transcription: Sendable {
    /// Returns the words of a recording, trimmed; empty for silence, and for the noise of a room.
    ///
    /// - Parameter samples: In `SpeechFormat`.
    /// - Throws: ``EngineError``; `CancellationError`.
    func text(of samples: Data) async throws -> String
    /// Checks that the transcription can be used.
    ///
    /// - Throws: ``EngineError``; `CancellationError`.
    func check() async throws
}

/// The engines of a service.
package struct Engines: Sendable {
    package var info: EngineInfo
    package var speech: any SpeechEngine
    package var judge: any TextJudge
    /// The voice for single sentences; nil if the service has none.
    package var voice: (any Voice)?
    /// The transcription of free speech; nil if the service has none.
    package var transcription: (any Transcription)?
    /// The help with words and translations; nil if the service has none.
    package var help: (any LanguageHelp)?

    package init(
        info: EngineInfo, speech: any SpeechEngine, judge: any TextJudge, voice: (any Voice)?,
        transcription: (any Transcription)? = nil, help: (any LanguageHelp)? = nil
    ) {
        self.info = info
        self.speech = speech
        self.judge = judge
        self.voice = voice
        self.help = help
        self.transcription = transcription
    }
}
