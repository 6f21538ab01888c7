// The part of LocalAuthentication that ApplePlatform uses. Pages: https://developer.apple.com/documentation/localauthentication/<type>/<member>
@_exported import Foundation

/// lapolicy
public enum LAPolicy: Int, Sendable {
    case deviceOwnerAuthenticationWithBiometrics = 1
    case deviceOwnerAuthentication
}

/// lacontext
open class LAContext: NSObject {
    public override init() {}
    // On iOS `NSErrorPointer`, which needs Objective-C.
    open func canEvaluatePolicy(_ policy: LAPolicy, error: UnsafeMutablePointer<NSError?>?) -> Bool { fatalError() }
    open func evaluatePolicy(_ policy: LAPolicy, localizedReason: String) async throws -> Bool { fatalError() }
    open var localizedReason: String {
        get { fatalError() }
        set {}
    }
    open var interactionNotAllowed: Bool {
        get { fatalError() }
        set {}
    }
}
