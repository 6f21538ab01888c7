/// The present recording and playback of a browser phone: at most one of each, on any of its pages.
@MainActor
final class PageSpeech {
    private weak var recording: PageRecording?
    private weak var playback: PagePlayback?
    /// The end of an earlier recording, which waits for its page.
    private var ending: Task<Void, Never>?

    /// Registers a recording that has begun. Ends an earlier recording, and stops a playback, which would be recorded.
    func begin(_ recording: PageRecording) {
        if let earlier = self.recording { ending = Task { await earlier.endMicrophone() } }
        self.recording = recording
        stopPlayback()
    }

    /// Registers a playback that has begun. Stops an earlier playback.
    func begin(_ playback: PagePlayback) {
        stopPlayback()
        self.playback = playback
    }

    func stopPlayback() {
        playback?.stop()
        playback = nil
    }
}
