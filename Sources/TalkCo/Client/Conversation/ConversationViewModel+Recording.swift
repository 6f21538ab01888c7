import AudioKit
import ClientKit
import Foundation
import PlatformKit
import TalkCoWire

extension ConversationViewModel {
    /// Minimum duration of a recording; shorter recordings are dropped.
    package nonisolated static let minimumRecordingTime = Duration.milliseconds(300)
    /// Maximum duration of a recording, which then ends and is sent.
    package nonisolated static let maximumRecordingTime = Duration.seconds(60)
    /// The time for which a recording continues after the release of the button if the learner is still speaking.
    nonisolated static let releaseTime = Duration.milliseconds(250)

    /// Records until ``stopRecording()``. Call it from the handler of the press. Stops the tutor's voice.
    package func startRecording() {
        guard canRecord else { return }
        stopPlaying()
        problem = nil
        isReleased = false
        recordingState = .starting
        level = 0
        recordedSeconds = 0
        recordingCount += 1
        let (own, microphone) = (recordingCount, context.device.microphone)
        let isStarted = context.tasks.start { await self.record(own, microphone) }
        if !isStarted { recordingState = .idle }
    }

    /// Ends the recording and sends it.
    package func stopRecording() {
        isReleased = true
        guard recordingState == .recording else { return }
        finishSoon(wasInterrupted: false)
    }

    /// Ends the recording and drops it.
    package func cancelRecording() {
        recordingCount += 1
        recording?.cancel()
        endRecording()
    }

    func endRecording() {
        recording = nil
        recordingState = .idle
        level = 0
        recordedSeconds = 0
    }

    private func record(_ own: Int, _ microphone: any Microphone) async {
        let recording: any Recording
        do {
            recording = try await microphone.record()
        } catch {
            guard own == recordingCount, recordingState == .starting else { return }
            endRecording()
            if !(error is CancellationError) { problem = TalkCoProblem(recording: error) }
            return
        }
        guard own == recordingCount, recordingState == .starting else { return recording.cancel() }
        guard phase == .open else {
            recording.cancel()
            return endRecording()
        }
        if isReleased {
            // The system has asked the user for the microphone, or the user has only tapped.
            recording.cancel()
            endRecording()
            problem = .tooShort
            return
        }
        self.recording = recording
        recordingState = .recording
        context.tasks.start { await self.limit(own) }
        var pauses = SpeechPauses()
        isHeard = false
        for await level in recording.levels {
            guard own == recordingCount, recordingState == .recording else { return }
            self.level = PCM16.meterLevel(rootMeanSquare: level)
            if pauses.begins(at: level) { listen(recording) }
            isHeard = pauses.isSpeech
        }
        guard own == recordingCount, recordingState == .recording else { return }
        if Task.isCancelled {
            recording.cancel()
            endRecording()
        } else {
            finishSoon(wasInterrupted: true)
        }
    }

    /// Sends the recording so far, at a pause: the learner may have finished, and the service can transcribe early.
    private func listen(_ recording: any Recording) {
        guard context.engine?.listens == true, let session else { return }
        context.tasks.start {
            let samples = await recording.beginning()
            // After a failure the turn only takes longer.
            if !samples.isEmpty { try? await self.context.read({ try await $0.listen(samples, in: session) }) { _ in } }
        }
    }

    /// Counts the seconds, and ends a recording at its limit.
    private func limit(_ own: Int) async {
        for second in 1...Int(Self.maximumRecordingTime / .seconds(1)) {
            guard (try? await context.phone.clock.sleep(for: .seconds(1))) != nil else { return }
            guard own == recordingCount, recordingState == .recording else { return }
            recordedSeconds = second
        }
        finishSoon(wasInterrupted: false)
    }

    private func finishSoon(wasInterrupted: Bool) {
        guard let recording else { return endRecording() }
        recordingState = .finishing
        level = 0
        let own = recordingCount
        let isStarted = context.tasks.start {
            let problem = await self.finish(recording, own, wasInterrupted: wasInterrupted)
            guard own == self.recordingCount else { return }
            self.endRecording()
            if let problem { self.problem = problem }
        }
        if !isStarted { cancelRecording() }
    }

    /// Checks a recording and sends it.
    ///
    /// - Returns: The reason why the recording was dropped; nil if it was sent or cancelled.
    private func finish(_ recording: any Recording, _ own: Int, wasInterrupted: Bool) async -> TalkCoProblem? {
        if isHeard, !wasInterrupted { try? await context.phone.clock.sleep(for: Self.releaseTime) }
        guard own == recordingCount else { return nil }
        let samples: Data
        do {
            samples = try await recording.finish()
        } catch {
            return wasInterrupted ? .interrupted : TalkCoProblem(recording: error)
        }
        if let problem = await Self.fault(of: samples) { return wasInterrupted ? .interrupted : problem }
        return await send(samples, own)
    }

    /// Sends a recording, or the words that the phone recognizes in it.
    ///
    /// - Returns: The reason why the recording was not sent; nil if it was sent or cancelled.
    func send(_ samples: Data, _ own: Int) async -> TalkCoProblem? {
        guard own == recordingCount, phase == .open else { return nil }
        if hearing != .anything, context.recognizesSpeech { return await recognize(samples, own) }
        let id = context.makeTurnID()
        if let latestRecording { recordingsInMemory[latestRecording] = nil }
        recordingsInMemory[id] = samples
        do {
            try await context.recordings.write(samples, of: id)
            latestRecording = id
        } catch {
            // The turn is sent from memory only, and does not survive a restart.
            latestRecording = nil
        }
        guard own == recordingCount, enqueue(text: nil, isSpoken: true, id: id) != nil else {
            recordingsInMemory[id] = nil
            await context.recordings.remove(id)
            return nil
        }
        return nil
    }

    /// Sends the words that the phone itself recognizes in a recording.
    private func recognize(_ samples: Data, _ own: Int) async -> TalkCoProblem? {
        do {
            let text = try await context.device.recognition.text(of: samples, language: Self.language)
                .trimmingCharacters(in: .whitespacesAndNewlines)
            guard own == recordingCount else { return nil }
            guard !text.isEmpty else {
                showUnheard(samples)
                return .nothingHeard
            }
            enqueue(text: text, isSpoken: true)
            return nil
        } catch {
            return TalkCoProblem(recording: error)
        }
    }

    /// Returns the reason to drop a recording; nil if the recording is to be sent.
    @concurrent private nonisolated static func fault(of samples: Data) async -> TalkCoProblem? {
        if PCM16.duration(samples, sampleRate: SpeechFormat.sampleRate) < minimumRecordingTime { return .tooShort }
        return PCM16.isSilent(samples) ? .silent : nil
    }
}
