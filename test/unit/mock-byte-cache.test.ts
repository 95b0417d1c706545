import { expect, test } from "vitest";
import { createByteCache } from "../../functions/mock/byte-cache.ts";

const owner = {};

test("a value is found by its owner and variant alone", () => {
  const cache = createByteCache<string>(100);
  cache.set(owner, "a", { value: "x", bytes: 1 });
  expect(cache.get(owner, "a")).toBe("x");
  expect(cache.get(owner, "b")).toBeUndefined();
  expect(cache.get({}, "a")).toBeUndefined();
});

test("the oldest go when there are too many bytes", () => {
  const cache = createByteCache<number>(100);
  for (let at = 0; at < 10; at += 1) cache.set(owner, String(at), { value: at, bytes: 20 });
  const kept = Array.from({ length: 10 }, (_, at) => cache.get(owner, String(at)));
  expect(kept.filter((value) => value !== undefined)).toEqual([5, 6, 7, 8, 9]);
});

test("a value that would drive out most others is not kept", () => {
  const cache = createByteCache<string>(100);
  cache.set(owner, "small", { value: "small", bytes: 20 });
  cache.set(owner, "large", { value: "large", bytes: 26 });
  expect(cache.get(owner, "large")).toBeUndefined();
  expect(cache.get(owner, "small")).toBe("small");
});

test("a value set again is counted once", () => {
  const cache = createByteCache<number>(100);
  for (let at = 0; at < 20; at += 1) cache.set(owner, "same", { value: at, bytes: 20 });
  cache.set(owner, "other", { value: 1, bytes: 20 });
  expect(cache.get(owner, "same")).toBe(19);
});
