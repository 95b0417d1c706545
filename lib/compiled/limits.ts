/** Most characters of a definition's text: 4 Mi. An object of Kubernetes holds less than half of it, a gzipped ConfigMap may hold more. */
export const textLimit = 4 * 1024 * 1024;

/** Most bytes of a packed definition: a ConfigMap holds 1 MiB in all, keys included. */
export const packedLimit = 1024 * 1024 - 4096;

/** Most bytes that unpacking may yield; ten times what any text compiles to. */
export const unpackedLimit = 64 * 1024 * 1024;

/** Most findings that a status holds and that leave the compiler's process. */
export const findingLimit = 20;
