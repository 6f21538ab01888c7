import Foundation
import HTTPTypes
import Hummingbird
import ServerKit

/// Decides which browsers are phones of this box: this machine's, and those that were told the access code.
struct Entrance: Sendable {
    private static let maximumForm = 1024
    private let code: AccessCode?
    /// Asks this machine's browsers too: somebody else may be behind an address that looks like this machine.
    private let asksEverybody: Bool
    private let sessions: Sessions
    private let page: PageTemplate
    /// Where the files of the page are.
    private let files: String
    /// Guesses, by address and of all together. Of 2⁵⁰ codes even the second is found in a million years: it is that high because
    /// whoever reaches it locks out who knows the code.
    private let guesses = RateLimiter(limit: 10, per: .seconds(60))
    private let allGuesses = RateLimiter(limit: 1000, per: .seconds(60))

    init(code: AccessCode?, asksEverybody: Bool, sessions: Sessions, page: PageTemplate, files: String) {
        self.code = code
        self.asksEverybody = asksEverybody
        self.sessions = sessions
        self.page = page
        self.files = files
    }

    /// The secret of the phone that `request` comes from; nil when it comes from none.
    func phone(_ request: Request) async -> String? {
        guard let secret = PhoneCookie(request).secret, await !sessions.isForgotten(secret) else { return nil }
        if asks(request), await !sessions.isAdmitted(secret) { return nil }
        return secret
    }

    /// Gives `response` to a phone; makes the browser one where nobody is asked for a code, and asks for it otherwise.
    func enter(_ request: Request, _ response: Response) async -> Response {
        let known = await phone(request)
        guard known != nil || !asks(request) else {
            return question(PageWords.of(request), next: request.uri.path, problem: "", status: .unauthorized)
        }
        var response = response
        // Again each time: a phone that is used stays one.
        response.headers[.setCookie] = PhoneCookie(request).set(known ?? Secret.make())
        return response
    }

    /// Whether browsers that send such a request are asked for the access code.
    func asks(_ request: Request) -> Bool {
        code != nil && (asksEverybody || !HostCheck.isLoopback(request.head.authority) || isForwarded(request))
    }

    /// Whether a proxy says that it speaks for somebody else. Many call the box `localhost` while they do.
    private func isForwarded(_ request: Request) -> Bool { Self.proxyHeaders.contains { request.headers[$0] != nil } }

    private static let proxyHeaders = ["Forwarded", "Via", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-IP"]
        .map { HTTPField.Name($0)! }

    private func question(_ words: PageWords, next: String, problem: String, status: HTTPResponse.Status) -> Response {
        page.response(
            [
                "title": "Switchboard", "static": files, "next": next, "problem": words(problem), "lang": words.language,
                "explanation": words(PageWords.explanation), "code": words(PageWords.accessCode),
                "proceed": words(PageWords.proceed),
            ], status: status, sendsForms: true)
    }

    /// Takes the form with the code.
    func answer(_ request: Request, _ context: ServerContext) async throws -> Response {
        guard let origin = request.headers[.origin], OriginCheck.allows(origin: origin, host: request.head.authority) else {
            throw HTTPError(.forbidden, message: PageWords.foreignForm)
        }
        let words = PageWords.of(request)
        let form = try await request.body.collect(upTo: Self.maximumForm)
        let fields = URLComponents(string: "?" + String(buffer: form).replacing("+", with: "%20"))?.queryItems ?? []
        func field(_ name: String) -> String { fields.first { $0.name == name }?.value ?? "" }
        let next = field("next").wholeMatch(of: /\/(apps\/[a-z0-9]+\/)?/) == nil ? "/" : field("next")

        for (limiter, key) in [(guesses, context.remoteNetwork), (allGuesses, "")] where await limiter.attempt(key) != nil {
            return question(words, next: next, problem: PageWords.tooManyAttempts, status: .tooManyRequests)
        }
        guard let code, code.matches(field("code")) else {
            return question(words, next: next, problem: PageWords.wrongCode, status: .unauthorized)
        }
        let secret = Secret.make()
        try await sessions.admit(secret)
        return Response(status: .seeOther, headers: [.location: next, .setCookie: PhoneCookie(request).set(secret)])
    }
}
