#if os(iOS)
    import AVFAudio
    import ApplePlatform
    import Foundation
    public import PlatformKit

    public struct DeviceMicrophone: Microphone {
        public init() {}

        public func isAvailable() async -> Bool { AVAudioSession.sharedInstance().isInputAvailable }

        public func record() async throws -> any Recording {
            guard await AVAudioApplication.requestRecordPermission() else { throw PhoneError.denied }
            try Task.checkCancellation()
            return try await DeviceRecording.started()
        }
    }

    private final class DeviceRecording: Recording {
        var levels: AsyncStream<Double> { samples.levels }
        private let engine: RecordingEngine
        private let samples: RecordedSamples

        private init(_ engine: RecordingEngine, _ samples: RecordedSamples) { (self.engine, self.samples) = (engine, samples) }

        deinit { cancel() }

        @MainActor static func started() async throws -> DeviceRecording {
            let samples = RecordedSamples()
            let engine = RecordingEngine(samples: samples)
            try await DeviceAudio.shared.start(engine, for: .recording)
            return DeviceRecording(engine, samples)
        }

        func beginning() async -> Data { samples.beginning }

        func finish() async throws -> Data {
            await engine.stop()
            return samples.end()
        }

        func cancel() { engine.stopSoon() }
    }

    /// A recorder that appends the microphone's samples to ``RecordedSamples``.
    @MainActor
    final class RecordingEngine: AudioSessionUser {
        private let engine = AVAudioEngine()
        private let samples: RecordedSamples
        private var observer: MainObserver?
        private(set) var isRunning = false

        init(samples: RecordedSamples) { self.samples = samples }

        func start() throws {
            isRunning = true
            do {
                try listen()
            } catch {
                stop()
                throw error
            }
            // The engine stops itself when the user connects or disconnects a microphone.
            observer = MainObserver(.AVAudioEngineConfigurationChange, of: engine) { [weak self] _ in self?.restart() }
        }

        /// Ends the recording. The samples keep the recorded sound.
        func stop() {
            guard isRunning else { return }
            isRunning = false
            observer = nil
            engine.inputNode.removeTap(onBus: 0)
            engine.stop()
            samples.end()
            DeviceAudio.shared.userDidStop()
        }

        private func restart() {
            guard isRunning else { return }
            engine.inputNode.removeTap(onBus: 0)
            do { try listen() } catch { stop() }
        }

        private func listen() throws {
            let input = engine.inputNode
            let format = input.outputFormat(forBus: 0)
            // Without a microphone the format has no channels, and installing a tap with it would end the process.
            guard format.channelCount > 0, format.sampleRate >= 1 else { throw PhoneError.unsupported }
            samples.begin(sampleRate: Int(format.sampleRate.rounded()))
            input.installTap(
                onBus: 0, bufferSize: AVAudioFrameCount(format.sampleRate / 20), format: format, block: Self.tap(samples))
            engine.prepare()
            do { try engine.start() } catch { throw PhoneError.failed(error.localizedDescription) }
        }

        /// Returns the block of the tap. The system calls it on its own thread, so it must not belong to the main actor.
        private nonisolated static func tap(_ samples: RecordedSamples) -> AVAudioNodeTapBlock {
            { buffer, _ in
                guard let channels = buffer.floatChannelData else { return }
                samples.append(UnsafeBufferPointer(start: channels[0], count: Int(buffer.frameLength)))
            }
        }
    }
#endif
