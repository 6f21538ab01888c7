import Testing

@testable import TalkCoClient

@Suite struct SpeechPausesTests {
    /// The steps, of 50 ms, at which pauses begin.
    private func pauses(_ levels: [Double]) -> [Int] {
        var pauses = SpeechPauses()
        return levels.indices.filter { pauses.begins(at: levels[$0]) }
    }

    private let speech = Array(repeating: 0.2, count: 20)
    private let silence = Array(repeating: 0.002, count: 15)

    @Test func pauseAfterSpeechBeginsOnce() {
        #expect(pauses(speech + silence + silence) == [29])
        #expect(pauses(silence + speech + silence + speech + silence) == [44, 79])
    }

    @Test func neitherSilenceNorAClickNorAShortStopIsOne() {
        #expect(pauses(silence + silence) == [])
        #expect(pauses(silence + [0.5] + silence) == [])
        #expect(pauses(speech + Array(repeating: 0.002, count: 9) + speech) == [])
    }

    @Test func noiseOfARoomIsSilenceBesideALoudVoice() {
        #expect(pauses(speech + Array(repeating: 0.025, count: 12)) == [29])
    }
}
