import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { TooComplex } from "../../lib/schema/budget.ts";
import { compilePattern } from "../../lib/schema/pattern/matcher.ts";
import { patternSample } from "../../lib/schema/pattern/sample.ts";
import { createRandom } from "../../lib/schema/random.ts";

/** A budget that a fair text never uses up. */
const plenty = (): { left: number } => ({ left: 20_000_000 });

/** As many different letters, each as a function writes it. */
function distinct(count: number, write = (letter: string): string => letter): string {
  return Array.from({ length: count }, (_, index) =>
    write(String.fromCodePoint(0x4e00 + (index % 20_000))),
  ).join("");
}

function matches(pattern: string, text: string): boolean {
  return compilePattern(pattern).test(text, plenty());
}

describe("a pattern is found as the platform finds it", () => {
  test.for([
    ["^[a-z]{3}$", "abc", true],
    ["^[a-z]{3}$", "abcd", false],
    ["b+", "aabba", true],
    ["^$", "", true],
    ["^a|b$", "xb", true],
    [String.raw`^\d{3}-\d{4}$`, "555-1234", true],
    [String.raw`\bfoo\b`, "a foo b", true],
    [String.raw`\bfoo\b`, "afoo", false],
    [String.raw`^\p{L}+$`, "Ångström", true],
    [String.raw`^\p{Lu}`, "å", false],
    ["^.$", "😀", true],
    [String.raw`^\u{1F600}$`, "😀", true],
    [String.raw`^\uD83D\uDE00$`, "😀", true],
    [String.raw`^[^\s@]+@[^\s@]+$`, "a@b", true],
    [String.raw`^(?=.*[a-z])(?=.*\d).{8,}$`, "abcdefg1", true],
    [String.raw`^(?=.*[a-z])(?=.*\d).{8,}$`, "abcdefgh", false],
    ["^(?!admin)[a-z]+$", "administrator", false],
    ["^(?!admin)[a-z]+$", "user", true],
    ["^[a-z-]+(?<!-)$", "a-", false],
    ["^[a-z-]+(?<!-)$", "a-b", true],
    [String.raw`^(a|b)\1$`, "aa", true],
    [String.raw`^(a|b)\1$`, "ab", false],
    ["^(?:(?!foo).)*$", "a foo", false],
    [String.raw`^[\w\-]+\_$`, "a-b_", true],
    ["^{$", "{", true],
    [String.raw`^[\b]$`, "\b", true],
    [String.raw`^[^]$`, "\n", true],
    [String.raw`^\cJ$`, "\n", true],
    [String.raw`^(?<year>\d{4})-\k<year>$`, "2024-2024", true],
    [String.raw`^[\W\d]+$`, "1-2", true],
    ["^(?:a*)*$", "aaab", false],
    ["^a{2,3}?$", "aaa", true],
  ] as const)("%s in %j: %s", ([pattern, text, found]) => {
    expect(matches(pattern, text)).toBe(found);
  });

  test("for any expression and any text", () => {
    const atom = fc.constantFrom(
      "a",
      "b",
      ".",
      "[ab]",
      "[^a]",
      String.raw`\d`,
      String.raw`\w`,
      String.raw`\b`,
      "^",
      "$",
      "-",
      "(?:)",
    );
    const quantifier = fc.constantFrom("", "", "*", "+", "?", "{2}", "{1,3}", "{0,}", "*?");
    const { expression } = fc.letrec<{ expression: string; group: string; part: string }>((tie) => ({
      part: fc.oneof({ maxDepth: 3 }, atom, tie("group")),
      group: fc.tuple(tie("expression"), fc.constantFrom("(?:", "(")).map(([inner, open]) => `${open}${inner})`),
      expression: fc.array(fc.tuple(tie("part"), quantifier, fc.constantFrom("", "", "|")), { maxLength: 4 })
        .map((parts) => parts.map(([part, times, bar]) => (/^(?:\^|\$|\\b)$/.test(part) ? part : part + times) + bar).join("")),
    })); // oxfmt-ignore
    const text = fc.string({ unit: fc.constantFrom("a", "b", "-", "1", " "), maxLength: 6 });
    fc.assert(
      fc.property(expression, text, (pattern, value) => {
        expect(matches(pattern, value)).toBe(new RegExp(pattern, "u").test(value));
      }),
      { numRuns: 1000 },
    );
  });
});

describe("no pattern hangs", () => {
  const long = "a".repeat(50_000);
  const { pick } = createRandom("mixed");
  const mixed = Array.from({ length: 200_000 }, () => pick(["a", "b"])).join("");

  test.for([
    ["^(a+)+$", `${long}!`],
    ["^(a|aa)+$", `${long}!`],
    ["^(a*)*b", long],
    ["(x+x+)+y", "x".repeat(50_000)],
    [String.raw`^([a-zA-Z0-9])(([\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+$`, long],
    ["a*a*a*a*a*a*a*b", long],
    ["^(?=.*(a+)+$)a*b", long],
  ] as const)("%s is judged in steps that grow with the text", ([pattern, text]) => {
    const budget = plenty();
    expect(compilePattern(pattern).test(text, budget)).toBe(false);
    expect(budget.left).toBeGreaterThan(19_000_000);
  });

  test.for([
    [String.raw`^(a+)+\1$`, `${long}!`],
    ["^(?:(?!b)(a|aa))+$", `${long}!`],
    ["(?i:a+)+$", `${long}!`],
    ["^(?:(a|b)*a(a|b){300})$", mixed],
  ] as const)("%s is too complex for a long text", ([pattern, text]) => {
    expect(() => compilePattern(pattern).test(text, plenty())).toThrow(TooComplex);
  });

  test.for([
    ["rounds that multiply", "^(a{1000}){1000}(b{1000}){100}$"],
    ["rounds of nothing", "^(){1000000000}$"],
    ["rounds of nothing within rounds", "^((){100000}){100000}a$"],
    ["rounds that are all optional", "^(a?){100000000}$"],
    ["rounds before a reference", String.raw`^(((((){10000}){10000}){10000}){10000}){10000}\1$`],
    ["rounds of a choice before a reference", String.raw`^((a|b){1000000000}\1)$`],
    ["large classes", `^${distinct(3000, (letter) => `[${letter}-\u{9fff}]`)}$`],
    ["a class of many characters", `^[${distinct(20_000)}]{1,1000}$`],
    ["as many letters as places", `^${distinct(3000)}$`],
    ["properties", String.raw`^(?:\p{L}\p{N}|\p{L}){5000}$`],
    ["looks ahead that multiply", `^${distinct(20, (letter) => `(?=.*${letter}.{9})`)}.*$`],
    ["choices within rounds", "^(.*a.*b|.*c.*d|.*e.*f){200}$"],
  ] as const)("%s: no text, or one that matches, in few steps", ([, pattern]) => {
    const budget = { left: 3_000_000 };
    const wish = { min: 0, max: Infinity, vary: 0, random: undefined };
    const text = patternSample([pattern], wish, budget);
    expect(text === undefined || new RegExp(pattern, "u").test(text)).toBe(true);
    // One look at a character may be the one that is too much.
    expect(budget.left).toBeGreaterThan(-200_000);
  });

  test("what an expression forgets of its texts changes no answer", () => {
    for (const length of [4000, 4001, 4002, 4003, 4004, 4005]) {
      const text = mixed.slice(0, length);
      expect(matches("(a|b)*a(a|b){14}$", text)).toBe(text.at(-15) === "a");
    }
  });

  test("an expression that is nested without end is refused or too complex, never a crash", () => {
    const deep = `${"(".repeat(20_000)}a${")".repeat(20_000)}`;
    expect(() => matches(deep, "a")).toThrow(/too many steps|regular expression/);
  });
});

describe("a text is made that matches", () => {
  const patterns = [
    [[String.raw`^[A-Z]{3}-\d{4}$`], 0, Infinity],
    [["^[a-z]+$"], 7, 9],
    [["^(ab)*$"], 3, 5],
    [["[0-9]{2}"], 10, 10],
    [[String.raw`^\+?[1-9]\d{1,14}$`], 0, 6],
    [[String.raw`^(?=.*[A-Z])(?=.*\d)(?=.*[^\w]).{8,}$`], 0, 8],
    [["^(?!abc)[a-c]{3}$"], 0, Infinity],
    [["^a", "b$", "[0-9]"], 0, Infinity],
    [["^[a-m]+$", "^[k-z]+$"], 4, 4],
    [[String.raw`^(a|b)\1$`], 0, Infinity],
    [["^(?:(?!foo).)*$"], 1, 5],
    [[String.raw`^\p{Lu}\p{Ll}+$`], 3, 5],
    [[String.raw`^#([A-Fa-f0-9]{6}|[A-Fa-f0-9]{3})$`], 0, 4],
    [[String.raw`^\S+$`], 1000, 1000],
    [["x{300}"], 0, Infinity],
    [[String.raw`\bcat\b`], 12, 12],
    [[String.raw`^[^\x00-\x7F]+$`], 2, 2],
    [["^$"], 0, Infinity],
    [["^[\\w.-]+@[\\w-]+\\.[a-z]{2,}$"], 0, 12],
  ] as const;

  test.for(patterns)("of %j with %d to %d characters", ([sources, min, max]) => {
    for (const random of [undefined, createRandom("a"), createRandom("b")]) {
      for (const vary of [0, 1, 2]) {
        const text = patternSample(sources, { min, max, vary, random });
        expect(text).toBeDefined();
        const length = Array.from(text ?? "").length;
        expect(length).toBeGreaterThanOrEqual(min);
        expect(length).toBeLessThanOrEqual(max);
        for (const source of sources) expect(text).toMatch(new RegExp(source, "u"));
      }
    }
  });

  test("that is readable", () => {
    const wish = { min: 0, max: Infinity, vary: 0, random: undefined };
    expect(patternSample([String.raw`^[A-Z]{3}-\d{4}$`], wish)).toBe("ABC-1234");
  });

  test("or none, where none exists", () => {
    const wish = { vary: 0, random: undefined };
    expect(patternSample(["^(ab)*$"], { ...wish, min: 3, max: 3 })).toBeUndefined();
    expect(patternSample(["^a$", "^b$"], { ...wish, min: 0, max: 9 })).toBeUndefined();
    expect(patternSample(["$a"], { ...wish, min: 0, max: 9 })).toBeUndefined();
  });
});
