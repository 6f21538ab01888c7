import Foundation
import StorageKit
import TalkCoWire
import WireKit

// The learner's recordings, as samples in `SpeechFormat`. They are dropped when the review is ended, and with the session.

extension ReadTransaction {
    /// Returns the segments of a session that have a recording.
    func recordedSegments(of session: Session.ID) throws -> Set<Segment.ID> {
        Set(try all("SELECT segment FROM recordings WHERE session = ?", session, as: Segment.ID.self))
    }

    func recording(of segment: Segment.ID, in session: Session.ID) throws -> Data? {
        try first("SELECT samples FROM recordings WHERE segment = ? AND session = ?", segment, session)
    }
}

extension WriteTransaction {
    /// Stores the recording of the last segment of a session.
    ///
    /// - Parameter capacity: The maximum bytes of all recordings, over which the network with the most loses its oldest recording.
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

    /// Drops the recordings from before `time`, a bounded number of them.
    ///
    /// - Returns: True if there may be more.
    func dropRecordings(before time: Timestamp) throws -> Bool {
        try execute(
            "DELETE FROM recordings WHERE segment IN (SELECT segment FROM recordings WHERE created_at < ? LIMIT 50)", time) == 50
    }
}
