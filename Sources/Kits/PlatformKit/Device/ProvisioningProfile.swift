package import Foundation
import SwiftASN1

/// The profile by which an app was signed: a property list in a signed message (RFC 5652). The system has checked the signature.
package struct ProvisioningProfile: Sendable {
    /// The environment of the device's push tokens, as in `PushAddress`: `sandbox` or `production`; nil if the profile allows no pushes.
    package let pushEnvironment: String?

    /// Maximum size of a profile, in bytes. Profiles have some ten thousand.
    private static let maximumSize = 4_194_304

    /// - Throws: ``Problem``.
    package init(_ data: Data) throws(Problem) {
        guard data.count <= Self.maximumSize else { throw .tooLarge }
        let list = try Self.content(data)
        guard let members = (try? PropertyListSerialization.propertyList(from: list, format: nil)) as? [String: Any],
            let entitlements = members["Entitlements"] as? [String: Any]
        else { throw .noEntitlements }
        switch entitlements["aps-environment"] as? String {
        case nil: pushEnvironment = nil
        case "development"?: pushEnvironment = "sandbox"
        case "production"?: pushEnvironment = "production"
        case let other?: throw .unknownEnvironment(other)
        }
    }

    /// Returns the APNs environment of an app's device tokens.
    ///
    /// - Parameter profile: The file `embedded.mobileprovision` of the app; nil without one, as in an app from the App Store or TestFlight.
    /// - Returns: The environment of the profile, `production` without a profile. If the profile states none or cannot be
    ///   read: `sandbox` for a debug build, which only Xcode installs, else `production`.
    package static func pushEnvironment(profile: Data?, isSimulator: Bool, isDebug: Bool) -> String {
        // Simulators have no profile, and tokens of the sandbox.
        if isSimulator { return "sandbox" }
        guard let profile else { return "production" }
        let stated = (try? ProvisioningProfile(profile))?.pushEnvironment
        return stated ?? (isDebug ? "sandbox" : "production")
    }

    package enum Problem: Error, Hashable, Sendable {
        case tooLarge
        /// The data is not a signed message with content.
        case malformed
        case noEntitlements
        case unknownEnvironment(String)
    }

    /// Returns the content of a signed message.
    ///
    ///     ContentInfo      SEQUENCE { contentType, [0] SignedData }
    ///     SignedData       SEQUENCE { version, digestAlgorithms, EncapsulatedContentInfo, … }
    ///     EncapsulatedContentInfo  SEQUENCE { eContentType, [0] OCTET STRING }
    ///
    /// Source: RFC 5652, sections 3, 5.1 and 5.2. Signers also write lengths and strings in the forms of BER.
    private static func content(_ data: Data) throws(Problem) -> Data {
        guard let root = try? BER.parse(Array(data)), let info = root.children, info.count >= 2,
            let signed = info[1].children?.first?.children, signed.count >= 3, let content = signed[2].children, content.count >= 2,
            let octets = content[1].children?.first?.octets, !octets.isEmpty
        else { throw .malformed }
        return Data(octets)
    }
}

extension ASN1Node {
    /// The parts of a constructed value; nil for a primitive value.
    fileprivate var children: [ASN1Node]? {
        guard case .constructed(let nodes) = content else { return nil }
        return Array(nodes)
    }

    /// The bytes of a string, which can be in parts.
    fileprivate var octets: [UInt8] {
        switch content {
        case .primitive(let bytes): Array(bytes)
        case .constructed(let parts): parts.flatMap(\.octets)
        }
    }
}
