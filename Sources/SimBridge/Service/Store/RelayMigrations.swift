import PushKit
import StorageKit

/// The relay's tables. Times are milliseconds since 1970, UTC.
enum RelayMigrations {
    static let all = own + PushTables.migrations

    private static let own = [
        Migration(
            "simbridge-1-accounts-devices-pairings-messages",
            script: """
                CREATE TABLE accounts (
                    id INTEGER PRIMARY KEY AUTOINCREMENT,
                    username TEXT NOT NULL UNIQUE,
                    -- Null: only another service logs in to it.
                    password_hash TEXT,
                    google_id TEXT UNIQUE,
                    email TEXT,
                    created_at INTEGER NOT NULL
                );
                CREATE INDEX accounts_email ON accounts (email) WHERE email IS NOT NULL;

                CREATE TABLE devices (
                    id INTEGER PRIMARY KEY AUTOINCREMENT,
                    account INTEGER NOT NULL REFERENCES accounts,
                    name TEXT NOT NULL,
                    kind TEXT NOT NULL,
                    last_seen INTEGER,
                    -- Whether it opened its last line with version 2: then messages for it are kept and numbered.
                    is_keeper INTEGER NOT NULL DEFAULT 0,
                    -- Number of the latest message for it, and of the latest that has been removed since.
                    last_seq INTEGER NOT NULL DEFAULT 0,
                    forgotten_seq INTEGER NOT NULL DEFAULT 0
                );
                CREATE INDEX devices_account ON devices (account, id);

                -- Host and client of a pair belong to the same account.
                CREATE TABLE pairings (
                    id INTEGER PRIMARY KEY AUTOINCREMENT,
                    host INTEGER NOT NULL REFERENCES devices,
                    client INTEGER NOT NULL REFERENCES devices,
                    created_at INTEGER NOT NULL,
                    UNIQUE (host, client)
                );
                CREATE INDEX pairings_client ON pairings (client, id);

                -- The one live code of a host.
                CREATE TABLE pairing_codes (
                    host INTEGER PRIMARY KEY NOT NULL REFERENCES devices,
                    code TEXT NOT NULL UNIQUE,
                    expires_at INTEGER NOT NULL
                );

                -- What was relayed: history, queue and each receiver's log in one.
                CREATE TABLE messages (
                    id INTEGER PRIMARY KEY AUTOINCREMENT,
                    account INTEGER NOT NULL,
                    from_device INTEGER NOT NULL,
                    to_device INTEGER NOT NULL,
                    type TEXT NOT NULL,
                    -- As received.
                    payload TEXT NOT NULL,
                    -- Given by REST: the receiver is not told by whom.
                    is_by_rest INTEGER NOT NULL,
                    req_id TEXT,
                    seq INTEGER,
                    state TEXT NOT NULL,
                    reason TEXT,
                    -- Whether it is still to be written, or to be acknowledged.
                    is_open INTEGER NOT NULL,
                    deadline INTEGER,
                    created_at INTEGER NOT NULL,
                    sent_at INTEGER,
                    confirmed_at INTEGER,
                    -- Of `failed`, `expired` and `unknown`.
                    ended_at INTEGER
                );
                CREATE INDEX messages_account ON messages (account, created_at, id, from_device, to_device);
                CREATE INDEX messages_seq ON messages (to_device, seq) WHERE seq IS NOT NULL;
                CREATE INDEX messages_open ON messages (to_device, id) WHERE is_open = 1;
                CREATE INDEX messages_deadline ON messages (deadline) WHERE is_open = 1 AND deadline IS NOT NULL;
                CREATE INDEX messages_req_id ON messages (to_device, req_id) WHERE req_id IS NOT NULL;
                """),
        Migration(
            "simbridge-2-kept-bytes",
            script: """
                -- Of an account's messages: payloads, and 400 for each row and what finds it.
                ALTER TABLE accounts ADD COLUMN kept_bytes INTEGER NOT NULL DEFAULT 0;
                UPDATE accounts SET kept_bytes = (
                    SELECT COALESCE(SUM(LENGTH(CAST(payload AS BLOB)) + 400), 0) FROM messages WHERE account = accounts.id);
                CREATE TRIGGER message_kept AFTER INSERT ON messages BEGIN
                    UPDATE accounts SET kept_bytes = kept_bytes + LENGTH(CAST(NEW.payload AS BLOB)) + 400 WHERE id = NEW.account;
                END;
                CREATE TRIGGER message_forgotten AFTER DELETE ON messages BEGIN
                    UPDATE accounts SET kept_bytes = kept_bytes - LENGTH(CAST(OLD.payload AS BLOB)) - 400 WHERE id = OLD.account;
                END;
                """,
            // The next step replaces the triggers.
            postgreSQL: "ALTER TABLE accounts ADD COLUMN kept_bytes BIGINT NOT NULL DEFAULT 0"),
        Migration(
            "simbridge-3-deliveries",
            script: """
                -- The receivers of a message: each that numbers what it gets, and each beside the one that the message names.
                CREATE TABLE deliveries (
                    message INTEGER NOT NULL,
                    device INTEGER NOT NULL,
                    -- The receiver's number. Null: it does not number.
                    seq INTEGER,
                    PRIMARY KEY (message, device)
                ) WITHOUT ROWID;
                CREATE UNIQUE INDEX deliveries_seq ON deliveries (device, seq) WHERE seq IS NOT NULL;
                INSERT INTO deliveries SELECT id, to_device, seq FROM messages WHERE seq IS NOT NULL;

                -- The receiver has everything up to it. A delivery with a higher number is open.
                ALTER TABLE devices ADD COLUMN acked_seq INTEGER NOT NULL DEFAULT 0;
                UPDATE devices SET acked_seq = COALESCE(
                    (SELECT MIN(seq) - 1 FROM messages WHERE to_device = devices.id AND is_open = 1), last_seq);
                DROP INDEX messages_seq;
                ALTER TABLE messages DROP COLUMN seq;

                -- What it counts in `kept_bytes`: payload and reason, 400 for the row, and 100 for each further receiver.
                ALTER TABLE messages ADD COLUMN weight INTEGER NOT NULL DEFAULT 0;
                DROP TRIGGER message_kept;
                DROP TRIGGER message_forgotten;
                UPDATE messages SET reason = SUBSTR(reason, 1, 500) WHERE LENGTH(reason) > 500;
                UPDATE messages SET req_id = NULL WHERE LENGTH(req_id) > 200;
                UPDATE messages SET weight = LENGTH(CAST(payload AS BLOB)) + LENGTH(CAST(COALESCE(reason, '') AS BLOB)) + 400;
                UPDATE accounts SET kept_bytes = (SELECT COALESCE(SUM(weight), 0) FROM messages WHERE account = accounts.id);
                CREATE TRIGGER message_kept AFTER INSERT ON messages BEGIN
                    UPDATE accounts SET kept_bytes = kept_bytes + NEW.weight WHERE id = NEW.account;
                END;
                CREATE TRIGGER message_weighed AFTER UPDATE OF reason ON messages WHEN NEW.reason IS NOT OLD.reason BEGIN
                    UPDATE accounts SET kept_bytes = kept_bytes + LENGTH(CAST(COALESCE(NEW.reason, '') AS BLOB))
                        - LENGTH(CAST(COALESCE(OLD.reason, '') AS BLOB)) WHERE id = NEW.account;
                    UPDATE messages SET weight = weight + LENGTH(CAST(COALESCE(NEW.reason, '') AS BLOB))
                        - LENGTH(CAST(COALESCE(OLD.reason, '') AS BLOB)) WHERE id = NEW.id;
                END;
                CREATE TRIGGER message_forgotten AFTER DELETE ON messages BEGIN
                    UPDATE accounts SET kept_bytes = kept_bytes - OLD.weight WHERE id = OLD.account;
                END;
                """,
            postgreSQL: """
                CREATE TABLE deliveries (
                    message BIGINT NOT NULL,
                    device BIGINT NOT NULL,
                    seq BIGINT,
                    PRIMARY KEY (message, device)
                );
                CREATE UNIQUE INDEX deliveries_seq ON deliveries (device, seq) WHERE seq IS NOT NULL;
                ALTER TABLE devices ADD COLUMN acked_seq BIGINT NOT NULL DEFAULT 0;
                DROP INDEX messages_seq;
                ALTER TABLE messages DROP COLUMN seq;

                ALTER TABLE messages ADD COLUMN weight BIGINT NOT NULL DEFAULT 0;
                CREATE FUNCTION message_kept() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                    UPDATE accounts SET kept_bytes = kept_bytes + NEW.weight WHERE id = NEW.account;
                    RETURN NULL;
                END $$;
                CREATE TRIGGER message_kept AFTER INSERT ON messages FOR EACH ROW EXECUTE FUNCTION message_kept();
                CREATE FUNCTION message_weighed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                    UPDATE accounts SET kept_bytes = kept_bytes + OCTET_LENGTH(COALESCE(NEW.reason, ''))
                        - OCTET_LENGTH(COALESCE(OLD.reason, '')) WHERE id = NEW.account;
                    UPDATE messages SET weight = weight + OCTET_LENGTH(COALESCE(NEW.reason, ''))
                        - OCTET_LENGTH(COALESCE(OLD.reason, '')) WHERE id = NEW.id;
                    RETURN NULL;
                END $$;
                CREATE TRIGGER message_weighed AFTER UPDATE OF reason ON messages
                    FOR EACH ROW WHEN (NEW.reason IS DISTINCT FROM OLD.reason) EXECUTE FUNCTION message_weighed();
                CREATE FUNCTION message_forgotten() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                    UPDATE accounts SET kept_bytes = kept_bytes - OLD.weight WHERE id = OLD.account;
                    RETURN NULL;
                END $$;
                CREATE TRIGGER message_forgotten AFTER DELETE ON messages FOR EACH ROW EXECUTE FUNCTION message_forgotten();
                """),
        Migration(
            "simbridge-4-generations",
            script: """
                -- How often the password has been changed: a token of an earlier generation is void.
                ALTER TABLE accounts ADD COLUMN generation INTEGER NOT NULL DEFAULT 0;
                """),
        Migration(
            "simbridge-5-push",
            script: """
                -- The client devices that want notifications from a push service.
                CREATE TABLE push_devices (
                    device INTEGER PRIMARY KEY NOT NULL REFERENCES devices,
                    -- JSON: `PushAddress`.
                    address TEXT NOT NULL,
                    -- The same for each spelling of an address, which belongs to one device only.
                    address_key TEXT NOT NULL UNIQUE,
                    content TEXT NOT NULL,
                    language TEXT NOT NULL,
                    environment TEXT,
                    set_at INTEGER NOT NULL
                );
                """),
        Migration(
            "simbridge-6-ended-pairing-codes",
            script: """
                -- The last codes of each host that pair no more, to tell their owner why.
                CREATE TABLE ended_pairing_codes (
                    host INTEGER NOT NULL REFERENCES devices ON DELETE CASCADE,
                    code TEXT NOT NULL,
                    is_used INTEGER NOT NULL,
                    ended_at INTEGER NOT NULL,
                    PRIMARY KEY (host, code)
                ) WITHOUT ROWID;
                CREATE INDEX ended_pairing_codes_code ON ended_pairing_codes (code);
                """),
        Migration(
            "simbridge-7-history-by-number",
            script: """
                -- The history follows the number: a clock may have been set back.
                DROP INDEX messages_account;
                CREATE INDEX messages_account ON messages (account, id, from_device, to_device);
                CREATE INDEX messages_age ON messages (created_at);
                """),
        Migration(
            "simbridge-8-numbering",
            script: """
                -- Of a host: JSON, the calling codes of its SIM cards by slot, as it has reported them last.
                ALTER TABLE devices ADD COLUMN calling_codes TEXT;
                """),
        Migration(
            "simbridge-9-deleted-accounts",
            script: """
                -- One row: the highest id of a deleted account, or 0. A lower one was given as well, as each up to the highest account.
                CREATE TABLE deleted_accounts (last INTEGER NOT NULL);
                INSERT INTO deleted_accounts SELECT COALESCE(MAX(seq), 0) FROM sqlite_sequence WHERE name = 'accounts';
                """,
            postgreSQL: """
                CREATE TABLE deleted_accounts (last BIGINT NOT NULL);
                INSERT INTO deleted_accounts VALUES (0);
                """),
    ]
}
