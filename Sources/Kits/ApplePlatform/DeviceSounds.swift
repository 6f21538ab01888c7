#if os(iOS)
    import AVFAudio
    import AudioKit
    import CoreHaptics
    import PlatformKit

    /// The sounds of an iPhone. Asynchronous methods are marked `@MainActor`; otherwise they would run on their caller's actor.
    @MainActor
    final class DeviceSounds: Sounds {
        /// The player of the current sound, which stops when the player is released.
        private var player: AVAudioPlayer?
        private var haptics: CHHapticEngine?

        @MainActor func play(_ sound: Sound) async {
            let file = WAVFile(sampleRate: SpeechFormat.sampleRate, samples: sound.samples)
            await DeviceAudio.shared.prepareForSounds()
            // A sound that cannot be played is skipped.
            player = try? AVAudioPlayer(data: file.data)
            player?.play()
        }

        @MainActor func vibrate(_ pattern: [Duration]) async {
            guard CHHapticEngine.capabilitiesForHardware().supportsHaptics else { return }
            let events = Vibration.all(in: pattern).map { vibration in
                CHHapticEvent(
                    eventType: .hapticContinuous,
                    parameters: [CHHapticEventParameter(parameterID: .hapticIntensity, value: 1)],
                    relativeTime: vibration.start / .seconds(1), duration: vibration.duration / .seconds(1))
            }
            guard !events.isEmpty else { return }
            // In the background the engine does not start, and the phone does not vibrate.
            try? vibrate(events)
        }

        private func vibrate(_ events: [CHHapticEvent]) throws {
            let engine = try haptics ?? CHHapticEngine()
            haptics = engine
            engine.isAutoShutdownEnabled = true
            try engine.start()
            try engine.makePlayer(with: CHHapticPattern(events: events, parameters: [])).start(atTime: CHHapticTimeImmediate)
        }
    }
#endif
