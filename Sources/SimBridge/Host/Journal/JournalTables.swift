import StorageKit

/// The host's own tables. Times are milliseconds since 1970, UTC.
enum JournalTables {
    static let migrations = [
        Migration(
            "simbridge-host-1",
            script: """
                -- The last number that was taken over each line; a line is a relay and a device.
                CREATE TABLE host_lines (
                    line TEXT PRIMARY KEY NOT NULL,
                    seq INTEGER NOT NULL
                ) WITHOUT ROWID;

                -- accepted: stored, not begun. begun: in progress; after a crash the outcome is unknown. done: see `report`.
                CREATE TABLE host_commands (
                    id INTEGER PRIMARY KEY AUTOINCREMENT,
                    req_id TEXT UNIQUE,
                    sender INTEGER,
                    content BLOB NOT NULL,
                    lane TEXT NOT NULL,
                    state TEXT NOT NULL CHECK (state IN ('accepted', 'begun', 'done')),
                    report BLOB,
                    at INTEGER NOT NULL
                );
                CREATE INDEX host_commands_state ON host_commands (state, lane, id);

                -- What the relay does not have yet, as far as is known, in order.
                CREATE TABLE host_reports (
                    id INTEGER PRIMARY KEY AUTOINCREMENT,
                    msg_id TEXT NOT NULL UNIQUE,
                    message BLOB NOT NULL,
                    is_refused INTEGER NOT NULL DEFAULT 0,
                    at INTEGER NOT NULL
                );

                -- Texts that are stored here, and that their modem still holds.
                CREATE TABLE host_held (
                    source TEXT NOT NULL,
                    text_id TEXT NOT NULL,
                    PRIMARY KEY (source, text_id)
                ) WITHOUT ROWID;
                """),
        // Reports go to every paired client, not only to the sender of the command.
        Migration("simbridge-host-2", script: "ALTER TABLE host_commands DROP COLUMN sender"),
        Migration(
            "simbridge-host-3",
            script: """
                -- Texts that the network has, or may have (is_unknown), and what is known of their delivery.
                CREATE TABLE host_sent (
                    command INTEGER PRIMARY KEY NOT NULL,
                    number TEXT NOT NULL,
                    body TEXT NOT NULL,
                    sim INTEGER NOT NULL,
                    is_unknown INTEGER NOT NULL,
                    source TEXT,
                    reference INTEGER,
                    part_count INTEGER,
                    -- The numbers of the delivered parts, as JSON.
                    delivered TEXT NOT NULL DEFAULT '[]',
                    -- Null while it is open.
                    delivery TEXT,
                    at INTEGER NOT NULL
                );
                CREATE INDEX host_sent_reference ON host_sent (source, reference);

                -- The text frame as it was sent first. Reports of an earlier version may have been sent as they are.
                ALTER TABLE host_reports ADD COLUMN frame BLOB;
                UPDATE host_reports SET frame = message;

                -- Delivery reports of texts that are not stored as sent yet.
                CREATE TABLE host_early_reports (
                    source TEXT NOT NULL,
                    number TEXT NOT NULL,
                    reference INTEGER NOT NULL,
                    outcome TEXT NOT NULL,
                    at INTEGER NOT NULL
                );
                """),
    ]
}
