#if os(iOS)
    import AVFAudio
    public import Foundation
    public import PlatformKit
    import Speech

    /// The system's speech recognition, for languages that the phone recognizes without a server.
    public struct DeviceRecognition: SpeechRecognition {
        public init() {}

        public func isAvailable(language: String) async -> Bool {
            switch SFSpeechRecognizer.authorizationStatus() {
            case .denied, .restricted: false
            default: recognizer(language) != nil
            }
        }

        public func text(of samples: Data, language: String) async throws -> String {
            guard recognizer(language) != nil else { throw PhoneError.unsupported }
            guard await isAllowed() else { throw PhoneError.denied }
            guard let recognizer = recognizer(language) else { throw PhoneError.unsupported }
            return try await RecognitionRun.text(of: samples, recognizer)
        }

        private func recognizer(_ language: String) -> SFSpeechRecognizer? {
            let recognizer = SFSpeechRecognizer(locale: Locale(identifier: language))
            return recognizer?.supportsOnDeviceRecognition == true && recognizer?.isAvailable == true ? recognizer : nil
        }

        /// Returns true if the user allows recognition. Asks a user who was not asked before.
        private func isAllowed() async -> Bool {
            await withCheckedContinuation { continuation in
                SFSpeechRecognizer.requestAuthorization { @Sendable in continuation.resume(returning: $0 == .authorized) }
            }
        }
    }

    /// A recognition under way.
    @MainActor
    private final class RecognitionRun {
        private var task: SFSpeechRecognitionTask?

        nonisolated static func text(of samples: Data, _ recognizer: sending SFSpeechRecognizer) async throws -> String {
            let run = await RecognitionRun()
            let texts = await run.start(samples, recognizer)
            for try await text in texts { return text }
            try Task.checkCancellation()
            return ""
        }

        /// - Returns: A stream of at most one text. Its end cancels the recognition.
        private func start(_ samples: Data, _ recognizer: sending SFSpeechRecognizer) -> AsyncThrowingStream<String, any Error> {
            let (texts, continuation) = AsyncThrowingStream.makeStream(of: String.self)
            let request = SFSpeechAudioBufferRecognitionRequest()
            request.requiresOnDeviceRecognition = true
            request.shouldReportPartialResults = false
            request.addsPunctuation = true
            // Bridges a synchronous callback to the main actor.
            continuation.onTermination = { _ in Task { @MainActor in self.task?.cancel() } }
            task = recognizer.recognitionTask(with: request) { @Sendable result, error in
                if let result, result.isFinal {
                    continuation.yield(result.bestTranscription.formattedString)
                    continuation.finish()
                } else if let error {
                    Self.end(continuation, error as NSError)
                }
            }
            if let buffer = AVAudioPCMBuffer.speech(samples) { request.append(buffer) }
            request.endAudio()
            return texts
        }

        private nonisolated static func end(_ continuation: AsyncThrowingStream<String, any Error>.Continuation, _ error: NSError) {
            // This code, which Apple does not document, means that no words were found.
            let isSilent = error.domain == "kAFAssistantErrorDomain" && error.code == 1110
            continuation.finish(throwing: isSilent ? nil : PhoneError.failed(error.localizedDescription))
        }
    }
#endif
