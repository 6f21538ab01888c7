/// The tables that every line needs. Times are milliseconds since 1970, UTC.
enum LineTables {
    static let migrations = [
        Migration(
            "line-1-events-commands-outbox",
            script: """
                -- One row a log; `last` outlives the events themselves.
                CREATE TABLE logs (
                    log TEXT PRIMARY KEY NOT NULL,
                    last INTEGER NOT NULL
                ) WITHOUT ROWID;
                CREATE TABLE events (
                    log TEXT NOT NULL,
                    seq INTEGER NOT NULL,
                    at INTEGER NOT NULL,
                    payload BLOB NOT NULL,
                    PRIMARY KEY (log, seq)
                ) WITHOUT ROWID;

                -- What was answered to a command, by the id its sender chose.
                CREATE TABLE commands (
                    sender TEXT NOT NULL,
                    id TEXT NOT NULL,
                    content BLOB NOT NULL,
                    reply BLOB NOT NULL,
                    at INTEGER NOT NULL,
                    PRIMARY KEY (sender, id)
                ) WITHOUT ROWID;
                CREATE INDEX commands_at ON commands (at);

                -- What is to be sent to somebody outside, in the order of `urgency`, then `id`.
                CREATE TABLE outbox (
                    id INTEGER PRIMARY KEY AUTOINCREMENT,
                    recipient TEXT NOT NULL,
                    urgency INTEGER NOT NULL,
                    topic TEXT,
                    state TEXT NOT NULL,
                    reason TEXT,
                    cause INTEGER,
                    payload BLOB NOT NULL,
                    at INTEGER NOT NULL,
                    state_at INTEGER NOT NULL
                );
                CREATE INDEX outbox_recipient ON outbox (recipient, state, urgency, id);
                CREATE INDEX outbox_state ON outbox (state, state_at);
                """),
        // Notifications wait in the table of PushKit. Nothing ever sent those of this one.
        Migration("line-2-no-outbox", script: "DROP TABLE outbox"),
        Migration(
            "line-3-removed-events",
            script: """
                -- The sequence number of the latest event that was removed.
                ALTER TABLE logs ADD COLUMN removed INTEGER NOT NULL DEFAULT 0;
                UPDATE logs SET removed = COALESCE((SELECT MIN(seq) - 1 FROM events WHERE events.log = logs.log), last);
                """),
    ]
}
