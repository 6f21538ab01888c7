import Foundation
import StorageKit
import TalkCoWire
import WireKit

/// The stored answer to a turn that has an identifier.
struct TurnRecord: Hashable, Sendable, RowDecodable {
    var transcript: String
    var response: String
    /// The choices after the answer; nil if the engine sent none.
    var choices: [String]?
    /// The samples of the answer; nil once dropped.
    var audio: Data?

    init(transcript: String, response: String, choices: [String]?, audio: Data?) {
        self.transcript = transcript
        self.response = response
        self.choices = choices
        self.audio = audio
    }

    init(row: Row) throws {
        self.init(
            transcript: try row.get("transcript"), response: try row.get("response"), choices: try row.json("choices"),
            audio: try row.get("samples"))
    }
}

extension ReadTransaction {
    func turn(_ id: Turn.ID, of session: Session.ID) throws -> TurnRecord? {
        try first(
            """
            SELECT transcript, response, choices, samples
            FROM turns LEFT JOIN turn_audio ON turn_audio.session = turns.session AND turn_audio.turn_id = turns.turn_id
            WHERE turns.session = ? AND turns.turn_id = ?
            """, session, id)
    }
}

extension WriteTransaction {
    /// - Parameter capacity: The maximum bytes of all turns' audio, over which the network with the most loses its oldest audio.
    func insert(_ turn: TurnRecord, _ id: Turn.ID, of session: Session.ID, at time: Timestamp, capacity: Int) throws {
        try execute(
            """
            INSERT INTO turns (session, turn_id, transcript, response, choices) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (session, turn_id) DO NOTHING
            """, session, id, turn.transcript, turn.response, try turn.choices?.columnText)
        guard let audio = turn.audio, !audio.isEmpty, audio.count <= capacity else { return }
        try execute(
            """
            INSERT INTO turn_audio (session, turn_id, size, created_at, samples) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (session, turn_id) DO NOTHING
            """, session, id, audio.count, time, audio)
        while try one("SELECT COALESCE(SUM(size), 0) FROM turn_audio", as: Int.self) > capacity {
            try execute(
                """
                DELETE FROM turn_audio WHERE id = (
                    SELECT MIN(turn_audio.id) FROM turn_audio LEFT JOIN sessions ON sessions.id = session GROUP BY network
                    ORDER BY SUM(turn_audio.size) DESC LIMIT 1)
                """)
        }
    }

    /// Drops the audio of turns from before `time`, a bounded number of them.
    ///
    /// - Returns: True if there may be more.
    func dropAudio(before time: Timestamp) throws -> Bool {
        try execute(
            "DELETE FROM turn_audio WHERE id IN (SELECT id FROM turn_audio WHERE created_at < ? LIMIT 50)", time) == 50
    }
}
