/** One thing wrong with a domain folder, placed so that a person can mend it without searching. */
export interface DomainProblem {
  /** Path inside the domain folder. */
  file: string;
  /** 1-based. */
  line: number;
  /** 1-based. */
  column: number;
  /** One sentence: what is wrong and what was expected, such as `unknown key "tpye"; expected one of type, enum`. */
  message: string;
  /** Nearest right word, when there is one close enough. */
  suggestion?: string;
}
