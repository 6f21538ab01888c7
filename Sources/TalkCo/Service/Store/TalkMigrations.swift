import StorageKit

/// The schema of TalkCo's store.
enum TalkMigrations {
    static let all = [
        Migration(
            "talkco-1",
            script: """
                CREATE TABLE sessions (
                    id TEXT PRIMARY KEY NOT NULL,
                    user_id TEXT NOT NULL,
                    -- Null in the mode review.
                    topic_id TEXT,
                    mode TEXT NOT NULL,
                    status TEXT NOT NULL,
                    accepts_choices INTEGER NOT NULL,
                    created_at INTEGER NOT NULL,
                    -- The time of DELETE.
                    closed_at INTEGER,
                    -- JSON: `SessionSummary`.
                    summary TEXT,
                    -- In English, for the tutor.
                    talk_summary TEXT,
                    -- The outcome of the mode review: JSON of patterns, and notes in English.
                    practiced TEXT,
                    review_notes TEXT
                );
                CREATE INDEX sessions_user ON sessions (user_id, mode, created_at);

                CREATE TABLE segments (
                    id INTEGER PRIMARY KEY AUTOINCREMENT,
                    session TEXT NOT NULL REFERENCES sessions,
                    turn_index INTEGER NOT NULL,
                    user_text TEXT NOT NULL,
                    ai_text TEXT NOT NULL,
                    created_at INTEGER NOT NULL,
                    UNIQUE (session, turn_index)
                );

                -- At most one for a segment.
                CREATE TABLE marks (
                    id INTEGER PRIMARY KEY AUTOINCREMENT,
                    segment INTEGER NOT NULL UNIQUE REFERENCES segments,
                    -- JSON: texts.
                    issue_types TEXT NOT NULL,
                    original TEXT NOT NULL,
                    suggestion TEXT NOT NULL,
                    explanation TEXT NOT NULL
                );

                CREATE TABLE corrections (
                    id INTEGER PRIMARY KEY AUTOINCREMENT,
                    segment INTEGER NOT NULL REFERENCES segments,
                    user_message TEXT NOT NULL,
                    correction TEXT NOT NULL,
                    explanation TEXT NOT NULL,
                    created_at INTEGER NOT NULL
                );
                CREATE INDEX corrections_segment ON corrections (segment, id);

                -- The answers of turns that have an identifier, for replays.
                CREATE TABLE turns (
                    session TEXT NOT NULL REFERENCES sessions,
                    turn_id TEXT NOT NULL,
                    transcript TEXT NOT NULL,
                    response TEXT NOT NULL,
                    -- JSON: texts.
                    choices TEXT,
                    PRIMARY KEY (session, turn_id)
                ) WITHOUT ROWID;

                -- Their audio, kept for a time and up to a total size.
                CREATE TABLE turn_audio (
                    id INTEGER PRIMARY KEY AUTOINCREMENT,
                    session TEXT NOT NULL,
                    turn_id TEXT NOT NULL,
                    size INTEGER NOT NULL,
                    created_at INTEGER NOT NULL,
                    samples BLOB NOT NULL,
                    UNIQUE (session, turn_id)
                );
                CREATE INDEX turn_audio_size ON turn_audio (id, size);
                CREATE INDEX turn_audio_created ON turn_audio (created_at);

                CREATE TABLE profiles (
                    user_id TEXT PRIMARY KEY NOT NULL,
                    user_name TEXT,
                    level TEXT,
                    learning_goal TEXT,
                    -- JSON: `ProfileData`. Its session count is not used: completed sessions are counted.
                    data TEXT NOT NULL,
                    -- JSON: array of `LevelEvidence`.
                    level_evidence TEXT,
                    updated_at INTEGER NOT NULL
                );

                -- Work that a session waits for. A row is removed when its work is done or has failed for good.
                CREATE TABLE jobs (
                    session TEXT NOT NULL REFERENCES sessions,
                    kind TEXT NOT NULL,
                    -- The number of attempts that have begun.
                    attempts INTEGER NOT NULL DEFAULT 0,
                    PRIMARY KEY (session, kind)
                ) WITHOUT ROWID;
                """)
    ]
}
