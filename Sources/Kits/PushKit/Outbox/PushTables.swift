package import StorageKit

/// The table of the outbox in the service's own database, so that an entry is stored in the transaction of its cause.
package enum PushTables {
    /// To be appended to the service's own migrations. Times are milliseconds since 1970, UTC.
    package static let migrations = [
        Migration(
            "push-1-pushes",
            script: """
                CREATE TABLE pushes (
                    id INTEGER PRIMARY KEY AUTOINCREMENT,
                    -- The same in every attempt, for the push service.
                    identifier TEXT NOT NULL,
                    -- The id of the entry that this one was split from, or its own: the order of sending.
                    origin INTEGER NOT NULL,
                    recipient TEXT NOT NULL,
                    -- The device. NULL until the first attempt has looked up the recipient's devices.
                    target TEXT,
                    urgency INTEGER NOT NULL,
                    topic TEXT,
                    cause INTEGER,
                    content BLOB NOT NULL,
                    state TEXT NOT NULL,
                    reason TEXT,
                    -- The route of the last attempt.
                    route TEXT,
                    attempts INTEGER NOT NULL,
                    -- The form in which a push service may have accepted it, and since when.
                    attempted TEXT,
                    attempted_at INTEGER,
                    lease INTEGER,
                    lease_until INTEGER,
                    -- True for an active entry that must not be tried again.
                    is_withdrawn INTEGER NOT NULL,
                    enqueued_at INTEGER NOT NULL,
                    due_at INTEGER NOT NULL,
                    expires_at INTEGER NOT NULL,
                    state_at INTEGER NOT NULL
                );
                CREATE INDEX pushes_order ON pushes (urgency, origin) WHERE state = 'waiting';
                CREATE INDEX pushes_due ON pushes (due_at) WHERE state = 'waiting';
                CREATE INDEX pushes_expiry ON pushes (expires_at) WHERE state = 'waiting';
                CREATE INDEX pushes_leases ON pushes (lease_until) WHERE state = 'active';
                CREATE INDEX pushes_recipient ON pushes (recipient, urgency, origin) WHERE state = 'waiting' OR state = 'active';
                -- Not (state, state_at): SQLite would prefer it to the partial ones, and read all waiting entries each time.
                CREATE INDEX pushes_state ON pushes (state_at, state);
                CREATE INDEX pushes_origin ON pushes (origin);
                CREATE UNIQUE INDEX pushes_identifier ON pushes (identifier);
                CREATE INDEX pushes_topic ON pushes (recipient, topic, state_at) WHERE topic IS NOT NULL;
                """)
    ]
}
