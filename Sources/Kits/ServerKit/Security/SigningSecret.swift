package import Foundation

/// The key that signs a service's tokens. At least 32 bytes; never printed.
package struct SigningSecret: Sendable, CustomStringConvertible {
    package static let minimumLength = 32

    let bytes: Data
    package var description: String { "SigningSecret(…)" }

    /// - Parameter source: The origin of the text, for the error message.
    /// - Throws: ``StartupError`` when the secret is shorter than ``minimumLength``.
    package init(_ text: String, source: String) throws(StartupError) {
        try self.init(bytes: Data(text.utf8), source: source)
    }

    private init(bytes: Data, source: String) throws(StartupError) {
        guard bytes.count >= Self.minimumLength else {
            throw StartupError("\(source) holds \(bytes.count) bytes; use at least \(Self.minimumLength)")
        }
        self.bytes = bytes
    }

    /// Reads the secret from the setting `jwt.secret`, otherwise the one stored in `file`.
    package init(_ settings: Settings, orKeptIn file: URL) throws(StartupError) {
        if let text = settings.string("jwt.secret", isSecret: true) {
            try self.init(text, source: settings.name(of: "jwt.secret"))
        } else {
            self = try .stored(in: file)
        }
    }

    /// Reads the secret stored in `file`, or generates one and stores it there, readable by its owner only.
    package static func stored(in file: URL) throws(StartupError) -> SigningSecret {
        let text = try PrivateFiles.secret(in: file) {
            var generator = SystemRandomNumberGenerator()
            return (0..<6).map { _ in String(generator.next() as UInt64, radix: 16) }.joined()
        }
        return try SigningSecret(text, source: file.path)
    }
}
