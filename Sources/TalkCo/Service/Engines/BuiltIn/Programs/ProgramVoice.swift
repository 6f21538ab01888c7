package import Foundation

/// The voice of an installed program.
package struct ProgramVoice: Voice {
    /// Maximum size of a chunk, in bytes: half a second.
    private static let chunkSize = 24_000

    let program: SpeechProgram
    let slots: ProgramSlots

    init(_ program: SpeechProgram, slots: ProgramSlots) {
        self.program = program
        self.slots = slots
    }

    package func speech(_ text: String) -> AsyncThrowingStream<Data, any Error> { speech(text, pace: .normal, for: .machine) }

    /// Synthesizes one sentence after the other, on demand.
    package func speech(_ text: String, pace: Pace, for network: CallerNetwork) -> AsyncThrowingStream<Data, any Error> {
        let chunks = Chunks(voice: self, sentences: SpokenSentences.of(text), pace: pace, network: network)
        return AsyncThrowingStream { try await chunks.next() }
    }

    private actor Chunks {
        private let voice: ProgramVoice
        private let pace: Pace
        private let network: CallerNetwork
        private var sentences: ArraySlice<String>
        private var samples = Data()

        init(voice: ProgramVoice, sentences: [String], pace: Pace, network: CallerNetwork) {
            self.voice = voice
            self.network = network
            self.sentences = sentences[...]
            self.pace = pace
        }

        func next() async throws -> Data? {
            while samples.isEmpty {
                guard let sentence = sentences.popFirst() else { return nil }
                let (program, pace) = (voice.program, pace)
                samples = try await voice.slots.withSlot(for: network) { try await program.samples(of: sentence, pace: pace) }
            }
            let chunk = Data(samples.prefix(ProgramVoice.chunkSize))
            samples = Data(samples.dropFirst(ProgramVoice.chunkSize))
            return chunk
        }
    }
}
