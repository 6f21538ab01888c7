import Foundation
import HTTPTypes
import Hummingbird
import ServerKit

/// The admission of browsers as phones of this box: browsers on this machine, and those with the access code.
struct Entrance: Sendable {
    private static let maximumForm = 1024
    private let code: AccessCode?
    /// True if browsers on this machine need the access code as well, because a proxy may forward requests of others.
    private let asksEverybody: Bool
    private let sessions: Sessions
    private let page: PageTemplate
    /// The path of the page's files.
    private let files: String
    /// The rate limits of guesses, by client address and in total. At the total limit an attacker needs a million years on average
    /// to guess the code of 50 bits. The limit is that high because an attacker who reaches it locks out the owner.
    private let guesses = RateLimiter(limit: 10, per: .seconds(60))
    private let allGuesses = RateLimiter(limit: 1000, per: .seconds(60))

    init(code: AccessCode?, asksEverybody: Bool, sessions: Sessions, page: PageTemplate, files: String) {
        self.code = code
        self.asksEverybody = asksEverybody
        self.sessions = sessions
        self.page = page
        self.files = files
    }

    /// Returns the secret of the phone that sent `request`; nil for a browser that is not a phone.
    func phone(_ request: Request) async -> String? {
        guard let secret = PhoneCookie(request).secret, await !sessions.isForgotten(secret) else { return nil }
        if asks(request), await !sessions.isAdmitted(secret) { return nil }
        return secret
    }

    /// Returns `response` for a phone. Any other browser becomes a phone if it needs no code; otherwise it gets the access form.
    func enter(_ request: Request, _ response: Response) async -> Response {
        let known = await phone(request)
        guard known != nil || !asks(request) else {
            return question(PageWords.of(request), next: request.uri.path, status: .unauthorized)
        }
        var response = response
        // Set each time, which renews the expiry.
        response.headers[.setCookie] = PhoneCookie(request).set(known ?? Secret.make())
        return response
    }

    /// Returns whether the sender of `request` needs the access code.
    func asks(_ request: Request) -> Bool {
        // Many proxies address the box as `localhost`.
        code != nil && (asksEverybody || !HostCheck.isLoopback(request.head.authority) || request.isForwarded)
    }

    /// Returns the form for the code. The form submits a code in the fragment of its address by itself
    /// (``AccessCode/link(below:)``). In a browser that needs no code, the form opens the home screen.
    func form(_ request: Request) async -> Response {
        let isOpen = if asks(request) { await phone(request) != nil } else { true }
        return question(PageWords.of(request), next: "/", isOpen: isOpen, status: .ok)
    }

    private func question(
        _ words: PageWords, next: String, problem: String = "", isOpen: Bool = false, status: HTTPResponse.Status
    ) -> Response {
        page.response(
            [
                "title": "Switchboard", "static": files, "next": next, "problem": words(problem), "lang": words.language,
                "explanation": words(PageWords.explanation), "place": words(PageWords.codePlace),
                "code": words(PageWords.accessCode), "proceed": words(PageWords.proceed), "open": isOpen ? "yes" : "",
            ], status: status, sendsForms: true)
    }

    /// Handles the form with the access code.
    func answer(_ request: Request, _ context: ServerContext) async throws -> Response {
        guard request.headers[.origin] != nil, OriginCheck.allows(request) else {
            throw HTTPError(.forbidden, message: PageWords.foreignForm)
        }
        let words = PageWords.of(request)
        let form = try await request.body.collect(upTo: Self.maximumForm)
        let fields = URLComponents(string: "?" + String(buffer: form).replacing("+", with: "%20"))?.queryItems ?? []
        func field(_ name: String) -> String { fields.first { $0.name == name }?.value ?? "" }
        let next = field("next").wholeMatch(of: /\/(apps\/[a-z0-9]+\/)?/) == nil ? "/" : field("next")

        if let secret = PhoneCookie(request).secret, await sessions.isAdmitted(secret), await !sessions.isForgotten(secret) {
            // A phone keeps its secret, also when its user scans the code again.
            return Response(status: .seeOther, headers: [.location: next])
        }
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
