/// A picture of one byte per pixel, 0 for black, in rows from the top without padding.
package struct GreyscalePicture: Hashable, Sendable {
    package let width: Int
    package let height: Int
    package let pixels: [UInt8]

    /// - Throws: ``GreyscalePictureError`` unless there are `width * height` pixels, and the sizes are within the limits of ``QRScanner``.
    package init(width: Int, height: Int, pixels: [UInt8]) throws(GreyscalePictureError) {
        guard try Self.pixelCount(width, height) == pixels.count else { throw .wrongPixelCount }
        self.width = width
        self.height = height
        self.pixels = pixels
    }

    fileprivate static func pixelCount(_ width: Int, _ height: Int) throws(GreyscalePictureError) -> Int {
        guard width >= QRScanner.minimumSide, height >= QRScanner.minimumSide else { throw .tooSmall }
        let (count, overflow) = width.multipliedReportingOverflow(by: height)
        guard !overflow, count <= QRScanner.maximumPixelCount else { throw .tooLarge }
        return count
    }
}

/// The reason why bytes are not a picture.
package enum GreyscalePictureError: Error, Hashable {
    case tooSmall
    case tooLarge
    case wrongPixelCount
}

/// A reader of pictures whose bytes arrive in chunks: width and height in 16 bits each, the higher byte first, then the pixels.
package struct GreyscalePictureReader: Sendable {
    private static let headerLength = 4
    private var bytes: [UInt8] = []

    package init() {}

    /// Adds bytes. Take all pictures with ``next()`` before the next call, so that at most one picture is held.
    package mutating func append(_ chunk: some Sequence<UInt8>) { bytes.append(contentsOf: chunk) }

    /// Returns the next picture; nil if it has not arrived completely.
    ///
    /// - Throws: ``GreyscalePictureError`` as soon as the sizes have arrived. Bytes after an error have no meaning.
    package mutating func next() throws(GreyscalePictureError) -> GreyscalePicture? {
        guard bytes.count >= Self.headerLength else { return nil }
        let (width, height) = (Int(bytes[0]) << 8 | Int(bytes[1]), Int(bytes[2]) << 8 | Int(bytes[3]))
        let end = Self.headerLength + (try GreyscalePicture.pixelCount(width, height))
        guard bytes.count >= end else { return nil }
        let picture = try GreyscalePicture(width: width, height: height, pixels: Array(bytes[Self.headerLength..<end]))
        bytes.removeFirst(end)
        return picture
    }
}
