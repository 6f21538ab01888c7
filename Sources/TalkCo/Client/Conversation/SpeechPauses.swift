/// A detector of pauses in speech, by loudness, in steps of a twentieth of a second.
struct SpeechPauses {
    /// Minimum steps of speech before a pause, and the steps of silence that form a pause: half a second.
    private static let (minimumSpeech, pauseLength) = (3, 10)
    /// The loudness up to which a step is silence: as a share of full scale, and of the loudest step.
    private static let (floor, share) = (0.012, 0.15)

    private var loudest = 0.0
    private var speech = 0
    private var silence = 0
    /// True if the last step was speech.
    private(set) var isSpeech = false

    /// - Parameter level: The root mean square of a step, 0 to 1.
    /// - Returns: True once in each pause.
    mutating func begins(at level: Double) -> Bool {
        loudest = max(loudest, level)
        isSpeech = level > max(Self.floor, Self.share * loudest)
        guard !isSpeech else {
            speech += 1
            silence = 0
            return false
        }
        silence += 1
        guard silence == Self.pauseLength, speech >= Self.minimumSpeech else { return false }
        speech = 0
        return true
    }
}
