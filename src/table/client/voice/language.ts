import { pagePart } from "./page-part.ts";

/** Where a chosen language is remembered. */
export interface LanguageMemory {
  /** The language chosen last, or the machine's own. */
  read(): string;
  write(tag: string): void;
}

const storageKey = "adapttable.voice.language";

interface Storage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
}

interface Page {
  /** Read only when it is used: where it is not allowed, reading it throws. */
  readonly localStorage: Storage | undefined;
  readonly navigator: { language?: string } | undefined;
}

/** The page's local storage, and the browser's language until one was chosen. */
export function browserLanguage(page: Page = thisPage()): LanguageMemory {
  return {
    read: () => stored(page) ?? page.navigator?.language ?? "en-US",
    write(tag) {
      try {
        page.localStorage?.setItem(storageKey, tag);
      } catch {
        // A page that may not store anything (private windows, sandboxed frames) forgets it when it is closed.
      }
    },
  };
}

/** What this machine has of it: outside a browser nothing. */
function thisPage(): Page {
  return {
    get localStorage(): Storage | undefined {
      return pagePart("localStorage");
    },
    navigator: pagePart("navigator"),
  };
}

function stored(page: Page): string | undefined {
  try {
    return page.localStorage?.getItem(storageKey) || undefined;
  } catch {
    // Storage is there and not allowed: the same as nothing stored.
    return undefined;
  }
}
