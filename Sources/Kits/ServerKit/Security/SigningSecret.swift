public import Foundation

/// The key that a service signs its tokens with. At least 32 bytes; never printed.
public struct SigningSecret: Sendable, CustomStringConvertible {
    public static let minimumLength = 32

    let bytes: Data
    public var description: String { "SigningSecret(…)" }

    /// - Throws: ``StartupError`` when it is shorter than ``minimumLength``.
    /// - Parameter source: Where the text came from, for the error.
    public init(_ text: String, source: String) throws(StartupError) {
        try self.init(bytes: Data(text.utf8), source: source)
    }

    private init(bytes: Data, source: String) throws(StartupError) {
        guard bytes.count >= Self.minimumLength else {
            throw StartupError("\(source) holds \(bytes.count) bytes; a signing secret needs at least \(Self.minimumLength)")
        }
        self.bytes = bytes
    }

    /// The secret that `jwt.secret` says; where that is not set, the one that is kept in `file`.
    public init(_ settings: Settings, orKeptIn file: URL) throws(StartupError) {
        if let text = settings.string("jwt.secret", isSecret: true) {
            try self.init(text, source: settings.name(of: "jwt.secret"))
        } else {
            self = try .kept(in: file)
        }
    }

    /// Reads the secret kept in `file`, or draws one and keeps it there, readable by its owner only.
    public static func kept(in file: URL) throws(StartupError) -> SigningSecret {
        do {
            if !FileManager.default.fileExists(atPath: file.path) {
                var generator = SystemRandomNumberGenerator()
                let drawn = (0..<6).map { _ in String(generator.next() as UInt64, radix: 16) }.joined()
                try PrivateFiles.create(file, containing: Data(drawn.utf8))
            }
            let text = try PrivateFiles.secret(in: file).trimmingCharacters(in: .whitespacesAndNewlines)
            return try SigningSecret(text, source: file.path)
        } catch let error as StartupError {
            throw error
        } catch {
            throw StartupError("Cannot keep a signing secret in \(file.path): \(PrivateFiles.reason(error))")
        }
    }
}
