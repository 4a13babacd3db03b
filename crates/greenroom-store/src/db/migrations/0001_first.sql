-- One row for every process that opened this file. A run that is neither ended nor alive was
-- killed; what it left half-done is settled at the next open. Its calls are found from first_seq
-- on, so that no index has to be kept for them.
CREATE TABLE runs (
  id INTEGER PRIMARY KEY,
  token TEXT NOT NULL UNIQUE,
  pid INTEGER NOT NULL,
  first_seq INTEGER NOT NULL,
  started_at INTEGER NOT NULL,
  ended_at INTEGER
) STRICT;

CREATE TABLE sessions (
  key INTEGER PRIMARY KEY,
  principal TEXT NOT NULL,
  id TEXT NOT NULL,
  pool TEXT NOT NULL,
  label TEXT,
  state TEXT NOT NULL CHECK (state IN ('active', 'parked', 'closed', 'error')),
  run INTEGER,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER NOT NULL,
  saved_codec INTEGER NOT NULL DEFAULT 0,
  saved_len INTEGER NOT NULL DEFAULT 0,
  saved_state BLOB,
  UNIQUE (principal, id)
) STRICT;
CREATE INDEX sessions_by_state ON sessions (state, last_used_at);

-- ref_id is what the world knows. The integer key keeps rows in the order in which they came and is
-- what the word index refers to, so it is never given out twice, whatever was removed.
CREATE TABLE calls (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  ref_id BLOB NOT NULL UNIQUE CHECK (length(ref_id) = 16),
  run INTEGER NOT NULL,
  principal TEXT NOT NULL,
  session_id TEXT,
  pool TEXT,
  instance TEXT,
  tool TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  duration_us INTEGER,
  outcome TEXT NOT NULL CHECK (outcome IN ('running', 'success', 'error', 'unknown')),
  arguments TEXT
) STRICT;
CREATE INDEX calls_by_principal ON calls (principal);
CREATE INDEX calls_by_session ON calls (principal, session_id);

-- Small facts about a response. Its large values are in call_parts, so that a list of responses
-- never drags a page of text along.
CREATE TABLE responses (
  seq INTEGER PRIMARY KEY REFERENCES calls (seq) ON DELETE CASCADE,
  content_kind TEXT CHECK (content_kind IN ('snapshot', 'text')),
  content_hash BLOB CHECK (length(content_hash) = 32),
  content_lines INTEGER NOT NULL DEFAULT 0,
  console_count INTEGER NOT NULL DEFAULT 0,
  console_errors INTEGER NOT NULL DEFAULT 0,
  url TEXT,
  title TEXT,
  tab TEXT,
  bytes INTEGER NOT NULL,
  settled INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX responses_unsettled ON responses (seq) WHERE settled = 0;

-- The large values of a call: exact bytes, as they came (codec 0), as one zstd frame (codec 1), or
-- still in a file that the data names (codec 2).
-- The key is 4 * seq + part: it finds a value without an index of its own.
CREATE TABLE call_parts (
  id INTEGER PRIMARY KEY,
  codec INTEGER NOT NULL,
  raw_len INTEGER NOT NULL,
  data BLOB NOT NULL
) STRICT;

-- What a reader has seen last of one tab of one session.
CREATE TABLE cursors (
  principal TEXT NOT NULL,
  reader TEXT NOT NULL,
  session_id TEXT NOT NULL,
  tab TEXT NOT NULL,
  ref_id BLOB NOT NULL CHECK (length(ref_id) = 16),
  hash BLOB NOT NULL CHECK (length(hash) = 32),
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (principal, reader, session_id, tab)
) STRICT, WITHOUT ROWID;
CREATE INDEX cursors_by_age ON cursors (updated_at);

-- The words of each snapshot, without the text (call_parts has it) and without positions: an
-- answer is verified against the text anyway, and the index stays a fraction of its size.
CREATE VIRTUAL TABLE snapshot_words USING fts5 (
  words, content = '', contentless_delete = 1, detail = none, tokenize = "ascii tokenchars '#'"
);
-- Many removals would otherwise rewrite the whole index within one commit. Retention does it in
-- steps instead.
INSERT INTO snapshot_words (snapshot_words, rank) VALUES ('deletemerge', 0);

-- How many texts were removed since the index was last rewritten.
CREATE TABLE snapshot_words_removed (
  texts INTEGER NOT NULL
) STRICT;
INSERT INTO snapshot_words_removed (texts) VALUES (0);

CREATE TABLE blobs (
  sha256 BLOB PRIMARY KEY CHECK (length(sha256) = 32),
  size INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Who names a blob, and as what. The type is the namer's: two principals that store the same
-- bytes cannot change how the other's are served. ref_id is empty for an upload. It is no foreign
-- key, because a blob is named before the response that speaks of it is stored.
CREATE TABLE blob_refs (
  sha256 BLOB NOT NULL REFERENCES blobs (sha256),
  principal TEXT NOT NULL,
  ref_id BLOB NOT NULL,
  mime TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (sha256, principal, ref_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX blob_refs_by_call ON blob_refs (ref_id);
CREATE INDEX blob_refs_by_age ON blob_refs (created_at);
CREATE INDEX blob_refs_by_principal ON blob_refs (principal, created_at);
