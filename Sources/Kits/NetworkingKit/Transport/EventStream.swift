package import Foundation

/// One event of a stream of server-sent events.
package struct ServerSentEvent: Hashable, Sendable {
    /// The value of the field `event`; `message` when the stream has none.
    package var name: String
    /// The values of the fields `data`, joined by newlines.
    package var data: String

    package init(name: String = "message", data: String) {
        self.name = name
        self.data = data
    }
}

/// A parser of server-sent events (WHATWG HTML, section 9.2.6).
///
/// Chunks of any size go in, events come out. Comments, unknown fields, `id` and `retry` are ignored; an event without data is dropped, as is
/// one that the end of the stream cuts off. Lines end with LF, CRLF or CR. Bytes that are not UTF-8 become U+FFFD.
package struct EventStreamReader: Hashable, Sendable {
    /// Maximum size of a line, and of the data of an event, in bytes.
    package var maximumEventSize: Int
    private var line = Data()
    private var name = ""
    private var data = Data()
    private var hasData = false
    /// True after a CR: an LF that follows belongs to it.
    private var isAfterCarriageReturn = false
    private var isAtStart = true

    package init(maximumEventSize: Int = 1_048_576) { self.maximumEventSize = maximumEventSize }

    /// True in the middle of a line or an event: a stream that ends now is truncated.
    package var isInsideEvent: Bool { !line.isEmpty || hasData || !name.isEmpty }

    /// Takes a chunk, and returns the events that it completes, in order.
    ///
    /// - Throws: ``TransportError`` `tooLarge` for a line or an event over ``maximumEventSize``. Close the stream.
    package mutating func receive(_ chunk: Data) throws(TransportError) -> [ServerSentEvent] {
        var events: [ServerSentEvent] = []
        var rest = chunk[...]
        if isAfterCarriageReturn, let first = rest.first {
            isAfterCarriageReturn = false
            if first == UInt8(ascii: "\n") { rest = rest.dropFirst() }
        }
        while let end = Self.lineEnd(in: rest) {
            try append(rest[..<end])
            if let event = try endLine() { events.append(event) }
            var next = end + 1
            if rest[end] == UInt8(ascii: "\r") {
                if next == rest.endIndex {
                    isAfterCarriageReturn = true
                } else if rest[next] == UInt8(ascii: "\n") {
                    next += 1
                }
            }
            rest = rest[next...]
        }
        try append(rest)
        return events
    }

    /// Returns the index of the first LF or CR; nil if there is none.
    private static func lineEnd(in bytes: Data) -> Data.Index? {
        let offset = bytes.withUnsafeBytes { $0.firstIndex { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") } }
        return offset.map { bytes.startIndex + $0 }
    }

    private mutating func append(_ bytes: Data) throws(TransportError) {
        guard line.count + bytes.count <= maximumEventSize else {
            throw TransportError(.tooLarge, "a line of the event stream has more than \(maximumEventSize) bytes")
        }
        line += bytes
    }

    /// Reads the complete line. Returns the event that an empty line ends; otherwise nil.
    private mutating func endLine() throws(TransportError) -> ServerSentEvent? {
        defer { line = Data() }
        if isAtStart {
            isAtStart = false
            if line.starts(with: [0xef, 0xbb, 0xbf]) { line = Data(line.dropFirst(3)) }
        }
        guard !line.isEmpty else {
            defer { (name, data, hasData) = ("", Data(), false) }
            guard hasData else { return nil }
            return ServerSentEvent(name: name.isEmpty ? "message" : name, data: String(decoding: data, as: UTF8.self))
        }
        let colon = line.firstIndex(of: UInt8(ascii: ":"))
        var value = colon.map { line[($0 + 1)...] } ?? Data()
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        switch String(decoding: line[..<(colon ?? line.endIndex)], as: UTF8.self) {
        case "event": name = String(decoding: value, as: UTF8.self)
        case "data":
            guard data.count + value.count < maximumEventSize else {
                throw TransportError(.tooLarge, "an event of the stream has more than \(maximumEventSize) bytes")
            }
            if hasData { data.append(UInt8(ascii: "\n")) }
            data += value
            hasData = true
        default: break
        }
        return nil
    }
}

/// The events of a reply, as they arrive. Iterate once; releasing it cancels the call.
///
/// Iterating throws ``TransportError``, `tooLarge` for an event over the limit and `ended` for a stream that ends within an event.
package struct ServerSentEvents: AsyncSequence, Sendable {
    package typealias Element = ServerSentEvent
    private let bytes: HTTPBytes
    private let reader: EventStreamReader

    package init(_ bytes: HTTPBytes, maximumEventSize: Int = 1_048_576) {
        self.bytes = bytes
        reader = EventStreamReader(maximumEventSize: maximumEventSize)
    }

    package func makeAsyncIterator() -> Iterator { Iterator(bytes: bytes.makeAsyncIterator(), reader: reader) }

    package struct Iterator: AsyncIteratorProtocol {
        fileprivate var bytes: HTTPBytes.Iterator
        fileprivate var reader: EventStreamReader
        fileprivate var ready: ArraySlice<ServerSentEvent> = []

        fileprivate init(bytes: HTTPBytes.Iterator, reader: EventStreamReader) {
            self.bytes = bytes
            self.reader = reader
        }

        @concurrent package mutating func next() async throws -> ServerSentEvent? {
            while ready.isEmpty {
                guard let chunk = try await bytes.next() else {
                    try Task.checkCancellation()
                    guard !reader.isInsideEvent else { throw TransportError(.ended, "the stream ended within an event") }
                    return nil
                }
                ready = try reader.receive(chunk)[...]
            }
            return ready.popFirst()
        }
    }
}
