import { isEmptyParameter, type ConvertedCall, type NodeConversion, type NodeConverter } from '../conversion';
import { asN8nObject } from '../file';
import { convertJsonText, isN8nExpression } from '../n8n-expressions';
import { addCredentialTodo } from './http';
import { readEnteredText, readFieldsDocument } from './mongodb-documents';
import { ParameterReader } from './services/service';

type MongoNodeConfig = Record<string, unknown>;

/** A call for an operation of n8n. */
interface MongoCall {
  config: MongoNodeConfig;
  isList?: boolean;
  shape?: string;
}

/** Undefined: people have to enter it. */
type MongoCallBuilder = (conversion: NodeConversion) => MongoCall | undefined;

const SCRIPT_OPERATORS = /\$(?:where|function|accumulator)\b/;
/** Weft reads no more documents at once. */
const MAX_FOUND_DOCUMENTS = 10_000;

const isJsonObject = (value: unknown): value is MongoNodeConfig =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A parameter with JSON as n8n reads it: expressions are put in first. Undefined: it is no JSON. */
function readJson(conversion: NodeConversion, given: unknown): unknown {
  if (typeof given !== 'string') return isJsonObject(given) || Array.isArray(given) ? given : undefined;
  return convertJsonText(given, conversion.expressions)?.value;
}

/** The values for `$1`, `$2` and so on, which later versions of n8n's node have. */
const hasParameters = (given: unknown): boolean =>
  !isEmptyParameter(given) && !(typeof given === 'string' && /^=?\s*\[\s*\]\s*$/.test(given));

function readQuery(conversion: NodeConversion, usual: string | undefined): unknown {
  const { query: given, queryParameters } = conversion.node.parameters;
  const query = readJson(conversion, given ?? usual);
  const isKnown = query !== undefined && !hasParameters(queryParameters) && !SCRIPT_OPERATORS.test(String(given));
  if (!isKnown) conversion.addTodo('Write its query.');
  return isKnown ? query : undefined;
}

const OBJECT_ID_QUERY =
  "(query) => typeof query._id === 'string' && query._id ? ({ ...query, _id: ({ $oid: query._id }) }) : query";

/** n8n finds by an object id where `_id` of the whole query is a text, and by texts in lists, operators and `$or`. */
function findByObjectId(query: unknown): unknown {
  if (typeof query === 'string') return `{{ (${OBJECT_ID_QUERY})(${query.slice('{{ '.length, -' }}'.length)}) }}`;
  const isText = isJsonObject(query) && typeof query['_id'] === 'string' && query['_id'] !== '';
  return isText ? { ...query, _id: { $oid: query['_id'] } } : query;
}

function readCount(read: ParameterReader, path: string): unknown {
  const given = read.value(path);
  return typeof given === 'number' && !(given > 0) ? undefined : given;
}

/** n8n gives the item, and nothing of the document that was found. */
const ID_ALONE = { projection: { _id: 1 } };

const MONGO_CALLS: Readonly<Record<string, MongoCallBuilder>> = {
  find: (conversion) => {
    const options = asN8nObject(conversion.node.parameters['options']);
    const query = readQuery(conversion, '{}');
    const read = new ParameterReader(conversion, conversion.expressions);
    const [sort, projection] = ['sort', 'projection'].map((name) => {
      const given = options[name];
      const value = isEmptyParameter(given) ? undefined : readJson(conversion, given);
      const isKnown = !hasParameters(options[`${name}Parameters`]) && (isEmptyParameter(given) || value !== undefined);
      if (!isKnown) conversion.addTodo(`Write its ${name === 'sort' ? 'order' : 'fields'}.`);
      return isKnown && !(isJsonObject(value) && Object.keys(value).length === 0) ? value : undefined;
    });
    const limit = readCount(read, 'options.limit');
    return {
      config: {
        operation: 'find',
        query: findByObjectId(query),
        sort,
        projection,
        skip: readCount(read, 'options.skip'),
        // Without a limit more than Weft reads is a failure, and no shorter list.
        limit: typeof limit === 'number' && limit > MAX_FOUND_DOCUMENTS ? undefined : limit,
        hasTextIds: true,
      },
      isList: true,
    };
  },
  aggregate: (conversion) => ({
    config: { operation: 'aggregate', pipeline: readQuery(conversion, undefined), hasTextIds: true },
    isList: true,
  }),
  delete: (conversion) => ({ config: { operation: 'delete', query: readQuery(conversion, '{}'), hasTextIds: true } }),
  insert: (conversion) => {
    const document = readFieldsDocument(conversion.node.parameters, { isNested: true });
    if (!document) return undefined;
    return {
      config: { operation: 'insert', documents: callOn(document.sent, '$json'), hasTextIds: true },
      shape: `({ insertedIds: [id] }, item) => ({ ...(${document.given})(item), _id: id, id })`,
    };
  },
  update: (conversion) => {
    // Since version 1.2 names with dots are those of the fields that are set.
    const found = readKeyedChange(conversion, conversion.node.version < 1.2);
    return found && changeCall('update', found, { change: found.set, which: 'first' });
  },
  findOneAndUpdate: (conversion) => {
    const found = readKeyedChange(conversion, conversion.node.version < 1.2);
    return found && changeCall('find_and_update', found, { change: found.set, ...ID_ALONE });
  },
  findOneAndReplace: (conversion) => {
    const found = readKeyedChange(conversion, true);
    return found && changeCall('find_and_replace', found, { document: found.whole, ...ID_ALONE });
  },
};

const callOn = (code: string, argument: string): string => `{{ (${code})(${argument}) }}`;

/** A change of the document that a field of the item names. */
interface KeyedChange {
  query: string;
  set: string;
  whole: string;
  upsert: unknown;
  shape: string;
}

function readKeyedChange(conversion: NodeConversion, isNested: boolean): KeyedChange | undefined {
  const { parameters, version } = conversion.node;
  const { updateKey = 'id', upsert = false } = parameters;
  const key = readEnteredText(updateKey)?.trim();
  if (key === undefined || key === '' || typeof upsert !== 'boolean') return undefined;
  const document = readFieldsDocument(parameters, { isNested, key });
  // A path as the key is looked for in the document that is made, which has it at another place.
  if (!document || (key.includes('.') && asN8nObject(parameters['options'])['useDotNotation'] === true))
    return undefined;
  const name = JSON.stringify(key);
  const without = (code: string) =>
    key === '_id' ? `(item) => { const { _id, ...rest } = (${code})(item); return rest; }` : code;
  const isKnown = `item[${name}] !== undefined`;
  const value = `(${document.sent})(item)[${name}]`;
  const isPlain = `(typeof item[${name}] !== 'object' || item[${name}] === null)`;
  const equal = key === '_id' ? `({ _id: ({ $oid: String(item._id) }) })` : `({ [${name}]: ${value} })`;
  // Early versions leave out an item without the field: nothing is found, and nothing is inserted.
  const skips = version < 1.3;
  const otherwise = skips ? `(${isKnown} ? undefined : ({ _id: ({ $in: [] }) }))` : 'undefined';
  const query = `(item) => ${isKnown} && ${isPlain} ? ${equal} : ${otherwise}`;
  const given = `(${without(document.given)})(item)`;
  return {
    query: callOn(query, '$json'),
    set: callOn(`(item) => ({ $set: (${without(document.sent)})(item) })`, '$json'),
    whole: callOn(without(document.sent), '$json'),
    upsert: upsert && skips ? callOn(`(item) => ${isKnown}`, '$json') : upsert || undefined,
    shape: skips ? `(_, item) => ${isKnown} ? ${given} : []` : `(_, item) => ${given}`,
  };
}

const changeCall = (operation: string, { query, upsert, shape }: KeyedChange, config: MongoNodeConfig): MongoCall => ({
  config: { operation, query, ...config, upsert, hasTextIds: true },
  shape,
});

const convertMongo: NodeConverter = (conversion): ConvertedCall => {
  const { parameters, version } = conversion.node;
  const { resource = 'document', operation = 'find', collection } = parameters;
  const build = Object.hasOwn(MONGO_CALLS, String(operation)) ? MONGO_CALLS[String(operation)] : undefined;
  if (resource !== 'document' || !build)
    return conversion.placeholder(`The node mongodb has no “${String(resource)}.${String(operation)}”.`);
  addCredentialTodo(conversion, 'its credential for MongoDB');
  const call = build(conversion);
  if (!call) conversion.addTodo('Write its documents and its query: the names of fields are computed, or not clear.');
  if (isEmptyParameter(collection)) conversion.addChoice('config.collection', 'Choose its collection.');
  // Early versions read the parameters of such operations for the first item alone.
  const isReadOnce = version < 1.3 && !['find', 'aggregate', 'delete'].includes(String(operation));
  if (isReadOnce && isN8nExpression(collection)) conversion.addTodo('Check its collection: it is that of each item.');
  const { isNamedElsewhere } = conversion.context;
  if (call?.isList && isNamedElsewhere(conversion.node, /\$numberDecimal/))
    conversion.addTodo('Check what reads “$numberDecimal”: decimals are numbers.');
  const read = new ParameterReader(conversion, conversion.expressions);
  const made = conversion.createCall(
    { type: 'mongodb', config: { collection: read.text('collection'), ...call?.config } },
    call?.isList,
  );
  return call?.shape === undefined ? made : { ...made, shape: call.shape };
};

export const MONGO_CONVERTERS: Readonly<Record<string, NodeConverter>> = { mongoDb: convertMongo };
