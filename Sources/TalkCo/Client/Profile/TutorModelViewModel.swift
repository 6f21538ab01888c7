import ClientKit
import Foundation
import Observation
import PlatformKit
package import TalkCoWire

/// The learner's own model for the tutor: a host of LocalLLM, by its Server ID.
@MainActor
@Observable
package final class TutorModelViewModel {
    /// The polling interval while the service connects to the host.
    nonisolated static let followInterval = Duration.seconds(2)
    /// Maximum number of polls: somewhat longer than a host waits for its user.
    nonisolated static let maximumFollowCount = 75

    /// The choice and its state; nil until the service has answered, and for a service that does not connect to such models.
    package private(set) var model: TutorModel?
    /// The text in the field: a Server ID, or a link.
    package var address = ""
    /// True while a choice is being stored.
    package private(set) var isSaving = false
    /// The last failure of a choice; nil after a success.
    package private(set) var problem: TalkCoProblem?

    @ObservationIgnored private let context: TalkContext
    @ObservationIgnored private var isFollowing = false

    init(context: TalkContext) { self.context = context }

    // MARK: State of screens

    /// True if the learner has chosen a model.
    package var isChosen: Bool { model?.serverId != nil }
    /// The state of the choice; nil if it is not loaded, or unknown to this app.
    package var state: TutorModel.State? { model.flatMap { TutorModel.State(rawValue: $0.state) } }
    package var canChoose: Bool { !isSaving && !address.allSatisfy(\.isWhitespace) }

    // MARK: Calls

    /// Reads the choice and the state of its connection.
    package func load() {
        context.tasks.start {
            await self.read()
            self.follow()
        }
    }

    /// Chooses the host of ``address``.
    package func choose() {
        guard canChoose else { return }
        save(address)
    }

    /// Connects to the chosen host again.
    package func tryAgain() { if let id = model?.serverId { save(id) } }

    /// Returns to the tutor of the service.
    package func clear() { save(nil) }

    private func save(_ text: String?) {
        guard !isSaving else { return }
        isSaving = true
        problem = nil
        let isStarted = context.tasks.start {
            await self.context.keepLearner()
            if let learner = self.context.learner {
                do {
                    self.show(try await self.context.api.setModel(text, of: learner))
                    self.address = ""
                } catch is CancellationError {
                    // The app is closed.
                } catch {
                    self.problem = TalkCoProblem(error)
                }
            }
            self.isSaving = false
            self.follow()
        }
        if !isStarted { isSaving = false }
    }

    private func show(_ new: TutorModel) {
        if model != new { model = new }
        if new.engine != context.engine { context.engine = new.engine }
    }

    @discardableResult
    private func read() async -> Bool {
        guard let learner = context.learner else { return false }
        do {
            let new = try await context.api.model(of: learner)
            guard learner == context.learner, !isSaving else { return false }
            show(new)
            return true
        } catch {
            return false
        }
    }

    /// Reads the state again until the host has answered, or the attempt has failed.
    private func follow() {
        guard !isFollowing, state == .connecting || state == .approval else { return }
        isFollowing = context.tasks.start {
            for _ in 0..<Self.maximumFollowCount {
                guard (try? await self.context.phone.clock.sleep(for: Self.followInterval)) != nil else { break }
                await self.context.waitForFront()
                await self.read()
                guard self.state == .connecting || self.state == .approval else { break }
            }
            self.isFollowing = false
        }
    }
}
