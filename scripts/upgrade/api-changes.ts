import semver from 'semver';

interface Schema {
  $ref?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: Schema | boolean;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
}

interface Content {
  content?: Record<string, { schema?: Schema }>;
  $ref?: string;
}

interface Operation {
  parameters?: { name?: string; in?: string; required?: boolean }[];
  requestBody?: Content;
  responses?: Record<string, Content>;
}

export interface ApiDescription {
  info: { version: string };
  paths: Record<string, Record<string, Operation>>;
  components?: Record<string, Record<string, Schema & Content>>;
}

/** What callers may rely on, one line for each: `GET /api/x: 200 data[].id`; and what they must send. */
interface Promises {
  given: Set<string>;
  required: Set<string>;
}

function resolved<Part extends { $ref?: string }>(document: ApiDescription, part: Part): Part {
  const [, kind = '', name = ''] = /^#\/components\/([^/]+)\/(.+)$/.exec(part.$ref ?? '') ?? [];
  return (document.components?.[kind]?.[name] as Part | undefined) ?? part;
}

/** Calls `visit` for each field of a schema, with its path. A schema within itself is visited once. */
function visitFields(
  document: ApiDescription,
  schema: Schema,
  visit: (path: string, isRequired: boolean) => void,
  path = '',
  above: readonly Schema[] = [],
): void {
  const here = resolved(document, schema);
  if (above.includes(here)) return;
  const inner = [...above, here];
  for (const [name, field] of Object.entries(here.properties ?? {})) {
    const place = path ? `${path}.${name}` : name;
    visit(place, here.required?.includes(name) ?? false);
    visitFields(document, field, visit, place, inner);
  }
  if (here.items) visitFields(document, here.items, visit, `${path}[]`, inner);
  if (typeof here.additionalProperties === 'object')
    visitFields(document, here.additionalProperties, visit, `${path}.*`, inner);
  for (const part of [...(here.allOf ?? []), ...(here.anyOf ?? []), ...(here.oneOf ?? [])])
    visitFields(document, part, visit, path, inner);
}

const schemasOf = (document: ApiDescription, content: Content): Schema[] =>
  Object.values(resolved(document, content).content ?? {}).flatMap(({ schema }) => schema ?? []);

function promisesOf(document: ApiDescription): Promises {
  const given = new Set<string>();
  const required = new Set<string>();
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const name = `${method.toUpperCase()} ${path}`;
      given.add(name);
      for (const parameter of operation.parameters ?? []) {
        given.add(`${name}: parameter ${parameter.name}`);
        if (parameter.required) required.add(`${name}: parameter ${parameter.name}`);
      }
      for (const schema of schemasOf(document, operation.requestBody ?? {}))
        visitFields(document, schema, (field, isRequired) => {
          given.add(`${name}: body ${field}`);
          if (isRequired) required.add(`${name}: body ${field}`);
        });
      for (const [status, response] of Object.entries(operation.responses ?? {})) {
        given.add(`${name}: ${status}`);
        for (const schema of schemasOf(document, response))
          visitFields(document, schema, (field) => given.add(`${name}: ${status} ${field}`));
      }
    }
  }
  return { given, required };
}

/**
 * What a caller of one release meets differently at another: what is gone, and what must be sent now. Empty: nothing.
 */
export function findApiBreaks(before: ApiDescription, after: ApiDescription): string[] {
  const [old, current] = [promisesOf(before), promisesOf(after)];
  // Of what is gone as a whole, and of an object that is new as a whole, the parts are not listed.
  const gone = [...old.given].filter(
    (one) =>
      !current.given.has(one) && ancestorsOf(one).every((above) => current.given.has(above) || !old.given.has(above)),
  );
  const asked = [...current.required].filter(
    (one) =>
      !old.required.has(one) && ancestorsOf(one).every((above) => old.given.has(above) || !current.given.has(above)),
  );
  return [...gone.map((one) => `${one} is gone`), ...asked.map((one) => `${one} is required`)];
}

/** The operation, the status and the objects that a line of `Promises` belongs to. */
function ancestorsOf(line: string): string[] {
  const [operation = '', place] = line.split(': ');
  if (place === undefined) return [];
  const ends = [...place.matchAll(/\.|\[\]|(?<=^\d+) /g)].map(({ index }) =>
    place.slice(0, index).replace(/\.\*$/, ''),
  );
  return [operation, ...ends.map((end) => `${operation}: ${end}`)];
}

/**
 * Whether a version number promises that callers of the earlier release meet nothing differently
 * (docs/operate/upgrade.md).
 */
export function isApiPromised(earlier: string, current: string): boolean {
  const difference = semver.diff(earlier, current);
  return difference === 'patch' || (difference === 'minor' && semver.major(current) > 0);
}

/**
 * Compares the APIs of two services, and says how they differ for callers of the earlier one. Throws where the versions
 * promise that they do not.
 */
export async function compareApis(earlier: string, current: string): Promise<string> {
  const describe = async (url: string) => (await fetch(`${url}/openapi.json`)).json() as Promise<ApiDescription>;
  const [before, after] = await Promise.all([describe(earlier), describe(current)]);
  const breaks = findApiBreaks(before, after);
  const versions = `API of ${before.info.version} and ${after.info.version}`;
  const text = [`${versions}: ${breaks.length} breaking changes`, ...breaks].join('\n  ');
  if (breaks.length > 0 && isApiPromised(before.info.version, after.info.version))
    throw new Error(`${text}\nThe version number promises that there are none.`);
  return text;
}
