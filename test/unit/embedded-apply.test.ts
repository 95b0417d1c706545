import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Managed, Writer } from "../../lib/embedded/apply.ts";
import { applyBody, ownersOf, sameManagers, updateBody } from "../../lib/embedded/apply.ts";
import { leavesOf } from "../../lib/embedded/fields.ts";
import type { Json, JsonObject } from "../../lib/embedded/json.ts";
import { merge } from "../../lib/embedded/merge.ts";
import { fields, mapList, setList } from "../../lib/embedded/shape.ts";

const shape = fields({
  byName: mapList(["name"], fields({ byName: mapList(["name"]) })),
  set: setList,
});
const nothing: Managed = { body: {}, managers: [] };

function writer(name: string): Writer {
  return { name, operation: "Apply", subresource: "" };
}

function applied(live: Managed, name: string, body: JsonObject): Managed {
  const next = applyBody(live, body, { writer: writer(name), shape });
  return { ...next, managers: ownersOf(next.managers, { body: next.body, shape }) };
}

const names = fc.constantFrom("a", "b", "c");
const scalar = fc.constantFrom<Json>(0, 1, "x", true);
const item = (depth: fc.Arbitrary<Json[]>) =>
  fc.record({ name: names, v: scalar, byName: depth }, { requiredKeys: ["name"] });
const listOf = (items: fc.Arbitrary<Record<string, Json | Json[]>>) =>
  fc.uniqueArray(items, { selector: (entry) => entry["name"], minLength: 1 }) as fc.Arbitrary<
    Json[]
  >;
const inner = listOf(fc.record({ name: names, v: scalar }, { requiredKeys: ["name"] }));
const map = fc.dictionary(names, scalar, { minKeys: 1 });
const body: fc.Arbitrary<JsonObject> = fc.record(
  {
    map,
    deep: fc.record({ map, v: scalar }, { requiredKeys: ["v"] }),
    byName: listOf(item(inner)),
    set: fc.uniqueArray(names, { minLength: 1 }),
    atomic: fc.array(scalar),
  },
  { requiredKeys: [] },
);

test("an apply to nothing leaves what was applied", () => {
  fc.assert(
    fc.property(body, (body) => {
      expect(applied(nothing, "a", body).body).toEqual(body);
    }),
  );
});

test("the same apply again changes nothing, whatever others did before", () => {
  fc.assert(
    fc.property(body, body, body, (first, theirs, mine) => {
      const world = applied(applied(applied(nothing, "a", first), "b", theirs), "a", mine);
      const again = applied(world, "a", mine);
      expect(again.body).toEqual(world.body);
      expect(sameManagers(again.managers, world.managers)).toBe(true);
    }),
  );
});

test("what is applied is there afterwards", () => {
  fc.assert(
    fc.property(body, body, (theirs, mine) => {
      const world = applied(applied(nothing, "b", theirs), "a", mine);
      const there = leavesOf(world.body, shape);
      for (const [path, leaf] of leavesOf(mine, shape)) expect(there.get(path)).toEqual(leaf);
    }),
  );
});

test("two managers who apply different fields come to the same in either order", () => {
  fc.assert(
    fc.property(body, body, (one, two) => {
      const a = { deep: one, v: 1 };
      const b = { other: two, w: 2 };
      const forth = applied(applied(nothing, "a", a), "b", b);
      const back = applied(applied(nothing, "b", b), "a", a);
      expect(forth.body).toEqual(back.body);
      expect(sameManagers(forth.managers, back.managers)).toBe(true);
    }),
  );
});

test("who drops everything leaves exactly what the others set", () => {
  fc.assert(
    fc.property(body, body, (mine, theirs) => {
      const world = applied(applied(applied(nothing, "b", theirs), "a", mine), "b", theirs);
      expect(applied(world, "a", {}).body).toEqual(theirs);
    }),
  );
});

test("nobody owns what is not there, and all that is there is owned", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(names, body), { maxLength: 6 }), (writes) => {
      const world = writes.reduce((live, [name, body]) => applied(live, name, body), nothing);
      const owned = new Set(world.managers.flatMap((manager) => [...manager.fields]));
      expect(owned).toEqual(new Set(leavesOf(world.body, shape).keys()));
    }),
  );
});

describe("an update that is no apply", () => {
  const update: Writer = { name: "b", operation: "Update", subresource: "" };

  test("owns what it changed, and takes it from who applied it", () => {
    const live = applied(nothing, "a", { x: 1, y: 1 });
    const world = updateBody(live, { x: 2, y: 1, z: 1 }, { writer: update, shape });
    expect(
      Object.fromEntries(world.managers.map(({ name, fields }) => [name, [...fields]])),
    ).toEqual({
      a: ["f:y"],
      b: ["f:x", "f:z"],
    });
    expect(applied(world, "a", {}).body).toEqual({ x: 2, z: 1 });
  });

  test("of the same name is another manager than who applies", () => {
    const world = updateBody(
      applied(nothing, "b", { x: 1 }),
      { x: 1, y: 1 },
      { writer: update, shape },
    );
    expect(applied(world, "b", {}).body).toEqual({ y: 1 });
  });
});

test.for<[what: string, live: Json, wanted: Json, merged: Json]>([
  ["members are joined", { map: { a: 1 } }, { map: { b: 2 } }, { map: { a: 1, b: 2 } }],
  ["a list of no type is replaced", { l: [1, 2] }, { l: [3] }, { l: [3] }],
  ["a set is joined", { set: ["a"] }, { set: ["b"] }, { set: ["a", "b"] }],
  [
    "items of one key are one",
    { byName: [{ name: "a", x: 1 }] },
    { byName: [{ name: "a", y: 2 }] },
    { byName: [{ name: "a", x: 1, y: 2 }] },
  ],
  [
    "the applied order counts, and others stay before what they stood before",
    { byName: [{ name: "x" }, { name: "a" }, { name: "y" }, { name: "b" }] },
    { byName: [{ name: "b" }, { name: "a" }] },
    { byName: [{ name: "x" }, { name: "b" }, { name: "a" }, { name: "y" }] },
  ],
  ["another type replaces", { v: { a: 1 } }, { v: 1 }, { v: 1 }],
  ["a member named like a prototype's is a member", {}, { constructor: 1 }, { constructor: 1 }],
])("merge: %s", ([, live, wanted, merged]) => {
  expect(merge(live, wanted, shape)).toEqual(merged);
});
