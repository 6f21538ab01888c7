import Foundation

/// A WebSocket client that a test controls frame by frame, including violations of the protocol.
///
/// Implements the framing of RFC 6455, section 5.2, itself, so that the server's framing is not tested against itself.
package final class WebSocketProbe: Sendable {
    package struct Frame: Equatable, Sendable {
        package var opcode: UInt8
        package var isFinal = true
        package var payload: [UInt8]

        package init(opcode: UInt8, isFinal: Bool = true, payload: [UInt8]) {
            self.opcode = opcode
            self.isFinal = isFinal
            self.payload = payload
        }

        package static func text(_ text: String) -> Frame { Frame(opcode: 1, payload: Array(text.utf8)) }
        package static func binary(_ bytes: [UInt8]) -> Frame { Frame(opcode: 2, payload: bytes) }
        package static func ping(_ bytes: [UInt8] = []) -> Frame { Frame(opcode: 9, payload: bytes) }
        package static func pong(_ bytes: [UInt8] = []) -> Frame { Frame(opcode: 10, payload: bytes) }
        package static func close(_ code: UInt16?) -> Frame {
            Frame(opcode: 8, payload: code.map { [UInt8($0 >> 8), UInt8($0 & 255)] } ?? [])
        }

        package var text: String { String(decoding: payload, as: UTF8.self) }
        /// The code of a close frame that has one.
        package var closeCode: UInt16? {
            opcode == 8 && payload.count >= 2 ? UInt16(payload[0]) << 8 | UInt16(payload[1]) : nil
        }
        package var closeReason: String { String(decoding: payload.dropFirst(2), as: UTF8.self) }
    }

    /// The server did not upgrade the connection.
    package struct Refused: Error {
        package var reply: HTTPProbe.Reply
    }

    package let connection: RawConnection
    /// The reply to the upgrade.
    package let handshake: HTTPProbe.Reply

    private init(_ connection: RawConnection, _ handshake: HTTPProbe.Reply) {
        self.connection = connection
        self.handshake = handshake
    }

    /// The head of an upgrade request, up to and including the empty line.
    package static func head(_ path: String, port: Int, headers: [String: String] = [:]) -> String {
        var fields = [
            "Host": "127.0.0.1:\(port)", "Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
            // The sample key of section 1.3.
            "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
        ]
        fields.merge(headers) { $1 }
        return "GET \(path) HTTP/1.1\r\n" + fields.filter { !$0.value.isEmpty }.map { "\($0): \($1)\r\n" }.joined() + "\r\n"
    }

    /// - Parameters:
    ///   - headers: Additional or replacement headers; an empty value removes a header.
    ///   - early: Frames sent together with the request, before the server's reply.
    /// - Throws: ``Refused``.
    package static func open<Value: Sendable>(
        port: Int, _ path: String, headers: [String: String] = [:], early: [Frame] = [], limit: Duration = .seconds(120),
        _ body: @escaping @Sendable (WebSocketProbe) async throws -> Value
    ) async throws -> Value {
        try await RawConnection.open(port: port, limit: limit) { connection in
            try await connection.send(Array(head(path, port: port, headers: headers).utf8) + early.flatMap { encode($0) })
            let reply = try await HTTPProbe.reply(on: connection)
            guard reply.status == 101 else { throw Refused(reply: reply) }
            return try await body(WebSocketProbe(connection, reply))
        }
    }

    package func send(_ frames: Frame..., masked: Bool = true) async throws {
        try await connection.send(frames.flatMap { Self.encode($0, masked: masked) })
    }

    /// The next frame that is not a ping of the server. Pings are answered, as every client does: a test may last longer than a heartbeat.
    package func receive() async throws -> Frame {
        while true {
            let frame = try await receiveAny()
            guard frame.opcode == 9 else { return frame }
            try await send(.pong(frame.payload))
        }
    }

    package func receiveAny() async throws -> Frame {
        let head = try await connection.read(2)
        var length = Int(head[1] & 0x7f)
        if length == 126 {
            length = try await connection.read(2).reduce(0) { $0 << 8 | Int($1) }
        } else if length == 127 {
            length = try await connection.read(8).reduce(0) { $0 << 8 | Int($1) }
        }
        return Frame(opcode: head[0] & 0x0f, isFinal: head[0] & 0x80 != 0, payload: try await connection.read(length))
    }

    package static func encode(_ frame: Frame, masked: Bool = true) -> [UInt8] {
        var bytes: [UInt8] = [(frame.isFinal ? 0x80 : 0) | frame.opcode]
        let count = frame.payload.count
        let maskBit: UInt8 = masked ? 0x80 : 0
        switch count {
        case 0...125: bytes.append(maskBit | UInt8(count))
        case 126...65_535: bytes += [maskBit | 126, UInt8(count >> 8), UInt8(count & 255)]
        default: bytes += [maskBit | 127] + (0..<8).reversed().map { UInt8(truncatingIfNeeded: count >> ($0 * 8)) }
        }
        guard masked else { return bytes + frame.payload }
        let mask: [UInt8] = [0x37, 0xfa, 0x21, 0x3d]
        bytes += mask
        let start = bytes.count
        bytes += frame.payload
        // By pointer: a test may send megabytes in a debug build.
        bytes.withUnsafeMutableBytes { all in
            for index in 0..<count { all[start + index] ^= mask[index & 3] }
        }
        return bytes
    }
}
