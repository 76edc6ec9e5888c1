import { count } from "./format.ts";
import type { Results } from "./results.ts";

export interface Headline {
  /** `good`: all that was graded passed and every gate holds. `mixed`: gates hold or none was set, but not all passed. */
  tone: "good" | "mixed" | "bad";
  /** A few words. */
  verdict: string;
  /** One sentence that says what the verdict rests on. */
  sentence: string;
}

/** What a reader should take away from a rehearsal, first of all. */
export function headline(results: Results): Headline {
  const { summary, gates, status } = results;
  const { trials, tasks } = summary;
  const graded = trials.passed + trials.failed;
  const broken = gates.filter((gate) => !gate.held);
  if (graded === 0) return nothingGraded(results);
  const tally = sentenceOf(results);
  if (status !== "finished") {
    const ended = graded + trials.errored;
    const verdict = status === "running" ? "Still running" : "Cancelled";
    return {
      tone: "mixed",
      verdict,
      sentence: `${ended} of ${count(trials.planned, "trial")} finished: ${tally}.`,
    };
  }
  if (broken.length > 0) {
    const those = gates.length === 1 ? "the gate" : `${broken.length} of ${gates.length} gates`;
    const gatesText = `${those} ${broken.length === 1 ? "does" : "do"} not hold`;
    return { tone: "bad", verdict: "Not ready", sentence: `${capital(gatesText)}; ${tally}.` };
  }
  const flawless = tasks.failed + tasks.flaky + tasks.errored + trials.failed + trials.errored === 0;
  const gatesText = gates.length === 0 ? "no gate was set" : "every gate holds";
  if (flawless) return { tone: "good", verdict: "Ready", sentence: `${capital(tally)}; ${gatesText}.` };
  const verdict = gates.length === 0 ? "Not every trial passed" : "Gates hold";
  return { tone: "mixed", verdict, sentence: `${capital(tally)}; ${gatesText}.` };
}

function nothingGraded({ summary, status }: Results): Headline {
  const { planned, errored } = summary.trials;
  if (errored > 0) {
    const sentence = `None of ${count(planned, "trial")} could be graded: ${errored} errored through no fault of the agent.`;
    return { tone: "bad", verdict: "Not graded", sentence };
  }
  if (status === "running")
    return { tone: "mixed", verdict: "Still running", sentence: "No trial has finished yet." };
  return { tone: "mixed", verdict: "Not graded", sentence: `None of ${count(planned, "trial")} finished.` };
}

function sentenceOf({ summary, rules }: Results): string {
  const { tasks, trials, agentNeverAnswered } = summary;
  if (agentNeverAnswered) return "the agent gave no step that could be used";
  const graded = tasks.passed + tasks.failed + tasks.flaky;
  const parts = [`${tasks.passed} of ${count(graded, "task")} passed in every trial`];
  if (tasks.flaky > 0) parts.push(`${tasks.flaky} ${tasks.flaky === 1 ? "was" : "were"} flaky`);
  if (tasks.failed > 0) parts.push(`${tasks.failed} failed`);
  if (trials.errored > 0) parts.push(`${count(trials.errored, "trial")} errored`);
  const broken = rules.filter((rule) => rule.broken > 0).length;
  if (broken > 0) parts.push(`${count(broken, "rule")} ${broken === 1 ? "was" : "were"} broken`);
  return parts.join(", ");
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
