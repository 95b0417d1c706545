import { expect, test } from "vitest";
import { defaultSettings, readEnvironment } from "../../functions/mock/settings.ts";

const given = { DEFINITION: "/d.json" };

test("what is not set has its default, empty values too", () => {
  const environment = { port: 8080, definition: "/d.json", settings: defaultSettings };
  expect(readEnvironment(given)).toEqual(environment);
  const empty = { PORT: "", APIRATOR_VALIDATE: "", APIRATOR_DYNAMIC: "", APIRATOR_SEED: "", APIRATOR_CORS: "" }; // oxfmt-ignore
  expect(readEnvironment({ ...given, ...empty })).toEqual(environment);
});

test("every variable is understood", () => {
  const variables = { ...given, PORT: "80", APIRATOR_VALIDATE: "Warn", APIRATOR_DYNAMIC: "true", APIRATOR_SEED: "s", APIRATOR_CORS: "off" }; // oxfmt-ignore
  expect(readEnvironment(variables)).toEqual({
    port: 80,
    definition: "/d.json",
    settings: { validate: "Warn", dynamic: true, seed: "s", cors: false },
  });
});

test.for<[variable: string, value: string]>([
  ["PORT", "http"],
  ["PORT", "65536"],
  ["PORT", "-1"],
  ["PORT", "80.5"],
  ["APIRATOR_VALIDATE", "maybe"],
  ["APIRATOR_DYNAMIC", "1"],
  ["APIRATOR_CORS", "no\nway"],
])("%s=%j is refused in one line that names it", ([variable, value]) => {
  const wrong = readEnvironment({ ...given, [variable]: value });
  expect(wrong).toMatch(new RegExp(`^${variable}=.*expected .+$`));
});

test("without a definition the one line says how to make it", () => {
  expect(readEnvironment({})).toMatch(/^DEFINITION is not set.*apirator compile/);
});
