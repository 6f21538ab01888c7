import Foundation
import HTTPTypes
import WireKit

/// The check of a session's certificates against an optional pin, which keeps the error of a refused server. Foundation on Linux
/// shows no certificates, so only ``URLSessionTransports`` pins.
final class PinCheck: Sendable {
    private let pin: PinnedCertificate?
    private let failure = Locked<TransportError?>(nil)

    init(_ pin: PinnedCertificate?) { self.pin = pin }

    /// - Throws: ``TransportError`` `address` if a certificate is pinned and the request is not to an `https` address.
    func checkScheme(_ request: HTTPRequest) throws(TransportError) {
        guard pin == nil || request.scheme == "https" else { throw TransportError.pinWithoutTLS }
    }

    /// Returns the check's own error for a task that the check cancelled; otherwise `error`.
    func reason(_ error: (any Error)?) -> (any Error)? {
        let code = (error as? URLError)?.code
        guard code == .cancelled || code == .userCancelledAuthentication, let failure = failure.withLock({ $0 }) else {
            return error
        }
        return failure
    }

    #if canImport(Security)
        func answer(_ challenge: URLAuthenticationChallenge) -> (URLSession.AuthChallengeDisposition, URLCredential?) {
            guard let pin, let trust = challenge.protectionSpace.serverTrust else { return (.performDefaultHandling, nil) }
            do {
                guard let der = challenge.serverCertificate else {
                    throw TransportError(.tls, "the server has sent no certificate")
                }
                try pin.check(der)
                return (.useCredential, URLCredential(trust: trust))
            } catch {
                failure.withLock { $0 = error as? TransportError }
                return (.cancelAuthenticationChallenge, nil)
            }
        }
    #endif
}
