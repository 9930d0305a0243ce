/** The SQL of each schema version; `user_version` is the number of applied ones. Never change a released one: add another. */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE sessions (
    n INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    agent_label TEXT NOT NULL,
    agent_command TEXT NOT NULL,
    agent_name TEXT,
    agent_session_id TEXT,
    cwd TEXT NOT NULL,
    additional_directories TEXT NOT NULL,
    branch TEXT,
    title TEXT,
    titled_by TEXT,
    first_prompt TEXT,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    turns INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    archived INTEGER NOT NULL DEFAULT 0,
    deleted_at INTEGER,
    open_pid INTEGER,
    open_started TEXT
  ) STRICT;
  CREATE INDEX sessions_updated ON sessions (updated_at);
  CREATE INDEX sessions_of_folder ON sessions (cwd, updated_at);
  CREATE INDEX sessions_of_agent ON sessions (agent_session_id);

  CREATE TABLE passages (
    n INTEGER PRIMARY KEY,
    session INTEGER NOT NULL REFERENCES sessions (n) ON DELETE CASCADE,
    entry INTEGER NOT NULL,
    role TEXT NOT NULL,
    at INTEGER NOT NULL,
    text TEXT NOT NULL
  ) STRICT;
  CREATE INDEX passages_of_session ON passages (session, entry);
  CREATE VIRTUAL TABLE said USING fts5 (
    text, content = 'passages', content_rowid = 'n', tokenize = 'unicode61 remove_diacritics 2'
  );
  CREATE TRIGGER passage_added AFTER INSERT ON passages BEGIN
    INSERT INTO said (rowid, text) VALUES (new.n, new.text);
  END;
  CREATE TRIGGER passage_removed AFTER DELETE ON passages BEGIN
    INSERT INTO said (said, rowid, text) VALUES ('delete', old.n, old.text);
  END;

  CREATE TABLE history (
    n INTEGER PRIMARY KEY,
    cwd TEXT NOT NULL,
    hash TEXT NOT NULL,
    at INTEGER NOT NULL,
    text TEXT NOT NULL,
    UNIQUE (cwd, hash)
  ) STRICT;

  CREATE TABLE drafts (
    n INTEGER PRIMARY KEY,
    pid INTEGER NOT NULL,
    started TEXT NOT NULL,
    slot INTEGER NOT NULL,
    cwd TEXT NOT NULL,
    at INTEGER NOT NULL,
    state TEXT NOT NULL,
    UNIQUE (pid, started, slot)
  ) STRICT;

  CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
  `,
  'CREATE INDEX history_of_folder ON history (cwd)',
  'ALTER TABLE passages ADD COLUMN subagent TEXT',
  'ALTER TABLE sessions ADD COLUMN by_print INTEGER; ALTER TABLE sessions ADD COLUMN doing TEXT',
  'ALTER TABLE sessions ADD COLUMN asks TEXT',
  `
  ALTER TABLE sessions ADD COLUMN says TEXT;
  ALTER TABLE sessions ADD COLUMN cost TEXT;
  ALTER TABLE sessions ADD COLUMN changes TEXT;
  ALTER TABLE sessions ADD COLUMN read_at INTEGER;
  `,
  `
  CREATE TABLE usage (
    day TEXT NOT NULL,
    agent TEXT NOT NULL,
    model TEXT NOT NULL,
    folder TEXT NOT NULL,
    currency TEXT NOT NULL,
    turns INTEGER NOT NULL,
    cost REAL NOT NULL,
    tokens INTEGER NOT NULL,
    uncounted INTEGER NOT NULL,
    PRIMARY KEY (day, agent, model, folder, currency)
  ) STRICT, WITHOUT ROWID;
  `,
  'CREATE INDEX sessions_open ON sessions (open_pid) WHERE open_pid IS NOT NULL',
];
