/** Makes ids of the words of names. No id is given twice. */
export function createIdMaker(...taken: readonly string[]): (name: string) => string {
  const used = new Set(taken);
  const counts = new Map<string, number>();
  return (name) => {
    const words =
      name
        .slice(0, 200)
        .toLowerCase()
        .replaceAll(/[^a-z0-9]+/g, '_')
        .replaceAll(/^_+|_+$/g, '')
        .slice(0, 50) || 'node';
    const base = /^\d/.test(words) ? `n_${words}` : words;
    let count = counts.get(base) ?? 1;
    let id = count === 1 ? base : `${base}_${count}`;
    while (used.has(id)) {
      count += 1;
      id = `${base}_${count}`;
    }
    counts.set(base, count + 1);
    used.add(id);
    return id;
  };
}
