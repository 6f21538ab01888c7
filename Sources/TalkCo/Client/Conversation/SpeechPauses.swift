/// Finds the pauses in speech by its loudness, twenty times a second.
struct SpeechPauses {
    /// The steps of speech before a pause, and those of silence that make one: half a second.
    private static let (minimumSpeech, pauseLength) = (3, 10)
    /// The loudness below which there is silence: of full scale, and of the loudest speech.
    private static let (floor, share) = (0.012, 0.15)

    private var loudest = 0.0
    private var speech = 0
    private var silence = 0
    /// The last step was speech.
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
