import type { FuncKeywordDefinition } from "ajv/dist/2020.js";
import { spend } from "./budget.ts";
import type { Budget } from "./budget.ts";
import { canonical } from "./canonical.ts";
import { isMultiple } from "./numbers.ts";
import { compilePattern } from "./pattern/matcher.ts";
import { typeOfValue, typesOfKeyword } from "./types.ts";

/** Answers keywords that are judged here and not by Ajv: linear in the value, decimal numbers, and a `type` that is looked at after the steps. */
export function keywordsOf(budget: Budget): FuncKeywordDefinition[] {
  return [
    {
      keyword: "$type",
      before: "const",
      errors: false,
      compile: (type: unknown) => {
        const types = typesOfKeyword(type);
        return (value: unknown) => types.has(typeOfValue(value));
      },
    },
    {
      keyword: "enum",
      before: "const",
      errors: false,
      compile: (values: readonly unknown[]) => {
        const known = new Set(values.map(canonical));
        return (value: unknown) => known.has(canonical(value));
      },
    },
    {
      keyword: "multipleOf",
      type: "number",
      errors: false,
      compile: (divisor: number) => (value: number) => isMultiple(value, divisor),
    },
    {
      keyword: "uniqueItems",
      type: "array",
      errors: false,
      compile: (unique: boolean) => (items: readonly unknown[]) =>
        !unique || areUnique(items, budget),
    },
  ];
}

function areUnique(items: readonly unknown[], budget: Budget): boolean {
  const seen = new Set<string>();
  return items.every((item) => {
    const text = canonical(item);
    spend(budget, 1 + text.length / 8);
    return seen.size < seen.add(text).size;
  });
}

/** Answers how an engine makes an expression of a pattern. */
export function expressionsOf(budget: Budget): (source: string, flags: string) => Expression {
  return (source) => {
    const pattern = compilePattern(source);
    // Ajv shares expressions by this text.
    return { test: (text) => pattern.test(text, budget), toString: () => source };
  };
}

/** A pattern as Ajv uses it. */
export interface Expression {
  test(text: string): boolean;
  toString(): string;
}
