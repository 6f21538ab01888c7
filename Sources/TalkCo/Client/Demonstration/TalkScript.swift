import Foundation
import NetworkingKit
public import PlatformKit
import TalkCoWire
import WireKit

extension TalkCo {
    /// Returns TalkCo in a demonstration: a short talk with choices, its review, and an invented profile.
    ///
    /// - Parameter phone: See `Phone.demonstration()`.
    public static func demonstration(on phone: Phone) -> TalkCo {
        phone.instances.instance { TalkCo(phone: phone, service: TalkScript().service.remote) }
    }
}

/// The service of a demonstration, with the endpoints that the app calls. The learner speaks English and reads Traditional Chinese.
private actor TalkScript {
    /// A sentence that the learner may say, and its mark in the review; nil for a correct sentence.
    private struct Choice {
        var text: String
        var mark: (type: IssueType, original: String, suggestion: String, explanation: String)?
    }

    /// The sentences of the tutor, and the answers that the learner may give.
    private static let steps: [(tutor: String, choices: [Choice])] = [
        (
            "Hi! This is a demonstration, so I follow a script. What did you do last weekend?",
            [
                Choice(
                    text: "I go to a night market with my friends.",
                    mark: (.grammar, "I go", "I went", "說的是上週末的事，要用過去式 went。")),
                Choice(text: "I stayed at home and read a book."),
            ]
        ),
        (
            "That sounds nice! What did you enjoy most?",
            [
                Choice(
                    text: "I enjoyed to eat the oyster omelette.",
                    mark: (.grammar, "enjoyed to eat", "enjoyed eating", "enjoy 後面接動名詞 (-ing)。")),
                Choice(text: "It was quiet, and I could relax."),
            ]
        ),
        (
            "I see! What are your plans for the next weekend?",
            [
                Choice(
                    text: "I will very like to go hiking.",
                    mark: (.naturalness, "will very like to", "would really like to", "表達意願時說 would really like to 比較自然。")),
                Choice(text: "I'm going to visit my grandmother."),
            ]
        ),
    ]
    private static let farewell = "Great! You can end the talk now, and look at its review."

    private struct Talk {
        var mode: Session.Mode
        var status = Session.Status.active
        var segments: [Segment] = []
        var answers: [Turn.ID: ScriptedService.Reply] = [:]
    }

    private var talks: [Session.ID: Talk] = [:]
    private var goal: String? = "下個月去澳洲旅行時能自己點餐和問路"
    private var completedCount = 4
    private var questionCount: Int64 = 0

    // MARK: Calls

    nonisolated var service: ScriptedService {
        typealias E = TalkCoEndpoints
        func route<Body, Value>(
            _ endpoint: Endpoint<Body, Value>,
            _ answer: @escaping @Sendable (ScriptedService.Call) async throws -> ScriptedService.Reply
        ) -> ScriptedService.Route {
            .init(endpoint) { call in
                do {
                    return try await answer(call)
                } catch is UnknownSession {
                    return try .json(DetailReply("Session not found"), status: 404)
                }
            }
        }
        func on<Body, Value: Encodable>(
            _ endpoint: Endpoint<Body, Value>, _ answer: @escaping @Sendable (ScriptedService.Call) async throws -> Value
        ) -> ScriptedService.Route {
            route(endpoint) { try .json(try await answer($0)) }
        }
        return ScriptedService(
            [
                on(E.topics) { _ in Topic.all },
                on(E.engine) { _ in
                    EngineInfo(kind: .builtIn, name: "Demonstration", hearing: .choices, speaks: false, judge: nil)
                },
                on(E.createSession) { await self.create(try $0.body(of: E.createSession)) },
                on(E.deleteSession) { try await self.close($0.session) },
                on(E.review) { try await self.review(of: $0.session) },
                on(E.correct) { await self.correct(try $0.body(of: E.correct)) },
                on(E.end) { try await self.end($0.session) },
                on(E.profile) { await self.profile(of: $0.learner) },
                on(E.evaluate) { await self.profile(of: $0.learner) },
                on(E.setGoal) { await self.set(goal: try $0.body(of: E.setGoal).learningGoal, of: $0.learner) },
                route(E.start) { try await self.greeting(in: $0.session) },
                route(E.chatText) { try await self.answer(to: try $0.body(of: E.chatText), in: $0.session) },
            ], refusal: (try? .json(DetailReply("This is a demonstration."), status: 501)) ?? .events(Data()))
    }

    private struct UnknownSession: Error {}

    private func talk(_ id: Session.ID) throws -> Talk {
        guard let talk = talks[id] else { throw UnknownSession() }
        return talk
    }

    private func create(_ creation: SessionCreation) -> CreatedSession {
        let id = Session.ID(UUID().uuidString.lowercased())
        talks[id] = Talk(mode: creation.mode.flatMap { Session.Mode(rawValue: $0) } ?? .conversation)
        return CreatedSession(sessionId: id, createdAt: TalkTime(.now))
    }

    private func greeting(in id: Session.ID) throws -> ScriptedService.Reply {
        let step = try Self.steps[min(talk(id).segments.count, Self.steps.count - 1)]
        return try Self.events([.response(step.tutor), .choices(step.choices.map(\.text)), .done])
    }

    private func answer(to turn: TypedTurn, in id: Session.ID) throws -> ScriptedService.Reply {
        var talk = try talk(id)
        if let turnId = turn.turnId, let known = talk.answers[turnId] { return known }
        let number = talk.segments.count
        let choice = Self.steps.lazy.flatMap(\.choices).first { $0.text == turn.text }
        let next = Self.steps.indices.contains(number + 1) ? Self.steps[number + 1] : (Self.farewell, [])
        talk.segments.append(
            Segment(
                id: Segment.ID(number + 1), turnIndex: number, userText: turn.text, aiText: next.0,
                aiMarks: choice?.mark.map { mark in
                    [
                        Mark(
                            id: Mark.ID(number + 1), issueTypes: [mark.type.rawValue], original: mark.original,
                            suggestion: mark.suggestion, explanation: mark.explanation)
                    ]
                } ?? []))
        let reply = try Self.events([
            .transcript(turn.text), .response(next.0), .choices(next.1.map(\.text)), .done,
        ])
        if let turnId = turn.turnId { talk.answers[turnId] = reply }
        talks[id] = talk
        return reply
    }

    private static func events(_ events: [TalkEvent]) throws -> ScriptedService.Reply {
        .events(try events.reduce(into: Data()) { $0 += try $1.block() })
    }

    private func close(_ id: Session.ID) throws -> ClosedSession {
        var talk = try talk(id)
        talk.status = talk.mode == .conversation ? .reviewed : .ended
        talks[id] = talk
        return ClosedSession(sessionId: id, status: talk.mode == .conversation ? .reviewing : .ended, mode: talk.mode)
    }

    private func end(_ id: Session.ID) throws -> EndedSession {
        var talk = try talk(id)
        if talk.status != .completed { completedCount += 1 }
        talk.status = .completed
        talks[id] = talk
        return EndedSession(sessionId: id, status: .completed)
    }

    private func review(of id: Session.ID) throws -> Review {
        let talk = try talk(id)
        let isCompleted = talk.status == .completed && !talk.segments.isEmpty
        return Review(
            sessionId: id, status: talk.status, summary: isCompleted ? Self.summary : nil, segments: talk.segments)
    }

    private static let summary = SessionSummary(
        strengths: ["能用完整的句子回答，也能自然地延續話題。"],
        weaknesses: [IssueType.grammar.rawValue: "注意過去式，以及 enjoy 後面的動名詞。"], levelAssessment: nil,
        overall: "這是示範用的總結。真正的總結會根據你說的話寫成。")

    private func correct(_ request: CorrectionRequest) -> Correction {
        questionCount += 1
        return Correction(
            id: questionCount, segmentId: request.segmentId, userMessage: request.userMessage,
            correction: "I went to a night market with my friends.", explanation: "這是示範的回答。真正的老師會回答你的問題。",
            createdAt: TalkTime(.now))
    }

    // MARK: Profile

    private func set(goal: String?, of learner: Learner.ID) -> Profile {
        self.goal = goal
        return profile(of: learner)
    }

    private func profile(of learner: Learner.ID) -> Profile {
        Profile(
            userId: learner, userName: nil, level: .b1, learningGoal: goal, needsReview: true,
            profileData: ProfileData(
                weakPoints: [
                    IssueType.grammar.rawValue: [
                        WeakPoint(
                            pattern: "過去式",
                            examples: [
                                .init(wrong: "Yesterday I go home late.", correct: "Yesterday I went home late."),
                                .init(wrong: "He tell me a story.", correct: "He told me a story."),
                                .init(wrong: "We meet last week.", correct: "We met last week."),
                            ])
                    ],
                    IssueType.naturalness.rawValue: [
                        WeakPoint(
                            pattern: "表達喜好",
                            examples: [.init(wrong: "I very like it.", correct: "I really like it.")])
                    ],
                    IssueType.vocabulary.rawValue: [], IssueType.sentenceStructure.rawValue: [],
                ],
                commonErrors: ["very like → really like"], progressNotes: "句子比以前長，也更常主動提問。",
                learnedExpressions: ["I'm looking forward to it.", "That sounds nice!"], sessionCount: completedCount,
                quickReview: [QuickReview(chinese: "我昨天去了夜市。", english: "I went to a night market yesterday.")]),
            levelEvidence: [
                LevelEvidence(
                    sentence: "I stayed at home because it was raining all day.", reason: "能用從屬子句說明原因。")
            ],
            errorRates: [
                IssueType.grammar.rawValue: 4, IssueType.naturalness.rawValue: 2.5, IssueType.vocabulary.rawValue: 1,
                IssueType.sentenceStructure.rawValue: 0.5,
            ], updatedAt: TalkTime(.now))
    }
}

extension ScriptedService.Call {
    fileprivate var session: Session.ID { Session.ID(parameters["id"] ?? "") }
    fileprivate var learner: Learner.ID { Learner.ID(parameters["id"] ?? "") }
}
