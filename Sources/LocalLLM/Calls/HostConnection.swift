import Foundation
package import LocalLLMWire
package import NetworkingKit
import WireKit

/// One stream to a host, as the connection of a line: reads and writes messages.
///
/// Frames that are not messages of a host are answered with an error, and skipped.
package final class HostConnection: LineConnection {
    private struct State {
        var framing = NewlineFraming(maximumFrameSize: Limits.lineSize, maximumUnframedSize: Limits.unframedSize)
        var frames: ArraySlice<NewlineFraming.Frame> = []
        /// The introduction, which ``receive()`` returns once more.
        var introduction: Message?
        var problem: ChatProblem?
        var unreadableCount = 0
    }

    /// Maximum unreadable frames of a connection that are answered. More end the connection.
    private static let maximumUnreadableCount = 1_000

    private let stream: any ByteStream
    private let log: @Sendable (String) -> Void
    private let state = Locked(State())

    package init(_ stream: any ByteStream, log: @escaping @Sendable (String) -> Void) {
        self.stream = stream
        self.log = log
    }

    /// The key that the host proved.
    package var hostKey: PeerKey { stream.remoteKey }
    /// The failure that ended the connection, if the protocol names it; nil otherwise.
    package var problem: ChatProblem? { state.withLock { $0.problem } }

    // MARK: Introduction

    /// Maximum time for a host's introduction.
    private static let introductionTimeout = Duration.seconds(10)

    /// Waits for the host to introduce itself. ``receive()`` returns the introduction first.
    ///
    /// - Parameters:
    ///   - invitation: Sent at once, and only to a host that has proved its key; nil for none.
    ///   - onApprovalPending: Called when the host asks its user to approve this phone; with true if the host has refused the
    ///     invitation.
    /// - Throws: ``ChatProblem``; `CancellationError`.
    package func introduction(
        clock: any Clock<Duration>, inviting invitation: Invitation? = nil,
        onApprovalPending: @escaping @Sendable (_ hasInvalidInvitation: Bool) async -> Void
    ) async throws {
        var timeout = Self.introductionTimeout
        // True while the host checks the invitation: it may not have to ask its user.
        var isInviting = invitation != nil
        do {
            if let invitation { try await send(.invitation(invitation)) }
            while true {
                switch try await withTimeout(timeout, clock: clock, { try await self.receive() }) {
                case .serverInfo(let info):
                    return state.withLock { $0.introduction = .serverInfo(info) }
                case .error(_, let report) where report.code == .approvalPending:
                    timeout = Limits.approvalTimeout + Self.introductionTimeout
                    if !isInviting { await onApprovalPending(false) }
                case .error(_, let report) where report.code == .invitationInvalid && isInviting:
                    isInviting = false
                    await onApprovalPending(true)
                // An older host does not know invitations.
                case .error(nil, let report) where report.code == .badMessage && isInviting:
                    isInviting = false
                case .error(_, let report):
                    throw ChatProblem(report)
                case nil:
                    throw ChatProblem(.connectFailed, .noIntroduction)
                default:
                    break
                }
            }
        } catch let error as TransportError {
            log("no introduction: \(error)")
            throw problem ?? ChatProblem(.connectFailed, .noIntroduction)
        } catch let error as LineFailure {
            throw problem ?? ChatProblem(.connectFailed, message: error.detail)
        }
    }

    // MARK: Messages

    package func receive() async throws -> Message? {
        if let introduction = state.withLock({ state in
            defer { state.introduction = nil }
            return state.introduction
        }) {
            return introduction
        }
        while true {
            while let frame = state.withLock({ $0.frames.popFirst() }) {
                if let message = try await message(in: frame) { return message }
            }
            guard let bytes = try await stream.read() else { return nil }
            try state.withLock { $0.frames += try $0.framing.receive(bytes) }
        }
    }

    /// - Returns: The message; nil for a frame that was answered with an error.
    private func message(in frame: NewlineFraming.Frame) async throws -> Message? {
        do {
            guard case .complete(let line) = frame else { throw MessageError(.badMessage, "The line is too long.") }
            let message = try Message(line: line)
            switch message {
            case .chatStart, .abort:
                throw MessageError(.badMessage, "Only clients send this message.", requestID: message.requestID)
            default: return message
            }
        } catch let error as MessageError {
            log("unreadable line: \(error.detail)")
            let count = state.withLock { state in
                state.unreadableCount += 1
                return state.unreadableCount
            }
            guard count <= Self.maximumUnreadableCount else { throw LineFailure(.service, "too many unreadable lines") }
            if let reply = error.reply { try await send(reply) }
            guard error.code == .unsupportedVersion else { return nil }
            state.withLock { $0.problem = ChatProblem(.unsupportedVersion) }
            stream.finish()
            throw LineFailure(.service, error.detail, isFinal: true)
        }
    }

    package func send(_ message: Message) async throws { try await stream.write(message.line + [0x0a]) }

    /// The protocol has no ping: the stream notices a lost peer itself.
    package func ping() async throws {}
    package func close() { stream.close() }
    package func abort() { stream.close() }
    package var endDescription: String { "the host ended the stream" }
}
