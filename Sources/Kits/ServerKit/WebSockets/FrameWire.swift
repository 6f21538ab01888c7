import NIOCore
import NIOWebSocket

/// A WebSocket's messages as frames on a channel.
struct FrameWire: WebSocketWire {
    let inbound: NIOAsyncChannelInboundStream<WebSocketFrame>
    let outbound: NIOAsyncChannelOutboundWriter<WebSocketFrame>
    let channel: any Channel
    let state: WebSocketState

    // The writer notices cancellation only while it waits, and never that a close frame has gone out.
    func write(_ message: WebSocketMessage) async throws {
        try Task.checkCancellation()
        if state.hasSentClose { throw ChannelError.outputClosed }
        switch message {
        case .text(let text): try await outbound.write(WebSocketFrame(fin: true, opcode: .text, data: ByteBuffer(string: text)))
        case .binary(let bytes): try await outbound.write(WebSocketFrame(fin: true, opcode: .binary, data: bytes))
        }
    }

    // Past the writer, which can only be waited for. Both reach the channel by its event loop, in order.
    func post(_ text: String) -> Bool {
        guard !state.hasSentClose, state.ending == nil, channel.isActive else { return false }
        let size = text.utf8.count
        guard state.post(size) else { return false }
        let written = channel.eventLoop.makePromise(of: Void.self)
        written.futureResult.whenComplete { _ in state.wrotePosted(size) }
        channel.writeAndFlush(WebSocketFrame(fin: true, opcode: .text, data: ByteBuffer(string: text)), promise: written)
        return true
    }

    func close(_ close: WebSocketConnection.Close) { state.end(.close(close)) }

    func makeReader() -> (@concurrent () async throws -> WebSocketMessage?) {
        var frames = inbound.makeAsyncIterator()
        return {
            while let frame = try await frames.next() {
                switch frame.opcode {
                case .text:
                    guard let text = String(validating: frame.unmaskedData) else {
                        state.end(.close(.init(code: .invalidText)))
                        return nil
                    }
                    return .text(text)
                case .binary: return .binary(frame.unmaskedData)
                case .connectionClose:
                    state.peerClosed()
                    // RFC 6455, section 5.5.1.
                    let answer = WebSocketCloseCode.answer(to: frame.unmaskedData)
                    try? await outbound.write(WebSocketFrame(fin: true, opcode: .connectionClose, data: answer))
                    return nil
                default: continue
                }
            }
            return nil
        }
    }
}

extension String {
    /// - Returns: nil when `bytes` are not UTF-8.
    init?(validating bytes: ByteBuffer) {
        guard let text = try? bytes.getUTF8ValidatedString(at: bytes.readerIndex, length: bytes.readableBytes) else { return nil }
        self = text
    }
}
