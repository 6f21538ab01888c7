import Crypto
package import Foundation
import NetworkingKit
import SwiftASN1
package import WireKit
import X509

/// The self-signed certificate of a server whose clients pin it, and its key: one PEM file, readable by its owner only.
///
/// The certificate has no end date (RFC 5280, section 4.1.2.5), since clients would have to confirm a new one. To replace it, the
/// operator removes the file.
package struct ServerCertificate: Sendable {
    /// The file of the certificate and its key.
    package let file: URL
    /// The fingerprint that clients pin.
    package let fingerprint: CertificateFingerprint

    /// The files for ``WebServer/Configuration/tls``.
    package var tls: (certificate: String, key: String) { (file.path, file.path) }

    /// Reads the certificate stored in `file`, or makes one and stores it there.
    ///
    /// - Parameter name: The common name in a new certificate. Pinning clients ignore it.
    /// - Throws: ``StartupError``, also for a file that does not hold one certificate and its key: it is never replaced.
    package static func stored(in file: URL, name: String = "switchboard") throws(StartupError) -> ServerCertificate {
        if !FileManager.default.fileExists(atPath: file.path) { try store(file, pem: make(name)) }
        let text = try PrivateFiles.secret(in: file)
        do {
            let documents = try PEMDocument.parseMultiple(pemString: text)
            let certificates = documents.filter { $0.discriminator == "CERTIFICATE" }
            guard let der = certificates.first?.derBytes, certificates.count == 1, documents.count == 2,
                let key = documents.first(where: { $0.discriminator != "CERTIFICATE" })
            else { throw Damage.incomplete }
            let certificate = try Certificate(derEncoded: der)
            guard try Certificate.PrivateKey(pemDocument: key).publicKey == certificate.publicKey else { throw Damage.otherKey }
            return ServerCertificate(file: file, fingerprint: CertificateFingerprint(ofDER: der))
        } catch {
            // The parser's errors can quote what they read.
            throw StartupError(
                "\(file.path) does not hold a certificate and its key; remove it to make a new one, which every phone then has to confirm"
            )
        }
    }

    /// Returns the fingerprint of the first certificate of a chain, which is the server's own.
    ///
    /// - Throws: ``StartupError``.
    package static func fingerprint(ofPEM path: String) throws(StartupError) -> CertificateFingerprint {
        let text = try PrivateFiles.text(of: path)
        guard let document = try? PEMDocument.parseMultiple(pemString: text).first(where: { $0.discriminator == "CERTIFICATE" })
        else { throw StartupError("\(path) contains no certificate") }
        return CertificateFingerprint(ofDER: document.derBytes)
    }

    private enum Damage: Error { case incomplete, otherKey }

    /// Returns the PEM of a new key and its certificate.
    private static func make(_ name: String) throws(StartupError) -> String {
        do {
            let key = Certificate.PrivateKey(P256.Signing.PrivateKey())
            let subject = try DistinguishedName { CommonName(name) }
            let certificate = try Certificate(
                version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: key.publicKey,
                // From 2020, before the clock of any client, to 99991231235959Z, "no well-defined expiration date".
                notValidBefore: Date(timeIntervalSince1970: 1_577_836_800),
                notValidAfter: Date(timeIntervalSince1970: 253_402_300_799),
                issuer: subject, subject: subject, signatureAlgorithm: .ecdsaWithSHA256,
                extensions: Certificate.Extensions {
                    Critical(BasicConstraints.notCertificateAuthority)
                    Critical(KeyUsage(digitalSignature: true))
                    try ExtendedKeyUsage([.serverAuth])
                    SubjectAlternativeNames([.dnsName("localhost")])
                },
                issuerPrivateKey: key)
            return try certificate.serializeAsPEM().pemString + "\n" + key.serializeAsPEM().pemString + "\n"
        } catch {
            throw StartupError("Cannot make a certificate: \(error)")
        }
    }

    /// Stores a new file as a whole or not at all. A file that another process has stored meanwhile remains.
    private static func store(_ file: URL, pem: String) throws(StartupError) {
        let new = file.appendingPathExtension("new-\(UUID())")
        try PrivateFiles.create(new, text: pem)
        defer { unlink(new.path) }
        guard link(new.path, file.path) == 0 || errno == EEXIST else {
            throw StartupError("Cannot write \(file.path): \(String(cString: strerror(errno)))")
        }
    }
}
