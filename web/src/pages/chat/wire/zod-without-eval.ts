import * as z from "zod";

// The protocol's client checks events with zod, which tries to compile its checks; the page's policy forbids that, and
// each try would be reported as a violation.
z.config({ jitless: true });
