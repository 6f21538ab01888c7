import CZBar

/// A scanner for QR codes in greyscale pictures, by Debian's libzbar. Linux only.
package struct QRScanner: Sendable {
    /// Maximum pixels in a picture.
    package static let maximumPixelCount = 262_144
    /// Minimum width and height of a picture in pixels: those of the smallest symbol.
    package static let minimumSide = 21
    /// Maximum texts from one picture.
    package static let maximumTextCount = 16

    package init() {}

    /// Returns the texts of the QR codes in a picture, each once.
    ///
    /// Runs on the global executor, apart from the caller. Symbols whose content is not UTF-8 are left out.
    @concurrent
    package func texts(in picture: GreyscalePicture) async -> [String] {
        Scan().texts(in: picture)
    }
}

/// One use of libzbar, which is confined to a function.
private struct Scan: ~Copyable {
    private let scanner: OpaquePointer?

    init() {
        scanner = zbar_image_scanner_create()
        // All symbologies off, then one on.
        zbar_image_scanner_set_config(scanner, CInt(ZBAR_NONE), CInt(ZBAR_CFG_ENABLE), 0)
        zbar_image_scanner_set_config(scanner, CInt(ZBAR_QRCODE), CInt(ZBAR_CFG_ENABLE), 1)
    }

    deinit { zbar_image_scanner_destroy(scanner) }

    func texts(in picture: GreyscalePicture) -> [String] {
        guard let scanner, let image = zbar_image_create() else { return [] }
        defer { zbar_image_destroy(image) }
        // The four characters "Y800": eight bits of brightness.
        zbar_image_set_format(image, 0x3030_3859)
        zbar_image_set_size(image, UInt32(picture.width), UInt32(picture.height))
        return picture.pixels.withUnsafeBytes { pixels in
            // libzbar does not write to the pixels, and does not free them without a cleanup handler.
            zbar_image_set_data(image, pixels.baseAddress, UInt(pixels.count), nil)
            guard zbar_scan_image(scanner, image) > 0 else { return [] }
            var texts: [String] = []
            var symbol = zbar_image_first_symbol(image)
            while let current = symbol, texts.count < QRScanner.maximumTextCount {
                if let text = Self.text(of: current), !texts.contains(text) { texts.append(text) }
                symbol = zbar_symbol_next(current)
            }
            return texts
        }
    }

    private static func text(of symbol: OpaquePointer) -> String? {
        guard zbar_symbol_get_type(symbol) == CInt(ZBAR_QRCODE), let data = zbar_symbol_get_data(symbol) else { return nil }
        let bytes = UnsafeRawBufferPointer(start: data, count: Int(zbar_symbol_get_data_length(symbol)))
        let text = String(decoding: bytes, as: UTF8.self)
        return text.utf8.elementsEqual(bytes) ? text : nil
    }
}
