const list =
  "Alabama AL,Alaska AK,Arizona AZ,Arkansas AR,California CA,Colorado CO,Connecticut CT,Delaware DE,Florida FL," +
  "Georgia GA,Hawaii HI,Idaho ID,Illinois IL,Indiana IN,Iowa IA,Kansas KS,Kentucky KY,Louisiana LA,Maine ME," +
  "Maryland MD,Massachusetts MA,Michigan MI,Minnesota MN,Mississippi MS,Missouri MO,Montana MT,Nebraska NE," +
  "Nevada NV,New Hampshire NH,New Jersey NJ,New Mexico NM,New York NY,North Carolina NC,North Dakota ND,Ohio OH," +
  "Oklahoma OK,Oregon OR,Pennsylvania PA,Rhode Island RI,South Carolina SC,South Dakota SD,Tennessee TN,Texas TX," +
  "Utah UT,Vermont VT,Virginia VA,Washington WA,West Virginia WV,Wisconsin WI,Wyoming WY";

const codes: ReadonlyMap<string, string> = new Map(
  list.split(",").map((entry) => [entry.slice(0, -3).toLowerCase(), entry.slice(-2)]),
);

/** Two-letter code of a US state given by name or by code, in any case; `undefined` for anything else. */
export function stateCode(place: string): string | undefined {
  const code = place.toUpperCase();
  return codes.get(place.toLowerCase()) ?? ([...codes.values()].includes(code) ? code : undefined);
}
