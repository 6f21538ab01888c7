import HTTPTypes
import Hummingbird
import NIOCore
import ServiceLifecycle

extension Response {
    /// Returns a response with the events of a feed from its beginning, each as it happens.
    static func events(_ feed: TurnFeed) -> Response {
        Response(
            status: .ok,
            headers: [.contentType: "text/event-stream", .cacheControl: "no-cache", .accelBuffering: "no"],
            body: ResponseBody { writer in
                var index = 0
                // A shutdown of the server interrupts the stream; a turn with an identifier can be repeated.
                while let blocks = try await cancelWhenGracefulShutdown({ [index] in try await feed.blocks(from: index) }) {
                    index += blocks.count
                    var buffer = ByteBuffer()
                    for block in blocks { buffer.writeBytes(block) }
                    try await writer.write(buffer)
                }
                try await writer.finish(nil)
            })
    }
}

extension HTTPField.Name {
    static let accelBuffering = Self("X-Accel-Buffering")!
}
