/** Answers whether the value is a whole multiple of the divisor, reckoned in decimal: 19.99 is a multiple of 0.01. */
export function isMultiple(value: number, divisor: number): boolean {
  if (!(divisor > 0) || !Number.isFinite(value)) return false;
  if (Number.isSafeInteger(value) && Number.isSafeInteger(divisor)) return value % divisor === 0;
  const [a, b] = sameScale(decimal(value), decimal(divisor));
  return a % b === 0n;
}

/** A decimal number: `digits` times ten to the power of minus `scale`. */
export interface Decimal {
  readonly digits: bigint;
  readonly scale: number;
}

/** Answers a finite number as the decimal that JavaScript writes for it. */
export function decimal(value: number): Decimal {
  const [mantissa = "0", exponent = "0"] = String(value).split("e");
  const [whole = "0", fraction = ""] = mantissa.split(".");
  const scale = fraction.length - Number(exponent);
  const digits = BigInt(whole + fraction);
  return scale >= 0 ? { digits, scale } : { digits: digits * 10n ** BigInt(-scale), scale: 0 };
}

/** Answers the digits of two decimals at their larger scale. */
export function sameScale(a: Decimal, b: Decimal): [bigint, bigint] {
  const scale = Math.max(a.scale, b.scale);
  return [a.digits * 10n ** BigInt(scale - a.scale), b.digits * 10n ** BigInt(scale - b.scale)];
}
