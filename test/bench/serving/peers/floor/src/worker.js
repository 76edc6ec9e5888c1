import { DurableObject } from "cloudflare:workers";

/*
 * The floor: what the least that keeps anything costs. Each request is one call of an object, which stores what it was
 * sent with one INSERT. The path names the object.
 */
export class Floor extends DurableObject {
  constructor(ctx, env) {
    super(ctx, env);
    ctx.storage.sql.exec("CREATE TABLE IF NOT EXISTS turns (seq INTEGER PRIMARY KEY, body TEXT NOT NULL)");
  }

  add(body) {
    return this.ctx.storage.sql.exec("INSERT INTO turns (body) VALUES (?) RETURNING seq", body).one().seq;
  }
}

export default {
  async fetch(request, env) {
    const { messages } = await request.json();
    const object = env.FLOOR.get(env.FLOOR.idFromName(new URL(request.url).pathname));
    return Response.json({ stored: await object.add(JSON.stringify(messages)) });
  },
};
