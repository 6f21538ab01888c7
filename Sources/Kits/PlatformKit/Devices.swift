/// The system's clipboard.
public protocol Clipboard: Sendable {
    /// - Throws: ``PhoneError``.
    func copy(_ text: String) async throws
    /// - Throws: ``PhoneError``; `denied` if the user does not allow the app to read the clipboard.
    func paste() async throws -> String
}

/// Short sounds and vibration.
package protocol Sounds: Sendable {
    /// Starts the notes, one after the other. Makes no sound while the phone is silenced.
    func play(_ sound: Sound) async
    /// Vibrates for these times, with a pause after each: on, off, on…
    func vibrate(_ pattern: [Duration]) async
}

/// A tune of single notes.
package struct Sound: Hashable, Sendable {
    package enum Wave: String, Hashable, Sendable { case square, sine, triangle }
    package struct Note: Hashable, Sendable {
        /// The frequency in hertz; 0 is a pause.
        package var frequency: Double
        package var duration: Duration
        /// The loudness, 0 to 1.
        package var gain: Double

        package init(frequency: Double, duration: Duration, gain: Double = 0.2) {
            self.frequency = frequency
            self.duration = duration
            self.gain = gain
        }
    }
    package var wave: Wave
    package var notes: [Note]

    package init(wave: Wave = .square, notes: [Note]) {
        self.wave = wave
        self.notes = notes
    }
}

/// The reachability of the network.
public protocol NetworkPath: Sendable {
    /// Yields the link in use, then each change. A phone that cannot tell reports ``NetworkLink/local`` while there is a network.
    @MainActor func links() -> AsyncStream<NetworkLink>
}

/// The link of a phone to the network.
public enum NetworkLink: String, Sendable {
    case none
    /// Wi-Fi, a cable, or a link of unknown kind.
    case local
    /// The cellular network, without Wi-Fi.
    case cellular
    /// There is a network, but the user does not let the app use the local network: *Settings, Privacy & Security, Local Network*.
    case localNetworkDenied
    /// There is a network, but the user does not let the app use it, such as the cellular network: *Settings, Apps*, the app.
    case denied

    /// True if the app may use the link.
    package var isUsable: Bool { self == .local || self == .cellular }
}
