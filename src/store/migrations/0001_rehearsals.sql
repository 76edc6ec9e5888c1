CREATE TABLE rehearsals (
  run_id TEXT PRIMARY KEY,
  owner TEXT NOT NULL,
  domain TEXT NOT NULL,
  agent_kind TEXT NOT NULL,
  agent_name TEXT NOT NULL,
  status TEXT NOT NULL,
  planned INTEGER NOT NULL,
  started_at TEXT NOT NULL,
  ended_at TEXT,
  -- Everything of results.json but the trials, once the rehearsal has ended.
  head TEXT
);
CREATE INDEX rehearsals_by_owner ON rehearsals (owner, started_at DESC, run_id DESC);

-- A trial's part of results.json, cut into pieces that fit a row. `seq` is its place in the plan.
CREATE TABLE trial_bodies (
  run_id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  part INTEGER NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (run_id, seq, part)
) WITHOUT ROWID;
