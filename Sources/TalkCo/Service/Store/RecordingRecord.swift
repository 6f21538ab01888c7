import Foundation
import StorageKit
import TalkCoWire
import WireKit

// The learner's recordings, as samples in `SpeechFormat`. They go when the review is ended, and with the session.

extension ReadTransaction {
    /// The segments of a session whose recording is kept.
    func recordedSegments(of session: Session.ID) throws -> Set<Segment.ID> {
        Set(try all("SELECT segment FROM recordings WHERE session = ?", session, as: Segment.ID.self))
    }

    func recording(of segment: Segment.ID, in session: Session.ID) throws -> Data? {
        try first("SELECT samples FROM recordings WHERE segment = ? AND session = ?", segment, session)
    }
}

extension WriteTransaction {
    /// Keeps the recording of the last segment of a session.
    ///
    /// - Parameter capacity: The bytes of all recordings. Beyond them the oldest of the network that holds the most is dropped.
    func insertRecording(_ samples: Data, of session: Session.ID, at time: Timestamp, capacity: Int) throws {
        guard samples.count <= capacity else { return }
        try execute(
            """
            INSERT INTO recordings (segment, session, size, created_at, samples)
            SELECT id, session, ?2, ?3, ?4 FROM segments WHERE session = ?1 ORDER BY turn_index DESC LIMIT 1
            ON CONFLICT (segment) DO NOTHING
            """, session, samples.count, time, samples)
        while try one("SELECT COALESCE(SUM(size), 0) FROM recordings", as: Int.self) > capacity {
            try execute(
                """
                DELETE FROM recordings WHERE segment = (
                    SELECT MIN(segment) FROM recordings JOIN sessions ON sessions.id = session GROUP BY network
                    ORDER BY SUM(recordings.size) DESC LIMIT 1)
                """)
        }
    }

    func dropRecordings(of session: Session.ID) throws {
        try execute("DELETE FROM recordings WHERE session = ?", session)
    }

    /// Drops the recordings before `time`, a bounded number of them.
    ///
    /// - Returns: True if there may be more.
    func dropRecordings(before time: Timestamp) throws -> Bool {
        try execute(
            "DELETE FROM recordings WHERE segment IN (SELECT segment FROM recordings WHERE created_at < ? LIMIT 50)", time) == 50
    }
}
