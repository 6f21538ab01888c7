#if os(iOS)
    import AVFAudio
    import Dispatch
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
        package enum Use: Sendable { case recording, playback, sounds }

        /// There is one audio session per process.
        package static let shared = DeviceAudio()
        /// Calls of the session block their thread until the hardware is ready. They run here, one after the other.
        private nonisolated static let queue = DispatchQueue(label: "audio-session", qos: .userInitiated)

        private weak var user: (any AudioSessionUser)?
        private var use = Use.playback
        private var claims = AudioSessionClaims()
        /// The claim of the user.
        private var claim: AudioSessionClaims.Claim?
        private var observers: [MainObserver] = []

        private init() {
            observers = [
                MainObserver(AVAudioSession.interruptionNotification, key: AVAudioSessionInterruptionTypeKey) { [weak self] type in
                    if type == AVAudioSession.InterruptionType.began.rawValue { self?.stopAll() }
                },
                MainObserver(AVAudioSession.routeChangeNotification, key: AVAudioSessionRouteChangeReasonKey) {
                    [weak self] reason in
                    guard let self, use == .playback else { return }
                    if reason == AVAudioSession.RouteChangeReason.oldDeviceUnavailable.rawValue { user?.stop() }
                },
                MainObserver(AVAudioSession.mediaServicesWereResetNotification) { [weak self] _ in self?.stopAll() },
                MainObserver(UIApplication.didEnterBackgroundNotification) { [weak self] _ in self?.stopAll() },
            ]
        }

        /// Stops the present user, activates the session and starts `newUser`.
        ///
        /// - Throws: ``PhoneError``, `absent` if the session was taken away meanwhile; `CancellationError`.
        package func start(_ newUser: any AudioSessionUser, for newUse: Use) async throws {
            let claim = claims.claim()
            user?.stop()
            do {
                try await Self.activate(newUse)
                try Task.checkCancellation()
                guard claims.holds(claim) else { throw PhoneError.absent }
            } catch {
                release(claim)
                throw error
            }
            (user, use, self.claim) = (newUser, newUse, claim)
            // Stops itself, which releases the claim, when it fails.
            try newUser.start()
        }

        /// Makes the session one for sounds that the phone's switch silences. Without effect while speech has the session.
        func prepareForSounds() async {
            // Without the session a sound is silent, or stops the music of another app: no reason to fail.
            if claims.isFree { try? await Self.activate(.sounds) }
        }

        /// Lets other apps continue their music.
        package func userDidStop() {
            guard user?.isRunning != true, let claim else { return }
            self.claim = nil
            release(claim)
        }

        private func stopAll() {
            claims.interrupt()
            user?.stop()
        }

        private func release(_ claim: AudioSessionClaims.Claim) {
            claims.release(claim)
            guard claims.isFree else { return }
            // The session can stay active where the system does not want it to end now.
            Self.queue.async { try? AVAudioSession.sharedInstance().setActive(false, options: .notifyOthersOnDeactivation) }
        }

        private nonisolated static func activate(_ use: Use) async throws {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                queue.async {
                    continuation.resume(with: Result { try activateNow(use) })
                }
            }
        }

        private nonisolated static func activateNow(_ use: Use) throws {
            do {
                let session = AVAudioSession.sharedInstance()
                switch use {
                case .recording:
                    try session.setCategory(.playAndRecord, mode: .default, options: [.defaultToSpeaker, .allowBluetoothHFP])
                case .playback: try session.setCategory(.playback, mode: .default)
                case .sounds: try session.setCategory(.ambient, mode: .default)
                }
                try session.setActive(true)
            } catch {
                // During a call.
                throw PhoneError.failed(error.localizedDescription)
            }
        }
    }
#endif
