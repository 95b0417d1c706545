import { sha256 } from "./hash.ts";

/** Goes up whenever a child of the same mock is made differently, so that an upgrade reaches mocks at rest. */
export const templateVersion = 1;

/** What the operator itself brings to a mock. */
export interface Bring {
  /** The image that mocks run. */
  readonly image: string;
  /** `Compiler.version`. */
  readonly compiler: string;
}

/** Answers a short hash of what the operator itself brings, as in `status.build`: another one means that the mock must be rolled. */
export function buildOf({ image, compiler }: Bring): string {
  return sha256(JSON.stringify([image, templateVersion, compiler])).slice(0, 16);
}
