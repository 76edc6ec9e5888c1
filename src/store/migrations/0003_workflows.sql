-- One row a run of a workflow. The run's object is the truth; a row here is how people find it.
CREATE TABLE workflow_runs (
  run_id TEXT PRIMARY KEY,
  owner TEXT NOT NULL,
  workflow TEXT NOT NULL,
  started_by TEXT NOT NULL,
  status TEXT NOT NULL,
  conversation TEXT,
  parent_run_id TEXT,
  retry_of TEXT,
  started_at TEXT NOT NULL,
  ended_at TEXT,
  failure TEXT
);
CREATE INDEX workflow_runs_by_owner ON workflow_runs (owner, started_at DESC, run_id DESC);

-- Tokens of hooks. One that is active belongs to one run; once that has ended the token is free again.
CREATE TABLE workflow_hooks (
  run_id TEXT NOT NULL,
  hook_id TEXT NOT NULL,
  owner TEXT NOT NULL,
  token TEXT NOT NULL,
  active INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  PRIMARY KEY (run_id, hook_id)
) WITHOUT ROWID;
CREATE UNIQUE INDEX workflow_hooks_active ON workflow_hooks (owner, token) WHERE active = 1;
CREATE INDEX workflow_hooks_by_token ON workflow_hooks (owner, token, created_at DESC);

-- Runs of workflows that go one at a time, in the order they were asked for. The first of a workflow is the one that runs.
CREATE TABLE workflow_line (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  workflow TEXT NOT NULL,
  owner TEXT NOT NULL,
  run_id TEXT NOT NULL UNIQUE
);
CREATE INDEX workflow_line_by_workflow ON workflow_line (workflow, seq);

-- The inbox holds what workflows ask beside the calls of agents. `interrupt` is a call's, or what a workflow shows a
-- person; `object_id` is the object of a session or of a run.
CREATE TABLE inbox (
  id TEXT PRIMARY KEY,
  owner TEXT NOT NULL,
  kind TEXT NOT NULL DEFAULT 'tool',
  object_id TEXT NOT NULL,
  agent TEXT,
  session TEXT,
  workflow TEXT,
  token TEXT,
  run_id TEXT NOT NULL,
  status TEXT NOT NULL,
  interrupt TEXT NOT NULL,
  decision TEXT,
  decided_by TEXT,
  created_at TEXT NOT NULL,
  expires_at TEXT,
  decided_at TEXT
);
INSERT INTO inbox (id, owner, object_id, agent, session, run_id, status, interrupt, decision, decided_by, created_at, decided_at)
  SELECT id, owner, object_id, agent, session, run_id, status, interrupt, decision, decided_by, created_at, decided_at FROM approvals;
DROP TABLE approvals;
ALTER TABLE inbox RENAME TO approvals;
CREATE INDEX approvals_by_owner ON approvals (owner, created_at DESC, id DESC);
CREATE INDEX approvals_by_status ON approvals (owner, status, created_at DESC, id DESC);
CREATE INDEX approvals_by_object ON approvals (object_id);
