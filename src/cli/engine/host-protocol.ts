/** What the command tells the process that hosts the runtime. */
export type HostOrder =
  | { type: "start"; root: string; stateDir: string; port: number; vars: Record<string, string> }
  | { type: "close" };

/** What that process tells back. */
export type HostNews =
  /** The bundle was not stored and is being built, which takes seconds. */
  | { type: "building" }
  /** `token` is the one credential the Worker accepts. */
  | { type: "ready"; url: string; token: string }
  | { type: "failed"; message: string; stateInUse: boolean }
  /** The runtime died and stands again; objects go on from what they stored. */
  | { type: "restarted"; url: string }
  | { type: "log"; level: string; message: string };
