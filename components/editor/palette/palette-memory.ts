/** The ids of offers that the palette remembers for a person in this browser. */
export interface PaletteMemory {
  /** Oldest first. */
  favourites: readonly string[];
  /** Newest first. */
  recent: readonly string[];
}

const MAX_RECENT_OFFERS = 5;
const MAX_FAVOURITE_OFFERS = 50;
const EMPTY_PALETTE_MEMORY: PaletteMemory = { favourites: [], recent: [] };
const paletteStorageKey = (userId: string) => `weft.palette.${userId}`;

/** Reads what is remembered for a person. An unreadable entry counts as empty. */
export function readPaletteMemory(userId: string): PaletteMemory {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(paletteStorageKey(userId)) ?? '{}');
    const { favourites, recent } = Object(value) as Record<string, unknown>;
    return { favourites: filterTexts(favourites), recent: filterTexts(recent) };
  } catch {
    return EMPTY_PALETTE_MEMORY;
  }
}

const filterTexts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : [];

/** Disabled or full storage is ignored. */
export function storePaletteMemory(userId: string, kept: PaletteMemory): void {
  try {
    localStorage.setItem(paletteStorageKey(userId), JSON.stringify(kept));
  } catch {
    return;
  }
}

export const addRecentOffer = (kept: PaletteMemory, id: string): PaletteMemory => ({
  ...kept,
  recent: [id, ...kept.recent.filter((other) => other !== id)].slice(0, MAX_RECENT_OFFERS),
});

export function toggleFavouriteOffer(kept: PaletteMemory, id: string): PaletteMemory {
  const others = kept.favourites.filter((other) => other !== id);
  const isNew = others.length === kept.favourites.length;
  return { ...kept, favourites: isNew ? [...others, id].slice(-MAX_FAVOURITE_OFFERS) : others };
}

/** The offers with favourites first and recent ones next, each once, also those that only a search finds otherwise. */
export function putRememberedFirst<Offer extends { id: string; group: string; isHidden?: boolean }>(
  offers: readonly Offer[],
  { favourites, recent }: PaletteMemory,
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
