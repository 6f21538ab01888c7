import Foundation
package import NetworkingKit

/// The engine that the user of a host has chosen.
package enum EngineChoice: String, Hashable, Sendable, CaseIterable {
    case ollama, openai, demo

    /// The selected engine of a host.
    package struct Selection: Sendable {
        package var engine: any Engine
        /// True if the user named no engine and none answers, so that the demo was taken.
        package var isSubstitute: Bool
    }

    /// The engines that a user's settings allow.
    package struct Candidates: Sendable {
        /// The engines in the order of preference; the demo is not among them unless it was chosen.
        package var engines: [any Engine]
        /// True if the user has chosen the engine, which is then used whether it answers or not.
        package var isChosen: Bool
        /// The address that the user named; nil for none.
        package var address: String?
    }

    /// Failure to select an engine, in words for the user.
    package struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
        package var description: String
    }

    // MARK: Candidates

    /// Reads the settings, without a call to a server.
    ///
    /// - Parameters:
    ///   - choice: The user's choice; nil for none.
    ///   - address: The address that the user named; nil for that of the environment.
    ///   - environment: `OLLAMA_HOST`, `OPENAI_BASE_URL` and `OPENAI_API_KEY` are read.
    /// - Throws: ``Problem`` when an address is missing or invalid.
    package static func candidates(
        _ choice: EngineChoice?, at address: String?, environment: [String: String], http: any HTTPTransport,
        clock: any Clock<Duration> = ContinuousClock()
    ) throws(Problem) -> Candidates {
        func setting(_ name: String) -> (name: String, text: String)? {
            if let address { return ("--engine-url", address) }
            let text = environment[name]?.trimmingCharacters(in: .whitespaces)
            return text.flatMap { $0.isEmpty ? nil : (name, $0) }
        }
        func ollama() throws(Problem) -> OllamaEngine {
            guard let (name, text) = setting("OLLAMA_HOST") else {
                return OllamaEngine(ModelServer(at: OllamaEngine.standardAddress, http: http, clock: clock))
            }
            guard let url = ollamaAddress(text) else { throw isNoAddress(name, text) }
            return OllamaEngine(ModelServer(at: url, http: http, clock: clock))
        }
        func openAI() throws(Problem) -> OpenAIEngine? {
            guard let (name, text) = setting("OPENAI_BASE_URL") else { return nil }
            guard let url = openAIAddress(text) else { throw isNoAddress(name, text) }
            return OpenAIEngine(ModelServer(at: url, token: environment["OPENAI_API_KEY"], http: http, clock: clock))
        }
        switch choice {
        case .ollama: return Candidates(engines: [try ollama()], isChosen: true)
        case .openai:
            guard let engine = try openAI() else {
                throw Problem(description: "The engine openai needs the address of a server: --engine-url or OPENAI_BASE_URL")
            }
            return Candidates(engines: [engine], isChosen: true)
        case .demo:
            guard address == nil else { throw Problem(description: "The demo has no address: leave --engine-url out") }
            return Candidates(engines: [DemoEngine(clock: clock)], isChosen: true)
        case nil:
            var engines: [any Engine] = [try ollama()]
            if let other = try openAI() { engines.append(other) }
            return Candidates(engines: engines, isChosen: false, address: address)
        }
    }

    private static func isNoAddress(_ name: String, _ text: String) -> Problem {
        Problem(description: "\(name) is \"\(text.prefix(200))\"; expected an http or https address")
    }

    // MARK: Selection

    /// Returns the chosen engine; without a choice the first engine that answers, and the demo if none does.
    ///
    /// - Throws: ``Problem`` when the user named an address at which no model server answers.
    package static func select(
        _ candidates: Candidates, clock: any Clock<Duration> = ContinuousClock()
    ) async throws(Problem) -> Selection {
        if candidates.isChosen, let engine = candidates.engines.first { return Selection(engine: engine, isSubstitute: false) }
        for engine in candidates.engines {
            if await answers(engine) { return Selection(engine: engine, isSubstitute: false) }
        }
        if let address = candidates.address {
            throw Problem(
                description:
                    "No model server answers at \(address.prefix(200)). Start it, or name its kind with --engine to start the host before it."
            )
        }
        return Selection(engine: DemoEngine(clock: clock), isSubstitute: true)
    }

    /// Returns true if a server of the engine's kind answers, even if it is not ready yet.
    private static func answers(_ engine: any Engine) async -> Bool {
        do {
            _ = try await engine.models()
            return true
        } catch let error as EngineError {
            // Ollama lists its models at any time, so a server that is loading is not Ollama.
            return engine is OpenAIEngine && (error.code == .loading || error.code == .busy)
        } catch {
            // The failure of one engine is the reason for the next.
            return false
        }
    }

    // MARK: Addresses

    /// Returns the address in a value of `OLLAMA_HOST`, read as Ollama does: all parts but one may be missing. The address of all
    /// interfaces becomes that of this machine. Nil for an invalid value.
    ///
    ///     host   host:7000   :7000   0.0.0.0   ::1   [::1]:7000   https://host/path   https://user:password@host
    static func ollamaAddress(_ text: String) -> URL? {
        var rest = text.trimmingCharacters(in: CharacterSet(charactersIn: "\"'").union(.whitespaces))[...]
        var (scheme, port) = ("http", 11434)
        if let end = rest.range(of: "://") {
            scheme = rest[..<end.lowerBound].lowercased()
            guard scheme == "http" || scheme == "https" else { return nil }
            port = scheme == "http" ? 80 : 443
            rest = rest[end.upperBound...]
        }
        let parts = rest.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        var host = parts.first.map(String.init) ?? ""
        var credentials = ""
        if let at = host.lastIndex(of: "@") {
            credentials = String(host[...at])
            host = String(host[host.index(after: at)...])
        }
        // A colon before the port, not one inside an IPv6 address.
        if let colon = host.lastIndex(of: ":"),
            host.hasPrefix("[") ? host[..<colon].hasSuffix("]") : host.firstIndex(of: ":") == colon
        {
            if let number = UInt16(host[host.index(after: colon)...]) { port = Int(number) }
            host = String(host[..<colon])
        }
        host = host.trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
        if ["", "0.0.0.0"].contains(host) { host = "127.0.0.1" }
        if host == "::" { host = "::1" }
        let path = parts.count > 1 && !parts[1].isEmpty ? "/\(parts[1])" : ""
        return serverAddress("\(scheme)://\(credentials)\(host.contains(":") ? "[\(host)]" : host):\(port)\(path)")
    }

    /// Returns the address of an OpenAI-compatible server; nil if it is invalid. The scheme may be missing.
    static func openAIAddress(_ text: String) -> URL? { serverAddress(text.contains("://") ? text : "http://\(text)") }

    private static func serverAddress(_ text: String) -> URL? {
        guard let url = URL(string: text), ["http", "https"].contains(url.scheme?.lowercased()), url.host()?.isEmpty == false else {
            return nil
        }
        return url
    }
}
