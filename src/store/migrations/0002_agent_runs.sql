-- One row a turn of an agent. A turn that waited and went on keeps its row.
CREATE TABLE agent_runs (
  run_id TEXT PRIMARY KEY,
  owner TEXT NOT NULL,
  agent TEXT NOT NULL,
  wire TEXT NOT NULL,
  session TEXT,
  conversation TEXT,
  status TEXT NOT NULL,
  model TEXT NOT NULL,
  started_at TEXT NOT NULL,
  ended_at TEXT NOT NULL,
  usage TEXT NOT NULL,
  failure TEXT
);
CREATE INDEX agent_runs_by_owner ON agent_runs (owner, started_at DESC, run_id DESC);

-- The inbox. The session's object is the truth of a decision; a row here is how people find it.
CREATE TABLE approvals (
  id TEXT PRIMARY KEY,
  owner TEXT NOT NULL,
  object_id TEXT NOT NULL,
  agent TEXT NOT NULL,
  session TEXT NOT NULL,
  run_id TEXT NOT NULL,
  status TEXT NOT NULL,
  interrupt TEXT NOT NULL,
  decision TEXT,
  decided_by TEXT,
  created_at TEXT NOT NULL,
  decided_at TEXT
);
CREATE INDEX approvals_by_owner ON approvals (owner, created_at DESC, id DESC);
CREATE INDEX approvals_by_status ON approvals (owner, status, created_at DESC, id DESC);
CREATE INDEX approvals_by_object ON approvals (object_id);
