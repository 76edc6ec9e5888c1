/** What the researcher can look up: a notebook, so that the same question always has the same answer. */
const notes: readonly (readonly [RegExp, readonly string[]])[] = [
  [
    /\btea\b/i,
    [
      "Green, black and oolong tea come from the same plant.",
      "Green tea is best with water of about 80 °C.",
      "Black tea keeps for about two years in a closed tin.",
    ],
  ],
  [
    /\b(trains?|railways?)\b/i,
    [
      "A train needs about a tenth of the energy of a truck for the same load.",
      "Night trains run again between many European capitals.",
      "The first public railway with steam engines opened in 1825.",
    ],
  ],
  [
    /\b(otters?)\b/i,
    [
      "Sea otters hold hands while they sleep.",
      "An otter eats about a quarter of its weight a day.",
      "Otters use stones to open shells.",
    ],
  ],
  [
    /\b(launch|release|product)\b/i,
    [
      "Customers ask first what changes for them.",
      "A launch on a Tuesday is read by more people than one on a Friday.",
      "One picture says more than the feature list.",
    ],
  ],
];

/** The notes about a subject; empty when there are none. */
export function lookUp(subject: string): readonly string[] {
  return notes.find(([pattern]) => pattern.test(subject))?.[1] ?? [];
}
