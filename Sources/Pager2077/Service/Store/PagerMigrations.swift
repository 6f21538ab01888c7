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
                        "user" TEXT NOT NULL REFERENCES users,
                        friend TEXT NOT NULL REFERENCES users,
                        created_at INTEGER NOT NULL,
                        PRIMARY KEY ("user", friend)
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
                        "user" TEXT NOT NULL REFERENCES users,
                        game TEXT NOT NULL,
                        score INTEGER NOT NULL,
                        at INTEGER NOT NULL,
                        PRIMARY KEY ("user", game)
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
        ] + PushTables.migrations + [
            DeliveryRecords.migration,
            Migration(
                "pager-4-retention",
                script: """
                    CREATE INDEX messages_sender ON messages (sender, position);
                    CREATE INDEX messages_at ON messages (at);
                    CREATE INDEX friend_requests_from ON friend_requests (from_user);
                    CREATE INDEX friend_requests_answered ON friend_requests (to_user, position) WHERE status <> 'pending';

                    -- The stored messages of each user, and the rows of whole tables: counting them would read them all.
                    ALTER TABLE users ADD COLUMN sent_messages INTEGER NOT NULL DEFAULT 0;
                    ALTER TABLE users ADD COLUMN received_messages INTEGER NOT NULL DEFAULT 0;
                    UPDATE users SET sent_messages = (SELECT COUNT(*) FROM messages WHERE sender = users.id);
                    UPDATE users SET received_messages = counts.count
                        FROM (SELECT recipient, COUNT(*) AS count FROM messages GROUP BY recipient) AS counts WHERE users.id = recipient;
                    CREATE TABLE totals (name TEXT PRIMARY KEY NOT NULL, count INTEGER NOT NULL) WITHOUT ROWID;
                    INSERT INTO totals SELECT 'messages', COUNT(*) FROM messages;
                    INSERT INTO totals SELECT 'users', COUNT(*) FROM users;
                    CREATE TRIGGER message_kept AFTER INSERT ON messages BEGIN
                        UPDATE users SET sent_messages = sent_messages + 1 WHERE id = NEW.sender;
                        UPDATE users SET received_messages = received_messages + 1 WHERE id = NEW.recipient;
                        UPDATE totals SET count = count + 1 WHERE name = 'messages';
                    END;
                    CREATE TRIGGER message_removed AFTER DELETE ON messages BEGIN
                        UPDATE users SET sent_messages = sent_messages - 1 WHERE id = OLD.sender;
                        UPDATE users SET received_messages = received_messages - 1 WHERE id = OLD.recipient;
                        UPDATE totals SET count = count - 1 WHERE name = 'messages';
                    END;
                    CREATE TRIGGER user_kept AFTER INSERT ON users BEGIN
                        UPDATE totals SET count = count + 1 WHERE name = 'users';
                    END;
                    CREATE TRIGGER user_removed AFTER DELETE ON users BEGIN
                        UPDATE totals SET count = count - 1 WHERE name = 'users';
                    END;
                    """,
                postgreSQL: """
                    CREATE INDEX messages_sender ON messages (sender, position);
                    CREATE INDEX messages_at ON messages (at);
                    CREATE INDEX friend_requests_from ON friend_requests (from_user);
                    CREATE INDEX friend_requests_answered ON friend_requests (to_user, position) WHERE status <> 'pending';

                    ALTER TABLE users ADD COLUMN sent_messages BIGINT NOT NULL DEFAULT 0;
                    ALTER TABLE users ADD COLUMN received_messages BIGINT NOT NULL DEFAULT 0;
                    CREATE TABLE totals (name TEXT COLLATE "C" PRIMARY KEY NOT NULL, count BIGINT NOT NULL);
                    INSERT INTO totals VALUES ('messages', 0), ('users', 0);
                    CREATE FUNCTION message_kept() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                        UPDATE users SET sent_messages = sent_messages + 1 WHERE id = NEW.sender;
                        UPDATE users SET received_messages = received_messages + 1 WHERE id = NEW.recipient;
                        UPDATE totals SET count = count + 1 WHERE name = 'messages';
                        RETURN NULL;
                    END $$;
                    CREATE TRIGGER message_kept AFTER INSERT ON messages FOR EACH ROW EXECUTE FUNCTION message_kept();
                    CREATE FUNCTION message_removed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                        UPDATE users SET sent_messages = sent_messages - 1 WHERE id = OLD.sender;
                        UPDATE users SET received_messages = received_messages - 1 WHERE id = OLD.recipient;
                        UPDATE totals SET count = count - 1 WHERE name = 'messages';
                        RETURN NULL;
                    END $$;
                    CREATE TRIGGER message_removed AFTER DELETE ON messages FOR EACH ROW EXECUTE FUNCTION message_removed();
                    CREATE FUNCTION user_kept() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                        UPDATE totals SET count = count + 1 WHERE name = 'users';
                        RETURN NULL;
                    END $$;
                    CREATE TRIGGER user_kept AFTER INSERT ON users FOR EACH ROW EXECUTE FUNCTION user_kept();
                    CREATE FUNCTION user_removed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                        UPDATE totals SET count = count - 1 WHERE name = 'users';
                        RETURN NULL;
                    END $$;
                    CREATE TRIGGER user_removed AFTER DELETE ON users FOR EACH ROW EXECUTE FUNCTION user_removed();
                    """),
            StartedActivity.migration, AccountTraces.migration, BlockRecords.migration, ReportRecords.migration,
        ]
}
