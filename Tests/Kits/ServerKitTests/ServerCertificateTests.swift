import Foundation
import NetworkingKit
import ServerKit
import TestKit
import Testing
import WireKit

@Suite struct ServerCertificateTests {
    private let folder: TemporaryFolder
    private let file: URL

    init() throws {
        folder = try TemporaryFolder()
        file = folder.url.appending(path: "certificate.pem")
    }

    @Test func certificateIsMadeOnceAndPrivate() throws {
        let first = try ServerCertificate.stored(in: file)
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int == 0o600)
        let second = try ServerCertificate.stored(in: file, name: "another name")
        #expect(second.fingerprint == first.fingerprint)
        #expect(try String(contentsOf: file, encoding: .utf8) == text)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["certificate.pem"])
        let other = try ServerCertificate.stored(in: folder.url.appending(path: "other.pem"))
        #expect(other.fingerprint != first.fingerprint)
    }

    @Test func openSSLAgreesWithTheCertificate() async throws {
        let certificate = try ServerCertificate.stored(in: file, name: "desk")
        let shown = try await Program.tool(
            "/usr/bin/openssl", ["x509", "-in", file.path, "-noout", "-fingerprint", "-sha256", "-subject", "-enddate"])
        let fingerprint = shown.output.split(separator: "\n").first?.split(separator: "=").last?.replacing(":", with: "")
            .lowercased()
        #expect(fingerprint == certificate.fingerprint.description)
        #expect(shown.output.contains("CN = desk"))
        #expect(shown.output.contains("Dec 31 23:59:59 9999 GMT"))
        let verified = try await Program.tool("/usr/bin/openssl", ["verify", "-CAfile", file.path, file.path])
        #expect(verified.status == 0, "\(verified.output)\(verified.errors)")
    }

    @Test func webServerServesIt() async throws {
        var configuration = WebServer.Configuration()
        configuration.tls = try ServerCertificate.stored(in: file).tls
        let path = file.path
        try await ServerUnderTest.run([], configuration: configuration) { server in
            let reply = try await Program.tool(
                "/usr/bin/curl", ["-sS", "--cacert", path, "https://localhost:\(server.port)/health"])
            #expect(reply.status == 0, "\(reply.errors)")
        }
    }

    @Test func serversThatStartAtOnceAgree() async throws {
        let file = file
        let fingerprints = try await withThrowingTaskGroup { group in
            for _ in 0..<8 { group.addTask { try ServerCertificate.stored(in: file).fingerprint } }
            return try await group.reduce(into: Set<CertificateFingerprint>()) { $0.insert($1) }
        }
        #expect(fingerprints.count == 1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["certificate.pem"])
    }

    @Test func damagedFileIsReportedAndKept() async throws {
        _ = try ServerCertificate.stored(in: file)
        let text = try String(contentsOf: file, encoding: .utf8)
        _ = try ServerCertificate.stored(in: folder.url.appending(path: "other.pem"))
        let other = try String(contentsOf: folder.url.appending(path: "other.pem"), encoding: .utf8)
        let end = "-----END CERTIFICATE-----\n"
        let parts = [text, other].map { $0.components(separatedBy: end) }
        for damaged in [
            "", "nonsense", String(text.dropLast(40)), parts[0][0] + end, parts[0][1], parts[0][0] + end + parts[1][1],
            text + other,
            text.replacing("A", with: "B"),
        ] {
            try damaged.write(to: file, atomically: true, encoding: .utf8)
            let error = #expect(throws: StartupError.self) { try ServerCertificate.stored(in: file) }
            #expect(error?.description.contains("remove it") == true)
            #expect(error?.description.contains("BEGIN") == false)
            #expect(try String(contentsOf: file, encoding: .utf8) == damaged)
        }
    }

    @Test func folderThatCannotBeWrittenIsReported() throws {
        let missing = folder.url.appending(path: "none/certificate.pem")
        #expect(throws: StartupError.self) { try ServerCertificate.stored(in: missing) }
    }
}
