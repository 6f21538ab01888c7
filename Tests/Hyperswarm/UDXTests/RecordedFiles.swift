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
