import Foundation
import HTTPTypes
import Hummingbird
import JWTKit
import TestKit
import Testing

@testable import ServerKit

@Suite struct HostCheckTests {
    private let check = HostCheck(names: ["pager.example"])

    @Test(arguments: [
        "localhost", "localhost:8077", "LOCALHOST", "app.localhost:1", "127.0.0.1:80", "192.168.1.7", "[::1]:8077", "[fe80::1]",
        "pager.example", "Pager.Example:443", "pager.example.",
    ])
    func knownNamesAndAddressesAreAllowed(_ host: String) {
        #expect(check.allows(host))
    }

    @Test(arguments: [
        "evil.example", "localhost.evil.example", "xpager.example", "", ":80", "localhost:x", "localhost:99999", "[::1", "[::1]x",
        "evil.example/localhost", "localhost@evil.example", "127.0.0.1.evil.example",
    ])
    func otherNamesAreRefused(_ host: String) {
        #expect(!check.allows(host))
    }

    @Test func missingHostIsRefused() {
        #expect(!check.allows(nil))
    }
}

@Suite struct OriginCheckTests {
    @Test(
        arguments: [
            (nil, "localhost:8077", "http"), ("http://localhost:8077", "localhost:8077", "http"),
            ("https://Pager.example", "pager.example:443", "https"), ("http://[::1]:8077", "[::1]:8077", "http"),
            ("http://box.example", "box.example", "http"), ("HTTPS://box.example:443", "box.example", "https"),
            // Behind a proxy that does not report the scheme.
            ("https://box.example", "box.example", nil), ("http://box.example", "box.example", nil),
        ] as [(String?, String?, String?)])
    func ownPagesAreAllowed(_ origin: String?, _ host: String?, _ scheme: String?) {
        #expect(OriginCheck.allows(origin: origin, host: host, scheme: scheme))
    }

    @Test(
        arguments: [
            ("http://evil.example", "localhost:8077"), ("http://localhost:1", "localhost:8077"), ("null", "localhost:8077"),
            ("http://localhost:8077", nil), ("file://", "localhost"), ("http://localhost:8077.evil.example", "localhost:8077"),
        ] as [(String?, String?)], ["http", "https", nil])
    func otherOriginsAreRefused(_ origin: (String?, String?), _ scheme: String?) {
        #expect(!OriginCheck.allows(origin: origin.0, host: origin.1, scheme: scheme))
    }

    @Test(arguments: [
        ("http://box.example", "box.example", "https"), ("https://box.example", "box.example", "http"),
        ("http://box.example:8077", "box.example:8077", "https"), ("https://box.example:8077", "box.example:8077", "http"),
        ("https://localhost:80", "localhost", "http"), ("http://box.example", "box.example", "ftp"),
    ])
    func originsOfAnotherSchemeAreRefused(_ origin: String, _ host: String, _ scheme: String) {
        #expect(!OriginCheck.allows(origin: origin, host: host, scheme: scheme))
    }

    @Test(
        arguments: [
            ([:], "http"), (["X-Forwarded-Proto": "https"], "https"), (["X-Forwarded-Proto": " HTTPS , http"], "https"),
            (["X-Forwarded-Proto": "wss"], "https"), (["X-Forwarded-Proto": "ws"], "http"), (["X-Forwarded-Proto": "ftp"], "ftp"),
            (["X-Forwarded-Proto": ""], ""), (["X-Forwarded-For": "192.0.2.7"], nil), (["Via": "1.1 proxy"], nil),
            (["Forwarded": "for=192.0.2.7; Proto=\"https\", for=10.0.0.1;proto=http"], "https"),
            (["Forwarded": "for=192.0.2.7"], nil),
        ] as [([String: String], String?)])
    func schemeOfTheClientIsThatOfTheFirstProxy(_ headers: [String: String], _ scheme: String?) throws {
        var fields = HTTPFields()
        for (name, value) in headers { fields[try #require(HTTPField.Name(name))] = value }
        let head = HTTPRequest(method: .get, scheme: "http", authority: "box.example", path: "/", headerFields: fields)
        #expect(Request(head: head, body: .init(buffer: .init())).clientScheme == scheme)
    }
}

@Suite struct IPLiteralTests {
    @Test(arguments: [
        ("192.0.2.7", "192.0.2.7"), ("::ffff:192.0.2.7", "::ffff:192.0.2.7"), ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8::1", "2001:db8:0:0::/64"), ("::1", "0:0:0:0::/64"), ("fe80::", "fe80:0:0:0::/64"), ("local", "local"),
        ("fe80::1%eth0", "fe80:0:0:0::/64"), ("1::2::3", "1::2::3"),
    ])
    func networkIsTheAddressOrItsIPv6Prefix(_ address: String, _ network: String) {
        #expect(IPLiteral.network(of: address) == network)
    }
}

@Suite struct RateLimiterTests {
    private let start = ContinuousClock.now

    @Test func theWindowSlides() async {
        let limiter = RateLimiter(limit: 2, per: .seconds(60))

        #expect(await limiter.attempt("a", now: start) == nil)
        #expect(await limiter.attempt("a", now: start + .seconds(30)) == nil)
        #expect(await limiter.attempt("a", now: start + .seconds(40)) == .seconds(20))
        #expect(await limiter.attempt("b", now: start + .seconds(40)) == nil)
        // The first attempt has left the window; the refused one was not counted.
        #expect(await limiter.attempt("a", now: start + .seconds(60)) == nil)
        #expect(await limiter.attempt("a", now: start + .seconds(61)) == .seconds(29))
    }

    @Test func waitDoesNotCountAnAttempt() async {
        let limiter = RateLimiter(limit: 1, per: .seconds(60))
        for _ in 0..<3 { #expect(await limiter.wait(for: "a", now: start) == nil) }
        #expect(await limiter.attempt("a", now: start) == nil)
        #expect(await limiter.wait(for: "a", now: start + .seconds(10)) == .seconds(50))
    }

    @Test func attemptThatIsTakenBackDoesNotCount() async {
        let limiter = RateLimiter(limit: 2, per: .seconds(60))
        #expect(await limiter.attempt("a", now: start) == nil)
        #expect(await limiter.attempt("a", now: start + .seconds(10)) == nil)
        await limiter.takeBack("a", countedAt: start + .seconds(10))
        await limiter.takeBack("a", countedAt: start + .seconds(11))
        #expect(await limiter.attempt("a", now: start + .seconds(20)) == nil)
        #expect(await limiter.attempt("a", now: start + .seconds(30)) == .seconds(30))
        for time in [start, start + .seconds(20)] { await limiter.takeBack("a", countedAt: time) }
        #expect(await limiter.count == 0)
    }

    @Test func keysAreBounded() async {
        let limiter = RateLimiter(limit: 1, per: .seconds(60), maximumKeys: 100)

        for number in 0..<1000 { _ = await limiter.attempt("\(number)", now: start) }

        #expect(await limiter.count == 100)
    }

    @Test func expiredKeysAreEvictedFirst() async {
        let limiter = RateLimiter(limit: 1, per: .seconds(60), maximumKeys: 100)
        for number in 0..<99 { _ = await limiter.attempt("old \(number)", now: start) }
        _ = await limiter.attempt("fresh", now: start + .seconds(50))

        for number in 0..<50 { _ = await limiter.attempt("new \(number)", now: start + .seconds(70)) }

        #expect(await limiter.attempt("fresh", now: start + .seconds(71)) != nil)
    }
}

@Suite struct TokenSignerTests {
    struct Claims: TokenClaims, Equatable {
        var user: String
        var iat: Int
        var exp: Int
    }

    private let now = Date(timeIntervalSince1970: 1_000_000)
    private let claims = Claims(user: "ü", iat: 999_000, exp: 1_000_060)

    private func signer(_ secret: String = String(repeating: "k", count: 32)) async throws -> TokenSigner<Claims> {
        await TokenSigner(secret: try SigningSecret(secret, source: "test"))
    }

    @Test func signedTokenIsVerified() async throws {
        let signer = try await signer()
        #expect(try await signer.verify(signer.sign(claims), now: now) == claims)
    }

    /// The header and the names and types of the claims are part of the contracts.
    @Test func tokenHasTheStandardForm() async throws {
        let parts = try await signer().sign(claims).split(separator: ".").map(String.init)
        #expect(parts.count == 3)
        #expect(try object(parts[0]) == ["alg": "HS256", "typ": "JWT"])
        #expect(String(decoding: try bytes(parts[1]), as: UTF8.self).contains(#""exp":1000060"#))
    }

    @Test func expiredTokenIsReported() async throws {
        let signer = try await signer()
        let token = try await signer.sign(claims)
        await #expect(throws: TokenError.expired) { try await signer.verify(token, now: Date(timeIntervalSince1970: 1_000_060)) }
    }

    @Test func tokenOfAnotherKeyIsRefused() async throws {
        let token = try await signer(String(repeating: "x", count: 32)).sign(claims)
        await expectInvalid(token)
    }

    @Test func otherAlgorithmsAreRefusedEvenWithTheRightKey() async throws {
        let key = HMACKey(from: Data(String(repeating: "k", count: 64).utf8))
        let keys = await JWTKeyCollection().add(hmac: key, digestAlgorithm: .sha512)
        struct Payload: JWTPayload {
            var user = "ü"
            var iat = 999_000
            var exp = 1_000_060
            func verify(using algorithm: some JWTAlgorithm) async throws {}
        }
        let token = try await keys.sign(Payload())
        let signer = try await signer(String(repeating: "k", count: 64))
        await #expect(throws: TokenError.invalid("The algorithm is not allowed")) { try await signer.verify(token, now: now) }
    }

    @Test func unsignedAndTamperedTokensAreRefused() async throws {
        let good = try await signer().sign(claims)
        let parts = good.split(separator: ".").map(String.init)
        let none = base64URL(#"{"alg":"none","typ":"JWT"}"#)
        let forged = base64URL(#"{"user":"root","iat":999000,"exp":1000060}"#)
        for token in [
            "", ".", "..", "...", "a.b.c", good + "x", good + ".x", String(good.dropLast(2)), "\(none).\(parts[1]).",
            "\(none).\(parts[1]).\(parts[2])",
            "\(parts[0]).\(forged).\(parts[2])", "\(parts[0]).\(parts[1]).", String(repeating: "a", count: 100_000),
            "\u{0}.\u{0}.\u{0}",
        ] {
            await expectInvalid(token)
        }
    }

    @Test(arguments: [
        #"{"user":"a","iat":1}"#, #"{"iat":1,"exp":1000060}"#, #"{"user":5,"iat":1,"exp":1000060}"#,
        #"{"user":"a","iat":1,"exp":"1000060"}"#, #"{"user":"a","iat":1,"exp":1e300}"#, "[]", "null",
    ])
    func missingOrMalformedClaimsAreRefused(_ json: String) async throws {
        let signed = "\(base64URL(#"{"alg":"HS256","typ":"JWT"}"#)).\(base64URL(json))"
        let key = SymmetricKeyForTests(String(repeating: "k", count: 32))
        await expectInvalid("\(signed).\(key.sign(signed))")
    }

    private func expectInvalid(_ token: String) async {
        do {
            _ = try await signer().verify(token, now: now)
            Issue.record("accepted: \(token.prefix(80))")
        } catch TokenError.invalid {
        } catch {
            Issue.record("\(error)")
        }
    }

    private func object(_ part: String) throws -> [String: String] {
        try JSONDecoder().decode([String: String].self, from: bytes(part))
    }

    private func bytes(_ part: String) throws -> Data {
        let base64 = part.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        return try #require(Data(base64Encoded: base64 + String(repeating: "=", count: (4 - base64.count % 4) % 4)))
    }
}

private func base64URL(_ text: String) -> String { base64URL(Data(text.utf8)) }

private func base64URL(_ data: Data) -> String {
    data.base64EncodedString().replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
        .replacingOccurrences(of: "=", with: "")
}

@Suite struct SigningSecretTests {
    @Test func shortSecretIsRefusedWithItsSource() {
        #expect(throws: StartupError("JWT_SECRET holds 5 bytes; use at least 32")) {
            try SigningSecret("short", source: "JWT_SECRET")
        }
    }

    @Test func secretIsGeneratedOnceWithOwnerOnlyAccess() throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: "secret")
        let generated = try SigningSecret.stored(in: file)

        #expect(try SigningSecret.stored(in: file).bytes == generated.bytes)
        #expect(generated.bytes.count >= 64)
        #expect(try SigningSecret.stored(in: folder.url.appending(path: "other")).bytes != generated.bytes)
        #expect(try mode(file) == 0o600)
    }

    @Test func accessOfOthersToTheSecretIsRemoved() throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: "secret")
        try Data(String(repeating: "a", count: 40).utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)

        _ = try SigningSecret.stored(in: file)

        #expect(try mode(file) == 0o600)
    }

    /// A user with write access to the folder must not be able to choose the key.
    @Test(.enabled(if: geteuid() == 0)) func secretOfAnotherUserIsRefused() throws {
        let folder = try TemporaryFolder()
        let (file, link) = (folder.url.appending(path: "secret"), folder.url.appending(path: "link"))
        try Data(String(repeating: "a", count: 40).utf8).write(to: file)
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
        #expect(throws: Never.self) { try SigningSecret.stored(in: link) }
        #expect(chown(file.path, 65_534, 65_534) == 0)
        for location in [file, link] {
            let error = #expect(throws: StartupError.self) { try SigningSecret.stored(in: location) }
            #expect(error?.description.contains("belongs to another user") == true)
        }
        // Our own file behind a link of another user, who may know its contents.
        #expect(chown(file.path, 0, 0) == 0 && lchown(link.path, 65_534, 65_534) == 0)
        #expect(throws: StartupError.self) { try SigningSecret.stored(in: link) }
    }

    @Test func irregularFilesAreRefusedWithoutBlocking() throws {
        let folder = try TemporaryFolder()
        let fifo = folder.url.appending(path: "fifo")
        #expect(mkfifo(fifo.path, 0o600) == 0)
        for path in [fifo.path, "/dev/zero"] {
            let error = #expect(throws: StartupError.self) { try PrivateFiles.text(of: path) }
            #expect(error?.description == "Cannot read \(path): it is not a regular file")
        }
        #expect(throws: StartupError.self) { try SigningSecret.stored(in: fifo) }
        let large = folder.url.appending(path: "large")
        try Data(count: 1_048_577).write(to: large)
        #expect(throws: StartupError.self) { try PrivateFiles.text(of: large.path) }
    }

    @Test func descriptionDoesNotContainTheSecret() throws {
        let secret = try SigningSecret(String(repeating: "hush", count: 10), source: "")
        #expect(!"\(secret)".contains("hush"))
    }

    @Test func dataFolderIsCreatedWithOwnerOnlyAccess() throws {
        let folder = try TemporaryFolder()
        let data = folder.url.appending(path: "a/b")
        try PrivateFiles.ensureFolder(data)
        #expect(try mode(data) == 0o700)
    }

    @Test func onlyOwnDataFoldersAreClosedToOthers() throws {
        let folder = try TemporaryFolder()
        for (name, file, expected) in [
            ("empty", nil, 0o700), ("ours", "x.secret", 0o700), ("host", "host.db", 0o700), ("others", "letter.txt", 0o755),
        ] {
            let data = folder.url.appending(path: name)
            try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
            if let file { try Data().write(to: data.appending(path: file)) }
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: data.path)
            try PrivateFiles.ensureFolder(data)
            #expect(try mode(data) == expected, "\(name)")
        }
    }

    /// A folder like `/tmp`, which others need.
    @Test func stickyFolderKeepsItsMode() throws {
        let folder = try TemporaryFolder()
        try Data().write(to: folder.url.appending(path: "x.secret"))
        #expect(chmod(folder.path, 0o1777) == 0)
        try PrivateFiles.ensureFolder(folder.url)
        #expect(try mode(folder.url).map { $0 & 0o777 } == 0o777)
    }

    /// Others could replace our files in it.
    @Test(.enabled(if: geteuid() == 0)) func dataFolderOfOthersIsRefused() throws {
        let folder = try TemporaryFolder()
        let (data, link) = (folder.url.appending(path: "data"), folder.url.appending(path: "link"))
        try PrivateFiles.ensureFolder(data)
        #expect(symlink("data", link.path) == 0)
        #expect(throws: Never.self) { try PrivateFiles.ensureFolder(link) }
        #expect(lchown(link.path, 65_534, 65_534) == 0)
        #expect(throws: StartupError.self) { try PrivateFiles.ensureFolder(link) }
        #expect(chown(data.path, 65_534, 65_534) == 0 && chmod(data.path, 0o777) == 0)
        let error = #expect(throws: StartupError.self) { try PrivateFiles.ensureFolder(data) }
        #expect(error?.description.contains("belongs to another user") == true)
    }

    @Test func othersCannotWriteToADataFolder() throws {
        let folder = try TemporaryFolder()
        try Data().write(to: folder.url.appending(path: "letter.txt"))
        #expect(chmod(folder.path, 0o777) == 0)
        try PrivateFiles.ensureFolder(folder.url)
        #expect(try mode(folder.url) == 0o775)
    }

    @Test func keyOfACertificateIsClosedToOthers() throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: "key.pem")
        try Data("key".utf8).write(to: file)
        for (isSecret, expected) in [(false, 0o644), (true, 0o640)] {
            #expect(chmod(file.path, 0o644) == 0)
            #expect(try PrivateFiles.text(of: file.path, isSecret: isSecret) == "key")
            #expect(try mode(file) == expected)
        }
    }

    /// In a container, every process may have the process id 1.
    @Test func leftoverProbeFileDoesNotPreventStartup() throws {
        let folder = try TemporaryFolder()
        let left = folder.url.appending(path: ".writable-\(ProcessInfo.processInfo.processIdentifier)")
        try Data().write(to: left)
        #expect(throws: Never.self) { try PrivateFiles.ensureFolder(folder.url) }
    }

    @Test func fileAsDataFolderIsRefused() throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: "file")
        try Data().write(to: file)
        let error = #expect(throws: StartupError.self) { try PrivateFiles.ensureFolder(file) }
        #expect(error?.description.contains(file.path) == true)
    }

    private func mode(_ url: URL) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
    }
}

@Suite struct PasswordHashTests {
    private let cost = PasswordHash.Cost(logN: 4)

    @Test func onlyTheSamePasswordMatches() async throws {
        let hash = try await PasswordHash("correct horse", cost: cost)

        #expect(await hash.matches("correct horse"))
        #expect(await !hash.matches("correct horse "))
        #expect(await !hash.matches(""))
        #expect(!hash.text.contains("horse"))
    }

    @Test func noPasswordMatchesTheUnmatchableHash() async {
        let unmatchable = PasswordHash.unmatchable(cost: cost)
        #expect(await !unmatchable.matches(""))
        #expect(unmatchable != .unmatchable(cost: cost))
        #expect(unmatchable.text.hasPrefix("$scrypt$ln=4,r=8,p=1$"))
    }

    @Test func saltsDiffer() async throws {
        let first = try await PasswordHash("x", cost: cost)
        let second = try await PasswordHash("x", cost: cost)
        #expect(first != second)
    }

    /// Hashes that truncate at 72 bytes, or at a null byte, would accept both.
    @Test func everyByteCounts() async throws {
        let long = String(repeating: "a", count: 200)
        #expect(await !(try PasswordHash(long + "b", cost: cost)).matches(long + "c"))
        #expect(await !(try PasswordHash("a\u{0}b", cost: cost)).matches("a\u{0}c"))
    }

    @Test func storedHashMatches() async throws {
        let hash = try await PasswordHash("x", cost: cost)
        #expect(hash.text.hasPrefix("$scrypt$ln=4,r=8,p=1$"))
        #expect(await PasswordHash(stored: hash.text).matches("x"))
    }

    @Test(arguments: [
        "", "$", "$scrypt$ln=99,r=8,p=1$AAAA$AAAA", "$scrypt$ln=4,r=8$AAAA$AAAA", "$scrypt$ln==,r==,p==$A$A",
        "$bcrypt$ln=4,r=8,p=1$AAAA$AAAA",
    ])
    func invalidHashMatchesNothing(_ stored: String) async {
        #expect(await !PasswordHash(stored: stored).matches(""))
    }

    /// RFC 7914, section 12, second vector is N=1024, r=8, p=16 over "password" and "NaCl", 64 bytes; the first 32 of them.
    @Test func agreesWithTheReferenceVector() async throws {
        let salt = Data("NaCl".utf8).base64EncodedString()
        let hash = Data([
            0xfd, 0xba, 0xbe, 0x1c, 0x9d, 0x34, 0x72, 0x00, 0x78, 0x56, 0xe7, 0x19, 0x0d, 0x01, 0xe9, 0xfe, 0x7c, 0x6a, 0xd7, 0xcb,
            0xc8, 0x23, 0x78, 0x30, 0xe7, 0x73, 0x76, 0x63, 0x4b, 0x37, 0x31, 0x62,
        ]).base64EncodedString()
        #expect(await PasswordHash(stored: "$scrypt$ln=10,r=8,p=16$\(salt)$\(hash)").matches("password"))
    }
}
