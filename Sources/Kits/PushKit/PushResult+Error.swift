import Logging
import NetworkingKit

extension PushResult {
    /// Creates the result of an attempt that ended without a reply.
    ///
    /// - Parameter logger: Logs any error that is not the network's, with which the entry would fail again.
    init(_ error: any Error, of entry: PushEntry, logger: Logger) {
        switch error {
        case let error as TransportError: self = .retry(error.code == .timedOut ? .timedOut : .unreachableService)
        case is CancellationError: self = .retry(.timedOut)
        default:
            logger.error("A notification cannot be made", metadata: ["push.id": "\(entry.identifier)", "error": "\(error)"])
            self = .refused(.unreadable)
        }
    }
}
