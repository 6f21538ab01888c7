import AudioKit
import Foundation
import HTTPTypes
import NetworkingKit
import WireKit

/// The voice of a server with OpenAI's interface for speech, such as one for Kokoro or Piper.
struct SpeechServer: Voice {
    private static let sampleRate = 24_000
    /// The maximum size of the speech for one text, in bytes: more than ten minutes.
    private static let maximumSize = 33_554_432

    let server: OutsideServer
    let model: String
    let voice: String
    /// The format that the server accepts.
    private let format = Locked("pcm")

    init(_ server: OutsideServer, model: String, voice: String) {
        (self.server, self.model, self.voice) = (server, model, voice)
    }

    func speech(_ text: String) -> AsyncThrowingStream<Data, any Error> { speech(text, startsAtOnce: false) }

    /// - Parameter startsAtOnce: True to request the speech before it is read.
    func speech(_ text: String, startsAtOnce: Bool) -> AsyncThrowingStream<Data, any Error> {
        BoundedStream.make(startsAtOnce: startsAtOnce) { send in
            do {
                try await Silence.limited(by: server.clock, of: server.subject) { didHear in
                    let reply = try await self.reply(text)
                    didHear()
                    try await self.read(reply) { samples in
                        didHear()
                        try await send(samples)
                        // The receiver may have waited.
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

    private func reply(_ text: String) async throws -> HTTPStream {
        let format = format.withLock { $0 }
        do {
            return try await reply(text, format)
        } catch let failure as OutsideFailure where format == "pcm" && [400, 415, 422].contains(failure.status) {
            // Some servers offer files only.
            do {
                let reply = try await reply(text, "wav")
                self.format.withLock { $0 = "wav" }
                return reply
            } catch is OutsideFailure {
                throw failure
            }
        }
    }

    private func reply(_ text: String, _ format: String) async throws -> HTTPStream {
        let body: [String: JSONValue] = [
            "model": .string(model), "voice": .string(voice), "input": .string(text), "response_format": .string(format),
        ]
        return try await server.stream(
            "/audio/speech", WireJSON.encode(JSONValue.object(body)), accept: "audio/*, application/json")
    }

    private func read(_ reply: HTTPStream, _ receive: (Data) async throws -> Void) async throws {
        let type = reply.head.headerFields[.contentType]?.lowercased() ?? ""
        var chunks = reply.body.makeAsyncIterator()
        var beginning = Data()
        while beginning.count < 12, let chunk = try await chunks.next() { beginning += chunk }
        if beginning.starts(with: Data("RIFF".utf8)) {
            while let chunk = try await chunks.next() {
                beginning += chunk
                guard beginning.count <= Self.maximumSize else { throw unusable("a file that is too long") }
            }
            return try await receive(try file(beginning))
        }
        let isCompressed = beginning.starts(with: Data("ID3".utf8)) || beginning.starts(with: Data("OggS".utf8))
        guard !isCompressed, !type.hasPrefix("application/json"), !type.hasPrefix("text/") else {
            throw unusable(type.isEmpty ? "another format" : type)
        }
        let rate = type.firstMatch(of: /rate=(\d{4,6})/).flatMap { Int($0.1) } ?? Self.sampleRate
        // Also joins samples that a chunk cuts.
        var resampler = Resampler(from: WAVFile.sampleRates.contains(rate) ? rate : Self.sampleRate, to: Self.sampleRate)
        var size = beginning.count
        let first = resampler.process(beginning)
        if !first.isEmpty { try await receive(first) }
        while let chunk = try await chunks.next() {
            size += chunk.count
            guard size <= Self.maximumSize else { throw unusable("speech without end") }
            let samples = resampler.process(chunk)
            if !samples.isEmpty { try await receive(samples) }
        }
        // The body of a cancelled call ends without an error.
        try Task.checkCancellation()
        let last = resampler.finish()
        if !last.isEmpty { try await receive(last) }
    }

    private func file(_ bytes: Data) throws(EngineError) -> Data {
        do {
            return try WAVFile(parsing: bytes).mono(sampleRate: Self.sampleRate)
        } catch {
            throw unusable("a sound file that is not readable (\(error.description))")
        }
    }

    private func unusable(_ what: String) -> EngineError {
        EngineError(.failed, "\(server.subject) at \(server.name) answered with \(what), not with PCM samples.")
    }
}
