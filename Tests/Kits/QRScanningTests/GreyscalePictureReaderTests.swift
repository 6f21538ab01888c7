import Testing

@testable import QRScanning

@Suite struct GreyscalePictureReaderTests {
    private static func bytes(_ width: Int, _ height: Int, _ pixels: [UInt8]) -> [UInt8] {
        [UInt8(width >> 8), UInt8(width & 255), UInt8(height >> 8), UInt8(height & 255)] + pixels
    }

    @Test(arguments: [1, 3, 1000, 100_000])
    func picturesDoNotDependOnTheChunks(_ chunkLength: Int) throws {
        let sizes = [(21, 21), (300, 22), (24, 300)]
        let pictures = try sizes.enumerated().map { number, size in
            let pixels = (0..<size.0 * size.1).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ number) }
            return try GreyscalePicture(width: size.0, height: size.1, pixels: pixels)
        }
        var rest = pictures.flatMap { Self.bytes($0.width, $0.height, $0.pixels) }[...]
        var reader = GreyscalePictureReader()
        var read: [GreyscalePicture] = []
        while !rest.isEmpty {
            reader.append(rest.prefix(chunkLength))
            rest = rest.dropFirst(chunkLength)
            while let picture = try reader.next() { read.append(picture) }
        }
        #expect(read == pictures)
    }

    @Test(arguments: [
        (0, 0, GreyscalePictureError.tooSmall), (20, 65_535, .tooSmall), (65_535, 65_535, .tooLarge), (1025, 1024, .tooLarge),
    ])
    func hostileSizesAreRefusedBeforeThePixelsArrive(_ width: Int, _ height: Int, _ error: GreyscalePictureError) {
        var reader = GreyscalePictureReader()
        reader.append(Self.bytes(width, height, []))
        #expect(throws: error) { try reader.next() }
    }

    @Test func incompletePictureIsNotReturned() throws {
        var reader = GreyscalePictureReader()
        #expect(try reader.next() == nil)
        reader.append(Self.bytes(30, 30, Array(repeating: 0, count: 899)))
        #expect(try reader.next() == nil)
        reader.append([9])
        #expect(try reader.next()?.pixels.last == 9)
        #expect(try reader.next() == nil)
    }
}
