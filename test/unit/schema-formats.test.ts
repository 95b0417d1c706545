import { describe, expect, test } from "vitest";
import { formatOf } from "../../lib/schema/formats.ts";

function accepts(name: string, value: string | number): boolean {
  const format = formatOf(name);
  if (format?.type === "string" && typeof value === "string") return format.accepts(value);
  if (format?.type === "number" && typeof value === "number") return format.accepts(value);
  return true;
}

/** For each format values that have it, and values that do not. */
const rows: readonly (readonly [string, readonly (string | number)[], readonly (string | number)[]])[] = [
  ["int32", [0, -2_147_483_648, 2_147_483_647], [1.5, 2_147_483_648]],
  ["int64", [-9_223_372_036_854_775_808, 9_007_199_254_740_991, 2 ** 63], [2 ** 63 + 2048, 0.5]],
  ["uint8", [0, 255], [-1, 256]],
  ["float", [1.5, -3.4e38], [3.5e38]],
  ["double", [1e308], []],
  ["double-int", [9_007_199_254_740_991], [9_007_199_254_740_992, 0.5]],
  ["byte", ["", "aGVsbG8=", "YWI+Lw=="], ["aGVsbG8", "a===", "a b=", "aGVs_G8="]],
  ["base64url", ["", "aGVsbG8", "a-_"], ["aGVsbG8=", "a+b", "abcde"]],
  ["binary", ["anything\u0000"], []],
  ["password", ["", "x"], []],
  ["char", ["a", "é", "😀"], ["", "ab"]],
  ["date", ["2024-02-29", "0001-01-01"], ["2023-02-29", "2024-13-01", "2024-1-1", "2024-01-01T", "20240101", "2024-04-31"]],
  ["time", ["09:30:00Z", "09:30:00.123+02:00", "23:59:60Z", "01:29:60+01:30"], ["09:30:00", "24:00:00Z", "09:60:00Z", "09:30Z", "12:00:60Z", "09:30:00+0200"]],
  ["time-local", ["09:30:00", "09:30:00.5"], ["09:30:00Z"]],
  ["date-time", ["2024-05-17T09:30:00Z", "2024-05-17t09:30:00.000001z", "1998-12-31T23:59:60Z", "2024-05-17T09:30:00-08:00"], ["2024-05-17", "2024-05-17 09:30:00Z", "2024-05-17T09:30:00", "2024-02-30T09:30:00Z", "2024-05-17T25:00:00Z"]],
  ["date-time-local", ["2024-05-17T09:30:00"], ["2024-05-17T09:30:00Z"]],
  ["http-date", ["Fri, 17 May 2024 09:30:00 GMT"], ["Fri, 31 Feb 2024 09:30:00 GMT", "17 May 2024", "Fri, 17 Foo 2024 09:30:00 GMT"]],
  ["duration", ["P1D", "P1Y2M3DT4H5M6S", "PT36H", "P4W"], ["P", "1D", "PT", "P1S", "P1W2D"]],
  ["email", ["ada@example.com", "a.b+c@d.co", '"joe bloggs"@example.com', "a@[127.0.0.1]", "a@[IPv6:::1]", "~a@b"], ["ada", "@b", "a@", ".a@b.co", "a..b@c.de", "a b@c.de", "a@b_c.de", "a@[x]", `${"a".repeat(65)}@b.co`]],
  ["idn-email", ["实例@실례.테스트", "ada@example.com"], ["ada", "a b@c"]],
  ["hostname", ["example.com", "a", "a-b.c1"], ["-a.com", "a-.com", "a_b", "", "a..b", `${"a".repeat(64)}.com`]],
  ["idn-hostname", ["실례.테스트", "bücher.example", "example.com"], ["-a", "a b", ""]],
  ["ipv4", ["192.0.2.1"], ["256.0.0.1", "1.2.3", "1.2.3.4.5", "01.2.3.4"]],
  ["ipv6", ["::1", "2001:db8::1", "::ffff:192.0.2.1"], ["1:2:3", "12345::", "::1%eth0", "1::2::3"]],
  ["uri", ["https://example.com/a?b=c#d", "urn:isbn:0451450523", "mailto:ada@example.com", "data:,x"], ["/a", "example.com", "http:// a", 'http://a/"', "http://a/%zz", "http://a/ü"]],
  ["uri-reference", ["/a/b", "#x", "?q", "", "a"], ["\\a", "a b", "%zz"]],
  ["iri", ["https://exämple.com/ü"], ["/ü", "http://a/ b"]],
  ["iri-reference", ["/ü", "#ä"], ["\\ü"]],
  ["uri-template", ["/items/{id}", "{?q,page*}", "plain"], ["/items/{id", "}", "{}"]],
  ["uuid", ["f81d4fae-7dec-11d0-a765-00a0c91e6bf6", "F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6"], ["urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6", "f81d4fae7dec11d0a76500a0c91e6bf6", "x"]],
  ["json-pointer", ["", "/a/0", "/a~0b~1c"], ["a", "/a~2", "/a~"]],
  ["relative-json-pointer", ["0", "1/a", "2#"], ["/a", "-1", "01"]],
  ["regex", ["^a$", String.raw`\p{L}`], ["(", "[a"]],
  ["decimal", ["1.5", "-3", ".5"], ["x", "1.2.3"]],
  ["media-range", ["application/json", "text/*; q=0.5"], ["json", "a/b/c"]],
  ["sf-boolean", ["?0"], ["true"]],
  ["sf-token", ["a/b:c", "*x"], ["1a", "a b"]],
  ["unheard-of", ["anything", 1], []],
]; // oxfmt-ignore

describe("a format accepts what has it and nothing else", () => {
  test.for(rows)("%s", ([name, good, bad]) => {
    expect(good.filter((value) => !accepts(name, value))).toEqual([]);
    expect(bad.filter((value) => accepts(name, value))).toEqual([]);
  });
});

test("no format hangs on a long text", () => {
  for (const [name] of rows) {
    for (const part of ["a", "a.", "1", "%20", "/~0", "{a}", "é", "a@", "-", ":", 'x;y="']) {
      expect([true, false]).toContain(accepts(name, part.repeat(20_000)));
      expect([true, false]).toContain(accepts(name, `${part.repeat(20_000)}\n`));
    }
  }
});
