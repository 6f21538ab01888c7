/// The system's clipboard.
public protocol Clipboard: Sendable {
    /// - Throws: ``PhoneError``.
    func copy(_ text: String) async throws
    /// - Throws: ``PhoneError``; `denied` if the user does not allow the app to read it.
    func paste() async throws -> String
}

/// Short sounds and vibration.
public protocol Sounds: Sendable {
    /// Starts the notes, one after the other. Makes no sound while the phone is silenced.
    func play(_ sound: Sound) async
    /// Vibrates for these times, with a pause after each: on, off, on…
    func vibrate(_ pattern: [Duration]) async
}

/// A tune of single notes.
public struct Sound: Hashable, Sendable {
    public enum Wave: String, Hashable, Sendable { case square, sine, triangle }
    public struct Note: Hashable, Sendable {
        /// In Hz; 0 is a pause.
        public var frequency: Double
        public var duration: Duration
        /// 0 to 1.
        public var gain: Double

        public init(frequency: Double, duration: Duration, gain: Double = 0.2) {
            self.frequency = frequency
            self.duration = duration
            self.gain = gain
        }
    }
    public var wave: Wave
    public var notes: [Note]

    public init(wave: Wave = .square, notes: [Note]) {
        self.wave = wave
        self.notes = notes
    }
}

/// The reachability of the network.
public protocol NetworkPath: Sendable {
    /// The link in use: the one now, and each change. A phone that cannot tell reports ``NetworkLink/local`` while there is a network.
    @MainActor func links() -> AsyncStream<NetworkLink>
}

/// The link of a phone to the network.
public enum NetworkLink: String, Sendable {
    case none
    /// Wi-Fi, a cable, or one that the phone does not know.
    case local
    /// The cellular network, without Wi-Fi.
    case cellular
    /// There is a network, and the user does not let the app use the part of it that is local: *Settings, Privacy & Security, Local Network*.
    case localNetworkDenied
    /// There is a network, and the user does not let the app use it, such as the cellular one: *Settings, Apps*, the app.
    case denied

    /// True if the app may use the link.
    public var isUsable: Bool { self == .local || self == .cellular }
}
