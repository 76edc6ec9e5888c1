import {
  maxPins,
  maxSaidOfAll,
  maxSaidTurns,
  pinKeepMs,
  pinTouchMs,
  pinTtlMs,
  type SaidTurn,
} from "../src/table/backend/pin-store.ts";

const schema = `
CREATE TABLE IF NOT EXISTS pins (
  session TEXT NOT NULL, tbl TEXT NOT NULL, acked_at INTEGER NOT NULL, used_at INTEGER NOT NULL, doc TEXT NOT NULL,
  UNIQUE (session, tbl)
);
CREATE INDEX IF NOT EXISTS pins_used ON pins (used_at);
CREATE TABLE IF NOT EXISTS losses (turn TEXT PRIMARY KEY, at INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS said (
  place INTEGER PRIMARY KEY AUTOINCREMENT, session TEXT NOT NULL, tbl TEXT NOT NULL, turn TEXT NOT NULL,
  at INTEGER NOT NULL, message TEXT NOT NULL, reply TEXT NOT NULL, UNIQUE (session, tbl, turn)
);
`;

/** The pins of one owner in an object's SQLite. Times are milliseconds since the epoch. */
export class TablePins {
  private readonly sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.sql = sql;
    sql.exec(schema);
  }

  /** See `PinStore.keep`. A document already held is not written again. */
  keep(session: string, table: string, doc: string, now: number): { known: boolean; said: SaidTurn[] } {
    const before = this.row(session, table, now);
    if (before?.doc === doc) {
      const known = now < before.ackedAt + pinTtlMs;
      const ackedAt = known ? before.ackedAt : now;
      this.sql.exec(
        "UPDATE pins SET acked_at = ?, used_at = ? WHERE session = ? AND tbl = ?",
        ackedAt,
        now,
        session,
        table,
      );
      return { known, said: this.said(session, table, now) };
    }
    this.sql.exec(
      "INSERT OR REPLACE INTO pins (session, tbl, acked_at, used_at, doc) VALUES (?, ?, ?, ?, ?)",
      session,
      table,
      now,
      now,
      doc,
    );
    this.sql.exec(
      "DELETE FROM pins WHERE rowid IN (SELECT rowid FROM pins ORDER BY used_at DESC, rowid DESC LIMIT -1 OFFSET ?)",
      maxPins,
    );
    return { known: false, said: this.said(session, table, now) };
  }

  /** See `PinStore.find`. */
  find(session: string, table: string, now: number): { doc: string; said: SaidTurn[] } | null {
    const row = this.row(session, table, now);
    if (row === null) return null;
    if (now >= row.usedAt + pinTouchMs) {
      this.sql.exec("UPDATE pins SET used_at = ? WHERE session = ? AND tbl = ?", now, session, table);
    }
    return { doc: row.doc, said: this.said(session, table, now) };
  }

  /** See `PinStore.say`. A turn keeps its place among the others. */
  say(session: string, table: string, { turnId, message, reply }: SaidTurn, now: number): void {
    this.sql.exec(
      `INSERT INTO said (session, tbl, turn, at, message, reply) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (session, tbl, turn) DO UPDATE SET at = excluded.at, message = excluded.message, reply = excluded.reply`,
      ...[session, table, turnId, now, message, reply],
    );
    this.sql.exec(
      `DELETE FROM said WHERE place IN
       (SELECT place FROM said WHERE session = ? AND tbl = ? ORDER BY place DESC LIMIT -1 OFFSET ?)`,
      ...[session, table, maxSaidTurns],
    );
    this.sql.exec(
      "DELETE FROM said WHERE place IN (SELECT place FROM said ORDER BY place DESC LIMIT -1 OFFSET ?)",
      maxSaidOfAll,
    );
  }

  private said(session: string, table: string, now: number): SaidTurn[] {
    return this.sql
      .exec(
        "SELECT turn, message, reply FROM said WHERE session = ? AND tbl = ? AND at > ? ORDER BY place",
        ...[session, table, now - pinKeepMs],
      )
      .toArray()
      .map(({ turn, message, reply }) => ({
        turnId: String(turn),
        message: String(message),
        reply: String(reply),
      }));
  }

  /** See `PinStore.noteLoss`. */
  noteLoss(turn: string, now: number): void {
    this.sql.exec("INSERT OR REPLACE INTO losses (turn, at) VALUES (?, ?)", turn, now);
    this.sql.exec(
      "DELETE FROM losses WHERE turn IN (SELECT turn FROM losses ORDER BY at DESC LIMIT -1 OFFSET ?)",
      maxPins,
    );
  }

  /** See `PinStore.wasLost`. */
  wasLost(turn: string, now: number): boolean {
    return (
      this.sql.exec("SELECT 1 FROM losses WHERE turn = ? AND at > ?", turn, now - pinKeepMs).toArray()
        .length > 0
    );
  }

  /** Deletes what is over. */
  expire(now: number): void {
    this.sql.exec("DELETE FROM pins WHERE used_at <= ?", now - pinKeepMs);
    this.sql.exec("DELETE FROM losses WHERE at <= ?", now - pinKeepMs);
    this.sql.exec("DELETE FROM said WHERE at <= ?", now - pinKeepMs);
  }

  /** When the first of what is held will be over; `null` when nothing is held. */
  nextExpiry(): number | null {
    const { oldest } = this.sql
      .exec(
        "SELECT min(at) AS oldest FROM (SELECT used_at AS at FROM pins UNION ALL SELECT at FROM losses UNION ALL SELECT at FROM said)",
      )
      .one();
    return oldest === null ? null : Number(oldest) + pinKeepMs;
  }

  private row(
    session: string,
    table: string,
    now: number,
  ): { doc: string; ackedAt: number; usedAt: number } | null {
    const [row] = this.sql
      .exec(
        "SELECT doc, acked_at, used_at FROM pins WHERE session = ? AND tbl = ? AND used_at > ?",
        session,
        table,
        now - pinKeepMs,
      )
      .toArray();
    if (row === undefined) return null;
    return { doc: String(row.doc), ackedAt: Number(row.acked_at), usedAt: Number(row.used_at) };
  }
}
