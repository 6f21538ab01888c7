/// The present recording and playback of a browser phone: at most one of each, on any of its pages.
@MainActor
final class PageSpeech {
    private weak var recording: PageRecording?
    private weak var playback: PagePlayback?

    /// Notes a recording that has begun. An earlier one ends, and a playback stops, so that it is not recorded.
    func begin(_ recording: PageRecording) {
        if let earlier = self.recording { Task { await earlier.endMicrophone() } }
        self.recording = recording
        stopPlayback()
    }

    /// Notes a playback that has begun. An earlier one stops.
    func begin(_ playback: PagePlayback) {
        stopPlayback()
        self.playback = playback
    }

    func stopPlayback() {
        playback?.stop()
        playback = nil
    }
}
