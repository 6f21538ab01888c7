// The part of Vision that ApplePlatform uses. Pages: https://developer.apple.com/documentation/vision/<type>/<member>
@_exported import Foundation

/// vnbarcodesymbology
public struct VNBarcodeSymbology: Hashable, RawRepresentable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let qr = VNBarcodeSymbology(rawValue: "")
}
