import { copyValue } from './paths';

type Fields = Record<string, unknown>;

/** How fields with the same name are combined. */
export interface ClashRules {
  resolveClash?: 'addSuffix' | 'preferInput1' | 'preferInput2' | 'preferLast';
  mergeMode?: 'deepMerge' | 'shallowMerge';
  overrideEmpty?: boolean;
}

const isPlain = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

const isBlank = (value: unknown) => value === undefined || value === null || value === '';

/** Merges fields into others, and objects and lists in them; a value that is undefined changes nothing. */
function mergeDeep(target: Fields, source: Fields, keepsBlank: boolean): Fields {
  for (const [name, value] of Object.entries(source)) {
    if (name === '__proto__') continue;
    if (keepsBlank && isBlank(value)) {
      target[name] ??= value;
      continue;
    }
    const found = target[name];
    // A list takes the place of an object. An object that comes to a list adds fields to it, which are lost with it.
    if (isPlain(value) && isPlain(found) && (Array.isArray(found) || !Array.isArray(value)))
      target[name] = mergeDeep(
        Array.isArray(found) ? ([...found] as unknown as Fields) : { ...found },
        value,
        keepsBlank,
      );
    else if (value !== undefined || !(name in target)) target[name] = copyValue(value);
  }
  return target;
}

function mergeShallow(target: Fields, source: Fields, keepsBlank: boolean): Fields {
  for (const [name, value] of Object.entries(source))
    target[name] = keepsBlank && isBlank(value) ? (target[name] ?? value) : value;
  return target;
}

/** One object with the fields of several, of which the later ones win. */
export function mergeFieldSets({ mergeMode = 'deepMerge', overrideEmpty = false }: ClashRules, sets: Fields[]): Fields {
  const hasOwnMode = overrideEmpty;
  const merge = mergeMode === 'shallowMerge' ? mergeShallow : mergeDeep;
  return sets.reduce<Fields>((target, source) => merge(target, source, hasOwnMode), {});
}
