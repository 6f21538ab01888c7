import Foundation
import NetworkingKit
import WireKit

/// The model of a chat server: the configured one, or the first that the server lists.
///
/// The addresses of self-hosted servers often lack the `/v1` of their paths, which is found together with the model.
final class ServedModel: Sendable {
    private struct Found {
        var name: String?
        /// The path below the address: empty, or `/v1`.
        var path = ""
        /// True once the server has answered.
        var isKnown = false
    }

    private static let version = "/v1"
    /// Timeout of one request.
    private static let limit = Duration.seconds(5)

    private let chosen: String?
    private let server: OutsideServer
    private let found = Locked(Found())

    /// - Parameter chosen: The configured model; nil to ask the server.
    init(_ chosen: String?, of server: OutsideServer) { (self.chosen, self.server) = (chosen, server) }

    /// The model's name; nil until the server has been asked, and for a server that lists no model.
    var name: String? { chosen ?? found.withLock { $0.name } }

    /// Returns the model's name and the path below the server's address. Asks the server at first, unless the model is configured.
    ///
    /// - Returns: A nil name for a server that lists no model.
    /// - Throws: ``EngineError``; `CancellationError`.
    func resolved() async throws -> (name: String?, path: String) {
        if let chosen { return (chosen, "") }
        let known = found.withLock { $0 }
        if known.isKnown { return (known.name, known.path) }
        try await find()
        return found.withLock { ($0.name, $0.path) }
    }

    /// Discards the found model, which the server does not know any more: the next call asks the server again.
    func forget() { found.withLock { $0.isKnown = false } }

    private func find() async throws {
        let paths = ["", "/"].contains(server.address.path) ? ["", Self.version] : [""]
        var first: EngineError?
        for path in paths {
            do {
                let names = try await server.models(below: path, within: Self.limit)
                let name = names.first { !$0.lowercased().contains("embed") }
                return found.withLock { $0 = Found(name: name, path: path, isKnown: true) }
            } catch let failure as OutsideFailure where [404, 405, 501].contains(failure.status) {
                // The list of models is optional.
            } catch let failure as OutsideFailure {
                first = first ?? failure.error
            } catch let error as EngineError where error.code == .refused {
                first = first ?? error
            }
        }
        if let first { throw first }
        found.withLock { $0 = Found(isKnown: true) }
    }
}

extension OutsideServer {
    /// Returns the names of the models that the server lists.
    ///
    /// - Throws: ``OutsideFailure`` for a refusal; ``EngineError``, `refused` for a web page; `CancellationError`.
    func models(below path: String, within limit: Duration) async throws -> [String] {
        let reply = try await get(path + "/models", within: limit)
        guard let json = try? WireJSON.decode(JSONValue.self, from: reply.body), json.members != nil || json.list != nil else {
            let isPage = reply.body.first { !" \t\r\n".utf8.contains($0) } == UInt8(ascii: "<")
            throw EngineError(
                .refused,
                "\(subject) at \(name) answers \(isPage ? "with a web page" : "with something unreadable"). Check \(settings.address).\(settings.missingPath)"
            )
        }
        let models = (json["data"] ?? json["models"])?.list ?? json.list ?? []
        return models.compactMap { ($0["id"] ?? $0["name"])?.text }.filter { !$0.isEmpty && $0.utf8.count <= 512 }
    }
}
