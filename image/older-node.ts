// What of ES2024 and ES2025 is used here and Node has since version 22, for a function that runs on Node 20. Each bundle begins with it.
const setMethods = {
  union(this: Set<unknown>, other: Set<unknown>) {
    return new Set([...this, ...other]);
  },
  intersection(this: Set<unknown>, other: Set<unknown>) {
    return new Set([...this].filter((value) => other.has(value)));
  },
  difference(this: Set<unknown>, other: Set<unknown>) {
    return new Set([...this].filter((value) => !other.has(value)));
  },
  isSubsetOf(this: Set<unknown>, other: Set<unknown>) {
    return [...this].every((value) => other.has(value));
  },
};

function withResolvers(): object {
  const resolvers = {};
  const promise = new Promise((resolve, reject) => Object.assign(resolvers, { resolve, reject }));
  return Object.assign(resolvers, { promise });
}

function add(target: object, methods: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(methods)) {
    if (Object.hasOwn(target, name)) continue;
    Object.defineProperty(target, name, { value, writable: true, configurable: true });
  }
}

add(Set.prototype, setMethods);
add(Promise, { withResolvers });
