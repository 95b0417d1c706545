import { describe, expect, test } from "vitest";
import { createAdmission } from "../../lib/embedded/admission.ts";
import type { JsonObject } from "../../lib/embedded/json.ts";
import { apimockCrd } from "../support/crd.ts";

/** Answers the admission of a CRD whose spec has this schema; `root` is laid beside spec. */
function admissionOf(spec: object, root: object = {}) {
  return createAdmission({
    spec: {
      group: "example.com",
      names: { kind: "Thing", plural: "things" },
      versions: [
        { name: "v0", storage: false },
        {
          name: "v1",
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: "object",
              ...root,
              properties: { spec: { type: "object", ...spec } },
            },
          },
        },
      ],
    },
  });
}

function thing(spec: object, name = "it"): JsonObject {
  const metadata = { name, namespace: "default", labels: { a: "1" } };
  return { apiVersion: "example.com/v1", kind: "Thing", metadata, spec } as JsonObject;
}

function linesOf(admission: ReturnType<typeof admissionOf>, spec: object, old?: object): string[] {
  const causes = admission.validate(thing(spec), old === undefined ? undefined : thing(old));
  return causes.map((cause) => `${cause.field}: ${cause.message}`);
}

describe("defaults", () => {
  const properties = {
    a: { type: "integer", default: 1 },
    nested: {
      type: "object",
      default: {},
      properties: { b: { type: "string", default: "x" }, free: { type: "string" } },
    },
    list: {
      type: "array",
      items: { type: "object", properties: { c: { type: "boolean", default: false } } },
    },
    any: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
  };
  const admission = admissionOf({ properties });

  test.for<[what: string, given: object, completed: object]>([
    ["absent fields are filled in, also below a default", {}, { a: 1, nested: { b: "x" } }],
    ["what is set stays", { a: 2, nested: { b: "" } }, { a: 2, nested: { b: "" } }],
    ["null gives way to a default", { a: null }, { a: 1, nested: { b: "x" } }],
    ["items have defaults", { list: [{}] }, { a: 1, nested: { b: "x" }, list: [{ c: false }] }],
    ["unknown fields are dropped", { no: 1, nested: { no: 1 } }, { a: 1, nested: { b: "x" } }],
    ["what is open is kept", { any: { x: 1 } }, { a: 1, nested: { b: "x" }, any: { x: 1 } }],
  ])("%s", ([, given, completed]) => {
    const object = thing(given);
    const before = structuredClone(object);
    expect(admission.default(object)).toEqual(thing(completed));
    expect(object).toEqual(before);
  });

  test("an object that needs nothing is answered as it is", () => {
    const object = admission.default(thing({}));
    expect(admission.default(object)).toBe(object);
  });

  test("unknown fields are named by their path", () => {
    const spec = {
      no: 1,
      nested: { b: "x", odd: {} },
      list: [{ c: true }, { d: 1 }],
      any: { x: 1 },
    };
    expect(admission.unknown(thing(spec))).toEqual([
      "spec.no",
      "spec.nested.odd",
      "spec.list[1].d",
    ]);
  });
});

test.for<[schema: object, value: unknown, line: string]>([
  [
    { type: "string" },
    1,
    'spec.f: Invalid value: "integer": spec.f in body must be of type string: "integer"',
  ],
  [
    { type: "integer" },
    1.5,
    'spec.f: Invalid value: "number": spec.f in body must be of type integer: "number"',
  ],
  [
    { type: "object" },
    null,
    'spec.f: Invalid value: "null": spec.f in body must be of type object: "null"',
  ],
  [
    { type: "object" },
    [],
    'spec.f: Invalid value: "array": spec.f in body must be of type object: "array"',
  ],
  [{ enum: ["a", "b"] }, "c", 'spec.f: Unsupported value: "c": supported values: "a", "b"'],
  [
    { type: "integer", minimum: 1 },
    0,
    "spec.f: Invalid value: 0: spec.f in body should be greater than or equal to 1",
  ],
  [
    { type: "integer", maximum: 1 },
    2,
    "spec.f: Invalid value: 2: spec.f in body should be less than or equal to 1",
  ],
  [
    { type: "number", minimum: 1, exclusiveMinimum: true },
    1,
    "spec.f: Invalid value: 1: spec.f in body should be greater than 1",
  ],
  [
    { type: "integer", multipleOf: 2 },
    3,
    "spec.f: Invalid value: 3: spec.f in body should be a multiple of 2",
  ],
  [
    { type: "string", minLength: 1 },
    "",
    'spec.f: Invalid value: "": spec.f in body should be at least 1 chars long',
  ],
  [{ type: "string", maxLength: 1 }, "ab", "spec.f: Too long: may not be more than 1 bytes"],
  [
    { type: "string", pattern: "^a+$" },
    "b",
    "spec.f: Invalid value: \"b\": spec.f in body should match '^a+$'",
  ],
  [{ type: "array", maxItems: 1 }, [1, 2], "spec.f: Too many: 2: must have at most 1 items"],
  [{ type: "object", required: ["x"] }, {}, "spec.f.x: Required value"],
  [
    { type: "array", "x-kubernetes-list-type": "set" },
    ["a", "a"],
    'spec.f[1]: Duplicate value: "a"',
  ],
  [
    { type: "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"] },
    [{ k: "a" }, { k: "a" }],
    'spec.f[1]: Duplicate value: {"k":"a"}',
  ],
  [
    { "x-kubernetes-int-or-string": true },
    true,
    'spec.f: Invalid value: "boolean": spec.f in body must be of type integer,string: "boolean"',
  ],
])("%j refuses %j", ([schema, value, line]) => {
  expect(linesOf(admissionOf({ properties: { f: schema } }), { f: value })).toEqual([line]);
});

test.for<[schema: object, value: unknown]>([
  [{ type: "string", nullable: true }, null],
  [{ type: "integer" }, 3],
  [{ type: "string", maxLength: 2 }, "éé"],
  [{ type: "string", format: "date-time" }, "2030-01-01T00:00:00Z"],
  [{ "x-kubernetes-int-or-string": true }, "25%"],
  [{ type: "object", additionalProperties: { type: "string" } }, { "a/b": "c" }],
])("%j lets %j in", ([schema, value]) => {
  expect(linesOf(admissionOf({ properties: { f: schema } }), { f: value })).toEqual([]);
});

describe("CEL rules", () => {
  const f = { type: "integer" };
  const ruled = (...rules: object[]) =>
    admissionOf({ properties: { f, g: { type: "string" } }, "x-kubernetes-validations": rules });

  test.for<[what: string, rule: object, lines: string[]]>([
    ["a rule that holds says nothing", { rule: "self.f > 0" }, []],
    [
      "a rule that fails says its message",
      { rule: "self.f > 1", message: "raise f" },
      ['spec: Invalid value: "object": raise f'],
    ],
    [
      "without a message it says the rule",
      { rule: "self.f > 1" },
      ['spec: Invalid value: "object": failed rule: self.f > 1'],
    ],
    [
      "a message can be computed",
      { rule: "self.f > 1", messageExpression: "'f is ' + string(self.f)" },
      ['spec: Invalid value: "object": f is 1'],
    ],
    [
      "a rule may point at a field",
      { rule: "self.f > 1", message: "raise f", fieldPath: ".f" },
      ['spec.f: Invalid value: "object": raise f'],
    ],
    [
      "a rule may have a reason",
      { rule: "self.f > 1", message: "no", reason: "FieldValueForbidden" },
      ["spec: Forbidden: no"],
    ],
    ["absent fields can be asked for", { rule: "!has(self.g)" }, []],
    ["whole numbers are int", { rule: "self.f + 1 == 2 && type(self.f) == int" }, []],
    ["a transition is not asked at creation", { rule: "self.f == oldSelf.f" }, []],
  ])("%s", ([, rule, lines]) => {
    expect(linesOf(ruled(rule), { f: 1 })).toEqual(lines);
  });

  test("a rule that cannot be evaluated refuses, and says why", () => {
    const [line] = linesOf(ruled({ rule: "self.g == 'x'", message: "m" }), { f: 1 });
    expect(line).toContain("cannot be evaluated: No such key: g");
  });

  test("a transition rule compares with the old value", () => {
    const admission = ruled({ rule: "self.f >= oldSelf.f", message: "f only grows" });
    expect(linesOf(admission, { f: 2 }, { f: 1 })).toEqual([]);
    expect(linesOf(admission, { f: 1 }, { f: 2 })).toEqual([
      'spec: Invalid value: "object": f only grows',
    ]);
  });

  test("with optionalOldSelf a rule is asked at creation too, without an old value", () => {
    const rule = {
      rule: "oldSelf.hasValue() ? self.f == oldSelf.value().f : self.f == 1",
      optionalOldSelf: true,
    };
    expect(linesOf(ruled(rule), { f: 1 })).toEqual([]);
    expect(linesOf(ruled(rule), { f: 2 })).toHaveLength(1);
    expect(linesOf(ruled(rule), { f: 2 }, { f: 2 })).toEqual([]);
    expect(linesOf(ruled(rule), { f: 1 }, { f: 2 })).toHaveLength(1);
  });

  test("a rule at the root sees the name and no other metadata", () => {
    const rules = [
      { rule: "self.metadata.name != 'bad' && !has(self.metadata.labels)", message: "no" },
    ];
    const admission = admissionOf({}, { "x-kubernetes-validations": rules });
    expect(admission.validate(thing({}, "good"))).toEqual([]);
    expect(admission.validate(thing({}, "bad"))).toEqual([
      { reason: "FieldValueInvalid", field: "<nil>", message: 'Invalid value: "object": no' },
    ]);
  });

  test("rules of items see their item; one of a map list has an old self by its key", () => {
    const items = {
      type: "object",
      properties: { k: { type: "string" }, v: { type: "integer" } },
      "x-kubernetes-validations": [{ rule: "self.v >= oldSelf.v", message: "v only grows" }],
    };
    const list = {
      type: "array",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["k"],
      items,
    };
    const admission = admissionOf({ properties: { list } });
    const before = {
      list: [
        { k: "a", v: 1 },
        { k: "b", v: 2 },
      ],
    };
    const after = {
      list: [
        { k: "b", v: 1 },
        { k: "a", v: 1 },
      ],
    };
    expect(linesOf(admission, after, before)).toEqual([
      'spec.list[0]: Invalid value: "object": v only grows',
    ]);
  });

  test("rules are asked only where the schema holds", () => {
    const lines = linesOf(ruled({ rule: "self.f > 1" }), { f: "text" });
    expect(lines).toEqual([expect.stringContaining("must be of type integer")]);
  });

  test("a CRD with a rule that cannot be parsed is refused", () => {
    expect(() => ruled({ rule: "self.f >" })).toThrow("Unexpected token");
  });
});

test("what did not change is not refused anew, by schema or rule; what changed is", () => {
  const f = { type: "integer", maximum: 1, "x-kubernetes-validations": [{ rule: "self < 1" }] };
  const admission = admissionOf({ properties: { f, g: { type: "integer" } } });
  expect(linesOf(admission, { f: 2, g: 1 }, { f: 2 })).toEqual([]);
  expect(linesOf(admission, { f: 3 }, { f: 2 })).toHaveLength(1);
});

test("the APIMock's CRD is one that can be compiled", () => {
  expect(createAdmission(apimockCrd()).unknown({ spec: { definition: "a", odd: 1 } })).toEqual([
    "spec.odd",
  ]);
});
