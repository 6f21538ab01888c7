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
                """)
    ]
}
