// The part of Security that ApplePlatform uses, with the types of CoreFoundation in it. Linux cannot convert to the types of CoreFoundation with
// `as`: here a CFDictionary is the dictionary itself. Pages: https://developer.apple.com/documentation/security/<name>
@_exported import Foundation

public final class CFString: Hashable, Sendable {
    public static func == (lhs: CFString, rhs: CFString) -> Bool { lhs === rhs }
    public func hash(into hasher: inout Hasher) {}
    init() {}
}
public typealias CFDictionary = [CFString: Any]
public typealias CFTypeRef = AnyObject
public final class CFAllocator {}
public final class CFError {}
public typealias OSStatus = Int32

public let kSecClass = CFString()
public let kSecClassGenericPassword = CFString()
public let kSecAttrService = CFString()
public let kSecAttrAccount = CFString()
public let kSecAttrAccessible = CFString()
public let kSecAttrAccessibleWhenUnlockedThisDeviceOnly = CFString()
public let kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly = CFString()
public let kSecAttrAccessControl = CFString()
public let kSecValueData = CFString()
public let kSecReturnData = CFString()
public let kSecUseAuthenticationContext = CFString()

public let errSecSuccess: OSStatus = 0
public let errSecDiskFull: OSStatus = -34
public let errSecUserCanceled: OSStatus = -128
public let errSecAuthFailed: OSStatus = -25_293
public let errSecItemNotFound: OSStatus = -25_300
public let errSecInteractionNotAllowed: OSStatus = -25_308

/// secitemadd(_:_:)
// swift-format-ignore: AlwaysUseLowerCamelCase
public func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus { fatalError() }
/// secitemupdate(_:_:)
// swift-format-ignore: AlwaysUseLowerCamelCase
public func SecItemUpdate(_ query: CFDictionary, _ attributesToUpdate: CFDictionary) -> OSStatus { fatalError() }
/// secitemcopymatching(_:_:)
// swift-format-ignore: AlwaysUseLowerCamelCase
public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus { fatalError() }
/// secitemdelete(_:)
// swift-format-ignore: AlwaysUseLowerCamelCase
public func SecItemDelete(_ query: CFDictionary) -> OSStatus { fatalError() }

/// secaccesscontrol
public final class SecAccessControl {}

/// secaccesscontrolcreateflags
public struct SecAccessControlCreateFlags: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static var biometryCurrentSet: SecAccessControlCreateFlags { fatalError() }
}

/// secaccesscontrolcreatewithflags(_:_:_:_:)
// swift-format-ignore: AlwaysUseLowerCamelCase
public func SecAccessControlCreateWithFlags(
    _ allocator: CFAllocator?, _ protection: CFTypeRef, _ flags: SecAccessControlCreateFlags,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecAccessControl? { fatalError() }

/// sectrust
public final class SecTrust {}
/// seccertificate
public final class SecCertificate {}
// On iOS a CFArray, which `as?` turns into an array: sectrustcopycertificatechain(_:)
// swift-format-ignore: AlwaysUseLowerCamelCase
public func SecTrustCopyCertificateChain(_ trust: SecTrust) -> [Any]? { fatalError() }
// On iOS a CFData, which `as` turns into Data: seccertificatecopydata(_:)
// swift-format-ignore: AlwaysUseLowerCamelCase
public func SecCertificateCopyData(_ certificate: SecCertificate) -> Data { fatalError() }
