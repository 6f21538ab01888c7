import Foundation
import PlatformKit
import WireKit

/// The loudspeaker of a browser.
///
/// ```
///  box                                         page
///   | -- stream.open "speaker" ----------------> |
///   | <-- true --------------------------------- |
///   | -- samples, samples, samples… -----------> |  plays; takes about as many as it has played
///   | -- end (finish) or cancel (stop) --------> |
///   | <-- end (played) or cancel (stopped) ----- |
/// ```
struct PageSpeaker: Speaker {
    /// Maximum unplayed samples that the box sends, in bytes: more than five seconds. The page schedules two further seconds.
    private static let window = StreamWindow.range.upperBound

    weak let phone: BrowserPhone?
    let app: String

    @MainActor func play() async throws -> any Playback {
        guard let phone, let session = phone.session(of: app) else { throw PhoneError.absent }
        // Another page of the phone may play.
        phone.speech.stopPlayback()
        do {
            // Reliable: a lost connection delays speech, and drops none of it.
            let stream = try await session.openStream("speaker", .reliable, window: Self.window, timeout: .seconds(10)) {
                $0.null()
            }.stream
            let playback = PagePlayback(stream)
            phone.speech.begin(playback)
            return playback
        } catch PageError.gesture {
            throw PhoneError.failed("the browser plays sound only after a tap on the page")
        } catch let error as PageError {
            throw PhoneError(error)
        }
    }
}

/// A playback in a browser. Its release releases the stream, which stops the playback.
final class PagePlayback: Playback {
    private let stream: PageStream
    private let isStopped = Locked(false)

    init(_ stream: PageStream) { self.stream = stream }

    func append(_ samples: Data) async throws {
        guard samples.count.isMultiple(of: SpeechFormat.sampleSize) else {
            throw PhoneError.failed("half a sample cannot be played")
        }
        try await perform { try await stream.write(samples) }
    }

    func finish() async throws {
        try await perform {
            try await stream.finish()
            // The page ends its direction when everything is played, and sends nothing before.
            guard try await stream.next() == nil else { throw PageError.failed }
        }
    }

    func stop() {
        isStopped.withLock { $0 = true }
        stream.cancel()
    }

    /// - Throws: ``PhoneError``; `CancellationError`.
    private func perform(_ action: () async throws -> Void) async throws {
        do {
            try await action()
        } catch let error as PageError {
            if error == .failed { stop() }
            throw isStopped.withLock { $0 } ? PhoneError.failed("the playback was stopped") : PhoneError(error)
        }
    }
}
