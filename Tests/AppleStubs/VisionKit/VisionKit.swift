// The part of VisionKit that ApplePlatform uses. Pages: https://developer.apple.com/documentation/visionkit/<type>/<member>
public import UIKit
public import Vision

/// recognizeditem
public enum RecognizedItem {
    case text(Text)
    case barcode(Barcode)

    public struct Text {}
    /// recogniseditem/barcode
    public struct Barcode {
        public var payloadStringValue: String? { fatalError() }
    }
}

/// datascannerviewcontrollerdelegate
// On iOS every method has a default implementation; here they are requirements, so that a method with another signature is found.
@available(iOS 16.0, *)
@MainActor
public protocol DataScannerViewControllerDelegate: AnyObject {
    func dataScanner(
        _ dataScanner: DataScannerViewController, didAdd addedItems: [RecognizedItem], allItems: [RecognizedItem])
    func dataScanner(
        _ dataScanner: DataScannerViewController,
        becameUnavailableWithError error: DataScannerViewController.ScanningUnavailable)
}

/// datascannerviewcontroller
@available(iOS 16.0, *)
@MainActor
public class DataScannerViewController: UIViewController {
    public struct RecognizedDataType: Hashable {
        public static func barcode(symbologies: [VNBarcodeSymbology] = []) -> RecognizedDataType { fatalError() }
    }

    public enum QualityLevel: Sendable {
        case balanced, fast, accurate
    }

    public enum ScanningUnavailable: Error {
        case unsupported, cameraRestricted
    }

    public class var isSupported: Bool { fatalError() }
    public weak var delegate: (any DataScannerViewControllerDelegate)?
    public convenience init(
        recognizedDataTypes: Set<RecognizedDataType>, qualityLevel: QualityLevel = .balanced, recognizesMultipleItems: Bool = false,
        isHighFrameRateTrackingEnabled: Bool = true, isPinchToZoomEnabled: Bool = true, isGuidanceEnabled: Bool = true,
        isHighlightingEnabled: Bool = false
    ) { fatalError() }
    public func startScanning() throws {}
    public func stopScanning() {}
}
