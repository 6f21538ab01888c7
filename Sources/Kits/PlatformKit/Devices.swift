/// What was copied.
public protocol Clipboard: Sendable {
    /// - Throws: ``PhoneError``.
    func copy(_ text: String) async throws
    /// - Throws: ``PhoneError``; `denied` when the person does not want it read.
    func paste() async throws -> String
}

/// Short sounds and vibration.
public protocol Sounds: Sendable {
    /// Starts the notes, one after the other. Silent when the phone is.
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

/// Whether there is a network.
public protocol NetworkPath: Sendable {
    /// Now, and whenever it changes.
    @MainActor func changes() -> AsyncStream<Bool>
}
