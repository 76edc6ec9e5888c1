/*
 * The plain loop: a Worker with nothing but `fetch`. Each of `concurrency` lanes sends the bodies of a trial one after
 * the other, reading each answer, and takes the next trial when one has ended.
 */
export default {
  async fetch(request) {
    const { url, bodies, trials, concurrency } = await request.json();
    const headers = { "content-type": "application/json" };
    let next = 0;
    let steps = 0;
    const lane = async () => {
      while (next < trials) {
        next += 1;
        for (const body of bodies) {
          const response = await fetch(url, { method: "POST", headers, body });
          const text = await response.text();
          if (!response.ok) throw new Error(`the agent answered ${response.status}: ${text}`);
          steps += 1;
        }
      }
    };
    await Promise.all(Array.from({ length: concurrency }, lane));
    return Response.json({ steps });
  },
};
