import AudioKit
import Foundation
import NIOTransport
import NetworkingKit
import TalkCoStandIns
import TalkCoWire
import TestKit
import Testing
import WireKit

@testable import TalkCoService

/// The pipeline of three servers, played by one stand-in.
@Suite struct EnginePipelineTests {
    private func talk(
        _ servers: ModelServers = ModelServers(key: EngineFixtures.key), brief: TalkBrief = EngineFixtures.brief,
        clock: any Clock<Duration> = TestClock(), _ body: @escaping @Sendable (any Conversation) async throws -> Void
    ) async throws {
        try await servers.run { base in
            let conversation = try await within { try await EngineFixtures.pipeline(base, clock: clock).open(brief) }
            try await within { try await body(conversation) }
            await conversation.close()
        }
    }

    /// The speech of an answer, sentence by sentence.
    private func voice(_ sentences: String...) -> Data { sentences.reduce(Data()) { $0 + StandInTutor.voice($1) } }

    @Test func conversationIsHeardAndAnswered() async throws {
        let servers = ModelServers(key: EngineFixtures.key)
        try await talk(servers) { conversation in
            let greeting = try await HeardTurn(conversation.greeting())
            #expect(greeting.responses == [StandInTutor.greeting])
            #expect(greeting.audio == voice("Hello!", "It is good to see you.", "What would you like to talk about today?"))
            let turn = try await HeardTurn(conversation.answer(.speech(EngineFixtures.recording)))
            #expect(turn.transcripts == [StandInTutor.transcripts[0]])
            #expect(turn.responses == [StandInTutor.answer(1)])
            #expect(turn.order == ["transcript", "audio", "response"])
            let typed = try await HeardTurn(conversation.answer(.text("I like trains")))
            #expect(typed.transcripts.isEmpty && typed.responses == [StandInTutor.answer(2)])
        }
        let form = servers.received(.transcription).last?.body ?? Data()
        #expect(form.firstRange(of: WAVFile(sampleRate: 24_000, samples: EngineFixtures.recording).data) != nil)
        let roles = servers.received(.chat).last?.json?["messages"]?.list?.compactMap { $0["role"]?.text }
        #expect(roles == ["system", "user", "assistant", "user", "assistant", "user"])
    }

    @Test func firstSentenceIsSpokenWhileTheAnswerIsWritten() async throws {
        let servers = ModelServers()
        let gate = Gate()
        servers.hold(.chat, with: gate)
        servers.setAnswers(["I see. That is a long story."])
        try await talk(servers) { conversation in
            var heard = HeardTurn()
            for try await piece in conversation.answer(.text("x")) {
                if !gate.isOpen, case .audio = piece {
                    // The chat is still held back.
                    #expect(servers.received(.speech).map { $0.json?["input"]?.text } == ["I see."])
                    gate.open()
                }
                heard.add(piece)
            }
            #expect(gate.isOpen)
            #expect(heard.responses == ["I see. Now That is a long story."])
            #expect(heard.audio == voice("I see.", "Now That is a long story."))
        }
    }

    @Test func speechIsRequestedAheadWithinALimit() async throws {
        let servers = ModelServers()
        let gate = Gate()
        servers.hold(.speech, with: gate)
        servers.setAnswers(["One one. Two two. Three three. Four four. Five five. Six six."])
        try await talk(servers) { conversation in
            let turn = Task { try await HeardTurn(conversation.answer(.text("x"))) }
            try await eventually { servers.received(.speech).count == 3 }
            gate.open()
            let heard = try await turn.value
            #expect(heard.audio == voice("One one.", "Two two.", "Three three.", "Four four.", "Five five.", "Six six."))
        }
    }

    @Test func silenceOfTheLearnerEndsTheTurn() async throws {
        let servers = ModelServers()
        servers.setTranscripts(["", "[BLANK_AUDIO]"])
        try await talk(servers) { conversation in
            for _ in 0..<2 {
                let turn = try await HeardTurn(conversation.answer(.speech(EngineFixtures.recording)))
                #expect(turn.transcripts == [""] && turn.order == ["transcript"])
            }
        }
        #expect(servers.received(.chat).isEmpty)
    }

    @Test(arguments: [
        (ModelServers.Call.chat, HTTPFault.status(500)), (.chat, .breaksOff), (.chat, .body("data: {\"choices\": [\n\n")),
        (.chat, .body("data: {\"error\":{\"message\":\"out of memory\"}}\n\n")), (.chat, .body("")), (.transcription, .status(401)),
        (.transcription, .breaksOff), (.transcription, .body("{\"te")), (.transcription, .body("{\"text\": 3}")),
    ])
    func failureEndsTheTurnAndTheNextOneWorks(call: ModelServers.Call, fault: HTTPFault) async throws {
        let servers = ModelServers()
        try await talk(servers) { conversation in
            servers.plan(call, fault)
            let failed = try await HeardTurn(conversation.answer(.speech(EngineFixtures.recording)))
            #expect(failed.responses.isEmpty && failed.failures.count == 1)
            #expect(failed.transcripts.count == (call == .chat ? 1 : 0))
            #expect(try await HeardTurn(conversation.answer(.text("again"))).responses.count == 1)
        }
        // What failed is not part of the conversation.
        #expect(servers.received(.chat).last?.json?["messages"]?.list?.count == 2)
    }

    @Test(arguments: [HTTPFault.status(500), .body("{}"), .body("ID3…", contentType: "audio/mpeg"), .breaksOff])
    func answerGoesOnWithoutAVoiceThatFails(fault: HTTPFault) async throws {
        let servers = ModelServers()
        servers.set(.speech, fault)
        servers.setAnswers(["One one. Two two. Three three. Four four."])
        try await talk(servers) { conversation in
            let turn = try await HeardTurn(conversation.answer(.text("x")))
            #expect(turn.responses == ["One one. Two two. Three three. Four four."])
        }
        // Two sentences wait behind the first, and each is asked for in two formats at most.
        #expect(servers.received(.speech).count <= 6)
    }

    @Test(arguments: [ModelServers.Call.chat, .transcription])
    func silenceOfThirtySecondsEndsTheTurn(call: ModelServers.Call) async throws {
        let clock = TestClock()
        let servers = ModelServers()
        try await talk(servers, clock: clock) { conversation in
            servers.set(call, call == .chat ? .silentAfterStart : .silent)
            let turn = Task { try await HeardTurn(conversation.answer(.speech(EngineFixtures.recording))) }
            try await eventually { servers.received(call).count > (call == .chat ? 0 : 1) && clock.hasSleeper(for: Silence.limit) }
            try await clock.advance(by: Silence.limit) { turn.isCancelled || !clock.hasSleeper }
            let heard = try await turn.value
            #expect(heard.responses.isEmpty)
            // The reason says which of the servers it was.
            #expect(heard.failures.first?.contains(call == .chat ? "chat server said nothing" : "transcription server") == true)
        }
    }

    @Test func cancelledTurnEndsItsCalls() async throws {
        let servers = ModelServers()
        let gate = Gate()
        servers.hold(.chat, with: gate)
        try await talk(servers) { conversation in
            defer { gate.open() }
            for try await piece in conversation.answer(.text("x")) { if case .audio = piece { break } }
            servers.hold(.chat, with: openGate())
            #expect(try await HeardTurn(conversation.answer(.text("y"))).responses.count == 1)
        }
        #expect(servers.received(.chat).last?.json?["messages"]?.list?.count == 2)
    }

    private func openGate() -> Gate {
        let gate = Gate()
        gate.open()
        return gate
    }

    /// ollama/ollama#4357, sgl-project/sglang#3912: a reason that is empty until the last event. Servers keep the connection alive with odd data.
    @Test func emptyReasonDoesNotEndAnAnswer() async throws {
        @Sendable func event(_ text: String, _ reason: String) -> String {
            #"data: {"choices":[{"delta":{"content":"\#(text)"},"finish_reason":\#(reason)}]}"# + "\n\n"
        }
        for reason in [#""""#, #""null""#] {
            let servers = ModelServers()
            let stream = ": ping\n\ndata: ping\n\ndata:\n\n" + event("One.", reason) + event(" Two.", reason)
            try await talk(servers) { conversation in
                servers.set(.chat, .body(stream, contentType: "text/event-stream"))
                let broken = try await HeardTurn(conversation.answer(.text("Hello")))
                #expect(broken.responses.isEmpty && broken.failures.count == 1)
                servers.set(.chat, .body(stream + event("", #""stop""#), contentType: "text/event-stream"))
                let whole = try await HeardTurn(conversation.answer(.text("Hello")))
                #expect(whole.responses == ["One. Two."] && whole.failures.isEmpty)
            }
        }
    }

    @Test func thoughtsOfAModelAreNotSpoken() async throws {
        let servers = ModelServers()
        servers.setAnswers(["<think> The learner likes dogs. </think> How old is it?"])
        try await talk(servers) { conversation in
            let turn = try await HeardTurn(conversation.answer(.text("x")))
            #expect(turn.responses == ["How old is it?"] && turn.audio == voice("How old is it?"))
        }
    }

    @Test func turnsBeforeAReopeningAreGivenToTheModel() async throws {
        let servers = ModelServers()
        var brief = EngineFixtures.brief
        brief.turns = (0..<50).map { TalkTurn(index: $0, learner: "question \($0)", tutor: "answer \($0)") }
        try await talk(servers, brief: brief) { _ = try await HeardTurn($0.answer(.text("last"))) }
        let messages = servers.received(.chat).first?.json?["messages"]?.list ?? []
        #expect(messages.count == 42)
        #expect(messages[1]["content"]?.text == "question 30" && messages.last?["content"]?.text == "last")
    }

    @Test func unreachableServerRefusesTheConversation() async throws {
        try await ModelServers(key: "another").run { base in
            let error = await #expect(throws: EngineError.self) {
                try await EngineFixtures.pipeline(base).open(EngineFixtures.brief)
            }
            #expect(error?.code == .refused && error?.description.contains(EngineFixtures.key) == false)
        }
        let nowhere = URL(string: "http://127.0.0.1:1/v1")!
        let error = await #expect(throws: EngineError.self) {
            try await EngineFixtures.pipeline(nowhere).open(EngineFixtures.brief)
        }
        #expect(error?.code == .unreachable)
        // Servers without a list of models pass.
        let servers = ModelServers()
        servers.set(.models, .status(404))
        try await talk(servers) { _ in }
    }

    @Test func recordingWithoutSpeechIsNotSent() async throws {
        let servers = ModelServers()
        var random = SeededGenerator(seed: 3)
        let noise = PCM16.data((0..<48_000).map { _ in Int16.random(in: -900...900, using: &random) })
        try await talk(servers) { conversation in
            let before = servers.received(.transcription).count
            for recording in [Data(count: 48_000), noise, Data()] {
                let turn = try await HeardTurn(conversation.answer(.speech(recording)))
                #expect(turn.transcripts == [""] && turn.order == ["transcript"])
            }
            #expect(servers.received(.transcription).count == before)
        }
        #expect(servers.received(.chat).isEmpty)
    }

    @Test func noiseThatTheRecognizerNamesIsNotAnswered() async throws {
        let servers = ModelServers()
        servers.setTranscripts(["Thanks for watching!", "[Music]", "(silence)", "I like tea. Thank you for watching."])
        try await talk(servers) { conversation in
            for _ in 0..<3 {
                let turn = try await HeardTurn(conversation.answer(.speech(EngineFixtures.recording)))
                #expect(turn.transcripts == [""] && turn.responses.isEmpty)
            }
            let turn = try await HeardTurn(conversation.answer(.speech(EngineFixtures.recording)))
            #expect(turn.transcripts == ["I like tea."] && turn.responses.count == 1)
        }
    }

    // MARK: Recordings and transcripts

    /// AlizerUncaged/desktop-waifu#253: OpenAI's server refuses less than a tenth of a second. altic-dev/FluidVoice#276: whisper.cpp hears nothing in
    /// less than a second, so that words such as *Yes* are lost.
    @Test func shortRecordingsAreLongEnoughForTheRecognizer() async throws {
        let servers = ModelServers()
        try await talk(servers) { conversation in
            let before = servers.received(.transcription).count
            let word = PCM16.data((0..<9_600).map { Int16(8_000 * sin(Double($0) / 12)) })
            let click = try await HeardTurn(conversation.answer(.speech(word.prefix(4_000))))
            #expect(click.transcripts == [""] && servers.received(.transcription).count == before)
            _ = try await HeardTurn(conversation.answer(.speech(word)))
            let body = try #require(servers.received(.transcription).last?.body)
            let start = try #require(body.firstRange(of: Data("RIFF".utf8))?.lowerBound)
            let sent = try WAVFile(parsing: Data(body[start...].prefix(44 + 57_600)))
            #expect(sent.samples == word + Data(count: 57_600 - word.count))
        }
    }

    /// vllm-project/vllm#49095 and openai/openai-openapi#361: servers that do not know the format, or send another one. Blaizzy/mlx-audio#875:
    /// nothing, with the status of a success.
    @Test(
        arguments: [
            ("Hello there.\n", "text/plain; charset=utf-8", "Hello there."),
            (#""Hello there.""#, "application/json", "Hello there."),
            ("1\n00:00:00,000 --> 00:00:01,500\nHello\n\n2\n00:00:01,500 --> 00:00:02,000\nthere.\n", "text/plain", "Hello there."),
            ("WEBVTT\n\n00:00.000 --> 00:01.500\nHello there.\n", "text/vtt", "Hello there."), ("42", "text/plain", "42"),
            (#"{"text":null}"#, "application/json", ""), ("", "text/plain", ""),
            ("", "application/x-ndjson", nil), ("", "application/json", nil), ("<html>no</html>", "text/html", nil),
            ("<p>no", "text/plain", nil), (#"{"error":"failed to read audio data"}"#, "application/json", nil),
        ] as [(String, String, String?)])
    func transcriptsHaveManyForms(body: String, type: String, text: String?) async throws {
        let servers = ModelServers()
        try await talk(servers) { conversation in
            servers.set(.transcription, .body(body, contentType: type))
            let turn = try await HeardTurn(conversation.answer(.speech(EngineFixtures.recording)))
            #expect(turn.transcripts == (text.map { [$0] } ?? []) && turn.failures.count == (text == nil ? 1 : 0))
        }
    }

    // MARK: Servers of every kind

    @Test(
        arguments: [ModelServers.Call.chat, .transcription, .speech],
        [HTTPFault.status(503, retryAfter: 0), .status(429, retryAfter: 0)])
    func callThatMayPassIsMadeOnceMore(call: ModelServers.Call, fault: HTTPFault) async throws {
        let servers = ModelServers()
        servers.setAnswers(["One one."])
        try await talk(servers) { conversation in
            let before = servers.received(call).count
            servers.plan(call, fault)
            let turn = try await HeardTurn(conversation.answer(.speech(EngineFixtures.recording)))
            #expect(turn.responses == ["One one."] && turn.audio == voice("One one."))
            #expect(servers.received(call).count == before + 2)
            servers.plan(call, fault, fault)
            let second = try await HeardTurn(conversation.answer(.speech(EngineFixtures.recording)))
            #expect(second.responses.isEmpty == (call != .speech))
        }
    }

    @Test func callIsMadeOnceMoreAfterTwoSeconds() async throws {
        let clock = TestClock()
        let servers = ModelServers()
        servers.plan(.transcription, .status(503))
        try await servers.run { base in
            let transcription = TranscriptionServer(
                server: EngineFixtures.server("The transcription server", base, clock: clock), model: "whisper-1")
            let text = Task { try await transcription.text(of: EngineFixtures.recording) }
            try await eventually { clock.hasSleeper(for: .seconds(2)) }
            try await clock.advance(by: .seconds(2))
            #expect(try await text.value == StandInTutor.transcripts[0])
        }
    }

    @Test(arguments: [
        (#"{"choices":[{"message":{"role":"assistant","content":"Hello there."},"finish_reason":"stop"}]}"#, "application/json"),
        (#" {"choices":[{"message":{"content":[{"type":"text","text":"Hello "},{"type":"text","text":"there."}]}}]}"#, ""),
        (
            #"{"choices":[{"message":{"content":[{"type":"thinking","thinking":"x"},{"type":"text","text":"Hello there."}]}}]}"#,
            "text/plain"
        ),
        (#"{"choices":[{"message":{"reasoning_content":"x","content":"<think>y</think>Hello there."}}]}"#, "text/event-stream"),
        ("data: {\"choices\":[{\"message\":{\"content\":\"Hello there.\"},\"finish_reason\":\"stop\"}]}\n\n", "text/event-stream"),
        (
            "data: {\"choices\":[{\"delta\":{\"content\":[{\"type\":\"text\",\"text\":\"Hello there.\"}]}}]}\n\ndata: [DONE]\n\n",
            "text/event-stream"
        ),
    ])
    func answerOfEveryShapeIsRead(body: String, type: String) async throws {
        let servers = ModelServers()
        servers.set(.chat, .body(body, contentType: type.isEmpty ? "application/octet-stream" : type))
        try await talk(servers) { conversation in
            let turn = try await HeardTurn(conversation.answer(.text("x")))
            #expect(turn.responses == ["Hello there."] && turn.texts == ["Hello there."] && turn.failures.isEmpty)
        }
    }

    @Test func silentVoiceCostsSecondsAndNotTheAnswer() async throws {
        let clock = TestClock()
        let servers = ModelServers()
        servers.set(.speech, .silent)
        servers.setAnswers(["One one. Two two."])
        try await talk(servers, clock: clock) { conversation in
            let written = Gate()
            let turn = Task {
                var heard = HeardTurn()
                for try await piece in conversation.answer(.text("x")) {
                    heard.add(piece)
                    if !heard.texts.isEmpty { written.open() }
                }
                return heard
            }
            // The words do not wait for the voice.
            try await within { await written.wait() }
            try await eventually { clock.hasSleeper(for: SpeechServer.silenceLimit) }
            try await clock.advance(by: SpeechServer.silenceLimit) { turn.isCancelled || !clock.hasSleeper }
            let heard = try await turn.value
            #expect(heard.texts == ["One one. Two two."] && heard.responses == heard.texts && heard.audio.isEmpty)
        }
    }

    @Test func thoughtWithoutItsBeginningIsTakenBack() async throws {
        let servers = ModelServers()
        servers.setAnswers(["She likes dogs. I ask.</think> How old is it?", "More thoughts. </think> I see."])
        try await talk(servers) { conversation in
            #expect(try await HeardTurn(conversation.answer(.text("x"))).responses == ["How old is it?"])
            let second = try await HeardTurn(conversation.answer(.text("y")))
            #expect(second.responses == ["I see."] && second.audio == voice("I see."))
        }
        #expect(
            servers.received(.chat).last?.json?["messages"]?.list?.map { $0["content"]?.text }.contains("How old is it?") == true)
    }

    @Test func missingPathOfTranscriptionIsSaidAtTheBeginning() async throws {
        let servers = ModelServers()
        for fault in [HTTPFault.status(404), .status(405)] {
            servers.set(.transcription, fault)
            let error = try await servers.run { base in
                await #expect(throws: EngineError.self) { try await EngineFixtures.pipeline(base).open(EngineFixtures.brief) }
            }
            #expect(error?.description.contains("has no /audio/transcriptions") == true)
        }
        // A server that refuses the form without a recording has the path.
        for fault in [HTTPFault.status(400), .status(422), .status(500), .breaksOff] {
            servers.set(.transcription, fault)
            try await talk(servers) { _ in }
        }
    }

    @Test(arguments: [
        #"{"error":{"message":"The model `gpt-4o` does not exist or you do not have access to it.","code":"model_not_found"}}"#,
        #"{"error":{"message":"model \"gpt-4o\" not found, try pulling it first","type":"api_error"}}"#,
        #"{"error":{"message":"Unsupported model: gpt-4o"}}"#, #"{"detail":"The model gpt-4o has been deprecated"}"#,
        #"{"error":"Invalid model name passed in model=gpt-4o"}"#,
        #"{"error":{"code":"model_not_found","message":"no"}}"#,
    ])
    func unknownModelNamesItsSetting(body: String) throws {
        let settings = OutsideServer.Settings(address: "CHAT_URL", model: ("gpt-4o", "TALKCO_CHAT_MODEL"))
        let server = OutsideServer(
            "The chat server", at: URL(string: "http://localhost/v1")!, key: nil, http: AsyncHTTP(), clock: ContinuousClock(),
            settings: settings)
        let json = try WireJSON.decode(JSONValue.self, from: Data(body.utf8))
        let error = try #require(server.unknown(code: json["error"]?["code"]?.text, server.message(in: Data(body.utf8))))
        #expect(error.code == .refused && error.description.contains("TALKCO_CHAT_MODEL") && error.description.contains("gpt-4o"))
        let others = [
            "The context of the model is full", "'response_format' is not supported with gpt-4o", "Rate limit of gpt-4o", "",
        ]
        for message in others { #expect(server.unknown(code: nil, message) == nil, "\(message)") }
    }

    // MARK: Voice

    private func samples(
        _ servers: ModelServers, options: SpeechServer.Options = .init(), clock: any Clock<Duration> = TestClock()
    ) async throws -> Data {
        try await servers.run { base in
            try await within {
                var samples = Data()
                for try await chunk in EngineFixtures.speech(base, options: options, clock: clock).speech("Hello there.") {
                    #expect(chunk.count.isMultiple(of: 2))
                    samples += chunk
                }
                return samples
            }
        }
    }

    @Test func voiceSpeaksSentences() async throws {
        #expect(try await samples(ModelServers(key: EngineFixtures.key)) == StandInTutor.voice("Hello there."))
    }

    @Test func wavFilesAreResampled() async throws {
        for plan in [[HTTPFault.wave], [.status(400), .none]] {
            let servers = ModelServers()
            if plan.count == 1 { servers.plan(.speech, plan[0]) } else { servers.plan(.speech, plan[0], plan[1]) }
            let samples = try await samples(servers)
            #expect(abs(samples.count - StandInTutor.voice("Hello there.").count) <= 4)
            #expect(PCM16.rootMeanSquare(samples) > 1_000)
        }
    }

    @Test func unusableVoiceIsAnError() async throws {
        for fault in [HTTPFault.status(401), .body("{}"), .body("RIFF but no file", contentType: "audio/wav"), .breaksOff] {
            let servers = ModelServers()
            servers.set(.speech, fault)
            await #expect(throws: EngineError.self) { try await samples(servers) }
        }
    }

    /// THU-MAIC/OpenMAIC#1395, HumeAI/hume-python-sdk#290, ServeurpersoCom/qwentts.cpp#28: errors, web pages and nothing, with the status of a
    /// success and any type.
    @Test(
        arguments: [
            (#"{"type":"error","code":"E0300","message":"Exhausted credit balance"}"#, "Exhausted credit balance"),
            (#" {"error":{"message":"unknown speaker"}}"# + "\n", "unknown speaker"), (#"{"audio_url":null}"#, "JSON"),
            ("<!doctype html>\n<html lang=\"ü\">", "a web page"), ("", "no sound"),
        ], ["audio/pcm", "audio/wav", "audio/mpeg", "application/json", nil] as [String?])
    func repliesWithoutSoundAreNeverPlayed(reply: (body: String, words: String), type: String?) async throws {
        let servers = ModelServers()
        servers.set(.speech, .data(Data(reply.body.utf8), contentType: type))
        let error = await #expect(throws: EngineError.self) { try await samples(servers) }
        #expect(error?.description.contains(reply.words) == true)
    }

    @Test func rawSamplesMayBeginAsATextDoes() async throws {
        let servers = ModelServers()
        for first in ["{", "<"] {
            let voice = Data(first.utf8) + StandInTutor.voice("Hello there.").dropFirst()
            servers.set(.speech, .data(voice, contentType: "audio/pcm"))
            #expect(try await samples(servers) == voice)
        }
    }

    /// remsky/Kokoro-FastAPI#94, kyutai-labs/pocket-tts#229.
    @Test func filesOfServersThatStreamAreReadToTheirEnd() async throws {
        let (servers, voice) = (ModelServers(), StandInTutor.voice("Hello there."))
        let file = WAVFile(sampleRate: 24_000, samples: voice).data
        servers.set(.speech, .data(file + file, contentType: "audio/wav"))
        #expect(try await samples(servers) == voice + voice)
        var placeholder = file
        placeholder.replaceSubrange(40..<44, with: [0x00, 0x94, 0x35, 0x77])
        servers.set(.speech, .data(placeholder, contentType: "audio/wav"))
        #expect(try await samples(servers) == voice)
    }

    private static let tone = StandInTutor.voice("Hello there.", sampleRate: 16_000)

    @Test(arguments: [
        ("audio/pcm;rate=16000", 24_000), ("audio/l16; rate=16000; channels=1", 24_000), ("application/octet-stream", 16_000),
    ])
    func rateOfRawSamplesIsThatOfTheTypeOrTheSetting(type: String, rate: Int) async throws {
        let servers = ModelServers()
        servers.set(.speech, .data(Self.tone, contentType: type))
        let samples = try await samples(servers, options: .init(sampleRate: rate))
        #expect(abs(samples.count - StandInTutor.voice("Hello there.").count) <= 4)
    }

    @Test func channelsOfRawSamplesAreMixed() async throws {
        let servers = ModelServers()
        let voice = PCM16.samples(StandInTutor.voice("Hello there."))
        servers.set(.speech, .data(PCM16.data(voice.flatMap { [$0, $0] }), contentType: "audio/pcm;rate=24000;channels=2"))
        #expect(try await samples(servers) == PCM16.data(voice))
    }

    /// First bytes of files, with nothing that a player could find.
    @Test(
        arguments: [
            ("ID3\u{4}", "audio/mpeg"), ("fLaC", "audio/pcm"), ("OggS", nil), ("\u{1A}", "audio/webm"),
            ("....ftypM4A ", "application/octet-stream"),
            ("junk", "audio/mpeg"), ("junk", "audio/flac"), ("junk", "audio/aac"), ("junk", "audio/mp4"),
            ("junk", "text/html; charset=utf-8"),
            ("junk", "audio/basic"),
        ] as [(String, String?)])
    func otherFormatsAreRefusedAndNeverPlayed(beginning: String, type: String?) async throws {
        let servers = ModelServers()
        servers.set(.speech, .data(Data(beginning.utf8) + Data(count: 6_000), contentType: type))
        let error = await #expect(throws: EngineError.self) {
            try await samples(servers, options: .init(names: ("TALKCO_SPEECH_FORMAT", "TALKCO_SPEECH_RATE")))
        }
        #expect(error?.description.contains("TALKCO_SPEECH_FORMAT") == true)
    }

    @Test func noiseAtFullScaleIsRefused() async throws {
        let servers = ModelServers()
        var random = SeededGenerator(seed: 5)
        servers.set(.speech, .data(Data((0..<9_000).map { _ in .random(in: 0...255, using: &random) }), contentType: "audio/pcm"))
        await #expect(throws: EngineError.self) { try await samples(servers) }
        // Samples in the other byte order are noise too.
        let swapped = StandInTutor.voice("Hello there.").enumerated().map { $0.offset ^ 1 }
        let voice = StandInTutor.voice("Hello there.")
        servers.set(.speech, .data(Data(swapped.map { voice[$0] }), contentType: "audio/pcm"))
        await #expect(throws: EngineError.self) { try await samples(servers) }
    }

    @Test func serverThatSendsAnotherFormatIsAskedForFiles() async throws {
        let servers = ModelServers()
        servers.plan(.speech, .data(Data("ID3".utf8) + Data(count: 5_000), contentType: "audio/mpeg"), .none, .none)
        let samples = try await samples(servers)
        #expect(abs(samples.count - StandInTutor.voice("Hello there.").count) <= 4)
        #expect(servers.received(.speech).map { $0.json?["response_format"]?.text } == ["pcm", "wav"])
    }

    @Test func setFormatIsTheOnlyOneThatIsAskedFor() async throws {
        let servers = ModelServers()
        _ = try await samples(servers, options: .init(format: "wav"))
        servers.set(.speech, .status(400))
        await #expect(throws: EngineError.self) { try await samples(servers, options: .init(format: "mp3")) }
        #expect(servers.received(.speech).map { $0.json?["response_format"]?.text } == ["wav", "mp3"])
    }

    private static let formats: [([String], String?)] = [
        (["-id3v2_version", "0", "-f", "mp3"], "audio/pcm"), (["-f", "adts"], "audio/aac"),
        (["-c:a", "libopus", "-f", "webm"], "audio/webm"), (["-f", "mp3"], "audio/mpeg"), (["-f", "flac"], nil),
        (["-c:a", "libopus", "-f", "ogg"], "audio/ogg"),
        (["-c:a", "aac", "-f", "ipod", "-movflags", "frag_keyframe+empty_moov"], "audio/mp4"), (["-f", "aiff"], "audio/x-aiff"),
        (["-c:a", "adpcm_ms", "-f", "wav"], "audio/wav"), (["-c:a", "pcm_f32le", "-f", "wav"], "audio/wav"),
        (["-c:a", "pcm_s24le", "-rf64", "always", "-f", "wav"], "audio/wav"),
    ]
    private static var decoder: SoundDecoder? { SoundDecoder(in: searchPath, timeLimit: .seconds(120)) }

    /// FFmpeg writes each format, and is run to read it again.
    @Test(
        .enabled(if: ChildProgram.find("ffmpeg", in: searchPath) != nil, "ffmpeg is not installed"),
        arguments: formats.prefix(Effort.count(3, soak: 100)))
    func compressedSpeechIsDecoded(options: [String], type: String?) async throws {
        let voice = StandInTutor.voice("Hello there.")
        let file = try await PrivateFolder.with { folder in
            try folder.write(WAVFile(sampleRate: 24_000, samples: voice).data, to: "in.wav")
            let path = try #require(ChildProgram.find("ffmpeg", in: Self.searchPath))
            _ = try await ChildProgram(path: path, timeLimit: .seconds(120)).run(
                ["-nostdin", "-v", "error", "-i", "in.wav"] + options + ["out"], in: folder.path, outputLimit: 1_000)
            return try #require(folder.read("out", limit: 10_000_000))
        }
        let servers = ModelServers()
        servers.set(.speech, .data(file, contentType: type))
        let samples = try await samples(servers, options: .init(decoder: Self.decoder))
        // Codecs add some silence at both ends.
        #expect(abs(samples.count - voice.count) < 9_600)
        #expect(abs(PCM16.rootMeanSquare(samples) / PCM16.rootMeanSquare(voice) - 1) < 0.15)
    }

    /// A list of other files, which FFmpeg would read if it were asked to find out the format.
    @Test(.enabled(if: ChildProgram.find("ffmpeg", in: searchPath) != nil, "ffmpeg is not installed"))
    func decoderReadsNoListOfFiles() async throws {
        let servers = ModelServers()
        let list = "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nfile:///etc/hostname\n#EXT-X-ENDLIST\n"
        servers.set(.speech, .data(Data(list.utf8) + Data(repeating: 10, count: 5_000), contentType: "audio/mpeg"))
        let error = await #expect(throws: EngineError.self) {
            try await samples(servers, options: .init(decoder: Self.decoder))
        }
        #expect(error?.description.contains("cannot be decoded") == true)
    }

    static let searchPath = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin"
}
