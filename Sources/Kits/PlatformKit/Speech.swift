public import Foundation

/// The format of all speech: PCM, 16 bits little-endian, 24 kHz, mono.
package enum SpeechFormat {
    /// Sample rate, in hertz.
    package static let sampleRate = 24_000
    /// Size of a sample, in bytes.
    package static let sampleSize = 2
}

/// The microphone.
///
/// Apple's phones record with AVAudioEngine. In a browser the page records, and sends the samples to the box.
public protocol Microphone: Sendable {
    /// True if this phone has a microphone that can be asked for. Does not prompt the user.
    func isAvailable() async -> Bool
    /// Starts recording. Prompts the user if they were not asked before. Call it from the handler of a press.
    ///
    /// - Throws: ``PhoneError``; `denied` if the user does not allow the microphone. `CancellationError`.
    func record() async throws -> any Recording
}

/// A recording under way. Releasing it cancels it.
public protocol Recording: AnyObject, Sendable {
    /// Yields the root mean square of the newest samples, 0 to 1, about 20 times per second; a slow reader gets the newest only.
    /// Read by one task. Ends with the recording, also when the system takes the microphone away.
    var levels: AsyncStream<Double> { get }
    /// Returns the samples recorded so far, in ``SpeechFormat``: the beginning of the result of ``finish()``.
    func beginning() async -> Data
    /// Stops the microphone and returns the whole recording, in ``SpeechFormat``. Returns the part so far if the system has taken
    /// the microphone away: a call, another app, a page in the background.
    ///
    /// - Throws: ``PhoneError`` if nothing can be returned.
    func finish() async throws -> Data
    /// Stops the microphone and discards the recording. Has no effect after ``finish()``.
    func cancel()
}

/// The loudspeaker for speech that arrives while it is played.
public protocol Speaker: Sendable {
    /// Starts a playback, in place of an earlier one, which stops at once.
    ///
    /// - Throws: ``PhoneError``; `failed` when the system needs a tap of the user first.
    func play() async throws -> any Playback
}

/// A playback under way. Releasing it stops it.
public protocol Playback: AnyObject, Sendable {
    /// Plays samples in ``SpeechFormat`` directly after the earlier ones, without a gap. Waits while many samples are unplayed.
    ///
    /// - Throws: ``PhoneError`` when the playback was stopped: by ``stop()``, a newer playback, or the system.
    func append(_ samples: Data) async throws
    /// Waits until everything is played.
    ///
    /// - Throws: ``PhoneError`` when the playback was stopped before.
    func finish() async throws
    /// Stops at once.
    func stop()
}

/// The phone's own recognition of speech.
public protocol SpeechRecognition: Sendable {
    /// True if speech in a language, such as `en-US`, can be recognized on this phone. Does not prompt the user.
    func isAvailable(language: String) async -> Bool
    /// Recognizes a recording in ``SpeechFormat``.
    ///
    /// - Returns: The text; empty when no words were recognized.
    /// - Throws: ``PhoneError``; `denied` if the user does not allow recognition.
    func text(of samples: Data, language: String) async throws -> String
}

/// The microphone of a phone without one.
package struct NoMicrophone: Microphone {
    package init() {}
    package func isAvailable() async -> Bool { false }
    package func record() async throws -> any Recording { throw PhoneError.unsupported }
}

/// The loudspeaker of a phone without one.
package struct NoSpeaker: Speaker {
    package init() {}
    package func play() async throws -> any Playback { throw PhoneError.unsupported }
}

/// The recognition of a phone without one.
package struct NoSpeechRecognition: SpeechRecognition {
    package init() {}
    package func isAvailable(language: String) async -> Bool { false }
    package func text(of samples: Data, language: String) async throws -> String { throw PhoneError.unsupported }
}
