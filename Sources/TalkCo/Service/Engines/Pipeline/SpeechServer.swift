import AudioKit
import Foundation
import HTTPTypes
import NetworkingKit
import WireKit

/// The voice of a server with OpenAI's interface for speech, such as one for Kokoro or Piper.
struct SpeechServer: Voice {
    /// The sample rate of `SpeechFormat` and of OpenAI's raw samples, in hertz.
    static let sampleRate = 24_000
    /// Maximum silence of the server, after which an answer continues without its voice.
    static let silenceLimit = Duration.seconds(10)
    /// Maximum size of the speech for one text, in bytes: more than ten minutes.
    private static let maximumSize = 33_554_432

    /// The settings of the operator.
    struct Options: Sendable {
        /// The format to request; nil to try raw samples first, and then files.
        var format: String?
        /// The sample rate of raw samples whose media type does not state a rate, in hertz.
        var sampleRate = SpeechServer.sampleRate
        /// The names of the settings `format` and `sampleRate`, for errors.
        var names = (format: "SPEECH_FORMAT", sampleRate: "SPEECH_RATE")
        /// The decoder of compressed files; nil if none is installed.
        var decoder: SoundDecoder?
    }

    private struct State {
        /// The format that the server accepts.
        var format: String
        /// True once the server has sent files of another format for both `pcm` and `wav`.
        var sendsOthers = false
    }

    let server: OutsideServer
    let model: String
    let voice: String
    private let options: Options
    private let state: Locked<State>

    init(_ server: OutsideServer, model: String, voice: String, options: Options = Options()) {
        (self.server, self.model, self.voice, self.options) = (server, model, voice, options)
        state = Locked(State(format: options.format ?? "pcm"))
    }

    func speech(_ text: String) -> AsyncThrowingStream<Data, any Error> { speech(text, startsAtOnce: false) }
    func speechAhead(_ text: String, pace: Pace, for network: CallerNetwork) -> AsyncThrowingStream<Data, any Error> {
        pace.applied(to: speech(text, startsAtOnce: true))
    }

    func check() async throws { try await server.probe() }

    /// - Parameter startsAtOnce: True to request the speech before the stream is read.
    func speech(_ text: String, startsAtOnce: Bool) -> AsyncThrowingStream<Data, any Error> {
        let text = SpeechText.of(text)
        return BoundedStream.make(startsAtOnce: startsAtOnce) { send in
            guard !text.isEmpty else { return }
            do {
                try await Silence.limited(to: Self.silenceLimit, by: server.clock, of: server.subject) { didHear in
                    try await self.speak(text, didHear) { samples in
                        didHear()
                        try await send(samples)
                        // A slow receiver does not count as silence of the server.
                        didHear()
                    }
                }
            } catch let failure as OutsideFailure {
                throw failure.error
            } catch let error as TransportError {
                throw try server.failure(error)
            }
        }
    }

    // MARK: Requests

    private func speak(_ text: String, _ didHear: () -> Void, _ receive: (Data) async throws -> Void) async throws {
        let (format, sendsOthers) = state.withLock { ($0.format, $0.sendsOthers) }
        let mayAskAnew = options.format == nil && format == "pcm"
        do {
            let reply = try await reply(text, format, didHear)
            // Without a decoder, WAV is requested in place of a compressed file.
            if try await read(reply, skippingCompressed: mayAskAnew && !sendsOthers && options.decoder == nil, didHear, receive) {
                return
            }
        } catch let failure as OutsideFailure where mayAskAnew && [400, 415, 422].contains(failure.status) && !failure.isLasting {
            // Some servers offer files only.
            guard let reply = try? await reply(text, "wav", didHear) else { throw failure }
            state.withLock { $0.format = "wav" }
            _ = try await read(reply, skippingCompressed: false, didHear, receive)
            return
        }
        let reply = try await reply(text, "wav", didHear)
        do {
            _ = try await read(reply, skippingCompressed: false, didHear, receive)
            state.withLock { $0.format = "wav" }
        } catch let error as EngineError {
            state.withLock { $0.sendsOthers = true }
            throw error
        }
    }

    private func reply(_ text: String, _ format: String, _ didHear: () -> Void) async throws -> HTTPStream {
        let body: [String: JSONValue] = [
            "model": .string(model), "voice": .string(voice), "input": .string(text), "response_format": .string(format),
        ]
        let reply = try await server.askingTwice(willRetry: didHear) {
            try await server.stream(
                "/audio/speech", WireJSON.encode(JSONValue.object(body)), accept: "audio/*, application/json")
        }
        didHear()
        return reply
    }

    // MARK: Replies

    /// Reads raw samples as they arrive, and a file when it is complete.
    ///
    /// - Parameter skippingCompressed: True to read raw samples and WAV only.
    /// - Returns: False for a file that was not read.
    private func read(
        _ reply: HTTPStream, skippingCompressed: Bool, _ didHear: () -> Void, _ receive: (Data) async throws -> Void
    ) async throws -> Bool {
        let type = SoundType(reply.head.headerFields[.contentType])
        var chunks = reply.body.makeAsyncIterator()
        var beginning = Data()
        while beginning.count < SoundFormat.signatureSize, let chunk = try await chunks.next() {
            beginning += chunk
            didHear()
        }
        if beginning.isEmpty {
            try Task.checkCancellation()
            throw EngineError(.failed, "\(server.subject) at \(server.name) sent no sound.")
        }
        let format = SoundFormat(beginning: beginning) ?? type.format
        if let text = Self.text(beginning) {
            // The reply is an error with the status of a success; its media type may be any.
            var text = text
            while text.count < Self.maximumTextSize, let chunk = try await chunks.next() { text += chunk }
            if let message = server.message(in: text) { throw EngineError(.failed, "\(server.subject) reports: \(message)") }
            throw unusable(text.first == UInt8(ascii: "<") ? "a web page" : "JSON")
        }
        guard let format else {
            guard type.mayBeRaw else { throw unusable(type.name) }
            guard !PCM16.isNoise(beginning) else { throw unusable("sound that is no PCM of 16 bits") }
            var reader = SampleReader(type, rate: type.sampleRate ?? options.sampleRate)
            var size = 0
            var next: Data? = beginning
            while let chunk = next {
                size += chunk.count
                guard size <= Self.maximumSize else { throw unusable("speech without end") }
                let samples = reader.process(chunk)
                if !samples.isEmpty { try await receive(samples) }
                next = try await chunks.next()
            }
            // The body of a cancelled call ends without an error.
            try Task.checkCancellation()
            let last = reader.finish()
            if !last.isEmpty { try await receive(last) }
            return true
        }
        if skippingCompressed, format != .wave { return false }
        while let chunk = try await chunks.next() {
            beginning += chunk
            didHear()
            guard beginning.count <= Self.maximumSize else { throw unusable("a file that is too long") }
        }
        try Task.checkCancellation()
        let samples = try await samples(of: beginning, format)
        guard !samples.isEmpty else { throw EngineError(.failed, "\(server.subject) at \(server.name) sent no sound.") }
        try await receive(samples)
        return true
    }

    /// Maximum size of an error's text, in bytes.
    private static let maximumTextSize = 65_536

    /// Returns the beginning of JSON or of a web page; nil for sound.
    private static func text(_ beginning: Data) -> Data? {
        let text = beginning.drop { $0 == 0x20 || 0x09...0x0d ~= $0 }
        guard let first = text.first, first == UInt8(ascii: "{") || first == UInt8(ascii: "<") else { return nil }
        // Samples have bytes that do not occur in text. The last character may be cut.
        let isText =
            text.allSatisfy { $0 >= 0x20 || 0x09...0x0d ~= $0 }
            && (1...4).contains { String(validating: text.dropLast($0), as: UTF8.self) != nil }
        return isText ? Data(text) : nil
    }

    private func samples(of file: Data, _ format: SoundFormat) async throws -> Data {
        var reason = ""
        if format == .wave {
            do {
                return try WAVFile(parsing: file, allowsWrongSizes: true).mono(sampleRate: Self.sampleRate)
            } catch {
                reason = " (\(error.description))"
            }
        }
        guard let decoder = options.decoder else {
            throw unusable(
                "\(format.rawValue)\(reason)",
                "Install ffmpeg on this machine, or set \(options.names.format) to a format of the server that needs none: pcm or wav."
            )
        }
        do {
            return try await decoder.samples(of: file, format)
        } catch let error as EngineError {
            throw unusable("\(format.rawValue) that cannot be decoded\(reason): \(error.description)")
        }
    }

    private func unusable(_ what: String, _ advice: String? = nil) -> EngineError {
        let advice = advice ?? "See \(options.names.format) and \(options.names.sampleRate)."
        return EngineError(
            .failed, "\(server.subject) at \(server.name) answered with \(what), not with PCM samples of 16 bits or WAV. \(advice)")
    }
}

/// A converter of raw samples, in chunks of any size, to `SpeechFormat`.
private struct SampleReader {
    private let channelCount: Int
    private var resampler: Resampler
    /// The incomplete frame at the end of the last chunk.
    private var rest = Data()

    init(_ type: SoundType, rate: Int) {
        channelCount = type.channelCount
        resampler = Resampler(from: rate, to: SpeechServer.sampleRate)
    }

    mutating func process(_ chunk: Data) -> Data {
        guard channelCount > 1 else { return resampler.process(chunk) }
        rest += chunk
        let size = rest.count - rest.count % (PCM16.sampleSize * channelCount)
        defer { rest = Data(rest.dropFirst(size)) }
        return resampler.process(PCM16.mono(Data(rest.prefix(size)), channelCount: channelCount))
    }

    mutating func finish() -> Data { resampler.finish() }
}

/// The media type of a reply with speech.
private struct SoundType {
    /// The type without its parameters, in lower case; empty without one.
    private let type: String
    private let parameters: Substring

    init(_ header: String?) {
        let text = header?.lowercased() ?? ""
        type = text.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces)
        parameters = text.dropFirst(type.count)
    }

    var name: String { type.isEmpty ? "another format" : type }

    /// True for a type that may mean raw samples: a raw type, an unspecific type, or none.
    var mayBeRaw: Bool {
        type.isEmpty || type.hasSuffix("octet-stream") || type == "audio/*"
            || type.hasPrefix("audio/") && ["pcm", "l16", "raw", "s16"].contains(where: type.contains)
    }

    /// The format that the type names, for a file whose first bytes do not identify it; nil for none.
    var format: SoundFormat? {
        switch type {
        case "audio/mpeg", "audio/mp3", "audio/x-mp3", "audio/mpeg3", "audio/mpga", "audio/x-mpeg": .mp3
        case "audio/aac", "audio/aacp", "audio/x-aac", "audio/x-hx-aac-adts": .aac
        case "audio/flac", "audio/x-flac": .flac
        case "audio/ogg", "audio/opus", "application/ogg", "audio/vorbis": .ogg
        case "audio/webm", "video/webm", "audio/x-matroska": .webM
        case "audio/mp4", "audio/m4a", "audio/x-m4a", "video/mp4": .m4a
        default: nil
        }
    }

    var sampleRate: Int? {
        let rate = parameters.firstMatch(of: /rate\s*=\s*"?(\d{4,6})/).flatMap { Int($0.1) }
        return rate.flatMap { WAVFile.sampleRates.contains($0) ? $0 : nil }
    }

    var channelCount: Int {
        let count = parameters.firstMatch(of: /channels\s*=\s*"?(\d{1,2})/).flatMap { Int($0.1) } ?? 1
        return WAVFile.channelCounts.contains(count) ? count : 1
    }
}
