const decodePercentText = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
};

/** The file name of a Content-Disposition header (RFC 6266); undefined: it has none. */
export function dispositionFileName(header: string | null | undefined): string | undefined {
  const [, extended] = /;\s*filename\*\s*=\s*utf-8'[\w-]*'([^;\s]+)/i.exec(header ?? '') ?? [];
  if (extended !== undefined) return decodePercentText(extended);
  const [, quoted, plain] = /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(header ?? '') ?? [];
  return quoted?.replace(/\\(.)/g, '$1') ?? plain;
}

/** The header that names a download: the name is unchanged for clients of RFC 5987, and in ASCII for others. */
export function attachmentDisposition(name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
