import Foundation
import NetworkingKit
import Testing

/// Streams of server-sent events.
@Suite struct EventStreamTests {
    private func events(_ text: String, maximumEventSize: Int = 1_048_576) throws -> [ServerSentEvent] {
        var reader = EventStreamReader(maximumEventSize: maximumEventSize)
        return try reader.receive(Data(text.utf8))
    }

    @Test func eventsAreTheSameHoweverTheBytesAreSplit() throws {
        let text =
            "\u{feff}event: a\r\ndata: {\"é\":1}\r\n\r\n: ping\n\ndata:x\ndata: y\n\nevent:b\rdata\r\rid: 7\nretry: 3\ndata:  z\n\n"
        let bytes = Data(text.utf8)
        let expected = [
            ServerSentEvent(name: "a", data: "{\"é\":1}"), ServerSentEvent(data: "x\ny"), ServerSentEvent(name: "b", data: ""),
            ServerSentEvent(data: " z"),
        ]
        for size in 1...bytes.count {
            var reader = EventStreamReader()
            var found: [ServerSentEvent] = []
            for start in stride(from: 0, to: bytes.count, by: size) {
                found += try reader.receive(bytes[start..<min(start + size, bytes.count)])
            }
            #expect(found == expected, "chunks of \(size) bytes")
            #expect(!reader.isInsideEvent)
        }
    }

    @Test func eventWithoutDataIsDroppedWithItsName() throws {
        #expect(try events("event: a\n\ndata: 1\n\n") == [ServerSentEvent(data: "1")])
    }

    @Test func unfinishedEventIsNotReported() throws {
        var reader = EventStreamReader()
        #expect(try reader.receive(Data("data: 1\n\ndata: 2\n".utf8)) == [ServerSentEvent(data: "1")])
        #expect(reader.isInsideEvent)
    }

    @Test func longLinesAndEventsAreRefused() throws {
        #expect(try events("data: 12\n\n", maximumEventSize: 8) == [ServerSentEvent(data: "12")])
        for text in ["data: 123", ": 1234567", "data:123\ndata:456\ndata:789\n"] {
            let error = #expect(throws: TransportError.self) { try events(text, maximumEventSize: 8) }
            #expect(error?.code == .tooLarge)
        }
    }

    @Test func invalidUTF8IsReplaced() throws {
        var reader = EventStreamReader()
        #expect(try reader.receive(Data("data: a".utf8) + [0xff] + Data("\n\n".utf8)) == [ServerSentEvent(data: "a\u{fffd}")])
    }

    private func sequence(_ chunks: [String]) -> ServerSentEvents {
        ServerSentEvents(
            HTTPBytes {
                var rest = chunks[...]
                return { rest.popFirst().map { Data($0.utf8) } }
            })
    }

    @Test func sequenceYieldsEventsAcrossChunks() async throws {
        var found: [String] = []
        for try await event in sequence(["data: 1\n\ndata", "", ": 2\n\n", "data: 3\n\n"]) { found.append(event.data) }
        #expect(found == ["1", "2", "3"])
    }

    @Test func sequenceFailsWhenTheStreamEndsWithinAnEvent() async throws {
        var found: [String] = []
        let error = await #expect(throws: TransportError.self) {
            for try await event in sequence(["data: 1\n\ndata: {\"cho"]) { found.append(event.data) }
        }
        #expect(error?.code == .ended)
        #expect(found == ["1"])
    }
}
