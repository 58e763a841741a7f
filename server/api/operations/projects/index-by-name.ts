/** Indexes items by name. The second item with the name `a` becomes `a #2`, and so on. */
export function indexByName<Of>(all: readonly Of[], nameOf: (one: Of) => string): Map<string, Of> {
  const counts = new Map<string, number>();
  return new Map(
    all.map((one) => {
      const name = nameOf(one);
      const count = (counts.get(name) ?? 0) + 1;
      counts.set(name, count);
      return [count === 1 ? name : `${name} #${count}`, one];
    }),
  );
}
