import StorageKit

/// The host's tables. Times are milliseconds since 1970, UTC.
enum AnswerTables {
    static let migrations = [
        Migration(
            "localllm-1",
            script: """
                -- Requests that a phone can resume. Without `ended_at`: being generated, or cut off by the end of the process.
                CREATE TABLE answers (
                    id INTEGER PRIMARY KEY AUTOINCREMENT,
                    phone BLOB NOT NULL,
                    request TEXT NOT NULL,
                    finish_reason TEXT,
                    code TEXT,
                    message TEXT,
                    size INTEGER NOT NULL,
                    ended_at INTEGER,
                    UNIQUE (phone, request)
                );
                CREATE INDEX answers_ended ON answers (ended_at);

                CREATE TABLE pieces (
                    answer INTEGER NOT NULL REFERENCES answers (id) ON DELETE CASCADE,
                    seq INTEGER NOT NULL,
                    text TEXT NOT NULL,
                    PRIMARY KEY (answer, seq)
                ) WITHOUT ROWID;

                CREATE TABLE phones (
                    key BLOB PRIMARY KEY NOT NULL,
                    is_approved INTEGER NOT NULL,
                    first_seen INTEGER NOT NULL,
                    last_seen INTEGER NOT NULL
                ) WITHOUT ROWID;
                """),
        Migration(
            "localllm-2-first-phone",
            script: """
                -- Earlier hosts served every phone unless they asked about each. Where none was asked about, all of them stay known.
                UPDATE phones SET is_approved = 1 WHERE NOT EXISTS (SELECT 1 FROM phones WHERE is_approved = 1);

                -- The first phone that this host has let in: one row, which stays when the phone is removed.
                CREATE TABLE first_phone (
                    id INTEGER PRIMARY KEY CHECK (id = 1),
                    key BLOB NOT NULL,
                    admitted_at INTEGER NOT NULL
                );
                INSERT INTO first_phone SELECT 1, key, first_seen FROM phones WHERE is_approved = 1 ORDER BY first_seen, key LIMIT 1;
                """),
        Migration(
            "localllm-3-omitted",
            script: """
                -- The number of earlier turns that the model was not given.
                ALTER TABLE answers ADD COLUMN omitted INTEGER NOT NULL DEFAULT 0;
                """),
        Migration(
            "localllm-4-one-log",
            script: """
                -- The pieces of an answer are in the line's log `answer/<id>`.
                INSERT INTO logs (log, last) SELECT 'answer/' || answer, MAX(seq) FROM pieces GROUP BY answer;
                INSERT INTO events (log, seq, at, payload)
                    SELECT 'answer/' || answer, seq, 0, CAST(text AS BLOB) FROM pieces;
                DROP TABLE pieces;
                """),
    ]
}
