import type { ApiOperation, ApiPaging } from '@/server/openapi/record';
import type { DataOperation, Paging } from '../operation';
import { shapeOf } from './parameters';

const pagingOf = ({ items: _, ...paging }: ApiPaging): Paging => paging;

/** How a body is sent; of JSON with the usual content type it is the default. */
function bodyOf({ body }: ApiOperation): Pick<DataOperation, 'bodyAs' | 'bodyType' | 'wholeBody'> {
  if (!body) return {};
  return {
    bodyAs: body.as,
    ...(body.type === undefined ? {} : { bodyType: body.type }),
    ...(body.whole === undefined ? {} : { wholeBody: body.whole }),
  };
}

/** An operation of a document as data for calls. */
export function dataOperation(operation: ApiOperation): DataOperation {
  const { id, title, help, method, path, api, parameters, paging, isFile, isPublic } = operation;
  const inPath = shapeOf(operation, 'path');
  const inQuery = shapeOf(operation, 'query');
  const inHeader = shapeOf(operation, 'header');
  const inBody = shapeOf(operation, 'body');
  const styles = parameters.flatMap(({ theirs, style }) => (style ? [[theirs, style] as const] : []));
  return {
    id,
    title,
    help,
    method,
    path,
    ...(api === undefined ? {} : { api }),
    ...(inPath ? { inPath } : {}),
    ...(inQuery ? { inQuery } : {}),
    ...(inHeader ? { inHeader } : {}),
    ...(inBody ? { inBody } : {}),
    names: Object.fromEntries(parameters.map(({ name, theirs }) => [name, theirs])),
    ...(styles.length > 0 ? { styles: Object.fromEntries(styles) } : {}),
    ...bodyOf(operation),
    ...(isFile ? { asFile: true as const } : {}),
    ...(paging ? { paging: pagingOf(paging), items: paging.items } : {}),
    ...(isPublic ? { isPublic: true as const } : {}),
  };
}
