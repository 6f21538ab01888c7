/// A WebRTC signalling message between two devices for a call's audio. The relay forwards it unread.
///
/// Source: JavaScript Session Establishment Protocol (RFC 9429): session descriptions and ICE candidates.
public enum WebRTCSignal: Hashable, Sendable {
    case offer(sdp: String?)
    case answer(sdp: String?)
    case ice(candidate: String?, sdpMid: String?, sdpMLineIndex: Int?)
    /// The reason is `body` on the wire.
    case error(String?)
    case unknown(action: String)
}

extension WebRTCSignal {
    init(from fields: LineFields) {
        switch fields.string("action") {
        case "offer": self = .offer(sdp: fields.string("sdp"))
        case "answer": self = .answer(sdp: fields.string("sdp"))
        case "ice":
            self = .ice(
                candidate: fields.string("candidate"), sdpMid: fields.string("sdpMid"),
                sdpMLineIndex: fields.integer("sdpMLineIndex"))
        case "error": self = .error(fields.string("body"))
        case let action: self = .unknown(action: action ?? "")
        }
    }

    func write(to fields: inout LineFields) {
        fields.set("type", "webrtc")
        switch self {
        case .offer(let sdp):
            fields.set("action", "offer")
            fields.set("sdp", sdp)
        case .answer(let sdp):
            fields.set("action", "answer")
            fields.set("sdp", sdp)
        case .ice(let candidate, let sdpMid, let sdpMLineIndex):
            fields.set("action", "ice")
            fields.set("candidate", candidate)
            fields.set("sdpMid", sdpMid)
            fields.set("sdpMLineIndex", sdpMLineIndex)
        case .error(let reason):
            fields.set("action", "error")
            fields.set("body", reason)
        case .unknown(let action): fields.set("action", action)
        }
    }
}
