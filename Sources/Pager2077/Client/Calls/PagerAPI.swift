import HTTPTypes
import NetworkingKit
import Pager2077Wire
import WireKit

/// The service's endpoints as calls, which throw ``PagerProblem`` or `CancellationError`. ``Account`` makes them in a user's name.
struct PagerAPI: ServiceCalls {
    /// The timeout of a call (contract, section 4).
    static let timeout: Duration = .seconds(10)
    /// The prefix of the code for a reply that no pager service gives.
    static let foreign = "HTTP_"
    let service: RemoteService
    let clock: any Clock<Duration>

    func value<Value: Decodable & Sendable>(of reply: HTTPReply, to path: String, hasToken: Bool) throws -> Value {
        let status = reply.head.status.code
        if (200..<300).contains(status), let success = try? WireJSON.decode(Success<Value>.self, from: reply.body) {
            return success.data
        }
        guard status >= 300 || status < 200, let failure = try? WireJSON.decode(Failure.self, from: reply.body) else {
            throw PagerProblem.service(Self.foreign + "\(status)")
        }
        throw PagerProblem(failure.error, status: status)
    }

    func failure(_ error: TransportError) -> any Error { PagerProblem(error) }
}
