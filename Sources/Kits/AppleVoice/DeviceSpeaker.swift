#if os(iOS)
    import AVFAudio
    import ApplePlatform
    import AudioKit
    import Foundation
    public import PlatformKit

    public struct DeviceSpeaker: Speaker {
        public init() {}

        public func play() async throws -> any Playback { try await DevicePlayback.started() }
    }

    private final class DevicePlayback: Playback {
        private let engine: PlaybackEngine
        private let progress: PlaybackProgress

        private init(_ engine: PlaybackEngine, _ progress: PlaybackProgress) { (self.engine, self.progress) = (engine, progress) }

        deinit { stop() }

        @MainActor static func started() async throws -> DevicePlayback {
            let progress = PlaybackProgress(capacity: 5 * SpeechFormat.sampleRate)
            let engine = PlaybackEngine(progress: progress)
            try await DeviceAudio.shared.start(engine, for: .playback)
            return DevicePlayback(engine, progress)
        }

        func append(_ samples: Data) async throws {
            try await progress.waitForRoom()
            try await engine.schedule(samples)
        }

        func finish() async throws {
            do {
                try await progress.waitForEnd(clock: ContinuousClock())
            } catch {
                await engine.stop()
                throw error
            }
            await engine.stop()
        }

        func stop() {
            progress.stop()
            engine.stopSoon()
        }
    }

    /// A player for the loudspeaker. Buffers follow each other without a gap.
    @MainActor
    final class PlaybackEngine: AudioSessionUser {
        private let engine = AVAudioEngine()
        private let node = AVAudioPlayerNode()
        private let progress: PlaybackProgress
        private var observer: MainObserver?
        private(set) var isRunning = false

        init(progress: PlaybackProgress) { self.progress = progress }

        func start() throws {
            isRunning = true
            engine.attach(node)
            // The mixer converts to the rate of the loudspeaker.
            engine.connect(node, to: engine.mainMixerNode, format: .speech)
            do {
                try run()
            } catch {
                stop()
                throw PhoneError.failed(error.localizedDescription)
            }
            // The engine stops itself when the user connects or disconnects headphones.
            observer = MainObserver(.AVAudioEngineConfigurationChange, of: engine) { [weak self] _ in self?.restart() }
        }

        func stop() {
            progress.stop()
            guard isRunning else { return }
            isRunning = false
            observer = nil
            node.stop()
            engine.stop()
            DeviceAudio.shared.userDidStop()
        }

        /// - Throws: ``PhoneError/absent`` after ``stop()``.
        func schedule(_ samples: Data) throws {
            guard isRunning else { throw PhoneError.absent }
            guard let buffer = AVAudioPCMBuffer.speech(samples) else { return }
            let count = Int(buffer.frameLength)
            progress.didSchedule(count)
            // The system calls the closure on its own thread.
            node.scheduleBuffer(buffer, completionCallbackType: .dataPlayedBack) { @Sendable [progress] _ in
                progress.didPlay(count)
            }
        }

        private func run() throws {
            engine.prepare()
            try engine.start()
            node.play()
        }

        private func restart() {
            guard isRunning else { return }
            do { try run() } catch { stop() }
        }
    }

    extension AVAudioFormat {
        /// ``SpeechFormat`` as floating-point numbers, which mixers and recognizers take.
        static var speech: AVAudioFormat? {
            AVAudioFormat(
                commonFormat: .pcmFormatFloat32, sampleRate: Double(SpeechFormat.sampleRate), channels: 1, interleaved: false)
        }
    }

    extension AVAudioPCMBuffer {
        /// Returns the samples as a buffer; nil if there are none.
        static func speech(_ samples: Data) -> AVAudioPCMBuffer? {
            let floats = PCM16.floats(samples)
            guard !floats.isEmpty, let format = AVAudioFormat.speech,
                let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(floats.count)),
                let channels = buffer.floatChannelData
            else { return nil }
            channels[0].update(from: floats, count: floats.count)
            buffer.frameLength = AVAudioFrameCount(floats.count)
            return buffer
        }
    }
#endif
