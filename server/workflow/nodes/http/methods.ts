import { z } from 'zod';

/** Methods that most servers have, then those of WebDAV and its extensions, and others in use. */
const HTTP_METHODS = [
  'GET',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'HEAD',
  'OPTIONS',
  'PROPFIND',
  'PROPPATCH',
  'MKCOL',
  'COPY',
  'MOVE',
  'LOCK',
  'UNLOCK',
  'REPORT',
  'SEARCH',
  'MKCALENDAR',
  'ACL',
  'BASELINE-CONTROL',
  'BIND',
  'CHECKIN',
  'CHECKOUT',
  'LABEL',
  'LINK',
  'MERGE',
  'MKACTIVITY',
  'MKREDIRECTREF',
  'MKWORKSPACE',
  'ORDERPATCH',
  'REBIND',
  'UNBIND',
  'UNCHECKOUT',
  'UNLINK',
  'UPDATE',
  'UPDATEREDIRECTREF',
  'VERSION-CONTROL',
  'QUERY',
  'LIST',
  'PURGE',
  'NOTIFY',
  'SUBSCRIBE',
  'UNSUBSCRIBE',
] as const;

/** The reasons why some methods of HTTP are refused. */
const REFUSED_METHODS: Readonly<Record<string, string>> = {
  CONNECT: 'CONNECT is not possible: it opens a tunnel, whose content could not be checked',
  TRACE: 'TRACE is not possible: its answer would show the credential',
};

export const HttpRequestMethod = z.enum(HTTP_METHODS, {
  error: ({ input }) =>
    typeof input === 'string' && Object.hasOwn(REFUSED_METHODS, input)
      ? REFUSED_METHODS[input]
      : 'must be a method of HTTP, such as GET',
});
