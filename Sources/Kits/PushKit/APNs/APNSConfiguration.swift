import Crypto
package import Foundation
import NIOSSL
package import ServerKit
import StorageKit
import WireKit

/// The part of Apple's push service that a device token belongs to: builds from Xcode use the sandbox, all others production.
package enum APNSEnvironment: String, Hashable, Sendable, CaseIterable, SQLValue {
    case production, sandbox

    package var other: APNSEnvironment { self == .production ? .sandbox : .production }

    var address: URL {
        switch self {
        case .production: URL(string: "https://api.push.apple.com")!
        case .sandbox: URL(string: "https://api.sandbox.push.apple.com")!
        }
    }
}

/// The operator's account at Apple's push service. Checked when it is read.
package struct APNSConfiguration: Sendable {
    package static let standardBundleID = "com.pager2077.app"

    package var keyID: String
    package var teamID: String
    /// The app's bundle identifier: the topic of alerts.
    package var bundleID: String
    /// The environment of tokens that were registered without one.
    package var environment: APNSEnvironment
    /// The address of each environment.
    package var addresses: [APNSEnvironment: URL]
    /// The only certificates that are trusted at these addresses; empty for the system's.
    let authorities: [NIOSSLCertificate]
    let key: P256.Signing.PrivateKey

    /// - Parameters:
    ///   - key: The contents of Apple's `.p8` file.
    ///   - authorities: Certificates in PEM that are trusted instead of the system's; nil for the system's.
    /// - Throws: `StartupError` for a value that Apple cannot have issued.
    package init(
        key: String, keyID: String, teamID: String, bundleID: String, environment: APNSEnvironment = .sandbox, address: URL? = nil,
        authorities: String? = nil
    ) throws(StartupError) {
        guard let key = try? P256.Signing.PrivateKey(pemRepresentation: key) else {
            throw StartupError("APNS_KEY_PATH is not the .p8 file of an APNs key: it holds no P-256 private key")
        }
        for (name, value) in [("APNS_KEY_ID", keyID), ("APNS_TEAM_ID", teamID)] where !Self.isIdentifier(value) {
            throw StartupError("\(name) is \"\(value)\"; expected the 10 letters and digits that Apple shows")
        }
        guard Self.isBundleID(bundleID) else {
            throw StartupError("APNS_BUNDLE_ID is \"\(bundleID)\"; expected a bundle identifier such as com.example.app")
        }
        if let authorities {
            guard let certificates = try? NIOSSLCertificate.fromPEMBytes(Array(authorities.utf8)), !certificates.isEmpty else {
                throw StartupError("APNS_CA_PATH holds no certificate in PEM")
            }
            self.authorities = certificates
        } else {
            self.authorities = []
        }
        self.key = key
        self.keyID = keyID
        self.teamID = teamID
        self.bundleID = bundleID
        self.environment = environment
        addresses = Dictionary(uniqueKeysWithValues: APNSEnvironment.allCases.map { ($0, address ?? $0.address) })
    }

    /// Reads `APNS_KEY_PATH`, `APNS_KEY_ID`, `APNS_TEAM_ID`, `APNS_BUNDLE_ID`, `APNS_ENVIRONMENT`, `APNS_URL` and
    /// `APNS_CA_PATH`.
    ///
    /// - Parameter bundleID: The bundle identifier of the app, if the settings have none.
    /// - Returns: The configuration; nil without a key: notifications are then only logged.
    /// - Throws: `StartupError` when a value is missing or wrong.
    package static func read(_ settings: Settings, bundleID: String = standardBundleID) throws(StartupError) -> APNSConfiguration? {
        guard let path = settings.string("apns.key.path") else {
            for key in ["apns.key.id", "apns.team.id"] where settings.string(key) != nil {
                throw StartupError("\(settings.name(of: key)) is set, but APNS_KEY_PATH is not: set both, or none")
            }
            return nil
        }
        func required(_ key: String) throws(StartupError) -> String {
            guard let value = settings.string(key) else {
                throw StartupError("\(settings.name(of: "apns.key.path")) is set, but \(settings.name(of: key)) is not: set both")
            }
            return value
        }
        var address: URL?
        if let text = settings.string("apns.url") {
            guard let url = URL(string: text), ["http", "https"].contains(url.scheme ?? ""), !(url.host() ?? "").isEmpty else {
                throw StartupError("\(settings.name(of: "apns.url")) is \"\(text)\"; expected an http or https address")
            }
            address = url
        }
        var authorities: String?
        if let path = settings.string("apns.ca.path") {
            // Apple's certificate is signed by an authority of the system.
            guard address != nil else {
                let names = ["apns.ca.path", "apns.url"].map { settings.name(of: $0) }
                throw StartupError("\(names[0]) is set, but \(names[1]) is not: set both")
            }
            authorities = try PrivateFiles.text(of: path)
        }
        return try APNSConfiguration(
            key: PrivateFiles.secret(in: URL(filePath: path)), keyID: required("apns.key.id"), teamID: required("apns.team.id"),
            bundleID: settings.string("apns.bundle.id") ?? bundleID,
            environment: settings.choice("apns.environment", default: .sandbox), address: address, authorities: authorities)
    }

    /// Returns all settings of an app: name without prefix, meaning and default.
    package static func settings(bundleID: String) -> [(name: String, meaning: String)] {
        [
            (name: "APNS_KEY_PATH", meaning: "Apple's .p8 key for notifications [none: notifications are only logged]"),
            (name: "APNS_KEY_ID", meaning: "the key's 10-character identifier"),
            (name: "APNS_TEAM_ID", meaning: "the team's 10-character identifier"),
            (name: "APNS_BUNDLE_ID", meaning: "the app's bundle identifier [\(bundleID)]"),
            (name: "APNS_ENVIRONMENT", meaning: "production or sandbox, for tokens registered without one [sandbox]"),
            (name: "APNS_URL", meaning: "address to use instead of Apple's"),
            (name: "APNS_CA_PATH", meaning: "certificates in PEM to trust at that address [the system's]"),
        ]
    }

    private static func isIdentifier(_ text: String) -> Bool {
        text.utf8.count == 10 && text.utf8.allSatisfy { $0.isASCIIDigit || $0.isASCIIUppercase }
    }

    /// True for letters, digits, hyphens and dots, as Apple requires. The sender adds the suffix of a topic, such as `.voip`.
    private static func isBundleID(_ text: String) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count >= 2 && text.utf8.count <= 155
            && parts.allSatisfy { part in
                !part.isEmpty && part.utf8.allSatisfy { $0.isASCIIAlphanumeric || $0 == UInt8(ascii: "-") }
            } && !text.contains(".push-type.") && !text.hasSuffix(".voip")
    }
}
