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
                """),
        Migration(
            "talkco-2",
            script: """
                -- An anonymous number of the network that began the session; 0 for this machine. See CallerNetwork.
                ALTER TABLE sessions ADD COLUMN network INTEGER NOT NULL DEFAULT 0;
                -- The bytes of its texts, with an allowance for the rows.
                ALTER TABLE sessions ADD COLUMN size INTEGER NOT NULL DEFAULT 512;
                UPDATE sessions SET size = 512
                    + (SELECT COALESCE(SUM(LENGTH(CAST(user_text || ai_text AS BLOB))), 0) FROM segments WHERE session = sessions.id)
                    + (SELECT COALESCE(SUM(LENGTH(CAST(transcript || response AS BLOB))), 0) FROM turns WHERE session = sessions.id);
                CREATE INDEX sessions_network ON sessions (network, created_at, size);

                -- One row: the size of all sessions.
                CREATE TABLE talks_total (size INTEGER NOT NULL);
                INSERT INTO talks_total SELECT COALESCE(SUM(size), 0) FROM sessions;
                CREATE TRIGGER session_added AFTER INSERT ON sessions BEGIN
                    UPDATE talks_total SET size = size + NEW.size;
                END;
                CREATE TRIGGER session_removed AFTER DELETE ON sessions BEGIN
                    UPDATE talks_total SET size = size - OLD.size;
                END;
                CREATE TRIGGER session_resized AFTER UPDATE OF size ON sessions BEGIN
                    UPDATE talks_total SET size = size + NEW.size - OLD.size;
                END;
                CREATE TRIGGER segment_added AFTER INSERT ON segments BEGIN
                    UPDATE sessions SET size = size + 64 + LENGTH(CAST(NEW.user_text || NEW.ai_text AS BLOB)) WHERE id = NEW.session;
                END;
                CREATE TRIGGER turn_added AFTER INSERT ON turns BEGIN
                    UPDATE sessions SET size = size + 128 + LENGTH(CAST(NEW.transcript || NEW.response AS BLOB))
                    WHERE id = NEW.session;
                END;
                CREATE TRIGGER mark_added AFTER INSERT ON marks BEGIN
                    UPDATE sessions SET size = size + 64 + LENGTH(CAST(NEW.original || NEW.suggestion || NEW.explanation AS BLOB))
                    WHERE id = (SELECT session FROM segments WHERE id = NEW.segment);
                END;
                CREATE TRIGGER correction_added AFTER INSERT ON corrections BEGIN
                    UPDATE sessions SET
                        size = size + 64 + LENGTH(CAST(NEW.user_message || NEW.correction || NEW.explanation AS BLOB))
                    WHERE id = (SELECT session FROM segments WHERE id = NEW.segment);
                END;

                -- What the talks that were removed leave: their number, the number of completed conversations, and JSON of the last
                -- error rates.
                ALTER TABLE profiles ADD COLUMN removed_talks INTEGER NOT NULL DEFAULT 0;
                ALTER TABLE profiles ADD COLUMN removed_completed INTEGER NOT NULL DEFAULT 0;
                ALTER TABLE profiles ADD COLUMN error_rates TEXT;
                CREATE INDEX profiles_updated ON profiles (updated_at);
                """,
            postgreSQL: """
                ALTER TABLE sessions ADD COLUMN network BIGINT NOT NULL DEFAULT 0;
                ALTER TABLE sessions ADD COLUMN size BIGINT NOT NULL DEFAULT 512;
                CREATE INDEX sessions_network ON sessions (network, created_at, size);

                CREATE TABLE talks_total (size BIGINT NOT NULL);
                INSERT INTO talks_total VALUES (0);
                CREATE FUNCTION session_added() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                    UPDATE talks_total SET size = size + NEW.size;
                    RETURN NULL;
                END $$;
                CREATE TRIGGER session_added AFTER INSERT ON sessions FOR EACH ROW EXECUTE FUNCTION session_added();
                CREATE FUNCTION session_removed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                    UPDATE talks_total SET size = size - OLD.size;
                    RETURN NULL;
                END $$;
                CREATE TRIGGER session_removed AFTER DELETE ON sessions FOR EACH ROW EXECUTE FUNCTION session_removed();
                CREATE FUNCTION session_resized() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                    UPDATE talks_total SET size = size + NEW.size - OLD.size;
                    RETURN NULL;
                END $$;
                CREATE TRIGGER session_resized AFTER UPDATE OF size ON sessions FOR EACH ROW EXECUTE FUNCTION session_resized();
                CREATE FUNCTION segment_added() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                    UPDATE sessions SET size = size + 64 + OCTET_LENGTH(NEW.user_text || NEW.ai_text) WHERE id = NEW.session;
                    RETURN NULL;
                END $$;
                CREATE TRIGGER segment_added AFTER INSERT ON segments FOR EACH ROW EXECUTE FUNCTION segment_added();
                CREATE FUNCTION turn_added() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                    UPDATE sessions SET size = size + 128 + OCTET_LENGTH(NEW.transcript || NEW.response) WHERE id = NEW.session;
                    RETURN NULL;
                END $$;
                CREATE TRIGGER turn_added AFTER INSERT ON turns FOR EACH ROW EXECUTE FUNCTION turn_added();
                CREATE FUNCTION mark_added() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                    UPDATE sessions SET size = size + 64 + OCTET_LENGTH(NEW.original || NEW.suggestion || NEW.explanation)
                    WHERE id = (SELECT session FROM segments WHERE id = NEW.segment);
                    RETURN NULL;
                END $$;
                CREATE TRIGGER mark_added AFTER INSERT ON marks FOR EACH ROW EXECUTE FUNCTION mark_added();
                CREATE FUNCTION correction_added() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                    UPDATE sessions SET size = size + 64 + OCTET_LENGTH(NEW.user_message || NEW.correction || NEW.explanation)
                    WHERE id = (SELECT session FROM segments WHERE id = NEW.segment);
                    RETURN NULL;
                END $$;
                CREATE TRIGGER correction_added AFTER INSERT ON corrections FOR EACH ROW EXECUTE FUNCTION correction_added();

                ALTER TABLE profiles ADD COLUMN removed_talks BIGINT NOT NULL DEFAULT 0;
                ALTER TABLE profiles ADD COLUMN removed_completed BIGINT NOT NULL DEFAULT 0;
                ALTER TABLE profiles ADD COLUMN error_rates TEXT COLLATE "C";
                CREATE INDEX profiles_updated ON profiles (updated_at);
                """),
        Migration(
            "talkco-3",
            script: """
                -- Marked sentences, which come back in practice. They outlive their talks, and go with the profile.
                CREATE TABLE cards (
                    id INTEGER PRIMARY KEY AUTOINCREMENT,
                    user_id TEXT NOT NULL,
                    wrong TEXT NOT NULL,
                    correct TEXT NOT NULL,
                    -- The practices in a row in which it was right.
                    right_count INTEGER NOT NULL DEFAULT 0,
                    created_at INTEGER NOT NULL,
                    practised_at INTEGER,
                    UNIQUE (user_id, correct)
                );
                CREATE TRIGGER profile_removed AFTER DELETE ON profiles BEGIN
                    DELETE FROM cards WHERE user_id = OLD.user_id;
                END;
                -- In the mode review: JSON of the numbers of the cards with which it begins.
                ALTER TABLE sessions ADD COLUMN cards TEXT;
                """,
            postgreSQL: """
                CREATE TABLE cards (
                    id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
                    user_id TEXT COLLATE "C" NOT NULL,
                    wrong TEXT COLLATE "C" NOT NULL,
                    correct TEXT COLLATE "C" NOT NULL,
                    right_count BIGINT NOT NULL DEFAULT 0,
                    created_at BIGINT NOT NULL,
                    practised_at BIGINT,
                    UNIQUE (user_id, correct)
                );
                CREATE FUNCTION profile_removed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                    DELETE FROM cards WHERE user_id = OLD.user_id;
                    RETURN NULL;
                END $$;
                CREATE TRIGGER profile_removed AFTER DELETE ON profiles FOR EACH ROW EXECUTE FUNCTION profile_removed();
                ALTER TABLE sessions ADD COLUMN cards TEXT COLLATE "C";
                """),
        Migration(
            "talkco-4",
            script: """
                -- True if the learner allows that recordings are kept.
                ALTER TABLE sessions ADD COLUMN keeps_recordings INTEGER NOT NULL DEFAULT 0;
                -- The learner's recordings, kept for the review, for a time and up to a total size.
                CREATE TABLE recordings (
                    segment INTEGER PRIMARY KEY REFERENCES segments,
                    session TEXT NOT NULL,
                    size INTEGER NOT NULL,
                    created_at INTEGER NOT NULL,
                    samples BLOB NOT NULL
                );
                CREATE INDEX recordings_session ON recordings (session, size);
                CREATE INDEX recordings_created ON recordings (created_at);
                """),
        Migration(
            "talkco-model",
            script: """
                -- The Server ID of the host that the learner has chosen as the tutor's model.
                ALTER TABLE profiles ADD COLUMN model_host TEXT;
                """),
        Migration(
            "talkco-session-numbers",
            script: """
                -- The order in which sessions were created: a clock may have been set back.
                ALTER TABLE sessions ADD COLUMN number INTEGER NOT NULL DEFAULT 0;
                UPDATE sessions SET number = rowid;
                CREATE INDEX sessions_number ON sessions (number);
                """,
            postgreSQL: """
                ALTER TABLE sessions ADD COLUMN number BIGINT NOT NULL DEFAULT 0;
                CREATE INDEX sessions_number ON sessions (number);
                """),
    ]
}
