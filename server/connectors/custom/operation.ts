import type { ApiOperation, ApiPaging } from '@/server/evaluation/openapi/record';
import type { DataOperation, ConnectorPaging } from '../operation';
import { parameterShape } from './parameters';

const toConnectorPaging = ({ items: _, ...paging }: ApiPaging): ConnectorPaging => paging;

/** The encoding of a body. JSON with the usual content type is the default. */
function bodyEncoding({ body }: ApiOperation): Pick<DataOperation, 'bodyAs' | 'bodyType' | 'wholeBody'> {
  if (!body) return {};
  return {
    bodyAs: body.as,
    ...(body.type === undefined ? {} : { bodyType: body.type }),
    ...(body.whole === undefined ? {} : { wholeBody: body.whole }),
  };
}

/** Converts an operation of a document to the data that calls are made from. */
export function toDataOperation(operation: ApiOperation): DataOperation {
  const { id, title, help, method, path, api, parameters, paging, isFile, isPublic } = operation;
  const inPath = parameterShape(operation, 'path');
  const inQuery = parameterShape(operation, 'query');
  const inHeader = parameterShape(operation, 'header');
  const inBody = parameterShape(operation, 'body');
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
    ...bodyEncoding(operation),
    ...(isFile ? { asFile: true as const } : {}),
    ...(paging ? { paging: toConnectorPaging(paging), items: paging.items } : {}),
    ...(isPublic ? { isPublic: true as const } : {}),
  };
}
