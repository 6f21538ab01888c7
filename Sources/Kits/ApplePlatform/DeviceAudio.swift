#if os(iOS)
    import AVFAudio
    import Dispatch
    import PlatformKit
    import UIKit

    /// A recording or a playback, which holds the audio session from its start to its stop.
    @MainActor
    package protocol AudioSessionUser: AnyObject, Sendable {
        var isRunning: Bool { get }
        /// - Throws: ``PhoneError``.
        func start() throws
        func stop()
    }

    extension AudioSessionUser {
        /// Stops from any thread, without waiting.
        package nonisolated func stopSoon() {
            // Bridges a synchronous call, also of a `deinit`, to the main actor.
            Task { @MainActor in stop() }
        }
    }

    /// The app's audio session, used by one recording, one playback, or the app's own sounds at a time.
    ///
    /// ```
    ///   a call, another app,
    ///   the background        ─▶ the recording ends with what there is; the playback stops
    ///   headphones are gone   ─▶ the playback stops, and the recording continues with the next microphone
    /// ```
    @MainActor
    package final class DeviceAudio {
        package enum Use: Sendable { case recording, playback, sounds }

        /// The only instance: a process has one audio session.
        package static let shared = DeviceAudio()
        /// A serial queue for calls to the session, which block their thread until the hardware is ready.
        private nonisolated static let queue = DispatchQueue(label: "audio-session", qos: .userInitiated)

        private weak var user: (any AudioSessionUser)?
        private var use = Use.playback
        private var claims = AudioSessionClaims()
        /// The claim that `user` holds; nil if there is none.
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

        /// Stops the current user, activates the session and starts `newUser`.
        ///
        /// - Throws: ``PhoneError``, `absent` if another claim or an interruption took the session meanwhile; `CancellationError`.
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
            // A user that fails to start stops itself, which releases the claim.
            try newUser.start()
        }

        /// Prepares the session for sounds that the phone's switch silences. Has no effect while speech holds the session.
        func prepareForSounds() async {
            // A failure is ignored: without the session the sound is silent, or interrupts another app's music.
            if claims.isFree { try? await Self.activate(.sounds) }
        }

        /// Releases the session if its user has stopped, so that other apps continue their music.
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
            // The session stays active if the system refuses to deactivate it now.
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
                // Activation fails during a call, for example.
                throw PhoneError.failed(error.localizedDescription)
            }
        }
    }
#endif
