/** What the palette keeps for a person in this browser: ids of offers. */
export interface Kept {
  /** Oldest first. */
  favourites: readonly string[];
  /** Newest first. */
  recent: readonly string[];
}

const MOST_RECENT = 5;
const MOST_FAVOURITES = 50;
const NOTHING: Kept = { favourites: [], recent: [] };
const keyOf = (userId: string) => `weft.palette.${userId}`;

/** What is kept for a person. What is unreadable counts as nothing. */
export function readKept(userId: string): Kept {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(keyOf(userId)) ?? '{}');
    const { favourites, recent } = Object(value) as Record<string, unknown>;
    return { favourites: texts(favourites), recent: texts(recent) };
  } catch {
    return NOTHING;
  }
}

const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : [];

/** Disabled or full storage is ignored. */
export function storeKept(userId: string, kept: Kept): void {
  try {
    localStorage.setItem(keyOf(userId), JSON.stringify(kept));
  } catch {
    return;
  }
}

export const used = (kept: Kept, id: string): Kept => ({
  ...kept,
  recent: [id, ...kept.recent.filter((other) => other !== id)].slice(0, MOST_RECENT),
});

export function toggled(kept: Kept, id: string): Kept {
  const others = kept.favourites.filter((other) => other !== id);
  const isNew = others.length === kept.favourites.length;
  return { ...kept, favourites: isNew ? [...others, id].slice(-MOST_FAVOURITES) : others };
}

/** The offers with favourites first and recent ones next, each once, also those that only a search finds otherwise. */
export function keptFirst<Offer extends { id: string; group: string; isHidden?: boolean }>(
  offers: readonly Offer[],
  { favourites, recent }: Kept,
): Offer[] {
  const byId = new Map(offers.map((offer) => [offer.id, offer]));
  const under = (group: string, ids: readonly string[]) =>
    ids.flatMap((id) => {
      const offer = byId.get(id);
      byId.delete(id);
      return offer ? [{ ...offer, group, isHidden: false }] : [];
    });
  const first = [...under('Favourites', favourites), ...under('Recently used', recent)];
  return [...first, ...byId.values()];
}
