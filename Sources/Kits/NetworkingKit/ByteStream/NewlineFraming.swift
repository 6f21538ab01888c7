package import Foundation

/// The frames of a byte stream in which each frame ends with a newline, as in newline-delimited JSON.
///
/// Chunks of any size go in, frames come out. Empty frames are dropped. A frame over the limit is reported once and skipped up to its
/// newline, so that the stream can go on.
package struct NewlineFraming: Hashable, Sendable {
    package enum Frame: Hashable, Sendable {
        /// The bytes between two newlines.
        case complete(Data)
        /// A frame exceeded ``maximumFrameSize``. Its remaining bytes are skipped.
        case oversized
    }

    /// Maximum size of a frame, in bytes, without its newline.
    package var maximumFrameSize: Int
    /// Maximum bytes without a newline, after which the stream is malformed.
    package var maximumUnframedSize: Int
    /// The beginning of the frame that is arriving; empty while one is skipped.
    private var partial = Data()
    /// Bytes since the last newline.
    private var unframedSize = 0

    package init(maximumFrameSize: Int = 65_536, maximumUnframedSize: Int = 1_048_576) {
        self.maximumFrameSize = maximumFrameSize
        self.maximumUnframedSize = maximumUnframedSize
    }

    /// True in the middle of a frame: a stream that ends now is truncated.
    package var isInsideFrame: Bool { unframedSize > 0 }

    /// Takes a chunk, and returns the frames that it completes, in order.
    ///
    /// - Throws: ``TransportError`` `tooLarge` if more than ``maximumUnframedSize`` bytes came without a newline. Close the stream.
    package mutating func receive(_ chunk: Data) throws(TransportError) -> [Frame] {
        var frames: [Frame] = []
        var rest = chunk[...]
        while let newline = rest.firstIndex(of: 0x0a) {
            try append(rest[..<newline], &frames)
            if unframedSize > 0, unframedSize <= maximumFrameSize { frames.append(.complete(partial)) }
            partial = Data()
            unframedSize = 0
            rest = rest[(newline + 1)...]
        }
        try append(rest, &frames)
        return frames
    }

    private mutating func append(_ bytes: Data, _ frames: inout [Frame]) throws(TransportError) {
        let wasWithinLimit = unframedSize <= maximumFrameSize
        unframedSize += bytes.count
        guard unframedSize <= maximumUnframedSize else {
            throw TransportError(.tooLarge, "\(unframedSize) bytes without a newline")
        }
        if unframedSize <= maximumFrameSize {
            partial += bytes
        } else if wasWithinLimit {
            partial = Data()
            frames.append(.oversized)
        }
    }
}
