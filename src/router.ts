import { get, type RouteEntry } from "./http/route.ts";
import { serve } from "./http/serve.ts";
import { contract } from "./routes/contract.ts";
import { health } from "./routes/health.ts";
import { live } from "./routes/live.ts";
import { openapi } from "./routes/openapi.ts";

/** Everything the Worker answers itself. The first line that matches answers; all else is a static file. */
export const routes: RouteEntry[] = [
  get("/live", live),
  get("/health", health),
  get(
    "/api/contract",
    contract(() => routes),
  ),
  get(
    "/openapi.json",
    openapi(() => routes),
  ),
];

export const handle = serve(routes);
