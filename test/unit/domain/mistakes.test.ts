import { describe, expect, test } from "vitest";
import { edit, problemsOf } from "./sample.ts";

const operatorList =
  "expected one of eq, ne, gt, gte, lt, lte, in, not_in, contains, not_contains, starts_with, ends_with, exists, any";

const domain = (from: string, to: string) => edit("domain.yaml", from, to);
const world = (from: string, to: string) => edit("world.yaml", from, to);
const tools = (from: string, to: string) => edit("tools.yaml", from, to);
const rules = (from: string, to: string) => edit("rules.yaml", from, to);
const callers = (from: string, to: string) => edit("callers.yaml", from, to);
const tasks = (from: string, to: string) => edit("tasks.yaml", from, to);

const rule = (form: string) => rules("requires: { call: verify_carrier, same: [mc_number] }", form);

describe("the sample", () => {
  test("has no problem", () => expect(problemsOf({})).toEqual([]));
});

describe("files", () => {
  test("missing domain.yaml", () => {
    expect(problemsOf({ "domain.yaml": "" })).toEqual(["domain.yaml:1:1 expected a mapping, not nothing"]);
  });

  test("empty policy.md", () => {
    expect(problemsOf({ "policy.md": " \n" })).toEqual([
      "policy.md:1:1 the file is empty; expected the rules the agent must keep",
    ]);
  });

  test("YAML that belongs nowhere", () => {
    expect(problemsOf({ "task.yaml": "", "tools/x/y.yaml": "", "rules/a.yml": "" })).toEqual([
      "rules/a.yml:1:1 unknown file; expected the ending .yaml -> rules/a.yaml",
      "task.yaml:1:1 unknown file; expected one of domain.yaml, world.yaml, tools.yaml, rules.yaml, callers.yaml, " +
        "tasks.yaml, or a file in world/, tools/, rules/, callers/, tasks/ -> tasks.yaml",
      "tools/x/y.yaml:1:1 unknown file; expected tools/NAME.yaml, not a folder inside tools",
    ]);
  });

  test("files that are no YAML, and hidden ones, are left alone", () => {
    expect(problemsOf({ "README.md": "x", "notes.txt": "y", ".prettierrc.yaml": ":" })).toEqual([]);
  });

  test("a thing named twice", () => {
    expect(problemsOf({ "tools/book_load.yaml": "description: Again.\nrespond: ok\n" })).toEqual([
      'tools/book_load.yaml:1:1 "book_load" is already in tools.yaml, line 5',
    ]);
  });

  test("a part that is no mapping", () => {
    expect(problemsOf({ "rules.yaml": "- a\n" })).toEqual([
      "rules.yaml:1:1 expected a mapping of name to thing, not a list",
    ]);
  });

  test("things that are no mapping", () => {
    expect(problemsOf({ "rules.yaml": "a:\nb: 5\n" })).toEqual([
      "rules.yaml:1:1 expected a mapping, not nothing",
      "rules.yaml:2:4 expected a mapping, not the number 5",
    ]);
  });

  test("names that cannot be", () => {
    expect(
      problemsOf({
        "rules.yaml": "a b:\n  check: 'true'\n",
        "tools/agent.yaml": "description: x\nrespond: 1\n",
      }),
    ).toEqual([
      'rules.yaml:1:1 "a b" is no id; use letters, digits, `.`, _ and -, at most 100',
      'tools/agent.yaml:1:1 "agent" cannot name a tool; it names a line of a reference path',
    ]);
  });
});

describe("YAML", () => {
  test("a syntax error hides the file's names, and nothing else is blamed", () => {
    expect(problemsOf({ "tools.yaml": "a: [1\nb: 2\n" })).toEqual([
      'tools.yaml:1:4 not valid YAML: the list that "[" opens here needs its "]" before line 2, column 1',
    ]);
  });

  test.each([
    [
      "a: { x: 1\nb: 2\nc: 3\n",
      '1:4 not valid YAML: the mapping that "{" opens here needs its "}" before line 2, column 1',
    ],
    [
      "a: [1,\n  2,\n",
      '1:4 not valid YAML: the list that "[" opens here needs its "]" before the end of the file',
    ],
    ["a: [b, c}\n", '1:4 not valid YAML: the list that "[" opens here needs its "]" before line 1, column 9'],
    [
      'a: b\nc: "open\nd: 2\n',
      '2:4 not valid YAML: the text that " opens here needs its closing " before the end of the file',
    ],
    [
      "a: 'open\nb: 2\n",
      "1:4 not valid YAML: the text that ' opens here needs its closing ' before the end of the file",
    ],
    ["a: b: c\n", '1:4 not valid YAML: a second ": " stands on this line; put the value in quotes'],
    ["a: 1\n\tb: 2\n", "2:1 not valid YAML: the line is indented with a tab; use spaces"],
    ["a: @x\n", "1:4 not valid YAML: a value cannot begin with @; put it in quotes"],
    ["a\nb: 1\n", '1:1 not valid YAML: a key has no ":" on its line'],
    [
      "a:\n  b: 1\n c: 2\n",
      "3:1 not valid YAML: this line is indented neither like the keys above it nor like something inside them",
    ],
  ])("a syntax error is told in plain words: %j", (text, problem) => {
    expect(problemsOf({ "tools.yaml": text })).toEqual([`tools.yaml:${problem}`]);
  });

  test.each([
    ["a duplicate key", world("L-1002:", "L-1001:"), 'world.yaml:6:5 duplicate key "L-1001"'],
    ["__proto__", world("L-1002:", "__proto__:"), 'world.yaml:6:5 the key "__proto__" is not allowed'],
    [
      "a number that loses digits",
      world("ceiling: 900", "ceiling: 90071992547409931"),
      "world.yaml:6:76 90071992547409931 is not a number JSON can carry; put it in quotes",
    ],
    [
      "no number",
      world("ceiling: 900", "ceiling: .nan"),
      "world.yaml:6:76 .nan is not a number JSON can carry; put it in quotes",
    ],
    [
      "a tag",
      world("ceiling: 900", "ceiling: !!binary abc"),
      "world.yaml:6:76 the tag !!binary means nothing here; expected a plain value",
    ],
    [
      "an unknown alias",
      world("ceiling: 900", "ceiling: *c"),
      "world.yaml:6:76 nothing above is anchored as &c",
    ],
    [
      "an alias inside its anchor",
      world("origin: { city: Tulsa, state: OK }", "origin: &o { city: Tulsa, in: *o }"),
      "world.yaml:6:45 *o stands inside its own anchor",
    ],
    [
      "a second document",
      callers("patient:", "a: { opens: Hi }\n---\npatient:"),
      "callers.yaml:2:1 a second document begins here; expected one document a file",
    ],
    [
      "an older YAML",
      callers("patient:", "%YAML 1.1\n---\npatient:"),
      "callers.yaml:1:1 expected YAML 1.2; remove the %YAML line",
    ],
    [
      "a key that is a list",
      callers("opens: Hello", "opens: Hello\n  ? [a]\n  : b"),
      "callers.yaml:3:5 not valid YAML: With stringKeys, all keys must be strings",
    ],
  ])("%s", (_name, files, problem) => {
    expect(problemsOf(files).filter((one) => !one.startsWith("tasks.yaml"))).toEqual([problem]);
  });

  test("constructor is a name like any other", () => {
    expect(problemsOf(world("L-1002: {", "constructor: {"))).toEqual([]);
  });

  test("aliases stand for their anchors, and mistakes inside point at the anchor", () => {
    const files = world("origin: { city: Dallas, state: TX }", "origin: &o { city: Dallas, state: TX }");
    const text = files["world.yaml"]?.replace("{ city: Tulsa, state: OK }", "*o") ?? "";
    expect(problemsOf({ "world.yaml": text })).toEqual([]);
    const wrong = {
      "tools.yaml": "a:\n  description: &d 5\n  respond: 1\nb:\n  description: *d\n  respond: 1\n",
    };
    expect(problemsOf({ ...wrong, "rules.yaml": "", "tasks.yaml": "" })).toEqual([
      "tools.yaml:2:19 expected a string, not the number 5; put it in quotes",
    ]);
  });
});

describe("domain.yaml", () => {
  test("missing keys", () => {
    expect(problemsOf({ "domain.yaml": "name: freight\n" })).toEqual([
      'domain.yaml:1:1 missing "clock"; expected a string',
      'domain.yaml:1:1 missing "description"; expected a string',
    ]);
  });

  test.each(["tomorrow", "2026-13-45T21:05:00Z", "2026-10-18"])("clock %s", (clock) => {
    expect(problemsOf(domain("2026-10-18T21:05:00Z", clock))).toEqual([
      `domain.yaml:4:8 "${clock}" is no instant; expected a date and time such as 2026-10-18T21:05:00Z`,
    ]);
  });
});

describe("world", () => {
  test.each([
    ["no key field", world("  key: load_id\n", ""), 'world.yaml:1:1 missing "key"; expected a string'],
    [
      "a key that is a number",
      world('mc_number: "100101"', "mc_number: 100101"),
      "world.yaml:11:20 mc_number is the key; expected a string, not the number 100101; put it in quotes",
    ],
    [
      "a row without its key",
      world('mc_number: "100101", ', ""),
      "world.yaml:11:7 the row has no mc_number, the key of its table",
    ],
    [
      "a row under another key",
      world("L-1002: {", "L-1002: { load_id: L-3,"),
      'world.yaml:6:24 the row stands under "L-1002", so its load_id cannot be "L-3"',
    ],
    [
      "a field that is not listed",
      world("insurance: active", "insurnce: active"),
      'world.yaml:11:43 unknown field "insurnce" of carriers; expected one of mc_number, name, insurance -> insurance',
    ],
    [
      "the same key twice in a list",
      world("insurance: active }", 'insurance: active }\n    - { mc_number: "100101" }'),
      'world.yaml:12:7 a second row of carriers with mc_number "100101"',
    ],
    ["a pattern without {n}", world("B-{n}", "B-n"), 'world.yaml:14:12 "B-n" must hold {n} once'],
    [
      "rows_from without its file",
      { ...world("new_key: B-{n}", "rows_from: booking.jsonl"), "world/bookings.jsonl": "" },
      "world.yaml:14:14 there is no file world/booking.jsonl; expected bookings.jsonl -> bookings.jsonl",
    ],
    [
      "rows that are a text",
      world("new_key: B-{n}", "rows: none"),
      'world.yaml:14:9 expected rows by key, or a list of rows, not "none"',
    ],
  ])("%s", (_name, files, problem) => {
    expect(problemsOf(files)).toEqual([problem]);
  });

  test("lines of a rows file", () => {
    const files = world("new_key: B-{n}", "fields: [booking_id, rate]\n  rows_from: b.jsonl");
    const lines = [
      '{"booking_id":"1"}',
      '{"booking_id":"1"}',
      "",
      '{"booking_id":',
      "[1]",
      '{"booking_id":5}',
    ];
    lines.push(
      '{"booking_id":"2","rat":1}',
      '{"booking_id":"3","__proto__":{}}',
      '{"booking_id":"4","rate":90071992547409931}',
      '{"booking_id":"5"',
    );
    expect(
      problemsOf({
        ...files,
        "tools.yaml": "",
        "rules.yaml": "",
        "tasks.yaml": "",
        "world/b.jsonl": lines.join("\n"),
      }),
    ).toEqual([
      'world/b.jsonl:2:1 a second row of bookings with booking_id "1"',
      "world/b.jsonl:4:1 not valid JSON: Unexpected end of JSON input",
      "world/b.jsonl:5:1 expected one row as a JSON object, not a list",
      "world/b.jsonl:6:1 booking_id is the key; expected a string, not the number 5",
      'world/b.jsonl:7:1 unknown field "rat" of bookings; expected one of booking_id, rate -> rate',
      'world/b.jsonl:8:1 the key "__proto__" is not allowed',
      "world/b.jsonl:9:1 a number has too many digits; put it in quotes",
      "world/b.jsonl:10:18 not valid JSON: Expected ',' or '}' after property value",
    ]);
  });

  test("only the first mistakes of a rows file are shown, and how many more there are", () => {
    const files = { ...world("new_key: B-{n}", "rows_from: b.jsonl"), "world/b.jsonl": "1\n".repeat(25) };
    const found = problemsOf(files);
    expect(found.length).toBe(11);
    expect(found[0]).toBe("world/b.jsonl:1:1 15 more lines are wrong");
  });
});

describe("tools", () => {
  test.each([
    [
      "an unknown key",
      tools("description: Book a load.", "descripton: Book a load."),
      [
        'tools.yaml:5:1 missing "description"; expected a string',
        'tools.yaml:6:3 unknown key "descripton"; expected one of description, params, guard, lookup, search, create, update, delete, respond -> description',
      ],
    ],
    [
      "a type as other formats write it",
      tools("mc_number: string }", "mc_number: str }"),
      ['tools.yaml:3:24 expected one of string, number, integer, boolean, object, list, not "str" -> string'],
    ],
    [
      "a limit as other formats write it",
      tools("minimum: 0", "min: 0"),
      [
        'tools.yaml:10:27 unknown key "min"; expected one of type, description, optional, enum, minimum, maximum, minLength, maxLength, minItems, maxItems, items, properties -> minimum',
      ],
    ],
    [
      "required: false",
      tools("minimum: 0", "required: false"),
      ['tools.yaml:10:27 unknown key "required"; write optional: true'],
    ],
    [
      "required: true",
      tools("minimum: 0", "required: true"),
      [
        'tools.yaml:10:27 unknown key "required"; leave it out: an argument is required unless it says optional: true',
      ],
    ],
    [
      "an unknown type",
      tools("mc_number: string }", "mc_number: strng }"),
      [
        'tools.yaml:3:24 expected one of string, number, integer, boolean, object, list, not "strng" -> string',
      ],
    ],
    [
      "neither type nor enum",
      tools("{ mc_number: string }", "{ mc_number: { optional: true } }"),
      ["tools.yaml:3:13 the argument has neither type nor enum; expected one of them"],
    ],
    [
      "a name CEL cannot read",
      tools("equipment: {", "truck-type: {"),
      ['tools.yaml:11:5 "truck-type" is no name for an argument; use letters, digits and _, at most 64'],
    ],
    [
      "minimum above maximum",
      tools("minimum: 0", "minimum: 5, maximum: 3"),
      ["tools.yaml:10:36 minimum 5 is greater than maximum 3"],
    ],
    [
      "an enum of mixed types",
      tools("[van, reefer]", "[van, 5, van]"),
      [
        "tools.yaml:11:30 the values of an enum have one type; expected a string, not 5; put it in quotes",
        'tools.yaml:11:33 "van" is in the list twice',
      ],
    ],
    [
      "a limit of another type",
      tools("minimum: 0", "min_length: 3, maxItems: 1"),
      [
        'tools.yaml:10:27 unknown key "min_length"; expected one of type, description, optional, enum, minimum, maximum, minLength, maxLength, minItems, maxItems, items, properties -> minLength',
        "tools.yaml:10:42 maxItems does not limit a number; it goes with list",
      ],
    ],
    [
      "an unknown table",
      tools("table: carriers", "table: carrier"),
      ['tools.yaml:4:20 unknown table "carrier"; expected one of loads, carriers, bookings -> carriers'],
    ],
    [
      "an unknown argument",
      tools("key: $mc_number }", "key: $mc_numbr }"),
      ['tools.yaml:4:35 unknown argument "mc_numbr" of verify_carrier; expected mc_number -> mc_number'],
    ],
    [
      "a part of an argument that has none",
      tools("key: $mc_number }", "key: $mc_number.digits }"),
      ['tools.yaml:4:35 argument "mc_number" of verify_carrier is a string; it has no "digits"'],
    ],
    [
      "a dollar that is no argument",
      tools("key: $mc_number }", "key: $5 }"),
      ['tools.yaml:4:35 "$5" is no argument; a text that begins with a dollar is written $$'],
    ],
    [
      "a key that is a number",
      tools("key: $mc_number }", "key: 100101 }"),
      ["tools.yaml:4:35 the key of a row is a string, not the number 100101; put it in quotes"],
    ],
    [
      "an unknown argument in an error text",
      tools("{load_id} is", "{lode_id} is"),
      [
        'tools.yaml:14:18 unknown argument "lode_id" of book_load; expected one of load_id, mc_number, rate, equipment -> load_id',
      ],
    ],
    [
      "unknown fields in a condition",
      tools(
        "where: { status: available }",
        "where: { statu: a, origin.zip: 1, status.x: 2, tags: { any: { x: 1 } } }",
      ),
      [
        'tools.yaml:13:53 unknown field "statu" of loads; expected one of load_id, origin, status, ceiling, tags -> status',
        'tools.yaml:13:63 unknown field "zip" of origin of loads; expected one of city, state',
        'tools.yaml:13:78 field "status" of loads is a string; it has no "x"',
        'tools.yaml:13:106 unknown field "x" of tags; there is none',
      ],
    ],
    [
      "an unknown operator",
      tools("where: { status: available }", "where: { ceiling: { gtt: 5 } }"),
      [`tools.yaml:13:64 unknown operator "gtt"; ${operatorList} -> gt`],
    ],
    [
      "values a field cannot have",
      tools(
        "where: { status: available }",
        "where: { status: [a, b], ceiling: { gt: true }, origin.city: 5, tags: {}, load_id: { in: [7] } }",
      ),
      [
        "tools.yaml:13:61 a list needs an operator; write in: [...] for any of these values, eq: [...] for exactly this list",
        "tools.yaml:13:84 gt compares with a number or a string, not true",
        'tools.yaml:13:105 field "origin.city" is a string, not the number 5; put it in quotes',
        `tools.yaml:13:114 no operator; ${operatorList}`,
        'tools.yaml:13:134 field "load_id" is a string, not the number 7; put it in quotes',
      ],
    ],
    [
      "any on a field that is no list",
      tools("where: { status: available }", "where: { status: { any: { x: 1 } }, origin..city: x }"),
      [
        'tools.yaml:13:63 any looks into a list, and field "status" is none',
        'tools.yaml:13:80 "origin..city" is no path; expected names with single dots between them',
      ],
    ],
    [
      "a guard with two conditions",
      tools("    unless: {", '    if: "args.rat > 5"\n    unless: {'),
      [
        "tools.yaml:13:5 a guard has both if and unless; expected one",
        'tools.yaml:13:15 CEL: unknown argument "rat" -> rate',
      ],
    ],
    [
      "CEL across folded lines",
      tools(
        "    unless: { table: loads, key: $load_id, where: { status: available } }\n",
        "    if: >\n      args.rate > 5 &&\n      args.load_ids == 'x'\n",
      ),
      ['tools.yaml:15:12 CEL: unknown argument "load_ids" -> load_id'],
    ],
    [
      "CEL that does not fit together",
      tools("rate: $rate }", "rate: { cel: args.rate + 'x' } }"),
      ["tools.yaml:15:69 CEL: cannot compute number + text"],
    ],
    [
      "CEL beside other keys",
      tools("rate: $rate }", "rate: { cel: args.rate, max: 5 } }"),
      ['tools.yaml:15:80 unknown key "max"; cel stands alone in its mapping'],
    ],
    [
      "two things to do",
      tools("lookup: {", "respond: ok\n  lookup: {"),
      ["tools.yaml:4:3 lookup stands alone; respond cannot stand beside it"],
    ],
    [
      "nothing to do",
      tools("  lookup: { table: carriers, key: $mc_number }\n", ""),
      ["tools.yaml:1:1 the tool does nothing; expected lookup, search, create, update, delete or respond"],
    ],
    [
      "key and where",
      tools("key: $mc_number }", "key: $mc_number, where: { name: x } }"),
      ["tools.yaml:4:3 key and where exclude each other; expected one"],
    ],
    [
      "neither key nor where",
      tools(", key: $mc_number }", " }"),
      ['tools.yaml:4:3 missing "key" or "where"'],
    ],
    [
      "the key among the fields",
      tools("set: { load_id", "set: { booking_id: x, load_id"),
      ["tools.yaml:15:37 booking_id is the key of bookings and cannot be set; a create takes it as key"],
    ],
    [
      "a field the table does not list",
      tools("table: bookings, set: { load_id: $load_id", "table: carriers, set: { nam: $load_id"),
      [
        'tools.yaml:15:37 unknown field "nam" of carriers; expected one of mc_number, name, insurance -> name',
        'tools.yaml:15:52 unknown field "rate" of carriers; expected one of mc_number, name, insurance',
      ],
    ],
    [
      "an update of nothing",
      tools(", set: { status: booked }", ""),
      ['tools.yaml:16:3 the update changes nothing; expected "set", "append" or "remove"'],
    ],
  ])("%s", (_name, files, problems) => {
    expect(problemsOf(files)).toEqual(problems);
  });
});

describe("rules", () => {
  test.each([
    [
      "no form",
      rules("  requires: { call: verify_carrier, same: [mc_number] }\n", ""),
      [
        "rules.yaml:1:1 the rule demands nothing; expected one of requires, bound, check, limit, confirmed, never_disclose",
      ],
    ],
    [
      "two forms",
      rules("requires:", "limit: { times: -1 }\n  requires:"),
      [
        "rules.yaml:4:3 a rule has one form; limit stands beside requires",
        "rules.yaml:4:19 expected at least 0",
      ],
    ],
    [
      "an unknown tool",
      rules("on: book_load", "on: [book_laod]"),
      ['rules.yaml:2:8 unknown tool "book_laod"; expected one of verify_carrier, book_load -> book_load'],
    ],
    [
      "an unknown severity",
      rules("on: book_load", "on: book_load\n  severity: sotf"),
      ['rules.yaml:3:13 expected one of hard, soft, not "sotf" -> soft'],
    ],
    [
      "an argument one of its tools lacks",
      rules("on: book_load", "on: [book_load, verify_carrier]\n  when: { rate: { gt: 5 } }"),
      ['rules.yaml:3:11 unknown argument "rate" of verify_carrier; expected mc_number'],
    ],
    [
      "arguments that are not joined rightly",
      rules("same: [mc_number]", "same: { mc_number: mc_numbr, rat: mc_number }"),
      [
        'rules.yaml:4:56 unknown argument "mc_numbr" of verify_carrier; expected mc_number -> mc_number',
        'rules.yaml:4:66 unknown argument "rat" of book_load; expected one of load_id, mc_number, rate, equipment -> rate',
      ],
    ],
    [
      "a field the earlier result has not",
      rules("same: [mc_number]", "result: { insurrance: active }"),
      [
        'rules.yaml:4:47 unknown field "insurrance" of the result of verify_carrier; expected one of mc_number, name, insurance -> insurance',
      ],
    ],
    [
      "a quote that is not in the document",
      rules("verify the carrier before you book", "verify the carriers before you book"),
      ["rules.yaml:3:20 the quote does not stand in policy.md -> Verify the carrier before you book."],
    ],
    [
      "a document that is nearly one of the folder",
      rules("policy.md", "polcy.md"),
      ["rules.yaml:3:66 there is no file polcy.md -> policy.md"],
    ],
    [
      "a bound on what has no order, by a field that is not there",
      rule("bound: { arg: equipment.x, lte: { table: loads, key: $load_id, field: ceilling } }"),
      [
        'rules.yaml:4:17 argument "equipment" of book_load is a string; it has no "x"',
        'rules.yaml:4:73 unknown field "ceilling" of loads; expected one of load_id, origin, status, ceiling, tags -> ceiling',
      ],
    ],
    [
      "limits of another type",
      rule('bound: { arg: rate, gt: "5", lte: { table: loads, key: $load_id, field: status } }'),
      [
        'rules.yaml:4:27 argument "rate" is a number, not "5"',
        'rules.yaml:4:75 field "status" is a string; rate is a number',
      ],
    ],
    [
      "an order of what has none",
      { ...rule("bound: { arg: team, gt: 5 }"), ...tools("minimum: 0 }", "minimum: 0 }\n    team: boolean") },
      [
        "rules.yaml:4:17 team has no order; gt needs a number or a string",
        'rules.yaml:4:27 argument "team" is a boolean, not the number 5',
      ],
    ],
    [
      "a bound without its limit",
      rule("bound: { arg: rate, lt: { table: loads } }"),
      [
        'rules.yaml:4:23 missing "field"; expected a string',
        'rules.yaml:4:23 missing "key"; expected a value',
      ],
    ],
    [
      "a bound without limits",
      rule("bound: { arg: rate }"),
      ["rules.yaml:4:3 the bound has no limit; expected one of eq, ne, gt, gte, lt, lte"],
    ],
    [
      "CEL of the wrong type",
      rule("check: args.rate + 1"),
      ["rules.yaml:4:10 CEL: the result must be true or false, not number"],
    ],
    ["confirmed: false", rule("confirmed: false"), ["rules.yaml:4:14 expected true, not false"]],
    [
      "a stated argument that is not there",
      rule("confirmed: { states: [rates], word: [yes] }"),
      [
        'rules.yaml:4:25 unknown argument "rates" of book_load; expected one of load_id, mc_number, rate, equipment -> rate',
        'rules.yaml:4:33 unknown key "word"; expected one of states, words -> words',
      ],
    ],
    [
      "per an argument that is not there",
      rule("limit: { times: 1.5, per: [lode_id] }"),
      [
        "rules.yaml:4:19 expected a whole number, not the number 1.5",
        'rules.yaml:4:30 unknown argument "lode_id" of book_load; expected one of load_id, mc_number, rate, equipment -> load_id',
      ],
    ],
    [
      "a secret of a call",
      rule("never_disclose: { table: loads, field: ceilin, where: { status: $x } }"),
      [
        "rules.yaml:2:3 on is about calls; never_disclose is about what the agent says",
        'rules.yaml:4:42 unknown field "ceilin" of loads; expected one of load_id, origin, status, ceiling, tags -> ceiling',
        "rules.yaml:4:67 $x stands for an argument of a call, and what the agent says is no call",
      ],
    ],
  ])("%s", (_name, files, problems) => {
    expect(problemsOf(files)).toEqual(problems);
  });

  test("a document outside the folder is taken as given", () => {
    expect(problemsOf(rules("policy.md", "Carrier handbook 2026.pdf"))).toEqual([]);
  });

  test("CEL is checked for each tool when they give an argument different types", () => {
    const other = { "tools/adjust.yaml": "description: x\nparams: { rate: string }\nrespond: ok\n" };
    const text = "a:\n  on: [book_load, adjust]\n  check: args.rate > 5\n";
    expect(problemsOf({ ...other, "rules.yaml": text })).toEqual([
      "rules.yaml:3:10 CEL: cannot compute text > number",
    ]);
  });
});

describe("callers", () => {
  const replies = (text: string) => callers("  fallback: Pardon?\n", `  replies:\n${text}`);

  test.each([
    [
      "patience below 0",
      callers("fallback: Pardon?", "patience: -1"),
      ["callers.yaml:3:13 expected at least 0"],
    ],
    [
      "no opening",
      callers("opens: Hello\n  ", ""),
      ['callers.yaml:1:1 missing "opens"; expected a line or a list of lines'],
    ],
    [
      "an unknown key of a model-played caller",
      callers("fallback: Pardon?", "goal: Book\n  know: { a: b }"),
      [
        'callers.yaml:4:3 unknown key "know"; expected one of goal, knows, does_not_know, manner, opens, model, price -> knows',
      ],
    ],
    [
      "a model without provider and a price below 0",
      callers("fallback: Pardon?", "goal: Book\n  model: gpt\n  price: { input: -1, output: 2 }"),
      [
        'callers.yaml:4:10 "gpt" is no model; expected provider/model',
        "callers.yaml:5:19 expected at least 0",
      ],
    ],
    [
      "mistakes in a reply",
      replies(
        "    - when: { cel: \"repply == 'x'\", offered: { lt: 5, x: 1 } }\n      say: '{ofer} is'\n      then: agree\n",
      ),
      [
        'callers.yaml:4:21 CEL: unknown variable "repply" -> reply',
        `callers.yaml:4:55 unknown operator "x"; ${operatorList}`,
        'callers.yaml:5:14 unknown placeholder "ofer" of a line; expected offer -> offer',
        'callers.yaml:6:13 expected one of continue, accept, refuse, insist, confirm, hang_up, not "agree"',
      ],
    ],
    [
      "a line without words",
      replies("    - then: insist\n    - then: hang_up\n"),
      ['callers.yaml:4:7 missing "say"; only a line with then: hang_up says nothing'],
    ],
    [
      "an empty test",
      replies("    - when: {}\n      say: hi\n"),
      ["callers.yaml:4:13 the test is empty; leave when out for a line that always fits"],
    ],
    [
      "a call in a test",
      replies(
        "    - when: { called: [book_lod, { tool: book_load, arg: 1, args: { rte: 5 } }] }\n      say: hi\n",
      ),
      [
        'callers.yaml:4:24 unknown tool "book_lod"; expected one of verify_carrier, book_load -> book_load',
        'callers.yaml:4:53 unknown key "arg"; expected one of tool, args, ok -> args',
        'callers.yaml:4:69 unknown argument "rte" of book_load; expected one of load_id, mc_number, rate, equipment -> rate',
      ],
    ],
    [
      "an empty list and an offer of the wrong kind",
      replies("    - when: { said: [], offered: some }\n      say: hi\n"),
      [
        "callers.yaml:4:21 the list must not be empty",
        'callers.yaml:4:34 expected true, an amount, or operators such as { lt: 1600 }, not "some"',
      ],
    ],
  ])("%s", (_name, files, problems) => {
    expect(problemsOf(files)).toEqual(problems);
  });
});

describe("tasks", () => {
  test.each([
    [
      "an unknown caller",
      tasks("caller: patient", "caller: patent"),
      ['tasks.yaml:2:11 unknown caller "patent"; expected patient -> patient'],
    ],
    [
      "no caller",
      tasks("  caller: patient\n", ""),
      ['tasks.yaml:1:1 missing "caller"; expected the name of a caller, or a caller'],
    ],
    [
      "numbers out of range and tags that are numbers",
      tasks("  caller:", "  max_turns: 0\n  tags: [2026]\n  caller:"),
      [
        "tasks.yaml:2:14 expected at least 1",
        "tasks.yaml:3:10 expected a string, not the number 2026; put it in quotes",
      ],
    ],
    [
      "mistakes in what is given",
      tasks(
        "  caller:",
        "  given: { loads: { L-77: null, L-1: { load_id: x } }, load: { x: { a: 1 } }, carriers: { '5': { nam: x } } }\n  caller:",
      ),
      [
        'tasks.yaml:2:21 unknown row "L-77" of loads; expected one of L-1001, L-1002',
        'tasks.yaml:2:49 the row stands under "L-1", so its load_id cannot be "x"',
        'tasks.yaml:2:56 unknown table "load"; expected one of loads, carriers, bookings -> loads',
        'tasks.yaml:2:98 unknown field "nam" of carriers; expected one of mc_number, name, insurance -> name',
      ],
    ],
    [
      "a call the tool would refuse",
      tasks('mc_number: "100101"', 'mc: "1", mc_number: 100101'),
      [
        'tasks.yaml:4:25 unknown argument "mc" of verify_carrier; expected mc_number',
        'tasks.yaml:4:45 argument "mc_number" must be a string, not a number',
      ],
    ],
    [
      "a call without its arguments, of an unknown tool, and steps that are none",
      tasks(
        '- verify_carrier: { mc_number: "100101" }',
        "- verify_carrier:\n    - verify_carier: {}\n    - agent: 5\n    - { agent: a, caller: b }\n    - verify_carrier: 7",
      ),
      [
        'tasks.yaml:4:7 missing argument "mc_number" of verify_carrier',
        'tasks.yaml:5:7 unknown tool "verify_carier"; expected one of verify_carrier, book_load -> verify_carrier',
        "tasks.yaml:6:14 expected what the agent says, not the number 5",
        "tasks.yaml:7:7 a step is one call or one line, not agent and caller; expected tool, agent or caller",
        "tasks.yaml:8:23 expected a mapping of argument to value, not the number 7",
      ],
    ],
    [
      "the state of a row that is not there",
      tasks("L-1001: { status: booked }", "L-1009: { status: booked }, L-8: null"),
      ['tasks.yaml:7:23 unknown row "L-1009" of loads; expected one of L-1001, L-1002 -> L-1001'],
    ],
    [
      "the state of a row that given removes",
      tasks("  caller:", "  given: { loads: { L-1001: null } }\n  caller:"),
      ['tasks.yaml:8:23 unknown row "L-1001" of loads; expected L-1002 -> L-1002'],
    ],
    [
      "a field of a row a tool creates",
      tasks("loads: { L-1001: { status: booked } }", "bookings: { B-1: { rate: 5, rat: 6 } }"),
      ['tasks.yaml:7:42 unknown field "rat" of bookings; expected one of booking_id, load_id, rate -> rate'],
    ],
    [
      "arguments that can never be",
      tasks(
        "called: [book_load]",
        "called: { tool: book_load, args: { rate: { lte: x }, load_id: 5, equipment: vann }, ok: yes }",
      ),
      [
        'tasks.yaml:6:53 argument "rate" is a number, not "x"',
        'tasks.yaml:6:67 argument "load_id" is a string, not the number 5; put it in quotes',
        'tasks.yaml:6:81 argument "equipment" is never "vann"; expected one of van, reefer -> van',
        'tasks.yaml:6:93 expected true, false or any, not "yes"',
      ],
    ],
    [
      "an argument where no call is",
      tasks("status: booked", "status: $load_id"),
      [
        "tasks.yaml:7:41 $load_id stands for an argument of a call, and an expectation stands outside any call",
      ],
    ],
    [
      "words that are numbers",
      tasks("called: [book_load]", "not_say: [1500, { all: [x] }]"),
      [
        "tasks.yaml:6:15 expected a text, or { any: [...] }, not the number 1500",
        'tasks.yaml:6:21 missing "any"; expected a list',
        'tasks.yaml:6:23 unknown key "all"; expected any',
      ],
    ],
  ])("%s", (_name, files, problems) => {
    expect(problemsOf(files)).toEqual(problems);
  });
});

describe("all at once", () => {
  test("mistakes of every part, and several in one thing", () => {
    expect(
      problemsOf({
        ...domain("clock:", "clok:"),
        ...world("noun: Load", "nown: Load"),
        ...tools("table: bookings, set: { load_id: $load_id", "table: booking, set: { load_id: $lode_id"),
        ...rules("call: verify_carrier, same: [mc_number]", "call: verify_carier, same: [mc]"),
        ...callers("fallback", "fallbak"),
        ...tasks("called: [book_load]", "called: [book_lode]"),
      }),
    ).toEqual([
      'callers.yaml:3:3 unknown key "fallbak"; expected one of opens, replies, fallback, patience, gives_up -> fallback',
      'domain.yaml:1:1 missing "clock"; expected a string',
      'domain.yaml:4:1 unknown key "clok"; expected one of name, description, clock -> clock',
      'rules.yaml:4:21 unknown tool "verify_carier"; expected one of verify_carrier, book_load -> verify_carrier',
      'rules.yaml:4:43 unknown argument "mc" of book_load; expected one of load_id, mc_number, rate, equipment',
      'tasks.yaml:6:14 unknown tool "book_lode"; expected one of verify_carrier, book_load -> book_load',
      'tools.yaml:15:20 unknown table "booking"; expected one of loads, carriers, bookings -> bookings',
      'tools.yaml:15:45 unknown argument "lode_id" of book_load; expected one of load_id, mc_number, rate, equipment -> load_id',
      'world.yaml:3:3 unknown key "nown"; expected one of key, noun, new_key, fields, rows, rows_from -> noun',
    ]);
  });

  test("a mistake does not make others: names stay known though their thing is wrong", () => {
    expect(problemsOf(tools("rate: { type: number, minimum: 0 }", "rate: nmber"))).toEqual([
      'tools.yaml:10:11 expected one of string, number, integer, boolean, object, list, not "nmber" -> number',
    ]);
    expect(problemsOf(world("key: load_id", "keys: load_id"))).toEqual([
      'world.yaml:1:1 missing "key"; expected a string',
      'world.yaml:2:3 unknown key "keys"; expected one of key, noun, new_key, fields, rows, rows_from -> key',
    ]);
  });
});
