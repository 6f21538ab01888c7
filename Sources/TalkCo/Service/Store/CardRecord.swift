import StorageKit
import TalkCoWire
import WireKit

/// A marked sentence of a learner, as stored. Practice repeats the sentence until its card rests.
struct CardRecord: Hashable, Sendable, RowDecodable {
    typealias ID = Int64

    /// Count of successive practices with the right sentence after which its card rests.
    static let restingCount = 3
    /// Maximum count of a learner's cards and, as `maximumTotal`, of all cards. Beyond it, resting and then old cards are removed.
    static let maximumCount = 200
    static let maximumTotal = 200_000
    /// Maximum count of cards with which a practice begins.
    static let practiceCount = 2

    var id: ID
    var sentence: WeakPoint.Example

    init(row: Row) throws {
        id = try row.get("id")
        sentence = WeakPoint.Example(wrong: try row.get("wrong"), correct: try row.get("correct"))
    }
}

/// The column of a session with the numbers of its cards.
private struct ChosenCards: RowDecodable, Sendable {
    var ids: [CardRecord.ID]
    init(row: Row) throws { ids = try row.json("cards") ?? [] }
}

extension ReadTransaction {
    /// Returns the cards with which a practice begins: the one practised longest ago, and a new one, so that neither kind waits.
    func dueCards(of user: Learner.ID) throws -> [CardRecord] {
        func oldest(_ condition: String) throws -> [CardRecord] {
            try all(
                """
                SELECT id, wrong, correct FROM cards
                WHERE user_id = ? AND right_count < \(CardRecord.restingCount) AND practised_at \(condition)
                ORDER BY practised_at, id LIMIT \(CardRecord.practiceCount)
                """, user)
        }
        let (started, new) = (try oldest("IS NOT NULL"), try oldest("IS NULL"))
        let cards = started.prefix(1) + new.prefix(1) + started.dropFirst() + new.dropFirst()
        return Array(cards.prefix(CardRecord.practiceCount))
    }

    /// Returns the cards with which a session began.
    func cards(of session: Session.ID) throws -> [CardRecord] {
        let chosen = try first("SELECT cards FROM sessions WHERE id = ?", session, as: ChosenCards.self)
        return try (chosen?.ids ?? []).compactMap { try first("SELECT id, wrong, correct FROM cards WHERE id = ?", $0) }
    }

    /// Returns the counts of repeated and of resting cards, and the sentences of the last resting ones.
    func practice(of user: Learner.ID) throws -> PracticeState {
        func count(_ condition: String) throws -> Int {
            try one("SELECT COUNT(*) FROM cards WHERE user_id = ? AND right_count \(condition) \(CardRecord.restingCount)", user)
        }
        let learned = try all(
            """
            SELECT id, wrong, correct FROM cards WHERE user_id = ? AND right_count >= \(CardRecord.restingCount)
            ORDER BY practised_at DESC NULLS LAST, id DESC LIMIT \(PracticeState.maximumLearnedCount)
            """, user, as: CardRecord.self)
        return PracticeState(waitingCount: try count("<"), learnedCount: try count(">="), learned: learned.map(\.sentence))
    }
}

extension WriteTransaction {
    /// Adds a card for a marked sentence. The card of a sentence that was marked before is practised again.
    func addCard(_ sentence: WeakPoint.Example, of user: Learner.ID, at time: Timestamp) throws {
        try execute(
            """
            INSERT INTO cards (user_id, wrong, correct, created_at) VALUES (?, ?, ?, ?)
            ON CONFLICT (user_id, correct) DO UPDATE SET right_count = 0, wrong = excluded.wrong
            """, user, sentence.wrong, sentence.correct, time)
        try boundCards("WHERE user_id = ?1", user, to: CardRecord.maximumCount)
        try boundCards("WHERE CAST(?1 AS TEXT) IS NOT NULL", user, to: CardRecord.maximumTotal)
    }

    /// Removes cards beyond a limit: resting ones first, then the oldest.
    private func boundCards(_ condition: String, _ user: Learner.ID, to limit: Int) throws {
        let count = try one("SELECT COUNT(*) FROM cards \(condition)", user, as: Int.self)
        guard count > limit else { return }
        try execute(
            """
            DELETE FROM cards WHERE id IN (
                SELECT id FROM cards \(condition) ORDER BY right_count < \(CardRecord.restingCount), id LIMIT ?2)
            """, user, count - limit)
    }

    /// Chooses the cards with which a practice begins.
    func chooseCards(for session: Session.ID, of user: Learner.ID) throws {
        let cards = try dueCards(of: user).map(\.id)
        guard !cards.isEmpty else { return }
        try execute("UPDATE sessions SET cards = ? WHERE id = ?", try cards.columnText, session)
    }

    /// Stores the results of a practice: a right answer raises the card's count, a wrong one resets it, and an open one leaves it.
    func storePractice(of session: Session.ID, at time: Timestamp) throws {
        let turns = try segments(of: session).map(\.turn)
        guard !turns.isEmpty else { return }
        for card in try cards(of: session) {
            let change =
                switch CardPractice(of: card.sentence, in: turns).result {
                case .right: ", right_count = right_count + 1"
                case .wrong: ", right_count = 0"
                case .open: ""
                }
            try execute("UPDATE cards SET practised_at = ?\(change) WHERE id = ?", time, card.id)
        }
    }
}
