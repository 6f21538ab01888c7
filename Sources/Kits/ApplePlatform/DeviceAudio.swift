#if os(iOS)
    import AVFAudio
    import PlatformKit
    import UIKit

    /// The audio session of the app, and who uses it now: one recording or one playback, or the app's own sounds.
    ///
    /// ```
    ///   a call, another app,
    ///   the background        ─▶ the recording ends with what there is; the playback stops
    ///   headphones are gone   ─▶ the playback stops, and the recording continues with the next microphone
    /// ```
    @MainActor
    final class DeviceAudio {
        private weak var recording: RecordingEngine?
        private weak var playback: PlaybackEngine?
        private var observers: [MainObserver] = []

        init() {
            observers = [
                MainObserver(AVAudioSession.interruptionNotification, key: AVAudioSessionInterruptionTypeKey) { [weak self] type in
                    if type == AVAudioSession.InterruptionType.began.rawValue { self?.stopAll() }
                },
                MainObserver(AVAudioSession.routeChangeNotification, key: AVAudioSessionRouteChangeReasonKey) {
                    [weak self] reason in
                    if reason == AVAudioSession.RouteChangeReason.oldDeviceUnavailable.rawValue { self?.playback?.stop() }
                },
                MainObserver(AVAudioSession.mediaServicesWereResetNotification) { [weak self] _ in self?.stopAll() },
                MainObserver(UIApplication.didEnterBackgroundNotification) { [weak self] _ in self?.stopAll() },
            ]
        }

        /// True while a recording or a playback has the session.
        var isInUse: Bool { recording?.isRunning == true || playback?.isRunning == true }

        /// - Throws: ``PhoneError``.
        func start(_ engine: RecordingEngine) throws {
            stopAll()
            try activate(.playAndRecord, options: [.defaultToSpeaker, .allowBluetoothHFP])
            recording = engine
            try engine.start()
        }

        /// - Throws: ``PhoneError``.
        func start(_ engine: PlaybackEngine) throws {
            stopAll()
            try activate(.playback)
            playback = engine
            try engine.start()
        }

        /// Makes the session one for sounds that the phone's switch silences. Without effect while speech has the session.
        func prepareForSounds() {
            // Without the session a sound is silent, or stops the music of another app: no reason to fail.
            if !isInUse { try? activate(.ambient) }
        }

        /// Lets other apps continue their music.
        func engineDidStop() {
            guard !isInUse else { return }
            // The session can stay active where the system does not want it to end now.
            try? AVAudioSession.sharedInstance().setActive(false, options: .notifyOthersOnDeactivation)
        }

        private func stopAll() {
            recording?.stop()
            playback?.stop()
        }

        private func activate(_ category: AVAudioSession.Category, options: AVAudioSession.CategoryOptions = []) throws {
            do {
                try AVAudioSession.sharedInstance().setCategory(category, mode: .default, options: options)
                try AVAudioSession.sharedInstance().setActive(true)
            } catch {
                // During a call.
                throw PhoneError.failed(error.localizedDescription)
            }
        }
    }
#endif
