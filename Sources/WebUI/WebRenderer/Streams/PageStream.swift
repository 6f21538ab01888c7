package import Foundation
import PlatformKit
import WireKit

/// A stream of binary chunks in both directions between a capability on the box and its handler on the page: microphone samples, speech, pictures.
///
/// One task may read while another writes. A writer waits while a full window of bytes is unread on the page; the page waits in the same way.
/// A stream outlives a lost connection, see ``StreamDelivery``. It ends when the page is reloaded, closed or replaced, and when the last
/// reference to it is released.
package final class PageStream: Sendable {
    let id: UInt32
    package let delivery: StreamDelivery
    private let streams: PageStreams

    init(id: UInt32, delivery: StreamDelivery, streams: PageStreams) {
        self.id = id
        self.delivery = delivery
        self.streams = streams
    }

    deinit { streams.close(id) }

    /// Writes bytes, in chunks of 32 KiB at most, and waits for room in the window. A write of at most 32 KiB stays one chunk.
    ///
    /// - Throws: ``PageError/absent`` after the page was closed or the stream cancelled here, ``PageError/failed`` after the page
    ///   cancelled the stream or broke the protocol, or after ``finish()``; `CancellationError`.
    package func write(_ bytes: Data) async throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let chunk = rest.prefix(StreamFrame.maximumPayloadLength)
            rest = rest.dropFirst(chunk.count)
            try await streams.write(Data(chunk), to: id)
        }
    }

    /// Ends this direction, and waits until the page has read to the end.
    ///
    /// - Throws: As ``write(_:)`` does.
    package func finish() async throws {
        try await streams.end(id)
        try await streams.drain(id)
    }

    /// Returns the next chunk from the page; nil after the last one.
    ///
    /// - Throws: As ``write(_:)`` does.
    package func next() async throws -> StreamChunk? { try await streams.next(of: id) }

    /// Ends both directions at once. Undelivered chunks are discarded.
    package func cancel() { streams.close(id) }
}

extension PageSession {
    /// Opens a stream to the handler of the page that is registered for `purpose`, and waits for the handler's answer.
    ///
    /// - Parameters:
    ///   - purpose: The name of the handler in `Resources/streams.js`.
    ///   - window: Maximum unread bytes in each direction, 65,536 to 262,144.
    ///   - timeout: Maximum time until the handler's answer. The page may have to prompt the user.
    ///   - value: Writes the argument of the handler.
    /// - Returns: The stream, and the handler's answer.
    /// - Throws: ``PageError``: no page is connected, the page refused, or there are too many streams.
    func openStream(
        _ purpose: StaticString, _ delivery: StreamDelivery, window: Int, timeout: Duration = requestTimeout,
        _ value: (inout JSONWriter) -> Void
    ) async throws -> (stream: PageStream, answer: JSONValue) {
        let stream = try streams.open(delivery, window: window)
        let answer = try await request("stream.open", timeout: timeout) { json in
            json.object { json in
                json.key("id")
                json.integer(Int(stream.id))
                json.key("purpose")
                json.string("\(purpose)")
                json.key("delivery")
                json.string(delivery.rawValue)
                json.key("window")
                json.integer(window)
                json.key("value")
                value(&json)
            }
        }
        return (stream, answer)
    }
}

extension BrowserPhone {
    /// Opens a stream to the page that the user is most likely looking at, for a capability of `app`.
    ///
    /// - Throws: ``PhoneError``; `absent` without such a page.
    /// - SeeAlso: ``PageSession/openStream(_:_:window:timeout:_:)``
    func openStream(
        _ purpose: StaticString, _ delivery: StreamDelivery, window: Int = 131_072, in app: String? = nil,
        timeout: Duration = PageSession.requestTimeout, _ value: (inout JSONWriter) -> Void = { $0.null() }
    ) async throws -> (stream: PageStream, answer: JSONValue) {
        guard let session = session(of: app) else { throw PhoneError.absent }
        do {
            return try await session.openStream(purpose, delivery, window: window, timeout: timeout, value)
        } catch let error as PageError {
            throw PhoneError(error)
        }
    }
}

/// A source of streams to the pages of one app on one phone, for the gallery. Apps use streams through capabilities of ``Phone``.
package struct PageStreamSource: Sendable {
    weak let phone: BrowserPhone?
    let app: String

    /// - Throws: ``PhoneError``.
    package func open(_ purpose: StaticString, _ delivery: StreamDelivery) async throws -> PageStream {
        guard let phone else { throw PhoneError.absent }
        return try await phone.openStream(purpose, delivery, in: app).stream
    }
}
