import Foundation

/// The voice of a server, sentence by sentence: each sentence is requested while the previous one is played.
struct ServerVoice: Voice {
    let server: SpeechServer
    /// The voice that speaks the rest of a text after the server has failed; nil for none.
    var substitute: ProgramVoice?

    func speech(_ text: String) -> AsyncThrowingStream<Data, any Error> { speech(text, pace: .normal, for: .machine) }

    func speech(_ text: String, pace: Pace, for network: CallerNetwork) -> AsyncThrowingStream<Data, any Error> {
        speech(text, pace, network, startsAtOnce: false)
    }

    func speechAhead(_ text: String, pace: Pace, for network: CallerNetwork) -> AsyncThrowingStream<Data, any Error> {
        speech(text, pace, network, startsAtOnce: true)
    }

    private func speech(
        _ text: String, _ pace: Pace, _ network: CallerNetwork, startsAtOnce: Bool
    ) -> AsyncThrowingStream<Data, any Error> {
        BoundedStream.make(capacity: 1, startsAtOnce: startsAtOnce) { send in
            var rest = SpokenSentences.of(text)[...]
            var next = rest.popFirst().map { ($0, server.speech($0, startsAtOnce: true)) }
            while let (sentence, speech) = next {
                next = rest.popFirst().map { ($0, server.speech($0, startsAtOnce: true)) }
                var hasSpoken = false
                do {
                    for try await samples in pace.applied(to: speech) {
                        hasSpoken = hasSpoken || !samples.isEmpty
                        try await send(samples)
                    }
                    try Task.checkCancellation()
                } catch let error as EngineError {
                    guard let substitute else { throw error }
                    // The server has failed: the substitute speaks the whole rest, in one voice.
                    let rest = (hasSpoken ? [] : [sentence]) + [next?.0].compactMap(\.self) + rest
                    for try await samples in substitute.speech(rest.joined(separator: " "), pace: pace, for: network) {
                        try await send(samples)
                    }
                    return
                }
            }
        }
    }
}
