// The part of AVFoundation that ApplePlatform uses. Pages: https://developer.apple.com/documentation/avfoundation/<type>/<member>
@_exported import AVFAudio
@_exported import Foundation

/// avmediatype
public struct AVMediaType: Hashable, RawRepresentable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let video = AVMediaType(rawValue: "")
}

/// avauthorizationstatus
public enum AVAuthorizationStatus: Int, Sendable {
    case notDetermined, restricted, denied, authorized
}

/// avcapturedevice
open class AVCaptureDevice: NSObject {
    /// avcapturedevice/authorizationstatus(for:)
    open class func authorizationStatus(for mediaType: AVMediaType) -> AVAuthorizationStatus { fatalError() }
    /// avcapturedevice/requestaccess(for:completionhandler:), called as an asynchronous method.
    open class func requestAccess(for mediaType: AVMediaType) async -> Bool { fatalError() }
}
