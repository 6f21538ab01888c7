import HTTPTypes
import HummingbirdCore
import NIOCore
import NIOHTTP1

extension Request {
    /// Collects the body.
    ///
    /// - Throws: ``BodyError``; ``PeerGone``; `CancellationError` when the server shuts down.
    func collectBody(upTo limit: Int) async throws -> ByteBuffer {
        do {
            if let length = headers[.contentLength].flatMap(Int.init), length > limit { throw BodyError.tooLarge(limit: limit) }
            return try await body.collect(upTo: limit)
        } catch is NIOTooManyBytesError {
            throw BodyError.tooLarge(limit: limit)
        } catch is HTTPParserError {
            throw BodyError.malformed("The body was cut off or is not HTTP")
        } catch let error where error is IOError || error is ChannelError {
            throw PeerGone()
        }
    }
}
