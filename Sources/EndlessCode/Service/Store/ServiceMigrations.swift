import PushKit
import StorageKit

/// The tables of a server. Times are milliseconds since 1970, UTC.
enum ServiceMigrations {
    static let all =
        [
            Migration(
                "endlesscode-1-sessions-events-prompts",
                script: """
                    CREATE TABLE sessions (
                        id TEXT PRIMARY KEY NOT NULL,
                        project TEXT NOT NULL,
                        -- The folder in which the agent works.
                        folder TEXT NOT NULL,
                        -- The agent's own id, which resumes the conversation. Null: the agent never reported it.
                        conversation TEXT,
                        -- The id of the request that started the session.
                        request TEXT UNIQUE,
                        state TEXT NOT NULL,
                        activity TEXT NOT NULL,
                        permission_mode TEXT,
                        created_at INTEGER NOT NULL,
                        active_at INTEGER NOT NULL,
                        -- The number of the latest event, and of the latest that was removed.
                        last_seq INTEGER NOT NULL DEFAULT 0,
                        removed_seq INTEGER NOT NULL DEFAULT 0,
                        message_count INTEGER NOT NULL DEFAULT 0,
                        -- The size of the events in bytes.
                        size INTEGER NOT NULL DEFAULT 0
                    );
                    CREATE INDEX sessions_project ON sessions (project, active_at);
                    CREATE INDEX sessions_state ON sessions (state, active_at);

                    CREATE TABLE session_events (
                        session TEXT NOT NULL REFERENCES sessions,
                        seq INTEGER NOT NULL,
                        at INTEGER NOT NULL,
                        is_message INTEGER NOT NULL,
                        -- The frame as it is sent.
                        frame TEXT NOT NULL,
                        -- The whole message, where the frame has a cut one.
                        whole TEXT,
                        -- The size of both in bytes.
                        size INTEGER NOT NULL,
                        PRIMARY KEY (session, seq)
                    );
                    CREATE INDEX session_events_messages ON session_events (session, seq) WHERE is_message = 1;

                    -- The prompts of phones, by the id that the phone chose.
                    CREATE TABLE user_messages (
                        session TEXT NOT NULL REFERENCES sessions,
                        id TEXT NOT NULL,
                        PRIMARY KEY (session, id)
                    );

                    -- The questions of agents.
                    CREATE TABLE prompts (
                        id TEXT PRIMARY KEY NOT NULL,
                        session TEXT NOT NULL REFERENCES sessions,
                        -- The agent's own id of the request to which the question belongs.
                        agent_prompt TEXT NOT NULL,
                        -- JSON: `PromptRequest`.
                        request TEXT NOT NULL,
                        -- The tool's input as the agent wrote it.
                        input TEXT,
                        expires_at INTEGER NOT NULL,
                        -- Null while the question is open.
                        outcome TEXT,
                        -- JSON: `PromptAnswer`, and the phone that gave it.
                        answer TEXT,
                        phone TEXT
                    );
                    CREATE INDEX prompts_open ON prompts (expires_at) WHERE outcome IS NULL;
                    CREATE INDEX prompts_session ON prompts (session, agent_prompt);
                    """),
            Migration(
                "endlesscode-2-earlier-sessions",
                script: """
                    -- The number of messages before the first event, which only the agent's own file has.
                    ALTER TABLE sessions ADD COLUMN earlier_count INTEGER NOT NULL DEFAULT 0;
                    CREATE INDEX sessions_conversation ON sessions (conversation) WHERE conversation IS NOT NULL;
                    """),
            Migration(
                "endlesscode-3-push-phones",
                script: """
                    -- The phones that want notifications.
                    CREATE TABLE push_phones (
                        phone TEXT PRIMARY KEY NOT NULL,
                        -- JSON: `PushAddress`.
                        address TEXT NOT NULL,
                        -- The same for each spelling of an address, which belongs to one phone only.
                        address_key TEXT NOT NULL UNIQUE,
                        content TEXT NOT NULL,
                        language TEXT NOT NULL,
                        environment TEXT,
                        set_at INTEGER NOT NULL,
                        -- The hash of the token that the phone had then.
                        token TEXT NOT NULL
                    );
                    """),
            Migration(
                "endlesscode-4-prompt-queue",
                script: """
                    -- The number of the prompt's latest event; null for a prompt of an earlier version.
                    ALTER TABLE user_messages ADD COLUMN seq INTEGER;
                    -- `Chat.Delivery`; null once the agent has taken the prompt up.
                    ALTER TABLE user_messages ADD COLUMN delivery TEXT;
                    -- The number of agents that were told the prompt.
                    ALTER TABLE user_messages ADD COLUMN told_count INTEGER NOT NULL DEFAULT 0;
                    CREATE INDEX user_messages_queue ON user_messages (session, seq) WHERE delivery = 'queued';
                    """),
            Migration(
                "endlesscode-5-earlier-conversations",
                script: """
                    -- The agent's own ids of conversations that a session has left: it was cleared, or could not be resumed.
                    CREATE TABLE earlier_conversations (
                        session TEXT NOT NULL REFERENCES sessions,
                        conversation TEXT NOT NULL,
                        PRIMARY KEY (session, conversation)
                    );
                    """),
            Migration(
                "endlesscode-6-one-log",
                script: """
                    -- Events are in the line's log `session/<id>`. What stays here is which of them are messages.
                    CREATE TABLE session_messages (
                        session TEXT NOT NULL REFERENCES sessions,
                        seq INTEGER NOT NULL,
                        -- The whole message, where the frame has a cut one.
                        whole TEXT,
                        PRIMARY KEY (session, seq)
                    );
                    INSERT INTO session_messages (session, seq, whole)
                        SELECT session, seq, whole FROM session_events WHERE is_message = 1;
                    INSERT INTO logs (log, last, removed) SELECT 'session/' || id, last_seq, removed_seq FROM sessions;
                    INSERT INTO events (log, seq, at, payload)
                        SELECT 'session/' || session, seq, at, CAST(frame AS BLOB) FROM session_events;
                    -- A prompt's whole text is not kept once its message stands at a later event.
                    UPDATE sessions SET size = size - (SELECT COALESCE(SUM(LENGTH(CAST(whole AS BLOB))), 0) FROM session_events
                        WHERE session = sessions.id AND is_message = 0);
                    DROP TABLE session_events;
                    ALTER TABLE sessions DROP COLUMN last_seq;
                    ALTER TABLE sessions DROP COLUMN removed_seq;
                    """),
        ] + PushTables.migrations
}
