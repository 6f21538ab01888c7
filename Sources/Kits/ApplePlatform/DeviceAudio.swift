#if os(iOS)
    import AVFAudio
    import PlatformKit
    import UIKit

    /// A recording or a playback, which has the audio session from its start to its stop.
    @MainActor
    package protocol AudioSessionUser: AnyObject {
        var isRunning: Bool { get }
        /// - Throws: ``PhoneError``.
        func start() throws
        func stop()
    }

    /// The audio session of the app, and its user: one recording or one playback, or the app's own sounds.
    ///
    /// ```
    ///   a call, another app,
    ///   the background        ─▶ the recording ends with what there is; the playback stops
    ///   headphones are gone   ─▶ the playback stops, and the recording continues with the next microphone
    /// ```
    @MainActor
    package final class DeviceAudio {
        package enum Use { case recording, playback }

        /// There is one audio session per process.
        package static let shared = DeviceAudio()

        private weak var user: (any AudioSessionUser)?
        private var use = Use.playback
        private var observers: [MainObserver] = []

        private init() {
            observers = [
                MainObserver(AVAudioSession.interruptionNotification, key: AVAudioSessionInterruptionTypeKey) { [weak self] type in
                    if type == AVAudioSession.InterruptionType.began.rawValue { self?.user?.stop() }
                },
                MainObserver(AVAudioSession.routeChangeNotification, key: AVAudioSessionRouteChangeReasonKey) {
                    [weak self] reason in
                    guard let self, use == .playback else { return }
                    if reason == AVAudioSession.RouteChangeReason.oldDeviceUnavailable.rawValue { user?.stop() }
                },
                MainObserver(AVAudioSession.mediaServicesWereResetNotification) { [weak self] _ in self?.user?.stop() },
                MainObserver(UIApplication.didEnterBackgroundNotification) { [weak self] _ in self?.user?.stop() },
            ]
        }

        /// True while a recording or a playback has the session.
        private var isInUse: Bool { user?.isRunning == true }

        /// Stops the present user, activates the session and starts `newUser`.
        ///
        /// - Throws: ``PhoneError``.
        package func start(_ newUser: any AudioSessionUser, for newUse: Use) throws {
            user?.stop()
            switch newUse {
            case .recording: try activate(.playAndRecord, options: [.defaultToSpeaker, .allowBluetoothHFP])
            case .playback: try activate(.playback)
            }
            (user, use) = (newUser, newUse)
            try newUser.start()
        }

        /// Makes the session one for sounds that the phone's switch silences. Without effect while speech has the session.
        func prepareForSounds() {
            // Without the session a sound is silent, or stops the music of another app: no reason to fail.
            if !isInUse { try? activate(.ambient) }
        }

        /// Lets other apps continue their music.
        package func userDidStop() {
            guard !isInUse else { return }
            // The session can stay active where the system does not want it to end now.
            try? AVAudioSession.sharedInstance().setActive(false, options: .notifyOthersOnDeactivation)
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
