/** The schema family every request and reply names. */
export const schemaVersion = "adapttable.agent.v1";

/** What one request or reply may hold. Bytes are of UTF-8. */
export const AGENT_HTTP_LIMITS = {
  maxToolCalls: 32,
  maxDescribeCalls: 16,
  maxReadCalls: 16,
  maxRequestBytes: 256_000,
  maxResponseBytes: 512_000,
  /** Guides and row windows gathered within one phase. */
  maxDiscoveryBytes: 128_000,
  /** Decoded bytes of a clip. */
  maxAudioBytes: 4_000_000,
  maxAudioMs: 120_000,
  audioTypes: ["audio/webm", "audio/ogg", "audio/mp4", "audio/mpeg", "audio/wav"],
  maxStreamEvents: 4_000,
  /** Requests of one phase, the pin-lost one aside. */
  maxRounds: 4,
  /** Phases after the first. */
  maxContinuations: 3,
  maxRepairs: 2,
  /** Guides one `describe` is answered with; the rest are deferred. */
  maxGuides: 8,
} as const;
