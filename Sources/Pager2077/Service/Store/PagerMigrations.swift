import PushKit
import StorageKit

/// The pager's own tables. Times are milliseconds since 1970, UTC.
enum PagerMigrations {
    static let all =
        [
            Migration(
                "pager-1-users-friends-messages-scores",
                script: """
                    CREATE TABLE users (
                        id TEXT PRIMARY KEY NOT NULL,
                        hex_code TEXT NOT NULL UNIQUE,
                        device_token TEXT NOT NULL UNIQUE,
                        display_name TEXT,
                        status TEXT NOT NULL,
                        last_seen INTEGER NOT NULL,
                        created_at INTEGER NOT NULL,
                        updated_at INTEGER NOT NULL,
                        live_activity_token TEXT,
                        is_watched_live INTEGER NOT NULL
                    ) WITHOUT ROWID;
                    CREATE INDEX users_watched_live ON users (id) WHERE is_watched_live = 1 AND status = 'online';

                    CREATE TABLE friend_requests (
                        position INTEGER PRIMARY KEY AUTOINCREMENT,
                        id TEXT NOT NULL UNIQUE,
                        from_user TEXT NOT NULL REFERENCES users,
                        to_user TEXT NOT NULL REFERENCES users,
                        status TEXT NOT NULL,
                        created_at INTEGER NOT NULL,
                        updated_at INTEGER NOT NULL
                    );
                    CREATE UNIQUE INDEX friend_requests_pending ON friend_requests (to_user, from_user) WHERE status = 'pending';

                    -- Two rows a friendship, one for each side.
                    CREATE TABLE friendships (
                        user TEXT NOT NULL REFERENCES users,
                        friend TEXT NOT NULL REFERENCES users,
                        created_at INTEGER NOT NULL,
                        PRIMARY KEY (user, friend)
                    ) WITHOUT ROWID;

                    CREATE TABLE messages (
                        position INTEGER PRIMARY KEY AUTOINCREMENT,
                        id TEXT NOT NULL UNIQUE,
                        -- Both users' ids, the smaller first: one index for both directions.
                        pair TEXT NOT NULL,
                        sender TEXT NOT NULL REFERENCES users,
                        recipient TEXT NOT NULL REFERENCES users,
                        text TEXT NOT NULL,
                        is_read INTEGER NOT NULL,
                        at INTEGER NOT NULL
                    );
                    CREATE INDEX messages_pair ON messages (pair, position);
                    CREATE INDEX messages_unread ON messages (recipient, sender, position) WHERE is_read = 0;

                    CREATE TABLE scores (
                        user TEXT NOT NULL REFERENCES users,
                        game TEXT NOT NULL,
                        score INTEGER NOT NULL,
                        at INTEGER NOT NULL,
                        PRIMARY KEY (user, game)
                    ) WITHOUT ROWID;
                    """),
            Migration(
                "pager-2-push-tokens",
                script: """
                    ALTER TABLE users ADD COLUMN live_activity_token_at INTEGER;
                    ALTER TABLE users ADD COLUMN device_token_at INTEGER;
                    ALTER TABLE users ADD COLUMN device_token_died_at INTEGER;
                    ALTER TABLE users ADD COLUMN push_environment TEXT;
                    """),
            Migration(
                "pager-3-devices",
                script: """
                    CREATE TABLE devices (
                        position INTEGER PRIMARY KEY AUTOINCREMENT,
                        "user" TEXT NOT NULL REFERENCES users,
                        -- Drawn by the app.
                        id TEXT NOT NULL,
                        -- JSON of the address, and the same for each spelling of it: an address belongs to one device.
                        address TEXT,
                        address_key TEXT UNIQUE,
                        address_at INTEGER,
                        address_died_at INTEGER,
                        environment TEXT,
                        start_token TEXT UNIQUE,
                        start_token_at INTEGER,
                        language TEXT NOT NULL,
                        shows_previews INTEGER NOT NULL,
                        updated_at INTEGER NOT NULL,
                        UNIQUE ("user", id)
                    );
                    CREATE INDEX users_live_activity_token ON users (live_activity_token) WHERE live_activity_token IS NOT NULL;
                    """),
        ] + PushTables.migrations + [DeliveryRecords.migration]
}
