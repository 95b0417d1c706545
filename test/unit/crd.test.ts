import { expect, test } from "vitest";
import type { APIMockSpec, APIMockStatus, Condition } from "../../lib/apimock.ts";
import { createAdmission } from "../../lib/embedded/admission.ts";
import type { JsonObject } from "../../lib/embedded/json.ts";
import type { Severity } from "../../lib/finding.ts";
import { apimockCrd } from "../support/crd.ts";

interface Rule {
  readonly rule: string;
  readonly message?: string;
}

interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema;
  "x-kubernetes-validations"?: readonly Rule[];
}

interface Crd {
  readonly spec: {
    readonly versions: readonly [
      {
        readonly schema: { readonly openAPIV3Schema: Schema };
        readonly additionalPrinterColumns: readonly { name: string; priority?: number }[];
        readonly selectableFields: readonly { jsonPath: string }[];
      },
    ];
  };
}

const crd = apimockCrd() as Crd;
const [version] = crd.spec.versions;

/** The type with every field there, so that the compiler names a field that a sample lacks. */
type Whole<Type> = Type extends readonly (infer Item)[]
  ? readonly Whole<Item>[]
  : Type extends object
    ? { readonly [Field in keyof Type]-?: Whole<NonNullable<Type[Field]>> }
    : Type;

const spec: Whole<APIMockSpec> = {
  definition: "openapi: 3.1.0",
  definitionFrom: { configMapKeyRef: { name: "shared", key: "api.yaml" } },
  watch: false,
  service: {
    port: 80,
    type: "NodePort",
    externalTrafficPolicy: "Local",
    annotations: { a: "b" },
  },
  ingress: {
    hostname: "bets.example.com",
    path: "/",
    pathType: "Prefix",
    annotations: { a: "b" },
    certManager: true,
    tls: { secretName: "bets-tls" },
  },
  runtime: "Deployment",
  scale: { min: 1, max: 2 },
  mock: { validate: "Warn", dynamic: true, seed: "s", cors: false },
};

const status: Whole<APIMockStatus> = {
  observedGeneration: 2,
  phase: "Running",
  url: "http://bets.default.example.com",
  definition: { hash: "9f2c41aa07", version: "3.0.3", title: "Bets", operations: 6 },
  source: "s",
  build: "b",
  applied: "a",
  runtime: "Knative",
  findings: [
    { severity: "hint", code: "duplicate-key", message: "m", line: 1, column: 1, pointer: "/info" },
  ],
  conditions: [
    {
      type: "Ready",
      status: "True",
      reason: "Serving",
      message: "m",
      observedGeneration: 2,
      lastTransitionTime: "2030-01-01T00:00:00Z",
    },
  ],
};

function mockOf(spec: object, rest: object = {}): JsonObject {
  return {
    apiVersion: "apirator.io/v1alpha1",
    kind: "APIMock",
    metadata: { name: "bets", namespace: "default" },
    spec,
    ...rest,
  } as JsonObject;
}

const plain = { definition: "openapi: 3.1.0" };

/** What the API server says to a new object, or to a changed one. */
function said(mock: JsonObject, old?: JsonObject, by: unknown = crd): string[] {
  const admission = createAdmission(by);
  const before = old === undefined ? undefined : admission.default(old);
  return [
    ...admission.unknown(mock).map((field) => `unknown field ${field}`),
    ...admission.validate(admission.default(mock), before).map((cause) => cause.message),
  ];
}

/** Every schema with its path, in the words of `kubectl explain`. */
function nodes(schema: Schema, path = ""): [path: string, schema: Schema][] {
  const children = Object.entries(schema.properties ?? {}).flatMap(([name, child]) =>
    nodes(child, `${path}.${name}`),
  );
  return [[path, schema], ...children, ...(schema.items ? nodes(schema.items, path) : [])];
}

/** Every field of a value with its path; values of an open map count as one field. */
function fields(value: unknown, path: string): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => fields(item, path));
  if (typeof value !== "object" || value === null || path.endsWith(".annotations")) return [path];
  return [
    path,
    ...Object.entries(value).flatMap(([name, member]) => fields(member, `${path}.${name}`)),
  ];
}

const all = nodes(version.schema.openAPIV3Schema);
const rules = all.flatMap(([path, schema]) =>
  (schema["x-kubernetes-validations"] ?? []).map((rule) => ({ path, ...rule })),
);

test("the types and the schema have the same fields", () => {
  const schema = all.map(([path]) => path).filter((path) => /^\.(spec|status)/.test(path));
  expect([...new Set(schema)].toSorted()).toEqual(
    [...new Set([...fields(spec, ".spec"), ...fields(status, ".status")])].toSorted(),
  );
});

test("an object with every field is let in", () => {
  const { definitionFrom: _, ...inline } = spec;
  const { definition: __, ...referenced } = spec;
  expect(said(mockOf(inline, { status }))).toEqual([]);
  expect(said(mockOf(referenced, { status }))).toEqual([]);
});

const values = {
  ".spec.service.type": {
    ClusterIP: 1,
    NodePort: 1,
    LoadBalancer: 1,
    ExternalName: 1,
  } satisfies Record<APIMockSpec["service"]["type"], 1>,
  ".spec.runtime": { Knative: 1, Deployment: 1 } satisfies Record<APIMockSpec["runtime"], 1>,
  ".spec.mock.validate": { Enforce: 1, Warn: 1, Off: 1 } satisfies Record<
    APIMockSpec["mock"]["validate"],
    1
  >,
  ".status.phase": { Pending: 1, Running: 1, Error: 1, Failed: 1 } satisfies Record<
    Whole<APIMockStatus>["phase"],
    1
  >,
  ".status.runtime": { Knative: 1, Deployment: 1 } satisfies Record<APIMockSpec["runtime"], 1>,
  ".status.findings.severity": { error: 1, warning: 1, hint: 1 } satisfies Record<Severity, 1>,
  ".status.conditions.status": { True: 1, False: 1, Unknown: 1 } satisfies Record<
    Condition["status"],
    1
  >,
};

test("the types and the schema allow the same values", () => {
  const schema = all.flatMap(([path, { enum: allowed }]) => (allowed ? [[path, allowed]] : []));
  const types = Object.entries(values).map(([path, record]) => [path, Object.keys(record)]);
  expect(Object.fromEntries(schema)).toEqual(Object.fromEntries(types));
});

test("a mock with a definition alone gets every default", () => {
  const wanted: APIMockSpec = {
    ...plain,
    watch: true,
    service: { port: 8000, type: "ClusterIP" },
    runtime: "Knative",
    scale: { min: 0, max: 0 },
    mock: { validate: "Enforce", dynamic: false, seed: "", cors: true },
  };
  expect(createAdmission(crd).default(mockOf(plain))["spec"]).toEqual(wanted);
});

test("a part that is given gets the defaults of its other fields", () => {
  const given = { ...plain, service: { port: 80 }, scale: { min: 2 }, mock: { cors: false } };
  expect(createAdmission(crd).default(mockOf(given))["spec"]).toMatchObject({
    service: { port: 80, type: "ClusterIP" },
    scale: { min: 2, max: 0 },
    mock: { validate: "Enforce", cors: false },
  });
});

test("every field is explained", () => {
  // The API server allows none for metadata, and explains it itself.
  const silent = all.filter(([path, { description }]) => path !== ".metadata" && !description);
  expect(silent.map(([path]) => path)).toEqual([]);
});

const forbidden: readonly [rule: string, mock: JsonObject][] = [
  ["metadata.name.matches", mockOf(plain, { metadata: { name: "1bets", namespace: "default" } })],
  ["has(self.definition) ||", mockOf({})],
  ["has(self.definition) &&", mockOf({ ...plain, definitionFrom: spec.definitionFrom })],
  ["self.max", mockOf({ ...plain, scale: { min: 3, max: 2 } })],
];

test("every rule is proved below, and has a message", () => {
  const proved = forbidden.map(([part]) => rules.filter(({ rule }) => rule.includes(part)));
  expect(proved.map((found) => found.length)).toEqual(forbidden.map(() => 1));
  expect(new Set(proved.flat())).toEqual(new Set(rules));
  expect(rules.filter(({ message }) => !message)).toEqual([]);
});

test.for(forbidden)("the rule %s refuses what it forbids, and it alone does", ([part, mock]) => {
  const rule = rules.find(({ rule }) => rule.includes(part));
  expect(said(mock).join("\n")).toContain(rule?.message);
  const without = structuredClone(crd);
  for (const [, schema] of nodes(without.spec.versions[0].schema.openAPIV3Schema)) {
    const kept = schema["x-kubernetes-validations"]?.filter(({ rule }) => !rule.includes(part));
    if (kept) schema["x-kubernetes-validations"] = kept;
  }
  expect(said(mock, undefined, without)).toEqual([]);
});

test.for<[field: string, spec: object, says: RegExp]>([
  ["an empty definition", { definition: "" }, /spec.definition|at least 1/],
  ["port 0", { ...plain, service: { port: 0 } }, /greater than or equal to 1/],
  ["port 65536", { ...plain, service: { port: 65_536 } }, /less than or equal to 65535/],
  ["a negative scale", { ...plain, scale: { min: -1 } }, /greater than or equal to 0/],
  ["another runtime", { ...plain, runtime: "Lambda" }, /Knative.*Deployment/],
  ["a ConfigMap without a key", { definitionFrom: { configMapKeyRef: { name: "x" } } }, /Required/],
  ["a misspelt field", { ...plain, mocks: {} }, /unknown field spec.mocks/],
])("%s is refused", ([, spec, says]) => {
  expect(said(mockOf(spec)).join("\n")).toMatch(says);
});

test.for(["b", "b2", "a-b", "b".repeat(63)])("%s is a good name", (name) => {
  expect(said(mockOf(plain, { metadata: { name } }))).toEqual([]);
});

test.for(["1b", "b-", "B", "a.b", "b".repeat(64)])("%s is a bad name", (name) => {
  expect(said(mockOf(plain, { metadata: { name } }))).toHaveLength(1);
});

test("an object from before the rules stays writable", () => {
  const old = mockOf(
    { scale: { min: 3, max: 2 } },
    { metadata: { name: "a.b", finalizers: ["x"] } },
  );
  expect(said(old).length).toBeGreaterThan(0);
  expect(said({ ...old, status: { phase: "Failed" } }, old)).toEqual([]);
  expect(said({ ...old, metadata: { name: "a.b" } }, old)).toEqual([]);
});

test.for(Object.keys(values[".spec.service.type"]))(
  "a manifest of the Go operator with %s applies",
  (type) => {
    const v1 = {
      ...plain,
      watch: true,
      service: { port: 7000, type, externalTrafficPolicy: "Cluster", annotations: { a: "b" } },
      ingress: {
        hostname: "*.Bets_1.example.com",
        path: "api",
        pathType: "prefix",
        certManager: true,
      },
    };
    expect(said(mockOf(v1))).toEqual([]);
  },
);

test("the columns are those that people read and that resync decides by", () => {
  const names = (priority: number): string[] =>
    version.additionalPrinterColumns
      .filter((column) => (column.priority ?? 0) === priority)
      .map(({ name }) => name);
  expect(names(0)).toEqual(["Ready", "Phase", "URL", "Operations", "Age"]);
  expect(names(1)).toEqual([
    "Reason", "Available", "Runtime", "Definition From", "Namespace", "UID", "Generation", "Observed", "Build", "Applied",
  ]); // oxfmt-ignore
  expect(version.selectableFields).toEqual([
    { jsonPath: ".spec.definitionFrom.configMapKeyRef.name" },
  ]);
});
