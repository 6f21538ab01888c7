import Foundation

/// The vector files, recorded from the reference implementation; `Vectors/README.md` says how.
enum Vectors {
    static func load<File: Decodable>(_ name: String, as type: File.Type = File.self) throws -> File {
        let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Vectors").appendingPathComponent(name)
        return try JSONDecoder().decode(File.self, from: Data(contentsOf: url))
    }

    static func bytes(_ hex: String) -> [UInt8] {
        let digits = Array(hex.utf8)
        return stride(from: 0, to: digits.count - 1, by: 2).map { index in
            UInt8(String(decoding: digits[index...(index + 1)], as: UTF8.self), radix: 16) ?? 0
        }
    }

    static func hex(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }
}

/// The file `udx.json`: scripted exchanges with a real stream.
struct ScriptedExchanges: Decodable {
    struct Scenario: Decodable {
        struct Entry: Decodable {
            var dir: String?
            var ev: String?
            var hex: String?
            var code: String?
        }
        struct Summary: Decodable {
            var datagramSizesInOrder: [Int]
            var dataOffsetsInOrder: [Int]
        }
        var name: String
        var log: [Entry]
        var summary: Summary?
    }
    var scenarios: [Scenario]
}

/// The files `session-*.json`: all datagrams of a connection.
struct CapturedSession: Decodable {
    struct Direction: Decodable {
        struct Frame: Decodable { var length: Int }
        var udxStreamId: UInt32
        var bytes: Int
        var frames: [Frame]
    }
    struct Datagram: Decodable {
        var kind: String
        var type: UInt8?
        var dataOffset: UInt8?
        var remoteId: UInt32?
        var recvWindow: UInt32?
        var seq: UInt32?
        var ack: UInt32?
        var payloadLength: Int?
        var hex: String
    }
    var clientToHost: Direction
    var hostToClient: Direction
    var datagrams: [Datagram]
}
