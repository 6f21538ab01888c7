import AudioKit
import Foundation
import PlatformKit
import TalkCoWire
import WireKit

/// The form of a recorded turn (RFC 7578): the part `audio` with a WAV file, and the part `turn_id`.
struct RecordingForm: Sendable {
    let contentType: String
    let body: Data

    /// - Parameter samples: In `SpeechFormat`.
    init(samples: Data, turn: Turn.ID) {
        // The boundary does not occur in the parts: it is 128 bits that nobody else knows.
        let boundary = "talkco-\(turn.rawValue)"
        contentType = "multipart/form-data; boundary=\(boundary)"
        var body = Data()
        body.append(contentsOf: "--\(boundary)\r\nContent-Disposition: form-data; name=\"turn_id\"\r\n\r\n".utf8)
        body.append(contentsOf: "\(turn.rawValue)\r\n--\(boundary)\r\n".utf8)
        body.append(contentsOf: "Content-Disposition: form-data; name=\"audio\"; filename=\"audio.wav\"\r\n".utf8)
        body.append(contentsOf: "Content-Type: audio/wav\r\n\r\n".utf8)
        body.append(WAVFile(sampleRate: SpeechFormat.sampleRate, samples: samples).data)
        body.append(contentsOf: "\r\n--\(boundary)--\r\n".utf8)
        self.body = body
    }
}
