import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import ServerKit
import TalkCoWire
import WireKit

/// The service's endpoints, each with the rule that it calls.
struct TalkRoutes: Sendable {
    let info: EngineInfo
    /// The engines that can be installed; nil for none.
    let installable: InstallableEngines?
    let sessions: Sessions
    let reviews: Reviews
    let profiles: Profiles
    let helping: Helping
    let models: TutorModels
    let speaking: Speaking
    let uploads: UploadBudget

    func responder() -> some HTTPResponder<ServerContext> {
        let router = Router(context: ServerContext.self)
        router.add(middleware: TalkErrors(methods: Self.methods))
        router.get("/health") { _, _ in try Response.json(["status": "ok"]) }
        router.on(TalkCoEndpoints.topics) { _, _ in try .json(Topic.all) }
        router.on(TalkCoEndpoints.engine) { _, context in try .json(engine(for: context)) }
        router.on(TalkCoEndpoints.installEngines) { _, context in
            try installable?.install(isPageHere: context.isFromPageOnThisMachine)
            return try .json(engine(for: context))
        }
        router.on(TalkCoEndpoints.speak) { request, context in
            .events(try await speaking.speak(try await SpeechRequest(bodyOf: request).text, for: CallerNetwork(context)))
        }
        router.on(TalkCoEndpoints.meaning) { request, context in
            try .json(try await helping.meaning(try await MeaningRequest(bodyOf: request), for: CallerNetwork(context)))
        }
        router.on(TalkCoEndpoints.translation) { request, context in
            let text = try await TranslationRequest(bodyOf: request).text
            return try .json(try await helping.translation(of: text, for: CallerNetwork(context)))
        }
        addConversation(router)
        addReview(router)
        addProfile(router)
        return router.buildResponder()
    }

    private static let methods: [String: Set<HTTPRequest.Method>] = [
        "/health": [.get], "/topics": [.get], "/engine": [.get], "/engine/installation": [.post], "/speech": [.post],
        "/meaning": [.post], "/translation": [.post],
        "/sessions": [.post],
        "/sessions/:id": [.delete], "/sessions/:id/start": [.post], "/sessions/:id/chat": [.post],
        "/sessions/:id/listen": [.post], "/sessions/:id/chat/text": [.post], "/sessions/:id/resume": [.post],
        "/sessions/:id/review": [.get],
        "/sessions/:id/corrections": [.post],
        "/sessions/:id/segments/:segment/recording": [.get], "/sessions/:id/end": [.post], "/users/:id": [.delete],
        "/users/:id/profile": [.get], "/users/:id/evaluate": [.post],
        "/users/:id/learning-goal": [.post], "/users/:id/model": [.get, .post],
    ]

    /// Returns the engines for the next conversation, and the state of their installation for this caller.
    private func engine(for context: ServerContext) -> EngineInfo {
        var info = installable.flatMap { $0.speech.isRunning ? $0.engines.info : nil } ?? info
        if helping.help?.explains == true { info.explains = true }
        if helping.help?.translates == true { info.translates = true }
        guard let installable else { return info }
        info.installation = installable.installation(isPageHere: context.isFromPageOnThisMachine)
        return info
    }

    // MARK: Conversation

    private func addConversation(_ router: Router<ServerContext>) {
        router.on(TalkCoEndpoints.createSession) { request, context in
            try .json(try await sessions.create(try await SessionCreation(bodyOf: request), from: CallerNetwork(context)))
        }
        router.on(TalkCoEndpoints.start) { _, context in
            .events(try await sessions.liveSession(Self.session(context)).greet())
        }
        router.on(TalkCoEndpoints.chat) { request, context in
            let id = Self.session(context)
            try await sessions.checkKnown(id)
            let turn = try await uploads.receiving(request, from: CallerNetwork(context)) { try await RecordedTurn(bodyOf: $0) }
            return .events(try await sessions.answer(.speech(turn.samples), turn.turnID, in: id))
        }
        router.on(TalkCoEndpoints.listen) { request, context in
            let id = Self.session(context)
            let session = try await sessions.liveSession(id)
            let turn = try await uploads.receiving(request, from: CallerNetwork(context)) { try await RecordedTurn(bodyOf: $0) }
            await session.listen(turn.samples)
            return .events(.empty)
        }
        router.on(TalkCoEndpoints.chatText) { request, context in
            let id = Self.session(context)
            try await sessions.checkKnown(id)
            let turn = try await TypedTurn(bodyOf: request)
            return .events(try await sessions.answer(.text(turn.text), turn.turnId, in: id))
        }
        router.on(TalkCoEndpoints.resume) { request, context in
            try .json(try await sessions.resume(Self.session(context), try await ResumeRequest(bodyOf: request)))
        }
        router.on(TalkCoEndpoints.deleteSession) { _, context in try .json(try await sessions.close(Self.session(context))) }
    }

    // MARK: Review

    private func addReview(_ router: Router<ServerContext>) {
        router.on(TalkCoEndpoints.review) { _, context in try .json(try await reviews.review(of: Self.session(context))) }
        router.on(TalkCoEndpoints.recording) { _, context in
            let segment = context.parameters.get("segment").flatMap { Segment.ID($0) } ?? 0
            return .events(try await reviews.recording(of: segment, in: Self.session(context)))
        }
        router.on(TalkCoEndpoints.correct) { request, context in
            let correction = try await CorrectionRequest(bodyOf: request)
            return try .json(
                try await reviews.correct(correction, in: Self.session(context), from: CallerNetwork(context)))
        }
        router.on(TalkCoEndpoints.end) { request, context in
            try await request.checkOptionalObject()
            return try .json(try await sessions.end(Self.session(context)))
        }
    }

    // MARK: Profile

    private func addProfile(_ router: Router<ServerContext>) {
        router.on(TalkCoEndpoints.profile) { _, context in try .json(try await profiles.profile(of: Self.user(context))) }
        router.on(TalkCoEndpoints.deleteLearner) { _, context in
            try .json(try await sessions.deleteLearner(Self.user(context)))
        }
        router.on(TalkCoEndpoints.evaluate) { request, context in
            try await request.checkOptionalObject()
            return try .json(try await profiles.evaluate(Self.user(context), from: CallerNetwork(context)))
        }
        router.on(TalkCoEndpoints.model) { _, context in
            try .json(try await models.model(of: Self.user(context), from: CallerNetwork(context)))
        }
        router.on(TalkCoEndpoints.setModel) { request, context in
            let choice = try await TutorModelChoice(bodyOf: request)
            return try .json(try await models.choose(choice.serverId, for: Self.user(context), from: CallerNetwork(context)))
        }
        router.on(TalkCoEndpoints.setGoal) { request, context in
            let goal = try await LearningGoal(bodyOf: request)
            return try .json(try await profiles.setGoal(goal.learningGoal, of: Self.user(context)))
        }
    }

    // MARK: Identifiers in paths

    /// Returns the session in the path, which may be any text. An unknown session is answered with 404.
    private static func session(_ context: ServerContext) -> Session.ID {
        Session.ID(context.parameters.get("id")?.removingPercentEncoding ?? "")
    }

    /// - Throws: ``PathError``.
    private static func user(_ context: ServerContext) throws(PathError) -> Learner.ID {
        let length = Learner.idLength
        guard let id = context.parameters.get("id")?.removingPercentEncoding, length.contains(id.unicodeScalars.count),
            !id.utf8.contains(0)
        else {
            throw PathError(
                "user_id", "user_id must have \(length.lowerBound) to \(length.upperBound) characters, and no null characters")
        }
        return Learner.ID(id)
    }
}
