/** How a mock answers; `spec.mock` of an APIMock. */
export interface MockSettings {
  readonly validate: "Enforce" | "Warn" | "Off";
  readonly dynamic: boolean;
  readonly seed: string;
  readonly cors: boolean;
}

/** What the mock process is started with. */
export interface MockEnvironment {
  readonly port: number;
  /** File of the compiled definition. */
  readonly definition: string;
  readonly settings: MockSettings;
}

/** What is answered where nothing is set. */
export const defaultSettings: MockSettings = {
  validate: "Enforce",
  dynamic: false,
  seed: "",
  cors: true,
};

type Variables = Readonly<Record<string, string | undefined>>;

/** Answers what the environment asks for, or one line that says which variable is wrong and what it may be. */
export function readEnvironment(variables: Variables): MockEnvironment | string {
  const port = variables["PORT"] || "8080";
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) return wrong("PORT", port, "a port of 0 to 65535"); // oxfmt-ignore
  const definition = variables["DEFINITION"] ?? "";
  if (definition === "") {
    return "DEFINITION is not set; it names a compiled definition, as `apirator compile FILE -o OUT` makes one";
  }
  const validate = choose<MockSettings["validate"]>(variables, "APIRATOR_VALIDATE", { enforce: "Enforce", warn: "Warn", off: "Off" }, "Enforce"); // oxfmt-ignore
  const dynamic = choose(variables, "APIRATOR_DYNAMIC", { true: true, false: false }, false);
  const cors = choose(variables, "APIRATOR_CORS", { on: true, off: false, true: true, false: false }, true); // oxfmt-ignore
  const errors = [validate, dynamic, cors].flatMap((one) => ("wrong" in one ? [one.wrong] : []));
  if ("wrong" in validate || "wrong" in dynamic || "wrong" in cors) return errors[0] ?? "";
  const settings: MockSettings = {
    validate: validate.value,
    dynamic: dynamic.value,
    seed: variables["APIRATOR_SEED"] ?? "",
    cors: cors.value,
  };
  return { port: Number(port), definition, settings };
}

function choose<Value>(
  variables: Variables,
  name: string,
  values: Readonly<Record<string, Value>>,
  absent: NoInfer<Value>,
): { readonly value: Value } | { readonly wrong: string } {
  const text = variables[name] ?? "";
  if (text === "") return { value: absent };
  const found = Object.entries(values).find(([key]) => key === text.toLowerCase());
  if (found === undefined) return { wrong: wrong(name, text, Object.keys(values).join(", ")) };
  return { value: found[1] };
}

function wrong(name: string, text: string, expected: string): string {
  return `${name}=${JSON.stringify(text)} is not understood; expected ${expected}`;
}
